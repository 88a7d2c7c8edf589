// What a vertex hands on for its colour, from all of its influences.

// Each joint's colour, as linear light, as much as it weighs.
vec3 blended_joint_color(uvec4 joints[SETS], vec4 weights[SETS]) {
    vec3 color = vec3(0.0);
    for (int lane = 0; lane < 4 * SETS; lane++) {
        float weight = weights[lane / 4][lane % 4];
        color += max(weight, 0.0) * joint_color(joints[lane / 4][lane % 4]);
    }
    return min(color, vec3(1.0));
}

vec3 strongest_joint_color(uvec4 joints[SETS], vec4 weights[SETS]) {
    int best = 0;
    for (int lane = 1; lane < 4 * SETS; lane++) {
        if (weights[lane / 4][lane % 4] > weights[best / 4][best % 4]) {
            best = lane;
        }
    }
    return joint_color(joints[best / 4][best % 4]);
}

float weight_of(int joint, uvec4 joints[SETS], vec4 weights[SETS]) {
    float weight = 0.0;
    for (int lane = 0; lane < 4 * SETS; lane++) {
        if (int(joints[lane / 4][lane % 4]) == joint) {
            weight += weights[lane / 4][lane % 4];
        }
    }
    return weight;
}

float sum_of(vec4 weights[SETS]) {
    float sum = 0.0;
    for (int set = 0; set < SETS; set++) {
        sum += dot(weights[set], vec4(1.0));
    }
    return sum;
}

// What the fragment shader makes a colour of: a linear colour, the weights of
// the first four lanes, or in x a number from 0 to 1. `moved` leads from where
// the vertex is stored to where it is.
vec4 vertex_tint(uvec4 joints[SETS], vec4 weights[SETS], vec3 moved, float scalar) {
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
        return vec4(abs(sum_of(weights) - 1.0) / tint_most, 0.0, 0.0, 0.0);
    }
    if (tint_mode == TINT_DISPLACEMENT) {
        return vec4(length(moved) / tint_most, 0.0, 0.0, 0.0);
    }
    if (tint_mode == TINT_SCALAR) {
        return vec4(scalar / tint_most, 0.0, 0.0, 0.0);
    }
    return weights[0];
}
