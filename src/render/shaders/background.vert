// One triangle over the whole picture.

out vec2 at;

void main() {
    at = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0;
    gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
}
