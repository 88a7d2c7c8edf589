// A line in one colour, or in the tint of its ends; solid or dashed.

in float dash_px;
in vec4 tint;
// From end a to end b: 0 to 1.
in float toward_b;
flat in uvec4 stored_joints_a;
flat in uvec4 stored_joints_b;

uniform vec4 line_color;
// Length of a dash and of the gap after it; 0 for a solid line.
uniform float dash_every_px;

out vec4 color;

void main() {
    if (dash_every_px > 0.0 && fract(dash_px / dash_every_px) > 0.55) {
        discard;
    }
    vec3 base = line_color.rgb;
    // Lines have no normals to show.
    if (tint_mode != TINT_BASE && tint_mode != TINT_NORMALS) {
        uvec4 joints = toward_b < 0.5 ? stored_joints_a : stored_joints_b;
        base = tint_color(tint, joints, vec3(0.0), dash_px);
    }
    color = vec4(base, line_color.a);
}
