// What colours a vertex besides its own colour: the modes of crates/render/src/surface.rs.

const int TINT_BASE = 0;
const int TINT_JOINTS = 1;
const int TINT_WEIGHT = 2;
const int TINT_SOLID = 3;
const int TINT_NORMALS = 4;
const int TINT_STRONGEST = 5;
const int TINT_INDICES = 6;
const int TINT_WEIGHTS = 7;
const int TINT_SUM_ERROR = 8;
const int TINT_DISPLACEMENT = 9;
const int TINT_SCALAR = 10;

uniform int tint_mode;
uniform int tint_joint;
// What gets the brightest colour of the scale, in a mode that measures.
uniform float tint_most;
uniform vec3 joint_colors[6];

// Both sets of influences; the second is zeros where there is none.
struct Lanes {
    uvec4 joints;
    vec4 weights;
    uvec4 joints_1;
    vec4 weights_1;
};

vec3 joint_color(uint joint) {
    return linear_from_srgb(joint_colors[int(joint % 6u)]);
}

// 1 for joints 6 to 11, 18 to 23 and so on, which have the colours of those before
// them; their badges wear a ring.
float has_color_again(uint joint) {
    return float((joint / 6u) % 2u);
}

vec4 joint_paint(uint joint) {
    return vec4(joint_color(joint), has_color_again(joint));
}

// Each joint's colour, as linear light, as much as it weighs; in w, how much of it
// is that of joints that have their colour again.
vec4 blended_joint_paint(Lanes lanes) {
    vec4 paint = vec4(0.0);
    for (int lane = 0; lane < 4; lane++) {
        paint += max(lanes.weights[lane], 0.0) * joint_paint(lanes.joints[lane]);
        paint += max(lanes.weights_1[lane], 0.0) * joint_paint(lanes.joints_1[lane]);
    }
    return min(paint, vec4(1.0));
}

// The first of equals, as in skinning.
vec4 strongest_joint_paint(Lanes lanes) {
    uint joint = lanes.joints.x;
    float most = lanes.weights.x;
    for (int lane = 1; lane < 4; lane++) {
        if (lanes.weights[lane] > most) {
            most = lanes.weights[lane];
            joint = lanes.joints[lane];
        }
    }
    for (int lane = 0; lane < 4; lane++) {
        if (lanes.weights_1[lane] > most) {
            most = lanes.weights_1[lane];
            joint = lanes.joints_1[lane];
        }
    }
    return joint_paint(joint);
}

float weight_of(int joint, Lanes lanes) {
    float weight = 0.0;
    for (int lane = 0; lane < 4; lane++) {
        weight += int(lanes.joints[lane]) == joint ? lanes.weights[lane] : 0.0;
        weight += int(lanes.joints_1[lane]) == joint ? lanes.weights_1[lane] : 0.0;
    }
    return weight;
}

// What the fragment shader makes a colour of: a linear colour and how much of it
// is hatched, the weights of the first set, or in x a number from 0 to 1. `moved` leads from where the
// vertex is stored to where it is.
vec4 vertex_tint(Lanes lanes, vec3 moved, float scalar) {
    if (tint_mode == TINT_JOINTS) {
        return blended_joint_paint(lanes);
    }
    if (tint_mode == TINT_STRONGEST) {
        return strongest_joint_paint(lanes);
    }
    if (tint_mode == TINT_WEIGHT) {
        return vec4(weight_of(tint_joint, lanes), 0.0, 0.0, 0.0);
    }
    if (tint_mode == TINT_SUM_ERROR) {
        float sum = dot(lanes.weights, vec4(1.0)) + dot(lanes.weights_1, vec4(1.0));
        return vec4(abs(sum - 1.0) / tint_most, 0.0, 0.0, 0.0);
    }
    if (tint_mode == TINT_DISPLACEMENT) {
        return vec4(length(moved) / tint_most, 0.0, 0.0, 0.0);
    }
    if (tint_mode == TINT_SCALAR) {
        return vec4(scalar / tint_most, 0.0, 0.0, 0.0);
    }
    return lanes.weights;
}
