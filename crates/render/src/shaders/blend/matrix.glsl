mat4 joint_matrix(JOINT joint) {
    return mat4(
        palette_texel(joint, 0),
        palette_texel(joint, 1),
        palette_texel(joint, 2),
        palette_texel(joint, 3));
}
