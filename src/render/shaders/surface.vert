// A skinned vertex of the surface.

layout(location = 0) in vec3 position_in_bind;
layout(location = 1) in vec3 normal_in_bind;
layout(location = 2) in uvec4 joints;
layout(location = 3) in vec4 weights;
layout(location = 4) in vec2 uv;
layout(location = 8) in float scalar;

out vec3 position_in_world;
out vec3 normal_in_world;
// Negative where the skin matrix mirrors, and front faces look like back faces.
out float handedness;
out vec4 tint;
// Of the triangle's last vertex: there is nothing between two numbers of joints.
flat out uvec4 stored_joints;
out vec2 base_uv;

// The inverse transpose up to a positive factor; see normal_from_bind in
// src/skin/linear_blend.rs.
mat3 normal_from_bind(mat3 m, float orientation) {
    return mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])) * orientation;
}

void main() {
    mat4 m = skin_matrix(joints, weights);
    position_in_world = (m * vec4(position_in_bind, 1.0)).xyz;

    handedness = determinant(mat3(m)) < 0.0 ? -1.0 : 1.0;
    vec3 normal = normal_from_bind(mat3(m), handedness) * normal_in_bind;
    float size = length(normal);
    normal_in_world = size > 0.0 ? normal / size : vec3(0.0);

    tint = vertex_tint(joints, weights, position_in_world - position_in_bind, scalar);
    stored_joints = joints;
    base_uv = uv;
    gl_Position = clip_from_point(position_in_world, 0.0);
}
