// Grid lines: instances 0 to 2n are parallel to one axis, the others to the other
// axis.

uniform float spacing;
uniform float extent;
uniform float at;
// 1: the ground plane, xz. 0: the picture plane, xy.
uniform float ground;
// Number of lines on either side of the origin.
uniform int lines_per_side;
uniform float nudge_in_world;

out vec2 position_in_plane;
out float through_origin;

vec3 world_from_plane(vec2 p) {
    return mix(vec3(p, at), vec3(p.x, at, p.y), ground);
}

void main() {
    int per_axis = 2 * lines_per_side + 1;
    int step_from_origin = gl_InstanceID % per_axis - lines_per_side;
    float offset = float(step_from_origin) * spacing;
    // The lines end on a circle.
    float reach = sqrt(max(extent * extent - offset * offset, 0.0));
    bool first = gl_InstanceID < per_axis;
    vec2 a = first ? vec2(offset, -reach) : vec2(-reach, offset);
    vec2 b = first ? vec2(offset, reach) : vec2(reach, offset);

    float along_px;
    gl_Position = line_corner(
        clip_from_point(world_from_plane(a), nudge_in_world),
        clip_from_point(world_from_plane(b), nudge_in_world),
        along_px);
    position_in_plane = (gl_VertexID & 1) == 1 ? b : a;
    through_origin = step_from_origin == 0 ? 1.0 : 0.0;
}
