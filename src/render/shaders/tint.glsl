// What colours a vertex besides its own colour: the modes of src/render/tint.rs.

const int TINT_BASE = 0;
const int TINT_JOINTS = 1;
const int TINT_WEIGHT = 2;
const int TINT_SOLID = 3;
const int TINT_NORMALS = 4;
const int TINT_STRONGEST = 5;
const int TINT_JOINT_INDICES = 6;
const int TINT_WEIGHTS = 7;
const int TINT_SUM_ERROR = 8;
const int TINT_DISPLACEMENT = 9;
const int TINT_SCALAR = 10;

uniform int tint_mode;
uniform int tint_joint;
// What gets the brightest colour of the scale, in a mode that measures.
uniform float tint_most;
uniform vec3 joint_colors[6];

vec3 joint_color(uint joint) {
    return linear_from_srgb(joint_colors[int(joint % 6u)]);
}

// Each joint's colour, as linear light, as much as it weighs.
vec3 blended_joint_color(uvec4 joints, vec4 weights) {
    vec3 color = vec3(0.0);
    for (int lane = 0; lane < 4; lane++) {
        color += max(weights[lane], 0.0) * joint_color(joints[lane]);
    }
    return min(color, vec3(1.0));
}

vec3 strongest_joint_color(uvec4 joints, vec4 weights) {
    int best = 0;
    for (int lane = 1; lane < 4; lane++) {
        if (weights[lane] > weights[best]) {
            best = lane;
        }
    }
    return joint_color(joints[best]);
}

float weight_of(int joint, uvec4 joints, vec4 weights) {
    float weight = 0.0;
    for (int lane = 0; lane < 4; lane++) {
        if (int(joints[lane]) == joint) {
            weight += weights[lane];
        }
    }
    return weight;
}

// What the fragment shader makes a colour of: a linear colour, the weights of
// the lanes, or in x a number from 0 to 1. `moved` leads from where the vertex
// is stored to where it is.
vec4 vertex_tint(uvec4 joints, vec4 weights, vec3 moved, float scalar) {
    if (tint_mode == TINT_JOINTS) {
        return vec4(blended_joint_color(joints, weights), 0.0);
    }
    if (tint_mode == TINT_STRONGEST) {
        return vec4(strongest_joint_color(joints, weights), 0.0);
    }
    if (tint_mode == TINT_WEIGHT) {
        return vec4(weight_of(tint_joint, joints, weights), 0.0, 0.0, 0.0);
    }
    if (tint_mode == TINT_SUM_ERROR) {
        return vec4(abs(dot(weights, vec4(1.0)) - 1.0) / tint_most, 0.0, 0.0, 0.0);
    }
    if (tint_mode == TINT_DISPLACEMENT) {
        return vec4(length(moved) / tint_most, 0.0, 0.0, 0.0);
    }
    if (tint_mode == TINT_SCALAR) {
        return vec4(scalar / tint_most, 0.0, 0.0, 0.0);
    }
    return weights;
}

// The same for two sets of four influences. Views that show lane by lane show
// the first four.
vec4 vertex_tint_eight(
    uvec4 joints, vec4 weights, uvec4 joints_1, vec4 weights_1, vec3 moved, float scalar) {
    if (tint_mode == TINT_JOINTS) {
        vec3 color = blended_joint_color(joints, weights)
            + blended_joint_color(joints_1, weights_1);
        return vec4(min(color, vec3(1.0)), 0.0);
    }
    if (tint_mode == TINT_STRONGEST) {
        vec4 most = max(weights, weights_1);
        bvec4 second = greaterThan(weights_1, weights);
        uvec4 winners = uvec4(
            second.x ? joints_1.x : joints.x,
            second.y ? joints_1.y : joints.y,
            second.z ? joints_1.z : joints.z,
            second.w ? joints_1.w : joints.w);
        return vec4(strongest_joint_color(winners, most), 0.0);
    }
    if (tint_mode == TINT_WEIGHT) {
        float weight = weight_of(tint_joint, joints, weights)
            + weight_of(tint_joint, joints_1, weights_1);
        return vec4(weight, 0.0, 0.0, 0.0);
    }
    if (tint_mode == TINT_SUM_ERROR) {
        float sum = dot(weights, vec4(1.0)) + dot(weights_1, vec4(1.0));
        return vec4(abs(sum - 1.0) / tint_most, 0.0, 0.0, 0.0);
    }
    return vertex_tint(joints, weights, moved, scalar);
}
