// What strangers do first, by real keys, fingers, wheel and mouse. `called_first.mjs` counts
// what the program calls for it, so that it is in the first part; `first_acts.test.mjs` does
// the same while the rest of the program is held back.

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

// A word explains itself to a pointer that rests on it for so long.
const TOOLTIP_MS = 900;
// Elements follow the page by a tenth of a second; what is pressed earlier is another one.
const ELEMENTS_FOLLOW_MS = 300;

const middle = ({ x, y, width, height }) => [x + width / 2, y + height / 2];

// The first element that fits and has a place on the page. That there is none is noted.
async function boxOf(notebook, role, name) {
  const { height, width } = notebook.page.viewportSize();
  const found = notebook.page.locator("#notebook-tree").getByRole(role, { name });
  for (const one of await found.all()) {
    const box = await one.boundingBox();
    const [x, y] = box ? middle(box) : [-1, -1];
    if (x > 0 && y > 0 && x < width && y < height - 20) return box;
  }
  notebook.lacks = `${role} ${name ?? ""}`.trim();
}

function isTouched({ page }) {
  return page.evaluate(() => navigator.maxTouchPoints > 0);
}

async function click(notebook, role, name, options) {
  const box = await boxOf(notebook, role, name);
  if (!box) return;
  const [x, y] = middle(box);
  if (await isTouched(notebook)) await notebook.page.touchscreen.tap(x, y);
  else await notebook.page.mouse.click(x, y, options);
}

async function rest(notebook, role, name) {
  const box = await boxOf(notebook, role, name);
  if (!box) return;
  await notebook.page.mouse.move(...middle(box));
  await notebook.page.waitForTimeout(TOOLTIP_MS);
}

async function wheel(notebook, [x, y], by) {
  await notebook.page.mouse.move(x, y);
  for (const way of [by, by, -by, -by]) {
    await notebook.page.mouse.wheel(0, way);
    await notebook.page.waitForTimeout(30);
  }
}

async function drag(notebook, box, right, down, button = "left") {
  if (!box) return;
  const [x, y] = middle(box);
  if (await isTouched(notebook)) return swipe(notebook, [[x, y]], [[x + right, y + down]]);
  const { mouse } = notebook.page;
  await mouse.move(x, y);
  await mouse.down({ button });
  await mouse.move(x + right, y + down, { steps: 5 });
  await mouse.up({ button });
}

// By as many fingers as there are places.
async function swipe(notebook, from, to) {
  notebook.hand ??= await notebook.page.context().newCDPSession(notebook.page);
  const send = (type, places) => notebook.hand.send("Input.dispatchTouchEvent", {
    type,
    touchPoints: places.map(([x, y], id) => ({ x: Math.round(x), y: Math.round(y), id })),
  });
  await send("touchStart", from);
  for (let part = 0.2; part < 1.01; part += 0.2) {
    await send("touchMove", from.map(([x, y], at) => [x + (to[at][0] - x) * part, y + (to[at][1] - y) * part]));
  }
  await send("touchEnd", []);
}

const keys = (...names) => async ({ page }) => {
  for (const name of names) await page.keyboard.press(name);
};

// Each page that a key opens is drawn, on slow machines too.
const pageKeys = (...names) => async (notebook) => {
  for (const name of names) {
    await notebook.page.keyboard.press(name);
    await notebook.isDrawn();
  }
};

const picture = (notebook) => boxOf(notebook, "img", /^Viewport/);
const slider = (notebook) => boxOf(notebook, "slider");

// Points of the whale on the cover, of which some are its tail.
const tail = ({ page }) => {
  const { width, height } = page.viewportSize();
  return [0.6, 0.75, 0.9].map((part) => ({ x: part * width, y: 0.35 * height, width: 0, height: 0 }));
};

const withMouse = [
  ["the mouse moves", (notebook) => notebook.page.mouse.move(220, 310, { steps: 4 })],
  ["the wheel over the text", (notebook) => wheel(notebook, [220, 400], 240)],
  ["the window is resized", async ({ page }) => {
    const { width, height } = page.viewportSize();
    for (const size of [{ width: width - 120, height: height - 60 }, { width, height }]) {
      await page.setViewportSize(size);
      await page.waitForTimeout(ELEMENTS_FOLLOW_MS);
    }
  }],
];

const withKeys = [
  ["Tab", keys("Tab", "Tab", "Tab", "Shift+Tab")],
  ["Escape", keys("Escape")],
  ["larger text", keys("Control+Equal", "Control+Minus", "Control+0")],
];

