// What views of the surface need: tint.glsl, numbers a vertex, a reader's colour.

layout(location = 8) in float scalar;

// A colour or a number, or the weights; and those of the second set.
out vec4 tint;
out vec4 tint_1;
// Of the triangle's last vertex: there is nothing between two numbers of joints.
flat out uvec4 stored_joints;
flat out uvec4 stored_joints_1;
// Where its alpha is 1, the surface has this colour and no light falls on it.
out vec4 shown_color;

void pass_on_views() {
    shown_color = vec4(0.0);
#if EIGHT
    Lanes lanes = Lanes(uvec4(joints), weights, uvec4(joints_1), weights_1);
#else
    Lanes lanes = Lanes(uvec4(joints), weights, uvec4(0), vec4(0.0));
#endif
#if CROWD
    vec3 stored = (world_from_instance() * vec4(position_in_bind, 1.0)).xyz;
#else
    vec3 stored = position_in_bind;
#endif
    tint = vertex_tint(lanes, position_in_world - stored, scalar);
    tint_1 = lanes.weights_1;
    stored_joints = lanes.joints;
    stored_joints_1 = lanes.joints_1;
}
