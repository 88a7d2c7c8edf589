// Maps a weight from 0 to 1 to the Viridis color map, as sRGB.

uniform vec3 weight_stops[9];

vec3 weight_color(float weight) {
    float at = clamp(weight, 0.0, 1.0) * 8.0;
    int low = min(int(at), 7);
    return mix(weight_stops[low], weight_stops[low + 1], at - float(low));
}
