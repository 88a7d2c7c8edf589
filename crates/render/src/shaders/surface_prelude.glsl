// One vertex of the surface: what comes in and what goes out.

layout(location = 0) in vec3 position_in_bind;
layout(location = 1) in vec3 normal_in_bind;
layout(location = 2) in JOINTS joints;
layout(location = 3) in vec4 weights;
layout(location = 4) in vec2 uv;
#if EIGHT
layout(location = 5) in JOINTS joints_1;
layout(location = 6) in vec4 weights_1;
#endif
#if COLORED
// Linear.
layout(location = 7) in vec4 vertex_color;
#endif
#if CROWD
// One each for every copy of the skin: the columns of world_from_instance.
layout(location = 9) in vec4 instance_x;
layout(location = 10) in vec4 instance_y;
layout(location = 11) in vec4 instance_z;
layout(location = 12) in vec4 instance_origin;
#endif

out vec3 position_in_world;
// Of unit length.
out vec3 normal_in_world;
// Negative where the skin matrix mirrors, and front faces look like back faces.
out float handedness;
out vec2 base_uv;
#if COLORED
out vec4 base_tint;
#endif

// Of unit length; zero where there is no direction.
vec3 unit(vec3 direction) {
    float square = dot(direction, direction);
    return square > 0.0 ? direction * inversesqrt(square) : vec3(0.0);
}

#if CROWD
mat4 world_from_instance() {
    return mat4(instance_x, instance_y, instance_z, instance_origin);
}
#endif
