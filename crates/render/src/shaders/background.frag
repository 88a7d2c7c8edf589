// A vertical gradient, dithered by less than one step of the display so that it
// shows no bands on a projector. What can be done by interpolation is: this runs
// for every pixel, and where a processor draws, it decides what a picture costs.

in vec4 shade;

out vec4 color;

void main() {
    color = vec4(shade.rgb + (fract(shade.a) - 0.5) / 255.0, 1.0);
}
