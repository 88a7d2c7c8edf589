// A drawn normal.

uniform vec3 normal_color;

out vec4 color;

void main() {
    color = vec4(normal_color, 1.0);
}
