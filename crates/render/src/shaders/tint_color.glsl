// Computes the color of a point from its tint, as sRGB.

uniform vec3 solid_color;
// The color of weights greater than 1.
uniform vec3 over_color;
// The colors of joints in lanes with weight 0 are faded to this color.
uniform vec3 unused_color;
// Width of the stripes that show the lanes.
uniform float stripe_px;

// 4 or 8.
uniform int lane_count;

// Returns the lane at a position. Returns -1 in the gap after the last lane, a quarter of
// a stripe wide.
int lane_at(float along_px) {
    const float gap = 0.25;
    float at = mod(along_px / stripe_px, float(lane_count) + gap);
    return at < float(lane_count) ? int(at) : -1;
}

vec3 lane_weight_color(float weight) {
    return weight > 1.0005 ? over_color : weight_color(weight);
}

// Adds diagonal hatching, whose strength is the share of joints with a repeated color.
vec3 hatched(vec3 color, float part) {
    float across_px = (gl_FragCoord.x + gl_FragCoord.y) * 0.7071;
    bool on_line = fract(across_px / (0.75 * stripe_px)) < 0.3;
    return on_line ? mix(color, vec3(0.0), 0.4 * part) : color;
}

vec3 lane_joint_color(uint joint, float weight) {
    vec3 color = hatched(joint_colors[int(joint % 6u)], has_color_again(joint));
    return weight == 0.0 ? mix(color, unused_color, 0.72) : color;
}

// `lanes` has the tint in place of the weights. `along_px` is the position across the
// stripes.
vec3 tint_color(Lanes lanes, vec3 normal_in_world, float along_px) {
    vec4 tint = lanes.weights;
    if (tint_mode == TINT_JOINTS || tint_mode == TINT_STRONGEST) {
        return hatched(srgb_from_linear(tint.rgb), tint.w);
    }
    if (tint_mode == TINT_SOLID) {
        return solid_color;
    }
    if (tint_mode == TINT_NORMALS) {
        return normal_in_world * 0.5 + 0.5;
    }
    if (tint_mode == TINT_INDICES || tint_mode == TINT_WEIGHTS) {
        int lane = lane_at(along_px);
        if (lane < 0) {
            return unused_color;
        }
        float weight = lane < 4 ? tint[lane] : lanes.weights_1[lane - 4];
        uint joint = lane < 4 ? lanes.joints[lane] : lanes.joints_1[lane - 4];
        return tint_mode == TINT_WEIGHTS
            ? lane_weight_color(weight)
            : lane_joint_color(joint, weight);
    }
    return weight_color(tint.x);
}

// Strength of the shading. Reduced for tints whose exact colors must be recognizable.
float tint_shading() {
    if (tint_mode == TINT_JOINTS || tint_mode == TINT_STRONGEST) {
        return 0.8;
    }
    if (tint_mode == TINT_SOLID || tint_mode == TINT_NORMALS) {
        return 0.0;
    }
    return tint_mode == TINT_INDICES || tint_mode == TINT_WEIGHTS ? 0.3 : 0.6;
}
