// What strangers do while the rest of the program is on its way waits for nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { site } from "./browser.mjs";
import * as acts from "./first_acts.mjs";
import { NotebookPage } from "./notebook_page.mjs";

const shared = site();
// Its first step has a whale that plays, and neither numbers nor a question.
const HAS_NO_NUMBERS = [
  "a cell of a matrix under the pointer: spinbutton",
  "a number is clicked: spinbutton",
  "Answer: button Answer",
];
// The program is divided by what it called while the same acts were counted. This one calls a
// function more at a faster pace than that of a program that counts, and waits for its part
// then, with the picture in place.
const MAY_WAIT = "a slider by keys";
const pages = [
  ["the cover", "", {}, acts.ON_THE_COVER],
  ["a first lesson", "10-what-skinning-is/", {}, acts.ON_A_LESSON, HAS_NO_NUMBERS],
  ["a lesson", "20-bind-pose/", {}, acts.ON_A_LESSON],
  ["the cover of a phone", "", acts.PHONE, acts.BY_FINGERS_ON_THE_COVER],
  ["a lesson of a phone", "20-bind-pose/", acts.PHONE, acts.BY_FINGERS_ON_A_LESSON],
];

for (const [what, path, options, todo, lacked = []] of pages) {
  test(`the first acts on ${what} need no other part`, async () => {
    let come;
    const coming = new Promise((done) => (come = done));
    const missed = [];
    let doing;
    const notebook = await NotebookPage.inContext(shared, options);
    const { page } = notebook;
    await page.context().route("**/bindpose-later-*.wasm", async (route) => {
      // One that the page stands still for.
      if (route.request().resourceType() === "xhr") {
        missed.push(doing);
        come();
      }
      await coming;
      await route.continue();
    });
    await page.goto(new URL(path, shared.url).href);
    await notebook.hasPicture();
    const lacking = await acts.doAll(notebook, todo, (name) => (doing = name));
    assert.deepEqual(lacking, lacked, "acts without their element");
    assert.deepEqual(missed.filter((act) => act !== MAY_WAIT), [], "acts that waited");
    if (!missed.length) {
      assert.equal(await page.locator("body.whole").count(), 0, "all was done before the rest came");
    }
    come();
    await notebook.isLive();
    await notebook.end();
  });
}
