// What colours a vertex besides its own colour.

const int TINT_BASE = 0;
const int TINT_JOINTS = 1;
const int TINT_WEIGHT = 2;

uniform int tint_mode;
uniform int tint_joint;
uniform vec3 joint_colors[6];

// Joints: a linear colour. Weight: the weight of the chosen joint, in x.
vec3 vertex_tint(uvec4 joints, vec4 weights) {
    vec3 color = vec3(0.0);
    float weight = 0.0;
    for (int lane = 0; lane < 4; lane++) {
        color += max(weights[lane], 0.0) * linear_from_srgb(joint_colors[int(joints[lane] % 6u)]);
        if (int(joints[lane]) == tint_joint) {
            weight += weights[lane];
        }
    }
    return tint_mode == TINT_WEIGHT ? vec3(weight) : min(color, vec3(1.0));
}
