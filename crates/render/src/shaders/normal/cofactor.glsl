// The inverse transpose times the determinant: where the matrix mirrors, the
// determinant is negative and normals turn inward.
mat3 normal_matrix(mat3 m) {
    return mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]));
}
