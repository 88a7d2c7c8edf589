// What colours a vertex besides its own colour: the modes of src/render/tint.rs.

const int TINT_BASE = 0;
const int TINT_JOINTS = 1;
const int TINT_WEIGHT = 2;
const int TINT_SOLID = 3;
const int TINT_NORMALS = 4;
const int TINT_STRONGEST = 5;
const int TINT_JOINT_INDICES = 6;
const int TINT_WEIGHTS = 7;
const int TINT_SUM_ERROR = 8;
const int TINT_DISPLACEMENT = 9;
const int TINT_SCALAR = 10;

uniform int tint_mode;
uniform int tint_joint;
// What gets the brightest colour of the scale, in a mode that measures.
uniform float tint_most;
uniform vec3 joint_colors[6];

vec3 joint_color(uint joint) {
    return linear_from_srgb(joint_colors[int(joint % 6u)]);
}
