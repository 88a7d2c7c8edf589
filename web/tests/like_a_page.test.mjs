// What the browser does with any page: search, translation, links, previews.
import assert from "node:assert/strict";
import { test } from "node:test";
import { site } from "./browser.mjs";
import { NotebookPage, when } from "./notebook_page.mjs";

const shared = site();
const STEP = "20-bind-pose/#step=take-it-out-first";

test("Ctrl+F brings the text of the step that is open, and Esc the notebook at the step that is read", async () => {
  const notebook = await NotebookPage.open(shared, STEP);
  const { page } = notebook;
  await page.keyboard.press("Control+f");
  const heading = page.locator("#text [id='step=take-it-out-first']");
  await heading.waitFor();
  await when(page, () => Math.abs(document.getElementById("step=take-it-out-first").getBoundingClientRect().top) < 90);
  await page.mouse.wheel(0, 10);
  await page.evaluate(() => document.getElementById("step=and-carry-it-back").scrollIntoView());
  await page.waitForURL(/#step=and-carry-it-back$/);
  await page.keyboard.press("Escape");
  assert.equal(await heading.isVisible(), false);
  await notebook.isAt("20-bind-pose/and-carry-it-back");
  await notebook.tells();
  await notebook.end();
});

test("the text is that of the lesson in sight, and a translated page is text", async () => {
  const notebook = await NotebookPage.open(shared, STEP);
  const { page } = notebook;
  await page.evaluate(() => (location.hash = "#lesson=whale"));
  await notebook.isAt("110-whale/the-mesh-as-stored");
  await page.evaluate(() => document.documentElement.classList.add("translated-ltr"));
  await page.locator("#text h1", { hasText: "The glTF whale" }).waitFor();
  await page.getByRole("button", { name: "Back to the notebook" }).click();
  await when(page, () => !document.body.classList.contains("reading"));
  await notebook.end();
});

test("a lesson in the list opens in another tab by the middle button and by Ctrl, and has the menu of a link", async () => {
  const notebook = await NotebookPage.open(shared, STEP);
  const { page } = notebook;
  const entry = page.locator("#notebook-tree [data-link='bindpose://what-skinning-is']");
  const { x, y, width, height } = await entry.boundingBox();
  const [at, up] = [x + width / 2, y + height / 2];
  for (const click of [
    () => page.mouse.click(at, up, { button: "middle" }),
    async () => {
      await page.keyboard.down("Control");
      await page.mouse.click(at, up);
      await page.keyboard.up("Control");
    },
  ]) {
    const coming = page.context().waitForEvent("page");
    await click();
    const tab = await coming;
    await tab.waitForURL(/10-what-skinning-is\//);
    await tab.close();
  }
  await notebook.isAt("20-bind-pose/take-it-out-first");
  await page.evaluate(() => addEventListener("contextmenu", (event) => (window.menuOf = event.target.href), true));
  await page.mouse.click(at, up, { button: "right" });
  await when(page, () => window.menuOf !== undefined);
  assert.match(await page.evaluate(() => window.menuOf), /#lesson=what-skinning-is$/);
  await page.mouse.move(900, 300);
  await when(page, () => !document.querySelector(".under-pointer"));
  await notebook.end();
});
