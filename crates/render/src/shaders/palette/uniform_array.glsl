// The joints as plain uniforms, TEXELS vec4s each.
uniform vec4 palette[PALETTE_VEC4S];

vec4 palette_texel(JOINT joint, int column) {
    return palette[TEXELS * int(joint) + column];
}
