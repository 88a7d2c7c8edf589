// The joints in uniform blocks, TEXELS vec4s each; where one block is full, the
// next goes on.
PALETTE_BLOCKS

vec4 palette_texel(JOINT joint, int column) {
    int at = TEXELS * int(joint) + column;
    PALETTE_STEPS
}
