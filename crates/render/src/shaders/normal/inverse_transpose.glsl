// The inverse transpose, up to a positive factor: normals stay at right angles
// to the surface.
mat3 normal_matrix(mat3 m) {
    float side = determinant(m) < 0.0 ? -1.0 : 1.0;
    return mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1])) * side;
}
