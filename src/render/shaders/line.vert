// A line of the mesh, skinned at both ends. One instance a line.

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

uniform float nudge_in_world;

out float dash_px;
out vec3 tint;

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
    tint = vertex_tint(uvec4(at_b ? joints_b : joints_a), at_b ? weights_b : weights_a);
#if EIGHT
    tint += vertex_tint(uvec4(at_b ? joints_1_b : joints_1_a), at_b ? weights_1_b : weights_1_a);
#endif
}