// Each: its name and what is done. What a page does not have is left out there.
export const ON_THE_COVER = [
  ...withMouse,
  ["the tail", async (notebook) => {
    for (const place of tail(notebook)) await drag(notebook, place, 20, 12);
  }],
  ["the pointer rests on a button", (notebook) => rest(notebook, "button", /Begin/)],
  ["the joints", (notebook) => click(notebook, "button", /joints/)],
  ...withKeys,
  ["Begin", (notebook) => click(notebook, "button", "Begin")],
];

export const ON_A_LESSON = [
  ...withMouse,
  ["a slider", async (notebook) => drag(notebook, await slider(notebook), 25, 0)],
  ["Undo", keys("Control+z")],
  ["the picture is turned", async (notebook) => drag(notebook, await picture(notebook), 40, 12)],
  ["the picture is moved", async (notebook) => drag(notebook, await picture(notebook), 15, 10, "right")],
  ["the wheel over the picture", async (notebook) => {
    const box = await picture(notebook);
    if (box) await wheel(notebook, middle(box), 120);
  }],
  ["a double click beside the model", async (notebook) => {
    const box = await picture(notebook);
    if (box) await notebook.page.mouse.dblclick(box.x + 30, box.y + box.height - 40);
  }],
  ["a word under the pointer", (notebook) => rest(notebook, "link", /joint|vertex|weight/)],
  ["a cell of a matrix under the pointer", (notebook) => rest(notebook, "spinbutton")],
  ["a number is clicked", (notebook) => click(notebook, "spinbutton")],
  ["a number is typed", async ({ page }) => {
    await page.keyboard.press("Control+a");
    await page.keyboard.type("0.5");
    await page.keyboard.press("Enter");
  }],
  ["an answer", (notebook) => click(notebook, "radio")],
  ["Answer", (notebook) => click(notebook, "button", "Answer")],
  ...withKeys,
  ["a slider by keys", async (notebook) => {
    await click(notebook, "slider");
    await keys("ArrowRight", "ArrowLeft", "Escape")(notebook);
  }],
  ["the theme", (notebook) => click(notebook, "button", "Theme")],
  ["Next", (notebook) => click(notebook, "button", "Next")],
  ["the step before, by a key", keys("ArrowLeft")],
  ["the next step, by a key", keys("ArrowRight")],
  ["by page keys", pageKeys("PageDown", "PageUp")],
  ["Home and End", pageKeys("End", "Home")],
  ["the space bar", keys("Space")],
];

export const BY_FINGERS_ON_THE_COVER = [
  ["the tail", async (notebook) => {
    for (const place of tail(notebook)) await drag(notebook, place, 20, 12);
  }],
  ["the page is swiped", (notebook) => swipe(notebook, [[200, 700]], [[200, 500]])],
  ["Begin", (notebook) => click(notebook, "button", "Begin")],
];

export const BY_FINGERS_ON_A_LESSON = [
  ["a tap on the picture", async (notebook) => {
    const box = await picture(notebook);
    if (box) await notebook.page.touchscreen.tap(...middle(box));
  }],
  ["the picture is turned", async (notebook) => drag(notebook, await picture(notebook), 50, 20)],
  ["two fingers on the picture", async (notebook) => {
    const box = await picture(notebook);
    if (!box) return;
    const [x, y] = middle(box);
    await swipe(notebook, [[x - 30, y], [x + 30, y]], [[x - 70, y], [x + 70, y]]);
  }],
  ["a slider", async (notebook) => drag(notebook, await slider(notebook), 40, 0)],
  ["the page is swiped", async (notebook) => {
    await swipe(notebook, [[200, 600]], [[200, 780]]);
    for (const _ of ["once", "and again"]) await swipe(notebook, [[200, 760]], [[200, 460]]);
  }],
  ["an answer", (notebook) => click(notebook, "radio")],
  ["Answer", (notebook) => click(notebook, "button", "Answer")],
  ["the phone is turned", async ({ page }) => {
    for (const size of [{ width: 844, height: 390 }, PHONE.viewport]) {
      await page.setViewportSize(size);
      await page.waitForTimeout(ELEMENTS_FOLLOW_MS);
    }
  }],
  ["Next", (notebook) => click(notebook, "button", "Next")],
  ["the contents", (notebook) => click(notebook, "button", "Contents")],
];

// Does them one after the other, each until it is drawn and elements are where the page has
// them: text that gets larger moves them. `tell` is given the name of each.
// Returns those for which a page lacks an element.
export async function doAll(notebook, acts, tell = () => {}) {
  const lacking = [];
  for (const [name, act] of acts) {
    tell(name);
    notebook.lacks = undefined;
    await act(notebook);
    await notebook.isDrawn();
    await notebook.page.waitForTimeout(ELEMENTS_FOLLOW_MS);
    if (notebook.lacks) lacking.push(`${name}: ${notebook.lacks}`);
  }
  return lacking;
}
