// Our renderer with a plain light: Lambert's, on an even background, which is
// cleared as three.js clears it. All else, the vertex shader first of all, stays.

const SURFACE = `#version 300 es
precision highp float;
in vec3 normal_in_world;
in vec2 base_uv;
uniform vec3 light_in_world;
uniform float has_base_color;
uniform vec3 surface_color;
uniform highp sampler2D base_color;
out vec4 color;
void main() {
    vec3 base = has_base_color > 0.5 ? texture(base_color, base_uv).rgb : surface_color;
    float light = max(dot(normalize(normal_in_world), light_in_world), 0.0);
    color = vec4(base * (0.25 + 0.75 * light), 1.0);
}
`;

// The context, which from now on draws like that; `wasReplaced()` says whether it
// has found both what it replaces.
export function withPlainLight(context) {
  const found = new Set();
  const compile = context.shaderSource.bind(context);
  context.shaderSource = (shader, text) => {
    const isSurface = text.includes("half_lambert");
    if (isSurface) found.add("surface");
    compile(shader, isSurface ? SURFACE : text);
  };
  const draw = context.drawArraysInstanced.bind(context);
  context.drawArraysInstanced = (mode, first, count, instances) => {
    // The one triangle that there is: the background.
    if (count !== 3) return draw(mode, first, count, instances);
    found.add("background");
    context.clearColor(0.96, 0.95, 0.93, 1);
    context.clear(context.COLOR_BUFFER_BIT | context.DEPTH_BUFFER_BIT);
  };
  return { context, wasReplaced: () => found.size === 2 };
}
