// Ours and three.js take turns in one page; medians of what they took.
import init, { Drawing, Skinning } from "/parts/bench.js";
import { withPlainLight } from "/plain_light.js";
import { ThreeDrawing } from "/three_drawing.js";

const SIZE = [960, 540];
const WARM_UP = 3;
const ROUNDS = 15;
const COUNTS = [1, 10, 100];
// Of the clip, from one frame to the next.
const STEP_SECONDS = 0.03;

window.measured = (async () => {
  await init();
  const bytes = await (await fetch("/model.glb")).arrayBuffer();
  const plain = withPlainLight(context());
  const candidates = {
    ours: new Ours(bytes, context()),
    plain: new Ours(bytes, plain.context),
    three: await ThreeDrawing.make(bytes, SIZE, true),
    canvas: await ThreeDrawing.make(bytes, SIZE, false),
  };
  const { drawing } = candidates.ours;
  const image = candidates.three.image();
  for (const one of [candidates.ours, candidates.plain]) one.drawing.give_image(...image);
  const frames = [];
  for (const count of COUNTS) {
    for (const one of Object.values(candidates)) one.show(count, drawing);
    frames.push({ count, ...inTurns(candidates) });
    mustShowTheSame(candidates, count * drawing.triangles());
  }
  if (!plain.wasReplaced()) throw new Error("our look is no longer what plain_light.js replaces");
  return {
    frames,
    skinning: skinning(),
    vertices: drawing.vertices(),
    triangles: drawing.triangles(),
    samples: [candidates.three.samples(), candidates.canvas.samples()],
    three: ThreeDrawing.version,
    renderer: rendererName(),
  };
})();

// As many triangles, and as many pixels of the members but for their edges.
function mustShowTheSame({ plain, three, canvas }, triangles) {
  for (const { renderer } of [three, canvas]) {
    const theirs = renderer.info.render.triangles;
    if (theirs !== triangles) throw new Error(`${theirs} triangles, ours are ${triangles}`);
  }
  const [ours, theirs] = [plain.drawing.pixels(), three.pixels()].map(covered);
  if (Math.abs(ours / theirs - 1) > 0.01) throw new Error(`${theirs} pixels, ours are ${ours}`);
}

// Pixels that are not as the first, where there is background.
function covered(pixels) {
  const colors = new Uint32Array(pixels.buffer, pixels.byteOffset, pixels.length / 4);
  return colors.filter((color) => color !== colors[0]).length;
}

class Ours {
  constructor(bytes, context) {
    this.context = context;
    this.drawing = new Drawing(context, new Uint8Array(bytes));
  }

  show(count) {
    this.drawing.show(count, ...SIZE);
  }

  // Until all is drawn: a pixel can only be read then.
  frame(seconds) {
    this.drawing.frame(seconds);
    const gl = this.context;
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
  }
}

function context() {
  const canvas = document.createElement("canvas");
  return canvas.getContext("webgl2", { antialias: false });
}

// Milliseconds a frame, by the candidate's name.
function inTurns(candidates) {
  const times = Object.fromEntries(Object.keys(candidates).map((name) => [name, []]));
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const [name, one] of Object.entries(candidates)) {
      const took = clocked(() => one.frame((round + 1) * STEP_SECONDS));
      if (round >= WARM_UP) times[name].push(took);
    }
  }
  return Object.fromEntries(Object.entries(times).map(([name, took]) => [name, median(took)]));
}

// Nanoseconds a vertex.
function skinning() {
  const mesh = new Skinning();
  const times = { ours: [], plain_loop: [] };
  for (let round = 0; round < WARM_UP + 2 * ROUNDS; round++) {
    const took = [clocked(() => mesh.ours()), clocked(() => mesh.plain_loop())];
    if (round < WARM_UP) continue;
    times.ours.push(took[0]);
    times.plain_loop.push(took[1]);
  }
  const each = (took) => (median(took) * 1e6) / mesh.vertices();
  return { ours: each(times.ours), plain_loop: each(times.plain_loop) };
}

function clocked(run) {
  const start = performance.now();
  run();
  return performance.now() - start;
}

function median(numbers) {
  return numbers.sort((a, b) => a - b)[numbers.length >> 1];
}

function rendererName() {
  const gl = context();
  const named = gl.getExtension("WEBGL_debug_renderer_info");
  return gl.getParameter(named ? named.UNMASKED_RENDERER_WEBGL : gl.RENDERER);
}
