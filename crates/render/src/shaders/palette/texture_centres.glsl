// The joints in a texture: a row each, TEXELS texels wide. WebGL 1 has neither
// texelFetch nor whole-number attributes: the place is a fraction of the
// texture.
uniform highp sampler2D palette;
uniform float joint_count;

vec4 palette_texel(JOINT joint, int column) {
#if EDGE
    // No half: the edge between two texels. Machines differ in which of the two
    // they give there; this little makes it the one before.
    vec2 at = vec2(float(column), joint) - 1.0 / 64.0;
#else
    vec2 at = vec2(float(column), joint) + 0.5;
#endif
    return texture(palette, at / vec2(TEXELS.0, joint_count));
}
