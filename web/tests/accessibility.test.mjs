// The elements that screen readers see, held against the rules of axe.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import { site } from "./browser.mjs";
import { NotebookPage } from "./notebook_page.mjs";

const shared = site();
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

for (const [what, path, options] of [
  ["a step with matrices", "20-bind-pose/#step=it-is-an-inverse-not-a-subtraction", {}],
  ["a step with tables and an exercise", "40-bone-grid/#step=weights-add-up-to-one", {}],
  ["a step with a texture", "80-texture-storage/#step=one-texel-one-column", {}],
  ["a phone", "110-whale/#step=one-vertex-four-joints", PHONE],
]) {
  test(`axe finds nothing wrong with ${what}`, async () => {
    const notebook = await NotebookPage.open(shared, path, options);
    await notebook.still();
    await notebook.page.addScriptTag({ path: axe });
    const { violations } = await notebook.page.evaluate(() => axe.run());
    const words = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(" ")}`);
    assert.deepEqual(words, []);
    await notebook.end();
  });
}
