// Fingers, the keyboard on the screen, and screens with finer pixels. Fingers are
// those of the browser itself: events of touch and of pointers follow from them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { site } from "./browser.mjs";
import { NotebookPage } from "./notebook_page.mjs";
import { difference, isBlank } from "./pictures.mjs";

const shared = site();
const TABLET = { hasTouch: true };
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const HEAD = "20-bind-pose/#step=a-head-on-a-neck";
const HALF = "40-bone-grid/#step=half-of-each";
const NOD = "20-bind-pose/#step=and-carry-it-back";
// The height of one that comes up, in pixels.
const KEYBOARD = 400;

// Puts fingers down, moves them and lifts them.
class Hand {
  static async of(notebook) {
    return new Hand(await notebook.page.context().newCDPSession(notebook.page));
  }

  constructor(session) {
    this.session = session;
  }

  // `fingers`: where each of them is.
  send(type, ...fingers) {
    const touchPoints = fingers.map(([x, y], id) => ({ x: Math.round(x), y: Math.round(y), id }));
    return this.session.send("Input.dispatchTouchEvent", { type, touchPoints });
  }

  // From some places to as many others, in a straight way.
  async drag(from, to) {
    await this.send("touchStart", from[0]);
    if (from.length > 1) await this.send("touchStart", ...from);
    for (let part = 0.1; part < 1.01; part += 0.1) {
      const between = (a, b) => a + (b - a) * part;
      await this.send("touchMove", ...from.map(([x, y], i) => [between(x, to[i][0]), between(y, to[i][1])]));
    }
    await this.send("touchEnd");
  }

  // So many times in a row, as quickly as fingers are, however long a frame takes.
  async tap(at, times = 1) {
    const sent = [];
    for (let tap = 0; tap < times; tap++) {
      sent.push(this.send("touchStart", at), this.send("touchEnd"));
    }
    await Promise.all(sent);
  }
}

function middle({ x, y, width, height }) {
  return [x + width / 2, y + height / 2];
}

// The camera of the first picture, as the address has it; absent: the step's own.
function camera(address) {
  const numbers = address.match(/camera\.[a-z-]+=([^&]*)/)?.[1].split(",").map(Number);
  if (!numbers) return undefined;
  const [x, y, z, yaw, pitch, height] = numbers;
  return { x, y, z, yaw, pitch, height };
}

test("one finger turns a picture, and a double tap puts it back", async () => {
  const notebook = await NotebookPage.open(shared, HEAD, TABLET);
  const hand = await Hand.of(notebook);
  const [x, y] = middle(await notebook.box("img", /^Viewport/));
  for (const _ of ["once", "and again"]) {
    await hand.drag([[x, y]], [[x + 90, y + 30]]);
    await notebook.until((address) => camera(address)?.yaw < -0.1, "turned");
    // Beside the model, where there is nothing to be chosen.
    await hand.tap([x - 150, y - 150], 2);
    await notebook.until((address) => !camera(address), "put back");
  }
  await notebook.end();
});

test("a double tap is one however slowly the page is drawn", async () => {
  const notebook = await NotebookPage.open(shared, HEAD, TABLET);
  const hand = await Hand.of(notebook);
  const [x, y] = middle(await notebook.box("img", /^Viewport/));
  await hand.drag([[x, y]], [[x + 90, y + 30]]);
  await notebook.until((address) => camera(address), "turned");
  await notebook.page.evaluate(() => {
    // Longer than between the taps of a double tap.
    const busy = () => {
      const end = performance.now() + 600;
      while (performance.now() < end);
    };
    addEventListener("pointerup", busy, { capture: true });
  });
  await hand.tap([x - 150, y - 150], 2);
  await notebook.until((address) => !camera(address), "put back");
  await notebook.end();
});

test("two fingers come nearer and move the picture", async () => {
  const notebook = await NotebookPage.open(shared, HEAD, TABLET);
  const hand = await Hand.of(notebook);
  const [x, y] = middle(await notebook.box("img", /^Viewport/));
  // Moved first by both: how high the picture is says what a pinch does to it.
  await hand.drag([[x - 60, y], [x + 60, y]], [[x - 20, y + 50], [x + 100, y + 50]]);
  await notebook.until((address) => camera(address), "moved");
  const moved = camera(notebook.address());
  assert.ok(Math.abs(moved.yaw) < 0.05 && Math.abs(moved.pitch) < 0.05, "not turned");
  // What was in the middle is now to the right and below.
  assert.ok(moved.x < -0.1 && moved.y > 1.6, JSON.stringify(moved));
  await hand.drag([[x - 40, y], [x + 40, y]], [[x - 80, y], [x + 80, y]]);
  await notebook.until((address) => camera(address)?.height < 0.7 * moved.height, "nearer");
  const near = camera(notebook.address());
  assert.ok(near.height > 0.35 * moved.height, JSON.stringify([moved, near]));
  await notebook.end();
});

