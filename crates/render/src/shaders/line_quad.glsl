// A line of any width, drawn as a screen-aligned quad. The quad is a strip of four
// vertices: 0 and 2 belong to end a, 1 and 3 to end b.

uniform vec2 size_px;
uniform float width_px;

// Clips the line at the near plane, because points behind the eye would be projected
// to the opposite side.
void clip_to_near(inout vec4 a, inout vec4 b) {
    float inside_a = a.z + a.w;
    float inside_b = b.z + b.w;
    if (inside_a < 0.0 && inside_b > 0.0) {
        a = mix(a, b, inside_a / (inside_a - inside_b));
    } else if (inside_b < 0.0 && inside_a > 0.0) {
        b = mix(b, a, inside_b / (inside_b - inside_a));
    }
}

// Returns the corner `gl_VertexID`. `along_px` is the distance from end a.
vec4 line_corner(vec4 a, vec4 b, out float along_px) {
    clip_to_near(a, b);
    vec2 a_px = a.xy / a.w * size_px * 0.5;
    vec2 b_px = b.xy / b.w * size_px * 0.5;
    float length_px = length(b_px - a_px);
    vec2 along = length_px > 1e-4 ? (b_px - a_px) / length_px : vec2(1.0, 0.0);
    vec2 across = vec2(-along.y, along.x);

    bool at_b = (gl_VertexID & 1) == 1;
    float side = gl_VertexID < 2 ? -1.0 : 1.0;
    float cap = at_b ? 1.0 : -1.0;
    vec2 offset_px = (across * side + along * cap) * width_px * 0.5;
    along_px = at_b ? length_px : 0.0;

    vec4 corner = at_b ? b : a;
    corner.xy += offset_px * 2.0 / size_px * corner.w;
    return corner;
}
