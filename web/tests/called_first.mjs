// Writes down what a program that counts its calls has called when its pages are live,
// one step on, when they are left, and for what strangers do first:
// `node called_first.mjs SITE FOLDER FIRST…`, of a site that `cargo xtask web` makes for it,
// and the folders of the lessons that are opened first. It finds the lesson in the name of
// each file.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startBrowser, startServer } from "./browser.mjs";
import * as acts from "./first_acts.mjs";
import { NotebookPage } from "./notebook_page.mjs";

const [site, folder, ...first] = process.argv.slice(2);
const lessons = readdirSync(site).filter((name) => /^\d/.test(name));
const phone = acts.PHONE;
const all = [{}, phone, { before: likeOthers }];
const ofFirst = [...all, { ...phone, before: likeOthers }, { deviceScaleFactor: 2 }, { colorScheme: "dark" }];
// The cover has no name.
const opened = ["", ...lessons].flatMap((lesson) =>
  (lesson && !first.includes(lesson) ? all : ofFirst).map((options) => [lesson, { before: unlikeWhole, ...options }]));

// Runs in the page: to the program, which asks so, its second part is yet to come.
function unlikeWhole() {
  Object.defineProperty(HTMLBodyElement.prototype, "className", { get: () => "live" });
}

// Runs in the page: most readers have a graphics card, for which other things are done
// than for a processor, and WebKit measures canvases in another way.
function likeOthers() {
  Object.defineProperty(HTMLBodyElement.prototype, "className", { get: () => "live" });
  delete ResizeObserverEntry.prototype.devicePixelContentBoxSize;
  const ask = WebGL2RenderingContext.prototype.getParameter;
  WebGL2RenderingContext.prototype.getParameter = function (name) {
    const answer = ask.call(this, name);
    return /SwiftShader/.test(answer) ? "a graphics card" : answer;
  };
}

// More than wasm-split's head and four bytes for each function.
const MOST_BYTES = 1 << 20;

// Runs in the page.
function counts(mostBytes) {
  const { memory, write_counts } = globalThis.countedProgram;
  const at = memory.buffer.byteLength;
  memory.grow(mostBytes >> 16);
  const length = write_counts(at, mostBytes);
  return [...new Uint8Array(memory.buffer, at, length)];
}

// It is taken by the tail, its joints are shown, and then who has come begins.
async function playWithWhale(notebook) {
  const { width, height } = notebook.page.viewportSize();
  const picture = { x: 0.6 * width, y: 0.35 * height, width: 0.3 * width, height: 0 };
  for (const at of [0, 0.5, 1]) {
    await notebook.drag({ ...picture, x: picture.x + at * picture.width, width: 0 }, 20, 10);
  }
  await notebook.press("button", "Show the joints");
  await notebook.page.mouse.move(picture.x + picture.width / 2, picture.y);
  await notebook.still();
  await write(notebook, "");
  await notebook.press("button", "Begin");
}

async function write({ page }, lesson) {
  await page.evaluate(() => {
    // Another window is looked at, and this one again.
    for (const type of ["blur", "focus"]) document.querySelector("canvas.notebook").dispatchEvent(new Event(type));
    document.dispatchEvent(new Event("visibilitychange"));
    dispatchEvent(new PageTransitionEvent("pagehide"));
  });
  const bytes = await page.evaluate(counts, MOST_BYTES);
  writeFileSync(join(folder, `${(number += 1)}.${lesson}.profile`), Buffer.from(bytes));
}

// What is there to drag is dragged, and the picture turned.
async function playWithPage(notebook) {
  for (const what of ["input[type=range]", "[role=img][aria-label^=Viewport]"]) {
    const found = notebook.page.locator(`#notebook-tree ${what}`).first();
    if (await found.count()) await notebook.drag(await found.boundingBox(), 20, 10);
  }
}

async function count(lesson, options) {
  const path = lesson && `${lesson}/`;
  const notebook = await NotebookPage.open({ browser, url: server.url }, path, options);
  // What lies under the pointer is lit; who has barely come may turn the page, and leave:
  // then nothing can be fetched any more.
  await notebook.page.mouse.move(200, 300);
  if (first.includes(lesson)) await playWithPage(notebook);
  if (lesson) await notebook.press("button", "Next");
  else await playWithWhale(notebook);
  await notebook.still();
  if (first.includes(lesson)) {
    await playWithPage(notebook);
    // One whose text has not come is waited for.
    const other = notebook.page.locator("#notebook-tree").getByRole("link", { name: /Hierarchy/ });
    if (await other.count()) await other.first().dispatchEvent("click");
    await notebook.still();
  }
  await write(notebook, lesson);
  // With settings and progress kept from before.
  await notebook.reload();
  await notebook.still();
  await write(notebook, lesson);
  await notebook.end();
}

// What strangers do first on pages that are opened first.
async function countActs(lesson, options) {
  const notebook = await NotebookPage.open({ browser, url: server.url }, lesson && `${lesson}/`, options);
  const onPhone = Boolean(options.hasTouch);
  const todo = lesson
    ? (onPhone ? acts.BY_FINGERS_ON_A_LESSON : acts.ON_A_LESSON)
    : (onPhone ? acts.BY_FINGERS_ON_THE_COVER : acts.ON_THE_COVER);
  await acts.doAll(notebook, todo);
  await write(notebook, lesson);
  await notebook.end();
}

// What is called hangs on the moment. Each page is opened twice at two sizes and more, and
// what it called any time comes first, so that the division does not hang on what else the
// machine does.
let number = 0;
const [browser, server] = await Promise.all([startBrowser(), startServer(site)]);
const todo = [
  ...["", ...first].flatMap((lesson) =>
    [unlikeWhole, likeOthers].flatMap((before) => [{ before }, { before, ...phone }]).map((options) => () => countActs(lesson, options))),
  ...opened.map((page) => () => count(...page)),
];
// A page waits more than it works.
await Promise.all([1, 2, 3].map(async () => {
  while (todo.length) await todo.shift()();
}));
await browser.close();
server.stop();