test("a finger drags a number sideways, and the page up and down", async () => {
  const notebook = await NotebookPage.open(shared, HALF, PHONE);
  const hand = await Hand.of(notebook);
  const before = await notebook.number("spinbutton", "joint 1");
  const [x, y] = middle(await bringUp(notebook, hand, "joint 1"));
  // Begun on the number itself.
  await hand.drag([[x, y]], [[x, y - 80]]);
  await notebook.untilBox("spinbutton", "joint 1", (box) => box.y < y - 50);
  assert.equal(await notebook.number("spinbutton", "joint 1"), before);
  const moved = middle(await stands(notebook, "joint 1"));
  await hand.drag([moved], [[moved[0] + 60, moved[1]]]);
  await notebook.untilNumber("spinbutton", "joint 1", (now) => now > before + 5);
  await notebook.end();
});

// Where the number stands when the page has come to rest.
async function stands(notebook, name) {
  await notebook.still();
  return notebook.box("spinbutton", name);
}

// Drags the page until the number is in its lower half.
async function bringUp(notebook, hand, name) {
  for (;;) {
    const box = await stands(notebook, name);
    if (box.y < 700) return box;
    await hand.drag([[200, 720]], [[200, 620]]);
  }
}

test("what is typed in stays above the keyboard on the screen", async () => {
  const notebook = await NotebookPage.open(shared, NOD, PHONE);
  const hand = await Hand.of(notebook);
  // A keyboard leaves the page as it is, and makes what is seen of it less high: the
  // browser of a test has none.
  await notebook.page.evaluate(() => {
    const seen = new EventTarget();
    Object.assign(seen, { scale: 1, offsetTop: 0, offsetLeft: 0, width: innerWidth, height: innerHeight });
    window.comeUp = (height) => {
      seen.height = innerHeight - height;
      visualViewport.dispatchEvent(new Event("resize"));
    };
    for (const name of ["scale", "offsetTop", "height"]) {
      Object.defineProperty(visualViewport, name, { get: () => seen[name] });
    }
  });
  const number = await bringUp(notebook, hand, "nod");
  assert.ok(number.y > 844 - KEYBOARD, "the keyboard would cover it");
  await hand.tap(middle(number));
  await notebook.when(() =>
    document.querySelector("#notebook-typing input") === document.activeElement);
  await notebook.page.evaluate((height) => comeUp(height), KEYBOARD);
  await notebook.untilFocused((box) => box && box.y >= 48 && box.y + box.height <= 844 - KEYBOARD);
  await notebook.page.keyboard.type("30");
  await notebook.page.keyboard.press("Enter");
  await notebook.page.evaluate(() => comeUp(0));
  await notebook.untilNumber("slider", "nod", 30);
  await notebook.end();
});

// A page whose screen and window are what is asked for here alone.
async function open() {
  const notebook = await NotebookPage.open(shared, HALF, { viewport: null });
  const session = await notebook.page.context().newCDPSession(notebook.page);
  return {
    notebook,
    // Until the picture has a pixel for each of the screen's.
    async looks(fine, width, height) {
      // Chromium 156.0.8078.108 tells a page of other pixels only together with another
      // size, where it imitates them.
      for (const less of [1, 0]) {
        const metrics = { width, height: height - less, deviceScaleFactor: fine, mobile: false };
        await session.send("Emulation.setDeviceMetricsOverride", metrics);
      }
      await notebook.when(([width, height]) => {
        const canvas = document.querySelector("canvas.notebook");
        return Math.abs(canvas.width - width) <= 1 && Math.abs(canvas.height - height) <= 1;
      }, [width * fine, height * fine]);
      // In the pixels of the screen.
      const clip = { x: 0, y: 0, width, height, scale: 1 };
      for (let before; ; await notebook.page.waitForTimeout(100)) {
        const { data } = await session.send("Page.captureScreenshot", { clip });
        if (data === before) return Buffer.from(data, "base64");
        before = data;
      }
    },
  };
}

test("a screen with finer pixels, and a page that is enlarged, are drawn as sharply", async () => {
  const moved = await open();
  // The window goes to another screen; the reader enlarges the page by half.
  for (const screen of [[1, 900, 600], [2, 900, 600], [1.5, 600, 400]]) {
    const now = await moved.looks(...screen);
    assert.ok(!isBlank(now), `${screen}: nothing is drawn`);
    await moved.notebook.reload();
    const { part } = difference(now, await moved.looks(...screen), 0.1);
    assert.ok(part < 0.002, `${screen}: ${part} of it differs from a page that opens there`);
  }
  await moved.notebook.end();
});
