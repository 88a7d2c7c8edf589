// A vertical gradient. Dithered by less than one step of the display, so that a
// projector shows no bands. As much as possible is interpolated, because this runs
// for every pixel, and dominates the cost of a picture that is drawn in software.

in vec4 shade;

out vec4 color;

void main() {
    color = vec4(shade.rgb + (fract(shade.a) - 0.5) / 255.0, 1.0);
}
