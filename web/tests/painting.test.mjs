// Weights are painted in a picture: by the mouse, and by keys alone; one undo takes each
// stroke back.
import assert from "node:assert/strict";
import { test } from "node:test";
import { site } from "./browser.mjs";
import { NotebookPage } from "./notebook_page.mjs";

const shared = site();
const PAGE = "75-weight-sources/#step=with-a-brush";
const TOOL = "paint in the picture";

// What the exercise of the step measures: a weight at the inside of the shin.
async function measured(notebook) {
  const [, number] = await notebook.read(/the most that the left leg has of them\s*([\d.]+)/);
  return Number(number);
}

async function until(notebook, fits, what) {
  await notebook.stands(() => measured(notebook), fits, what);
}

async function opened() {
  const notebook = await NotebookPage.open(shared, PAGE);
  await notebook.tells();
  await notebook.fill("spinbutton", "strength of the brush", 100);
  await notebook.fill("spinbutton", "size of the brush", 15);
  return notebook;
}

test("a stroke by the mouse changes weights, and one undo brings them back", async () => {
  const notebook = await opened();
  const before = await measured(notebook);
  assert.ok(before > 0.1, `${before}`);
  const knee = await notebook.box("button", "joint 4: right shin");
  await notebook.press("button", TOOL);
  await notebook.when(
    (name) => document.querySelector(`#notebook-tree [aria-label="${name}"][aria-pressed=true]`),
    TOOL,
  );
  // Down the shin.
  await notebook.drag(knee, 0, 100);
  await notebook.read(/\d vertices changed/);
  await until(notebook, (now) => now < before - 0.02, "after the stroke");
  await notebook.page.keyboard.press("Control+Z");
  await until(notebook, (now) => now === before, "after undo");
  await notebook.end();
});

test("a touch by keys changes weights, and one undo brings them back", async () => {
  const notebook = await opened();
  const before = await measured(notebook);
  await notebook.one("button", "brush here").focus();
  await notebook.when(() => document.activeElement.matches("canvas.notebook"));
  await notebook.page.keyboard.press("Enter");
  await until(notebook, (now) => now < before - 0.02, "after the touch");
  await notebook.page.keyboard.press("Control+Z");
  await until(notebook, (now) => now === before, "after undo");
  await notebook.end();
});
