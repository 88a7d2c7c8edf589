// All steps, in the order of the lessons, by keys.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { addAxe, complaintsOfAxe } from "./axe.mjs";
import { root, site } from "./browser.mjs";
import { NotebookPage } from "./notebook_page.mjs";

const shared = site();

test("every step opens without an error on the console, and axe finds nothing wrong", async () => {
  const notebook = await NotebookPage.open(shared, "10-what-skinning-is/");
  await addAxe(notebook.page);
  const steps = [notebook.step()];
  const wrong = [];
  const all = stepsInLessons();
  for (;;) {
    await notebook.tells();
    for (const words of await complaintsOfAxe(notebook.page)) {
      wrong.push(`${steps.at(-1)}: ${words}`);
    }
    if (steps.length === all) break;
    await notebook.turn("ArrowRight");
    steps.push(notebook.step());
  }
  assert.equal(new Set(steps).size, all, "each step has an address of its own");
  assert.deepEqual(wrong, []);
  await notebook.end();
});

// A heading of the second level begins a step, outside of listings.
function stepsInLessons() {
  const folders = readdirSync(join(root, "lessons"), { withFileTypes: true });
  const texts = folders
    .filter((entry) => entry.isDirectory())
    .map((entry) => readFileSync(join(root, "lessons", entry.name, "lesson.md"), "utf8"));
  const headings = texts.map((text) => text.replace(/^```.*?^```/gms, "").match(/^## /gm));
  return headings.reduce((sum, found) => sum + found.length, 0);
}
