// One triangle that covers the whole picture, at the maximum depth.

uniform vec3 background_top;
uniform vec3 background_bottom;
uniform vec2 size_px;

// The color, and the dither value, which increases by `STEP` per pixel.
out vec4 shade;

// The R2 sequence, whose fractional parts are evenly distributed in the plane: 1/p
// and 1/p² with p³ = p + 1 (Roberts 2018, "The unreasonable effectiveness of
// quasirandom sequences").
const vec2 STEP = vec2(0.7548776662, 0.5698402910);

void main() {
    vec2 at = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0;
    shade = vec4(mix(background_bottom, background_top, at.y), dot(at * size_px, STEP));
    gl_Position = vec4(at * 2.0 - 1.0, 1.0, 1.0);
}
