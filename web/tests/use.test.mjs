// What a reader does with mouse and keyboard, found by role and name.
import assert from "node:assert/strict";
import { test } from "node:test";
import { site } from "./browser.mjs";
import { NotebookPage } from "./notebook_page.mjs";
import { difference } from "./pictures.mjs";

const shared = site();
const HALF = "40-bone-grid/#step=half-of-each";
const BUDGET = "80-texture-storage/#step=uniforms-run-out";
const WEIGHT = "weight of joint 0 on v2";

test("a slider follows the mouse, everything else follows it, and undo brings all back", async () => {
  const notebook = await NotebookPage.open(shared, HALF);
  const before = await notebook.still();
  const slider = await notebook.box("slider", WEIGHT);
  await notebook.drag(slider, slider.width / 4, 0);
  const weight = await notebook.number("slider", WEIGHT);
  assert.ok(weight > 0.6 && weight < 0.95, `${weight}`);
  assert.match(notebook.address(), /weights?\.2=/, "the address holds it");
  assert.ok(!before.equals(await notebook.still()), "the picture followed");
  await notebook.press("button", "Undo");
  await notebook.untilNumber("slider", WEIGHT, 0.5);
  await notebook.page.mouse.move(5, 795);
  // Below what says that something was undone.
  const { x, y, width, height } = await notebook.box("img", /^Viewport/);
  const area = { x, y: y + 40, width, height: height - 40 };
  const { part } = difference(before, await notebook.still(), 0.1, area);
  assert.equal(part, 0, "the picture is as it was");
  await notebook.end();
});

// In the page: drags on, by twenty moves with four frames of the browser between them, in
// no time; how many frames the notebook asks for meanwhile, and has asked for in all.
async function framesOfMoves([x, y]) {
  const before = window.framesAsked;
  const now = performance.now();
  performance.now = () => now;
  // However long the moves take on a busy machine, no timer ends meanwhile.
  const timers = [];
  const { setTimeout } = window;
  window.setTimeout = (...timer) => -timers.push(timer);
  for (let move = 1; move <= 20; move += 1) {
    const at = { clientX: x + move, clientY: y, buttons: 1, bubbles: true };
    document.querySelector("canvas.notebook").dispatchEvent(new MouseEvent("mousemove", at));
    for (let frame = 0; frame < 4; frame += 1) await new Promise(window.browsersFrame);
  }
  delete performance.now;
  window.setTimeout = setTimeout;
  for (const timer of timers) window.setTimeout(...timer);
  return [window.framesAsked - before, window.framesAsked];
}

test("a move of what is dragged takes one frame, and the last one is followed by more", async () => {
  const notebook = await NotebookPage.open(shared, HALF);
  const { mouse } = notebook.page;
  const { x, y, width, height } = await notebook.box("slider", WEIGHT);
  const middle = [x + width / 2, y + height / 2];
  await mouse.move(...middle);
  await mouse.down();
  await mouse.move(middle[0] + 2, middle[1]);
  await notebook.page.waitForTimeout(300);
  const [frames, before] = await notebook.page.evaluate(framesOfMoves, middle);
  assert.ok(frames > 10 && frames <= 20, `${frames} frames of 20 moves`);
  const asked = () => notebook.page.evaluate(() => window.framesAsked);
  await notebook.stands(asked, (now) => now > before, "frames after the last move");
  const weight = () => notebook.number("slider", WEIGHT);
  await notebook.stands(weight, (now) => now > 0.5, "what a screen reader is told");
  await mouse.up();
  await notebook.end();
});

// Runs in the page, before the notebook hears a key: whether somebody took it.
function watchKeys() {
  window.keysTaken = [];
  const heard = (event) => setTimeout(() => window.keysTaken.push(event.defaultPrevented));
  addEventListener("keydown", heard, { capture: true });
}

test("a number is typed in its place", async () => {
  const notebook = await NotebookPage.open(shared, HALF, { before: watchKeys });
  const box = await notebook.box("spinbutton", WEIGHT);
  await notebook.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await notebook.one("textbox", `${WEIGHT}, type a value`).waitFor();
  // The browser's keys stay the browser's.
  await notebook.page.keyboard.press("Alt+Z");
  await notebook.when(() => window.keysTaken.length === 2);
  assert.deepEqual(await notebook.page.evaluate(() => window.keysTaken), [false, false]);
  await notebook.page.keyboard.press("Control+A");
  await notebook.page.keyboard.type("0.25");
  await notebook.page.keyboard.press("Enter");
  await notebook.untilNumber("slider", WEIGHT, 0.25);
  await notebook.page.keyboard.press("Control+Z");
  await notebook.untilNumber("slider", WEIGHT, 0.5);
  await notebook.end();
});

test("a keyboard on the screen has what the number needs", async () => {
  const field = "#notebook-typing input";
  const notebook = await NotebookPage.open(shared, BUDGET);
  const box = await notebook.box("spinbutton", "slots for everything but joints");
  await notebook.page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await notebook.page.locator(`${field}[inputmode=decimal]`).waitFor({ state: "attached" });
  await notebook.page.keyboard.press("Escape");
  // A weight may be negative, and keyboards for decimals have no minus everywhere.
  await notebook.page.locator(`${field}[inputmode=text]`).waitFor({ state: "attached" });
  await notebook.end();
});

test("a joint is chosen in the picture, where its element is", async () => {
  const notebook = await NotebookPage.open(shared, HALF);
  const joint = await notebook.box("button", "joint 2");
  await notebook.page.mouse.click(joint.x + joint.width / 2, joint.y + joint.height / 2);
  await notebook.page.getByRole("button", { name: "joint 2", exact: true, pressed: true }).waitFor();
  await notebook.end();
});

test("the title of the tab says step and lesson", async () => {
  const notebook = await NotebookPage.open(shared, HALF);
  assert.equal(await notebook.page.title(), "Half of each · The 2D bone grid · Bindpose");
  await notebook.turn("ArrowRight");
  await notebook.still();
  assert.equal(await notebook.page.title(), "What blending costs · The 2D bone grid · Bindpose");
  await notebook.end();
});
