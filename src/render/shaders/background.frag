// A vertical gradient, dithered by less than one step of the display so that it
// shows no bands on a projector.

in vec2 at;

uniform vec3 background_top;
uniform vec3 background_bottom;

out vec4 color;

void main() {
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    color = vec4(mix(background_bottom, background_top, at.y) + (noise - 0.5) / 255.0, 1.0);
}
