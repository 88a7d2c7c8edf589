// The weighted sum of the joints' matrices.
#if EIGHT
mat4 skin_matrix(JOINTS joints, vec4 weights, JOINTS joints_1, vec4 weights_1) {
#else
mat4 skin_matrix(JOINTS joints, vec4 weights) {
#endif
    mat4 sum = mat4(0.0);
    for (int lane = 0; lane < 4; lane++) {
        sum += joint_matrix(joints[lane]) * weights[lane];
    }
#if EIGHT
    for (int lane = 0; lane < 4; lane++) {
        sum += joint_matrix(joints_1[lane]) * weights_1[lane];
    }
#endif
    return sum;
}
