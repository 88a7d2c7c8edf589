// Darkest in the centre of a disc, fading out towards its edge.

in vec2 at_in_disc;
in float opacity;

uniform vec3 shadow_color;

out vec4 color;

void main() {
    float inside = max(1.0 - dot(at_in_disc, at_in_disc), 0.0);
    color = vec4(shadow_color, opacity * inside * inside);
}
