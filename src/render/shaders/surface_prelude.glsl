// One vertex of the surface: what comes in and what goes out.

layout(location = 0) in vec3 position_in_bind;
layout(location = 1) in vec3 normal_in_bind;
layout(location = 2) in JOINTS joints;
layout(location = 3) in vec4 weights;
layout(location = 4) in vec2 uv;
#if EIGHT
layout(location = 5) in JOINTS joints_1;
layout(location = 6) in vec4 weights_1;
#endif
layout(location = 8) in float scalar;

out vec3 position_in_world;
// Of unit length.
out vec3 normal_in_world;
// Negative where the skin matrix mirrors, and front faces look like back faces.
out float handedness;
out vec4 tint;
// Of the triangle's last vertex: there is nothing between two numbers of joints.
flat out uvec4 stored_joints;
out vec2 base_uv;
// Where its w is 1, a colour that is shown as it is, without light.
out vec4 shown_color;

// Of unit length; zero where there is no direction.
vec3 unit(vec3 direction) {
    float size = length(direction);
    return size > 0.0 ? direction / size : vec3(0.0);
}

// What the fragment shader needs besides position and normal.
void pass_on(mat4 skin) {
    handedness = determinant(mat3(skin)) < 0.0 ? -1.0 : 1.0;
    base_uv = uv;
    shown_color = vec4(0.0);
    stored_joints = uvec4(joints);
    vec3 moved = position_in_world - position_in_bind;
#if EIGHT
    uvec4 all_joints[SETS] = uvec4[](uvec4(joints), uvec4(joints_1));
    vec4 all_weights[SETS] = vec4[](weights, weights_1);
#else
    uvec4 all_joints[SETS] = uvec4[](uvec4(joints));
    vec4 all_weights[SETS] = vec4[](weights);
#endif
    tint = vertex_tint(all_joints, all_weights, moved, scalar);
}
