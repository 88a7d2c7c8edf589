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
  "30-hierarchy": "down-the-chain",
  "40-bone-grid": "half-of-each",
  "50-gltf-joint-matrices": "world-times-inverse-bind",
  "60-normals": "squashed",
  "75-weight-sources": "the-nearest-joint-takes-it-all",
  "80-texture-storage": "a-texture-is-an-array",
  "90-gltf-bytes": "the-stride",
  "100-scene-graph": "a-tree-of-nodes",
  "110-whale": "one-vertex-four-joints",
  "120-debugging": "one-line-is-wrong",
  "130-time": "five-keys",
  "140-beyond-linear": "the-candy-wrapper",
  "150-conventions": "all-numbers-are-right",
  "160-your-model": "open-it",
};

for (const [folder, step] of Object.entries(STEPS)) {
  test(`${folder}/${step} looks as in the native program`, async () => {
    const notebook = await NotebookPage.open(shared, `${folder}/#step=${step}`);
    const inBrowser = await notebook.still();
    await looksAsNative(inBrowser, folder, [folder.replace(/^\d+-/, ""), "--step", step]);
    await notebook.end();
  });
}

test("a page sways once its question is answered, until a key is pressed", async () => {
  const notebook = await NotebookPage.open(shared, "60-normals/", { reducedMotion: "no-preference" });
  const screenshot = () => notebook.page.screenshot();
  const second = () => notebook.page.waitForTimeout(1000);
  const open = await notebook.still();
  await second();
  assert.ok(open.equals(await screenshot()), "its question is open");
  await notebook.press("radio", "It sticks to the ball, as if painted on.");
  await notebook.press("button", "Answer");
  await notebook.said("Right").first().waitFor({ state: "attached" });
  const before = await screenshot();
  await second();
  assert.ok(!before.equals(await screenshot()), "it moves by itself");
  await notebook.page.keyboard.press("Escape");
  const rests = await notebook.still();
  await second();
  assert.ok(rests.equals(await screenshot()), "it rests");
  await notebook.end();
});

// Of images of very different sizes: the browser decodes them.
for (const name of ["arm", "whale"]) {
  test(`a dropped ${name} looks as in the native program`, async () => {
    const model = join(root, `assets/models/${name}/${name}.glb`);
    const notebook = await NotebookPage.open(shared, "160-your-model/");
    await notebook.drop([model]);
    await notebook.until((address) => address.includes(`model=${name}.glb`), "the model opens");
    const told = notebook.page.getByText(`${name}.glb: `).first();
    await told.waitFor({ state: "attached" });
    // What the page says meanwhile of its examination may put its element anew.
    do {
      await told.waitFor({ state: "detached" });
      await notebook.still();
    } while (await told.count());
    const viewport = { x: 680, y: 70, width: 580, height: 700 };
    await looksAsNative(await notebook.still(), name, ["your-model", "--model", model], viewport);
    await notebook.end();
  });
}

async function looksAsNative(inBrowser, name, page, area) {
  const out = join(root, "target/tmp", `${name}.native.png`);
  mkdirSync(join(root, "target/tmp"), { recursive: true });
  await bindpose("shot", ...page, "--size", "1280x800", "--out", out, "--force");
  const { part, shown } = difference(inBrowser, readFileSync(out), COLOUR, area);
  if (part > PIXELS) {
    writeFileSync(out.replace("native", "browser"), inBrowser);
    writeFileSync(out.replace("native", "difference"), shown);
  }
  assert.ok(part <= PIXELS, `${part} of the pixels differ: see ${out}`);
}
