#if STRETCH
// What joints do, taken apart: a dual quaternion in two texels, and scale and
// shear in three.
#else
// What joints do as dual quaternions, two texels each.
#endif
struct Motion {
    vec4 pivot;
    vec4 real;
    vec4 dual;
#if STRETCH
    mat3 stretch;
    float weight;
#endif
};

void add(inout Motion sum, JOINT joint, float weight) {
    if (weight == 0.0) {
        return;
    }
    vec4 real = palette_texel(joint, 0);
    if (sum.pivot == vec4(0.0)) {
        sum.pivot = real;
    }
#if ONE_SIDED
    // q and -q are one rotation, and either is taken as it comes.
    float signed_weight = weight;
#else
    // q and -q are one rotation: take the one on the first joint's side.
    float signed_weight = dot(real, sum.pivot) < 0.0 ? -weight : weight;
#endif
    sum.real += real * signed_weight;
    sum.dual += palette_texel(joint, 1) * signed_weight;
#if STRETCH
    sum.stretch += weight * mat3(
        palette_texel(joint, 2).xyz,
        palette_texel(joint, 3).xyz,
        palette_texel(joint, 4).xyz);
    sum.weight += weight;
#endif
}

// The sum, made unit, as a matrix.
mat4 matrix_of(Motion sum) {
    float size = length(sum.real);
    if (size == 0.0) {
        return mat4(0.0);
    }
    vec4 r = sum.real / size;
    vec4 d = sum.dual / size;
    mat3 turn = mat3(
        1.0 - 2.0 * (r.y * r.y + r.z * r.z), 2.0 * (r.x * r.y + r.z * r.w), 2.0 * (r.x * r.z - r.y * r.w),
        2.0 * (r.x * r.y - r.z * r.w), 1.0 - 2.0 * (r.x * r.x + r.z * r.z), 2.0 * (r.y * r.z + r.x * r.w),
        2.0 * (r.x * r.z + r.y * r.w), 2.0 * (r.y * r.z - r.x * r.w), 1.0 - 2.0 * (r.x * r.x + r.y * r.y));
    vec3 place = 2.0 * (r.w * d.xyz - d.w * r.xyz + cross(r.xyz, d.xyz));
#if STRETCH
    if (sum.weight == 0.0) {
        return mat4(0.0);
    }
    turn = turn * (sum.stretch / sum.weight);
#endif
    return mat4(vec4(turn[0], 0.0), vec4(turn[1], 0.0), vec4(turn[2], 0.0), vec4(place, 1.0));
}

// Dual quaternion blending.
#if EIGHT
mat4 skin_matrix(JOINTS joints, vec4 weights, JOINTS joints_1, vec4 weights_1) {
#else
mat4 skin_matrix(JOINTS joints, vec4 weights) {
#endif
#if STRETCH
    Motion sum = Motion(vec4(0.0), vec4(0.0), vec4(0.0), mat3(0.0), 0.0);
#else
    Motion sum = Motion(vec4(0.0), vec4(0.0), vec4(0.0));
#endif
    for (int lane = 0; lane < 4; lane++) {
        add(sum, joints[lane], weights[lane]);
    }
#if EIGHT
    for (int lane = 0; lane < 4; lane++) {
        add(sum, joints_1[lane], weights_1[lane]);
    }
#endif
    return matrix_of(sum);
}
