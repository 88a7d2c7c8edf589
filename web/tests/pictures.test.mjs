// The page looks as the native program draws it: text by the same rasterizer,
// models by two different implementations of OpenGL.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { bindpose, root, site } from "./browser.mjs";
import { NotebookPage } from "./notebook_page.mjs";
import { difference } from "./pictures.mjs";

const shared = site();

// As parts of the way from black to white, and of all pixels. Between llvmpipe and
// SwiftShader, 0.0003 of the pixels differed at most: edges of lines.
const COLOUR = 0.1;
const PIXELS = 0.001;

const STEPS = {
  "20-bind-pose": "take-it-out-first",
  "40-bone-grid": "half-of-each",
  "50-gltf-joint-matrices": "world-times-inverse-bind",
  "60-normals": "squashed",
  "80-texture-storage": "a-texture-is-an-array",
  "90-gltf-bytes": "the-stride",
  "100-scene-graph": "a-tree-of-nodes",
  "110-whale": "every-sum-at-once",
  "130-time": "five-keys",
  "140-beyond-linear": "the-candy-wrapper",
  "160-your-model": "open-it",
};

for (const [folder, step] of Object.entries(STEPS)) {
  test(`${folder}/${step} looks as in the native program`, async () => {
    const notebook = await NotebookPage.open(shared, `${folder}/#step=${step}`);
    const inBrowser = await notebook.still();
    const lesson = folder.replace(/^\d+-/, "");
    const out = join(root, "target/tmp", `${folder}.native.png`);
    mkdirSync(join(root, "target/tmp"), { recursive: true });
    const size = ["--size", "1280x800"];
    await bindpose("shot", lesson, "--step", step, ...size, "--out", out, "--force");
    const { part, shown } = difference(inBrowser, readFileSync(out), COLOUR);
    if (part > PIXELS) {
      writeFileSync(out.replace("native", "browser"), inBrowser);
      writeFileSync(out.replace("native", "difference"), shown);
    }
    assert.ok(part <= PIXELS, `${part} of the pixels differ: see ${out}`);
    await notebook.end();
  });
}
