// The skin matrix of a vertex: src/skin/linear_blend.rs, line by line.

const int BLEND_LINEAR = 0;
const int BLEND_STRONGEST = 1;
const int BLEND_ONLY = 2;

// Four texels a joint, one per column of world_from_bind; one row a joint, and
// after palette_rows joints four columns further right.
uniform highp sampler2D palette;
uniform int palette_rows;
uniform int joint_count;
uniform int blend_mode;
uniform int only_joint;

mat4 world_from_bind(int joint) {
    if (joint >= joint_count) {
        return mat4(1.0);
    }
    int row = joint % palette_rows;
    int left = 4 * (joint / palette_rows);
    return mat4(
        texelFetch(palette, ivec2(left, row), 0),
        texelFetch(palette, ivec2(left + 1, row), 0),
        texelFetch(palette, ivec2(left + 2, row), 0),
        texelFetch(palette, ivec2(left + 3, row), 0));
}

int strongest(uvec4 joints, vec4 weights) {
    int best = 0;
    for (int lane = 1; lane < 4; lane++) {
        if (weights[lane] > weights[best]) {
            best = lane;
        }
    }
    return int(joints[best]);
}

mat4 skin_matrix(uvec4 joints, vec4 weights) {
    if (blend_mode == BLEND_ONLY) {
        return world_from_bind(only_joint);
    }
    if (blend_mode == BLEND_STRONGEST) {
        return world_from_bind(strongest(joints, weights));
    }
    mat4 sum = mat4(0.0);
    for (int lane = 0; lane < 4; lane++) {
        if (weights[lane] != 0.0) {
            sum += world_from_bind(int(joints[lane])) * weights[lane];
        }
    }
    return sum;
}
