// What is printed has its formulas whole: their faces are fetched when they are first
// needed.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bindpose, site } from "./browser.mjs";
import { NotebookPage } from "./notebook_page.mjs";

const shared = site();
// A worker would fetch faces where no test sees it.
const ALONE = { serviceWorkers: "block" };
const FACES = /KaTeX[^/]*\.ttf$/;

// The outlines of all glyphs in a page's formulas, in order.
function glyphs(html) {
  return [...html.matchAll(/<path id="g\d+" d="([^"]*)"/g)].map(([, outline]) => outline);
}

async function native() {
  const folder = await mkdtemp(join(tmpdir(), "bindpose-"));
  await bindpose("handout", "bind-pose", "--without-pictures", "--out", folder);
  const html = await readFile(join(folder, "20-bind-pose.html"), "utf8");
  await rm(folder, { recursive: true });
  return glyphs(html);
}

test("the browser's own print has every glyph of the lesson", async () => {
  const expected = await native();
  assert.ok(expected.length > 10, `${expected.length}`);
  const notebook = await NotebookPage.open(shared, "20-bind-pose/", ALONE);
  // The faces come without any of the formulas in sight.
  await notebook.page.waitForFunction(async (count) => {
    dispatchEvent(new Event("beforeprint"));
    const printed = document.querySelectorAll("#printed-text .glyphs path").length;
    dispatchEvent(new Event("afterprint"));
    return printed >= count;
  }, expected.length, { polling: 500 });
  await notebook.end();
});

test("a handout waits for the faces of its formulas", async () => {
  const expected = await native();
  const notebook = await NotebookPage.open(shared, "20-bind-pose/", ALONE);
  const { page } = notebook;
  const held = [];
  let open = false;
  await page.route(FACES, (route) => (open ? route.continue() : held.push(route)));
  await notebook.press("button", "Export");
  await notebook.press("radio", "Handout to print");
  const coming = page.waitForEvent("download");
  await notebook.one("button", "Download").waitFor();
  await notebook.press("button", "Download");
  const card = page.locator("#notebook-tree").getByText(/^\d+ of \d+ pictures$/).first();
  await card.waitFor({ state: "attached" });
  // Not one of its pictures is made meanwhile.
  const end = Date.now() + 4000;
  while (Date.now() < end) {
    assert.match(await card.textContent(), /^0 of/);
    await page.waitForTimeout(200);
  }
  assert.ok(held.length > 0, "faces are asked for");
  open = true;
  await Promise.all(held.map((route) => route.continue()));
  const html = await readFile(await (await coming).path(), "utf8");
  assert.deepEqual(glyphs(html), expected);
  await notebook.end();
});
