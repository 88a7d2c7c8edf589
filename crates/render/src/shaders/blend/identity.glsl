// The mesh as stored.
#if EIGHT
mat4 skin_matrix(JOINTS joints, vec4 weights, JOINTS joints_1, vec4 weights_1) {
#else
mat4 skin_matrix(JOINTS joints, vec4 weights) {
#endif
    return mat4(1.0);
}
