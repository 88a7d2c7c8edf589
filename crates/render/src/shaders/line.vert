// A line of the mesh, skinned at both ends. One instance per line.

layout(location = 0) in vec3 position_in_bind_a;
layout(location = 1) in JOINTS joints_a;
layout(location = 2) in vec4 weights_a;
layout(location = 3) in vec3 position_in_bind_b;
layout(location = 4) in JOINTS joints_b;
layout(location = 5) in vec4 weights_b;
#if EIGHT
layout(location = 6) in JOINTS joints_1_a;
layout(location = 7) in vec4 weights_1_a;
layout(location = 8) in JOINTS joints_1_b;
layout(location = 9) in vec4 weights_1_b;
#endif
layout(location = 12) in float scalar_a;
layout(location = 13) in float scalar_b;

uniform float nudge_in_world;

out float dash_px;
out vec4 tint;
out vec4 tint_1;
out float toward_b;
flat out uvec4 stored_joints_a;
flat out uvec4 stored_joints_b;
flat out uvec4 stored_joints_1_a;
flat out uvec4 stored_joints_1_b;

void main() {
#if EIGHT
    mat4 skin_a = skin_matrix(joints_a, weights_a, joints_1_a, weights_1_a);
    mat4 skin_b = skin_matrix(joints_b, weights_b, joints_1_b, weights_1_b);
#else
    mat4 skin_a = skin_matrix(joints_a, weights_a);
    mat4 skin_b = skin_matrix(joints_b, weights_b);
#endif
    vec3 a_in_world = (skin_a * vec4(position_in_bind_a, 1.0)).xyz;
    vec3 b_in_world = (skin_b * vec4(position_in_bind_b, 1.0)).xyz;
    gl_Position = line_corner(
        clip_from_point(a_in_world, nudge_in_world),
        clip_from_point(b_in_world, nudge_in_world),
        dash_px);
    bool at_b = (gl_VertexID & 1) == 1;
#if EIGHT
    Lanes a = Lanes(uvec4(joints_a), weights_a, uvec4(joints_1_a), weights_1_a);
    Lanes b = Lanes(uvec4(joints_b), weights_b, uvec4(joints_1_b), weights_1_b);
#else
    Lanes a = Lanes(uvec4(joints_a), weights_a, uvec4(0), vec4(0.0));
    Lanes b = Lanes(uvec4(joints_b), weights_b, uvec4(0), vec4(0.0));
#endif
    tint = at_b
        ? vertex_tint(b, b_in_world - position_in_bind_b, scalar_b)
        : vertex_tint(a, a_in_world - position_in_bind_a, scalar_a);
    tint_1 = at_b ? b.weights_1 : a.weights_1;
    toward_b = at_b ? 1.0 : 0.0;
    stored_joints_a = a.joints;
    stored_joints_b = b.joints;
    stored_joints_1_a = a.joints_1;
    stored_joints_1_b = b.joints_1;
}
