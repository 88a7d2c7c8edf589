// The joints in a texture: a row each, TEXELS texels wide.
uniform highp sampler2D palette;
#if OWN
uniform int palette_joints;
uniform int palette_rows;

// A palette for each of the crowd, one below the other; where the rows end, the
// next go on further right.
vec4 palette_texel(JOINT joint, int column) {
    int at = gl_InstanceID * palette_joints + int(joint);
    int left = TEXELS * (at / palette_rows);
    return texelFetch(palette, ivec2(left + column, at % palette_rows), 0);
}
#else

vec4 palette_texel(JOINT joint, int column) {
    return texelFetch(palette, ivec2(column, int(joint)), 0);
}
#endif
