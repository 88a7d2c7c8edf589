void main() {
#if EIGHT
    mat4 skin = skin_matrix(joints, weights, joints_1, weights_1);
#else
    mat4 skin = skin_matrix(joints, weights);
#endif
#if CROWD
    // Last of all: joints do not know where each of the crowd stands.
    skin = world_from_instance() * skin;
#endif
    position_in_world = (skin * vec4(position_in_bind, 1.0)).xyz;
    normal_in_world = unit(normal_matrix(mat3(skin)) * normal_in_bind);
    gl_Position = clip_from_world * vec4(position_in_world, 1.0);
    pass_on(skin);
}
