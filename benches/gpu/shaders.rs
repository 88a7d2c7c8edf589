//! What the bare draw compiles.

use bindpose_lesson::Transport;

/// `look`: with normals by the matrix of cofactors.
pub(crate) fn vertex_shader(transport: Transport, joints: usize, look: bool) -> String {
    let index = if transport.has_float_indices() { "in vec4 joints;" } else { "in uvec4 joints;" };
    let world_from_bind = match transport {
        Transport::UniformArray => format!(
            "uniform vec4 palette_columns[{}];\n\
             mat4 world_from_bind(uint j) {{ int i = int(j) * 4; return mat4(palette_columns[i], \
             palette_columns[i + 1], palette_columns[i + 2], palette_columns[i + 3]); }}",
            4 * joints
        ),
        Transport::UniformBlock => format!(
            "layout(std140) uniform Palette {{ mat4 matrices[{joints}]; }};\n\
             mat4 world_from_bind(uint j) {{ return matrices[j]; }}"
        ),
        _ if transport.has_float_indices() => "uniform sampler2D palette;\nuniform float joint_count;\n\
             vec4 t(float j, float c) { return textureLod(palette, \
             vec2((c + 0.5) / 4.0, (j + 0.5) / joint_count), 0.0); }\n\
             mat4 world_from_bind(float j) { return mat4(t(j, 0.0), t(j, 1.0), t(j, 2.0), t(j, 3.0)); }"
            .to_owned(),
        // By `texelFetch`; what has no bare draw of its own is held against this.
        _ => "uniform sampler2D palette;\n\
             vec4 t(uint j, int c) { return texelFetch(palette, ivec2(c, int(j)), 0); }\n\
             mat4 world_from_bind(uint j) { return mat4(t(j, 0), t(j, 1), t(j, 2), t(j, 3)); }"
            .to_owned(),
    };
    let normal = if look {
        "mat3 m = mat3(placed); float side = determinant(m) < 0.0 ? -1.0 : 1.0;\n\
         normal_in_world = mat3(cross(m[1], m[2]), cross(m[2], m[0]), cross(m[0], m[1]))\n\
         * normal_in_bind * side;"
    } else {
        "normal_in_world = mat3(placed) * normal_in_bind;"
    };
    format!(
        "#version 330 core\n\
         layout(location = 0) in vec3 position_in_bind;\n\
         layout(location = 1) in vec3 normal_in_bind;\n\
         layout(location = 2) {index}\n\
         layout(location = 3) in vec4 weights;\n\
         layout(location = 4) in vec2 uv;\n\
         layout(location = 5) in mat4 world_from_instance;\n\
         uniform mat4 clip_from_world;\n\
         out vec3 position_in_world;\nout vec3 normal_in_world;\nout vec2 base_uv;\n\
         {world_from_bind}\n\
         void main() {{\n\
         mat4 skin = mat4(0.0);\n\
         for (int i = 0; i < 4; i++) {{ if (weights[i] != 0.0) \
         skin += world_from_bind(joints[i]) * weights[i]; }}\n\
         mat4 placed = world_from_instance * skin;\n\
         position_in_world = (placed * vec4(position_in_bind, 1.0)).xyz;\n\
         {normal}\n\
         base_uv = uv;\n\
         gl_Position = clip_from_world * vec4(position_in_world, 1.0);\n}}\n"
    )
}

pub(crate) const PLAIN: &str = "#version 330 core
in vec3 position_in_world;
in vec3 normal_in_world;
in vec2 base_uv;
uniform vec3 light_in_world;
uniform sampler2D base_color;
out vec4 color;
void main() {
    float light = dot(normalize(normal_in_world), light_in_world) * 0.5 + 0.5;
    color = vec4(texture(base_color, base_uv).rgb * light, 1.0);
}
";

/// The light of our surface shader, without what it can do besides.
pub(crate) const LOOK: &str = "#version 330 core
in vec3 position_in_world;
in vec3 normal_in_world;
in vec2 base_uv;
uniform vec3 light_in_world;
uniform vec3 eye_in_world;
uniform sampler2D base_color;
out vec4 color;
void main() {
    vec3 base = texture(base_color, base_uv).rgb;
    vec3 eye = normalize(eye_in_world - position_in_world);
    vec3 normal = normalize(normal_in_world);
    normal = gl_FrontFacing ? normal : -normal;
    float half_lambert = dot(normal, light_in_world) * 0.5 + 0.5;
    vec3 shadow = mix(vec3(0.34, 0.31, 0.30), vec3(0.30, 0.34, 0.42), normal.y * 0.5 + 0.5);
    vec3 shaded = base * mix(shadow, vec3(1.0), half_lambert);
    float grazing = 1.0 - clamp(dot(normal, eye), 0.0, 1.0);
    color = vec4(mix(shaded, vec3(0.1), 0.22 * pow(grazing, 3.0)), 1.0);
}
";

pub(crate) const BACKDROP_VERTEX: &str = "#version 330 core
out vec2 at;
void main() {
    at = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0;
    gl_Position = vec4(at * 2.0 - 1.0, 0.0, 1.0);
}
";

pub(crate) const BACKDROP: &str = "#version 330 core
in vec2 at;
out vec4 color;
void main() {
    float noise = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
    color = vec4(mix(vec3(0.94), vec3(0.98), at.y) + (noise - 0.5) / 255.0, 1.0);
}
";
