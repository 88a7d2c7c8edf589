// The joint with the largest weight alone.
#if EIGHT
mat4 skin_matrix(JOINTS joints, vec4 weights, JOINTS joints_1, vec4 weights_1) {
#else
mat4 skin_matrix(JOINTS joints, vec4 weights) {
#endif
    JOINT joint = joints.x;
    float most = weights.x;
    for (int lane = 1; lane < 4; lane++) {
        if (weights[lane] > most) {
            most = weights[lane];
            joint = joints[lane];
        }
    }
#if EIGHT
    for (int lane = 0; lane < 4; lane++) {
        if (weights_1[lane] > most) {
            most = weights_1[lane];
            joint = joints_1[lane];
        }
    }
#endif
    return joint_matrix(joint);
}
