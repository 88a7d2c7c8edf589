// A normal, drawn as a line that starts at its skinned vertex. One instance per
// vertex.

layout(location = 0) in vec3 position_in_bind;
layout(location = 1) in vec3 normal_in_bind;
layout(location = 2) in JOINTS joints;
layout(location = 3) in vec4 weights;
#if EIGHT
layout(location = 5) in JOINTS joints_1;
layout(location = 6) in vec4 weights_1;
#endif

uniform float length_in_world;
uniform float nudge_in_world;

void main() {
#if EIGHT
    mat4 skin = skin_matrix(joints, weights, joints_1, weights_1);
#else
    mat4 skin = skin_matrix(joints, weights);
#endif
    vec3 from_in_world = (skin * vec4(position_in_bind, 1.0)).xyz;
    vec3 direction = normal_matrix(mat3(skin)) * normal_in_bind;
    float size = length(direction);
    vec3 along = size > 0.0 ? direction / size : vec3(0.0);
    float along_px;
    gl_Position = line_corner(
        clip_from_point(from_in_world, nudge_in_world),
        clip_from_point(from_in_world + along * length_in_world, nudge_in_world),
        along_px);
}
