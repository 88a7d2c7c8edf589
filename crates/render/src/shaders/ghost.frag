// A ghost: a glassy surface that is most transparent where it faces the eye.

in vec3 position_in_world;
in vec3 normal_in_world;

uniform vec3 ghost_color;
uniform float lit;

out vec4 color;

void main() {
    vec3 normal = normal_in_world / max(length(normal_in_world), 1e-6);
    float grazing = 1.0 - abs(dot(normal, toward_eye(position_in_world)));
    color = vec4(ghost_color, mix(0.3, 0.26 + 0.54 * grazing * grazing, lit));
}
