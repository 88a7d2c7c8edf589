// The joints in a texture: a row each, TEXELS texels wide.
uniform highp sampler2D palette;

vec4 palette_texel(JOINT joint, int column) {
    return texelFetch(palette, ivec2(column, int(joint)), 0);
}
