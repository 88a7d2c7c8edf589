// One joint for the whole mesh, whatever the weights say.
uniform int only_joint;

#if EIGHT
mat4 skin_matrix(JOINTS joints, vec4 weights, JOINTS joints_1, vec4 weights_1) {
#else
mat4 skin_matrix(JOINTS joints, vec4 weights) {
#endif
    return joint_matrix(JOINT(only_joint));
}
