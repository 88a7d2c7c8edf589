// A line in one colour, or in the tint of its ends; solid or dashed.

in float dash_px;
in vec3 tint;

uniform vec4 line_color;
// Length of a dash and of the gap after it; 0 for a solid line.
uniform float dash_every_px;

out vec4 color;

void main() {
    if (dash_every_px > 0.0 && fract(dash_px / dash_every_px) > 0.55) {
        discard;
    }
    vec3 base = line_color.rgb;
    if (tint_mode == TINT_JOINTS) {
        base = srgb_from_linear(tint);
    } else if (tint_mode == TINT_WEIGHT) {
        base = weight_color(tint.x);
    }
    color = vec4(base, line_color.a);
}
