// One triangle that covers the viewport.

// Size of the picture and of the whole texture. A constant attribute instead of a
// uniform, because locations of uniforms are not `Send` in a browser.
layout(location = 1) in vec4 used_and_capacity_px;

out vec2 at;
flat out vec4 used_and_capacity;

void main() {
    at = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0;
    used_and_capacity = used_and_capacity_px;
    gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
}
