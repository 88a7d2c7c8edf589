// A solid or dashed line, in one color or in the tint of its ends.

in float dash_px;
in vec4 tint;
in vec4 tint_1;
// 0 at end a, 1 at end b.
in float toward_b;
flat in uvec4 stored_joints_a;
flat in uvec4 stored_joints_b;
flat in uvec4 stored_joints_1_a;
flat in uvec4 stored_joints_1_b;

uniform vec4 line_color;
// Length of a dash together with its gap. 0 for a solid line.
uniform float dash_every_px;

out vec4 color;

void main() {
    if (dash_every_px > 0.0 && fract(dash_px / dash_every_px) > 0.55) {
        discard;
    }
    vec3 base = line_color.rgb;
    // Lines have no normals to show.
    if (tint_mode != TINT_BASE && tint_mode != TINT_NORMALS) {
        Lanes lanes = Lanes(stored_joints_a, tint, stored_joints_1_a, tint_1);
        // ESSL does not support `?:` for structs.
        if (toward_b >= 0.5) {
            lanes = Lanes(stored_joints_b, tint, stored_joints_1_b, tint_1);
        }
        base = tint_color(lanes, vec3(0.0), dash_px);
    }
    color = vec4(base, line_color.a);
}
