// Copies the picture. Its values are already those of the display.

in vec2 at;
flat in vec4 used_and_capacity;

uniform highp sampler2D picture;

out vec4 color;

void main() {
    vec2 used = used_and_capacity.xy;
    vec2 texel = clamp(at * used, vec2(0.5), used - 0.5);
    color = vec4(texture(picture, texel / used_and_capacity.zw).rgb, 1.0);
}
