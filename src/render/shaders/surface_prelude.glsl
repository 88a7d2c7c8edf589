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
#if CROWD
// One each for every copy of the skin: the columns of world_from_instance.
layout(location = 9) in vec4 instance_x;
layout(location = 10) in vec4 instance_y;
layout(location = 11) in vec4 instance_z;
layout(location = 12) in vec4 instance_origin;
#endif

out vec3 position_in_world;
// Of unit length.
out vec3 normal_in_world;
// Negative where the skin matrix mirrors, and front faces look like back faces.
out float handedness;
// A colour or a number, or the weights; and those of the second set.
out vec4 tint;
out vec4 tint_1;
// Of the triangle's last vertex: there is nothing between two numbers of joints.
flat out uvec4 stored_joints;
flat out uvec4 stored_joints_1;
out vec2 base_uv;
// Where its alpha is 1, the surface has this colour and no light falls on it.
out vec4 shown_color;

// Of unit length; zero where there is no direction.
vec3 unit(vec3 direction) {
    float size = length(direction);
    return size > 0.0 ? direction / size : vec3(0.0);
}

#if CROWD
mat4 world_from_instance() {
    return mat4(instance_x, instance_y, instance_z, instance_origin);
}
#endif

// What the fragment shader needs besides position and normal.
void pass_on(mat4 skin) {
    handedness = determinant(mat3(skin)) < 0.0 ? -1.0 : 1.0;
    base_uv = uv;
    shown_color = vec4(0.0);
#if EIGHT
    Lanes lanes = Lanes(uvec4(joints), weights, uvec4(joints_1), weights_1);
#else
    Lanes lanes = Lanes(uvec4(joints), weights, uvec4(0), vec4(0.0));
#endif
#if CROWD
    vec3 stored = (world_from_instance() * vec4(position_in_bind, 1.0)).xyz;
#else
    vec3 stored = position_in_bind;
#endif
    tint = vertex_tint(lanes, position_in_world - stored, scalar);
    tint_1 = lanes.weights_1;
    stored_joints = lanes.joints;
    stored_joints_1 = lanes.joints_1;
}
