// The address of the page is its state.
import assert from "node:assert/strict";
import { test } from "node:test";
import { site } from "./browser.mjs";
import { NotebookPage } from "./notebook_page.mjs";

const shared = site();

test("back and forward turn steps, also into another lesson", async () => {
  const notebook = await NotebookPage.open(shared, "20-bind-pose/#step=what-you-can-say-now");
  await notebook.turn("ArrowRight");
  assert.equal(notebook.step(), "30-hierarchy/two-joints-in-one-place");
  await notebook.page.goBack();
  await notebook.isAt("20-bind-pose/what-you-can-say-now");
  const last = await notebook.still();
  await notebook.page.goForward();
  await notebook.isAt("30-hierarchy/two-joints-in-one-place");
  assert.ok(!last.equals(await notebook.still()), "the page followed");
  await notebook.end();
});

test("values in an address are those of the page, and a reload keeps them", async () => {
  const path = "40-bone-grid/#step=half-of-each&b0=0.5";
  const notebook = await NotebookPage.open(shared, path);
  const opened = await notebook.still();
  assert.match(notebook.address(), /b0=0\.5/);
  await notebook.reload();
  assert.match(notebook.address(), /b0=0\.5/);
  await notebook.looksAgain(opened, "after a reload");
  await notebook.end();
  const fresh = await NotebookPage.open(shared, "40-bone-grid/#step=half-of-each");
  assert.ok(!opened.equals(await fresh.still()), "without the value it is another");
  await fresh.end();
});

test("an address typed over the open one is followed without loading", async () => {
  const notebook = await NotebookPage.open(shared, "40-bone-grid/#step=half-of-each");
  await notebook.page.evaluate(() => (window.unloaded = false));
  await notebook.page.evaluate(() => (location.hash = "#step=reach-for-it"));
  await notebook.isAt("40-bone-grid/reach-for-it");
  assert.equal(await notebook.page.evaluate(() => window.unloaded), false);
  await notebook.end();
});
