// Fades out towards the edge. The two lines through the origin are slightly more
// opaque.

in vec2 position_in_plane;
in float through_origin;

uniform vec3 grid_color;
uniform float grid_extent;

out vec4 color;

void main() {
    float reach = length(position_in_plane) / grid_extent;
    float fade = 1.0 - smoothstep(0.3, 1.0, reach);
    color = vec4(grid_color, fade * mix(0.85, 1.0, through_origin));
}
