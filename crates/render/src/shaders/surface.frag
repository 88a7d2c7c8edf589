// The lit surface: half-Lambert on sRGB values, as in the source lessons, with a
// colored shadow instead of black, light from the sky on dark surfaces, and a soft
// rim that separates the surface from the background.

in vec3 position_in_world;
in vec3 normal_in_world;
in float handedness;
in vec2 base_uv;
#if COLORED
in vec4 base_tint;
#endif
#if VIEWED
in vec4 tint;
in vec4 tint_1;
flat in uvec4 stored_joints;
flat in uvec4 stored_joints_1;
in vec4 shown_color;
#endif

uniform vec3 light_in_world;
// 1: lit. 0: unlit, for flat drawings.
uniform float lit;
uniform vec3 surface_color;
uniform vec3 rim_color;
uniform float has_base_color;
uniform highp sampler2D base_color;
#if PAINTED
// Linear, as in glTF. Multiplied with image and vertex colors.
uniform vec4 base_factor;
uniform mat3 image_from_uv;
// Fragments with less alpha are discarded.
uniform float alpha_cutoff;
// 1: the material is shown without lighting.
uniform float unlit;
// 1: back faces are discarded.
uniform float front_alone;
#endif

out vec4 color;

// White where the surface faces the light, so that a fully lit point has exactly its
// base color.
vec3 light_at(vec3 normal) {
    float half_lambert = dot(normal, light_in_world) * 0.5 + 0.5;
    vec3 shadow = mix(vec3(0.20, 0.17, 0.17), vec3(0.20, 0.25, 0.34), normal.y * 0.5 + 0.5);
    return mix(shadow, vec3(1.0), half_lambert);
}

// Light from above, which shows the form of a dark surface. More on a dark background,
// where the rim is bright.
vec3 sky_light_at(vec3 normal, vec3 base) {
    const vec3 luminance = vec3(0.299, 0.587, 0.114);
    float darkness = 1.0 - smoothstep(0.05, 0.45, dot(base, luminance));
    float above = clamp(normal.y * 0.5 + 0.5, 0.0, 1.0);
    float strength = 0.75 + dot(rim_color, luminance);
    return vec3(0.17, 0.20, 0.24) * (darkness * above * above * strength);
}

void main() {
    bool front = gl_FrontFacing == (handedness > 0.0);
#if PAINTED
    vec2 at = (image_from_uv * vec3(base_uv, 1.0)).xy;
    vec4 image = has_base_color > 0.5 ? texture(base_color, at) : vec4(surface_color, 1.0);
    vec4 paint = vec4(linear_from_srgb(image.rgb), image.a) * base_factor;
#endif
#if COLORED
    paint *= base_tint;
#endif
#if PAINTED
    if (paint.a < alpha_cutoff || (front_alone > 0.5 && !front)) {
        discard;
    }
    vec3 base = srgb_from_linear(min(paint.rgb, vec3(1.0)));
    float shading = lit * (1.0 - unlit);
#else
    vec3 base = has_base_color > 0.5 ? texture(base_color, base_uv).rgb : surface_color;
    float shading = lit;
#endif
    // Colors that mean numbers get no light from the sky.
    float sky = shading;
#if VIEWED
    if (tint_mode != TINT_BASE) {
        shading = lit * tint_shading();
        sky = 0.0;
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
    float square = dot(normal, normal);
    normal = square > 1e-12 ? normal * inversesqrt(square) : eye;
    normal = front ? normal : -normal;

    vec3 shaded = base * mix(vec3(1.0), light_at(normal), shading);
    shaded += sky * sky_light_at(normal, base);
    float grazing = 1.0 - clamp(dot(normal, eye), 0.0, 1.0);
    // A wider rim where the surface is darker than it: on a dark background, a dark
    // surface would otherwise have no outline.
    float darker = clamp(dot(rim_color - shaded, vec3(1.0 / 3.0)), 0.0, 1.0);
    float rim = mix(0.22 * grazing, 0.28, darker) * grazing * grazing;
    color = vec4(mix(shaded, rim_color, min(lit, shading * 2.0) * rim), 1.0);
}
