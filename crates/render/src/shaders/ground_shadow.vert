// Discs on the ground, one per instance.

// x and z of the centre, radius, opacity.
uniform vec4 discs[48];
uniform float ground_y;

out vec2 at_in_disc;
out float opacity;

void main() {
    vec4 disc = discs[gl_InstanceID];
    at_in_disc = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
    opacity = disc.w;
    vec2 ground = disc.xy + at_in_disc * disc.z;
    gl_Position = clip_from_world * vec4(ground.x, ground_y, ground.y, 1.0);
}
