// The lit surface: half-lambert on display values, as in the source lessons,
// with soft coloured shadow instead of black, and an edge that stands off the
// background.

in vec3 position_in_world;
in vec3 normal_in_world;
in float handedness;
in vec2 base_uv;
#if VIEWED
in vec4 tint;
in vec4 tint_1;
flat in uvec4 stored_joints;
flat in uvec4 stored_joints_1;
in vec4 shown_color;
#endif

uniform vec3 light_in_world;
// 1: lit. 0: even, for flat drawings.
uniform float lit;
uniform vec3 surface_color;
uniform vec3 rim_color;
uniform float has_base_color;
uniform highp sampler2D base_color;

out vec4 color;

// A fully lit point keeps its colour exactly.
vec3 light_at(vec3 normal) {
    float half_lambert = dot(normal, light_in_world) * 0.5 + 0.5;
    vec3 shadow = mix(vec3(0.34, 0.31, 0.30), vec3(0.30, 0.34, 0.42), normal.y * 0.5 + 0.5);
    return mix(shadow, vec3(1.0), half_lambert);
}

void main() {
    vec3 base = has_base_color > 0.5 ? texture(base_color, base_uv).rgb : surface_color;
    float shading = lit;
#if VIEWED
    shading = lit * tint_shading();
    if (tint_mode != TINT_BASE) {
        vec3 unit = normal_in_world / max(length(normal_in_world), 1e-6);
        float along_px = (gl_FragCoord.x - gl_FragCoord.y) * 0.7071;
        Lanes lanes = Lanes(stored_joints, tint, stored_joints_1, tint_1);
        base = tint_color(lanes, unit, along_px);
    }
    if (shown_color.a > 0.5) {
        color = vec4(shown_color.rgb, 1.0);
        return;
    }
#endif

    vec3 eye = toward_eye(position_in_world);
    vec3 normal = normal_in_world;
    float size = length(normal);
    normal = size > 1e-6 ? normal / size : eye;
    bool front = gl_FrontFacing == (handedness > 0.0);
    normal = front ? normal : -normal;

    vec3 shaded = base * mix(vec3(1.0), light_at(normal), shading);
    float grazing = 1.0 - clamp(dot(normal, eye), 0.0, 1.0);
    color = vec4(mix(shaded, rim_color, min(lit, shading * 2.0) * 0.22 * pow(grazing, 3.0)), 1.0);
}
