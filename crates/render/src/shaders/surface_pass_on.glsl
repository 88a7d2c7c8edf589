// What the fragment shader needs besides position and normal.
void pass_on(mat4 skin) {
    handedness = determinant(mat3(skin)) < 0.0 ? -1.0 : 1.0;
    base_uv = uv;
#if COLORED
    base_tint = vertex_color;
#endif
#if VIEWED
    pass_on_views();
#endif
}
