// From world to clip space, with a nudge in depth where things coincide.

uniform mat4 clip_from_world;
// w = 1: where the eye is. w = 0: the direction towards it, for parallel rays.
uniform vec4 eye_in_world;

vec3 toward_eye(vec3 point_in_world) {
    vec3 direction = eye_in_world.xyz - point_in_world * eye_in_world.w;
    return direction * inversesqrt(max(dot(direction, direction), 1e-30));
}

// `nudge_in_world` moves the depth towards the eye, and nothing else.
vec4 clip_from_point(vec3 point_in_world, float nudge_in_world) {
    vec4 clip = clip_from_world * vec4(point_in_world, 1.0);
    if (nudge_in_world != 0.0) {
        vec3 nudged = point_in_world + toward_eye(point_in_world) * nudge_in_world;
        vec4 nearer = clip_from_world * vec4(nudged, 1.0);
        if (nearer.w > 0.0) {
            clip.z = nearer.z / nearer.w * clip.w;
        }
    }
    return clip;
}
