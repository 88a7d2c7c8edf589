// The elements that screen readers see, held against the rules of axe.
import assert from "node:assert/strict";
import { test } from "node:test";
import { addAxe, complaintsOfAxe } from "./axe.mjs";
import { site } from "./browser.mjs";
import { NotebookPage } from "./notebook_page.mjs";

const shared = site();

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

for (const [what, path, options] of [
  ["the cover", "", {}],
  ["a step with matrices", "20-bind-pose/#step=when-the-joint-was-tilted", {}],
  ["a step with tables and an exercise", "40-bone-grid/#step=weights-add-up-to-one", {}],
  ["a step with a texture", "80-texture-storage/#step=one-texel-one-column", {}],
  ["a phone", "110-whale/#step=one-vertex-four-joints", PHONE],
]) {
  test(`axe finds nothing wrong with ${what}`, async () => {
    const notebook = await NotebookPage.open(shared, path, options);
    await notebook.still();
    await addAxe(notebook.page);
    assert.deepEqual(await complaintsOfAxe(notebook.page), []);
    await notebook.end();
  });
}

test("a matrix is a table with heads, whose cells are numbers to be set", async () => {
  const notebook = await NotebookPage.open(shared, "20-bind-pose/#step=lift-the-chin");
  await notebook.tells();
  const table = (name) => notebook.page.getByRole("table", { name, exact: true });
  const heads = table("joint 1 from bind").getByRole("columnheader");
  assert.deepEqual(await heads.allTextContents(),
    ["x axis goes to", "y axis goes to", "z axis goes to", "origin goes to"]);
  const row = (name, head) =>
    table(name).getByRole("row").filter({ has: notebook.page.getByRole("rowheader", { name: head, exact: true }) });
  const read = row("world from bind", "y").getByRole("cell");
  assert.deepEqual(await read.allTextContents(), ["1.000", "0.000", "0.000", "2.000"]);
  const number = row("joint 1 from bind", "x").getByRole("spinbutton").last();
  assert.equal(await number.inputValue(), "0");
  await number.fill("0.5");
  // What reads the matrix hears the product change.
  await read.last().getByText("2.500").waitFor({ state: "attached" });
  await notebook.end();
});
