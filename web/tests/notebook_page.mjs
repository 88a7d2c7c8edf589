// The notebook in a page of a browser, as a test uses it.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { root } from "./browser.mjs";

const timeout = Number(process.env.PATIENCE ?? 60_000);
const EQUAL_PICTURES = 2;

// Until something is so in a page, or a frame of one. Asked every so often: one that
// sleeps has no frames of its own to ask in.
export function when(page, isSo, arg) {
  return page.waitForFunction(isSo, arg, { polling: 30 });
}

// The same of what is asked of the browser, and answered later: to the one above a
// promise is so at once. The page stays.
export async function whenAnswered(page, isSo, arg) {
  const end = Date.now() + timeout;
  while (!(await page.evaluate(isSo, arg))) {
    if (Date.now() > end) throw new Error(`it never comes true: ${isSo}`);
    await page.waitForTimeout(30);
  }
}

// Until what is taken is a picture. What it was instead is kept for whoever reads why not.
export async function untilEqual(take, picture, what) {
  const end = Date.now() + timeout;
  let last;
  do {
    last = await take();
    if (last.equals(picture)) return;
    await new Promise((done) => setTimeout(done, 200));
  } while (Date.now() < end);
  const folder = join(root, "target/tmp");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "expected.browser.png"), picture);
  writeFileSync(join(folder, "found.browser.png"), last);
  throw new Error(`${what}: not the same picture, see ${folder}`);
}

// Runs before any script of the page: how many frames it waits for, and has asked for.
function countFrames() {
  const ask = window.requestAnimationFrame.bind(window);
  window.framesAwaited = 0;
  window.framesAsked = 0;
  window.requestAnimationFrame = (callback) => {
    window.framesAsked += 1;
    window.framesAwaited += 1;
    return ask((time) => {
      window.framesAwaited -= 1;
      callback(time);
    });
  };
}

export class NotebookPage {
  // In a context of its own, which remembers nothing of others. `before` runs in it
  // before any script of the page.
  static async open(site, path, options) {
    const notebook = await NotebookPage.inContext(site, options);
    await notebook.goTo(path);
    return notebook;
  }

  // The same, before it goes anywhere.
  static async inContext({ browser, url }, { before, ...options } = {}) {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      colorScheme: "light",
      // Pictures that move by themselves would never stand still.
      reducedMotion: "reduce",
      ...options,
    });
    // The page's own waits until there is something to draw.
    await context.addInitScript(() => (window.browsersFrame = requestAnimationFrame.bind(window)));
    await context.addInitScript(countFrames);
    if (before) await context.addInitScript(before);
    return new NotebookPage(await context.newPage(), url);
  }

  constructor(page, url) {
    this.page = page;
    this.url = url;
    this.complaints = [];
    this.requestsOnTheirWay = 0;
    page.on("request", () => (this.requestsOnTheirWay += 1));
    for (const end of ["requestfinished", "requestfailed"]) page.on(end, () => (this.requestsOnTheirWay -= 1));
    page.setDefaultTimeout(timeout);
    page.on("console", (message) => {
      if (message.type() === "error") this.complaints.push(message.text());
    });
    page.on("response", (response) => {
      if (response.status() >= 400) this.complaints.push(`${response.status()} ${response.url()}`);
    });
    page.on("pageerror", (error) => this.complaints.push(error.message));
  }

  async goTo(path) {
    await this.page.goto(new URL(path, this.url).href);
    await this.isLive();
  }

  async reload() {
    await this.page.reload();
    await this.isLive();
  }

  // With all of the program. What is done before may take a part that has not come, for which
  // the page stands still.
  async isLive() {
    await this.page.waitForSelector("body.live.whole", { state: "attached", timeout });
  }

  async hasPicture() {
    await this.page.waitForSelector("body.live", { state: "attached", timeout });
  }

  // Of all assets since the page was opened the last time, without what follows from
  // their content.
  fetchedNames() {
    return this.page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name.replace(/^.*\/(.*)-.*$/, "$1")));
  }

  // What the address says after the site's own part.
  address() {
    return this.page.url().slice(this.url.length);
  }

  // Folder and step; of a lesson that has no folder, its name and the step.
  step() {
    const [folder, fragment = ""] = this.address().split(/\/(?:\?[^#]*)?#/);
    const [, lesson = folder, step = ""] = fragment.match(/^(?:lesson=([^&]*)&?)?(?:step=([^&]*))?/);
    return `${lesson}/${step}`;
  }

  // Until the address fits, which follows the page by a frame.
  async until(fits, what) {
    const end = Date.now() + timeout;
    while (!fits(this.address())) {
      if (Date.now() > end) throw new Error(`${what}: the address stays ${this.address()}`);
      await this.page.waitForTimeout(30);
    }
  }

  async isAt(step) {
    await this.until(() => this.step() === step, `to be at ${step}`);
  }

  // By a key; a step that is not the last.
  async turn(key) {
    const before = this.step();
    await this.page.keyboard.press(key);
    await this.until(() => this.step() !== before, `after ${key}`);
  }

  // Until something is so in the page.
  when(isSo, arg) {
    return when(this.page, isSo, arg);
  }

  // Until what was done before is drawn: what is told to the page asks for a frame at
  // once, and what that frame shows anew has its own.
  async drawn() {
    await this.page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame++) await new Promise(window.browsersFrame);
    });
  }

  // Until what screen readers see is the step that the address and the tab name.
  async tells() {
    await this.when(() => {
      const heading = document.querySelector('#notebook-tree [role=heading][aria-level="1"]');
      return heading && document.title.startsWith(`${heading.textContent} · `);
    });
  }

  // Files let go over the page, together.
  async drop(paths) {
    const files = paths.map((path) => ({ name: basename(path), data: readFileSync(path, "base64") }));
    await this.page.evaluate((files) => {
      const carried = new DataTransfer();
      for (const { name, data } of files) {
        const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
        carried.items.add(new File([bytes], name));
      }
      const canvas = document.querySelector("canvas.notebook");
      for (const type of ["dragover", "drop"]) {
        const options = { dataTransfer: carried, bubbles: true, cancelable: true };
        canvas.dispatchEvent(new DragEvent(type, options));
      }
    }, files);
  }

  // Until pictures in a row are the same, and nothing is on its way that may change them:
  // on a busy machine two can be equal between what comes and what follows from it.
  async still() {
    let before;
    let equal = 0;
    for (let tries = 0; tries < 60 && equal < EQUAL_PICTURES; tries++) {
      await this.drawn();
      const picture = await this.page.screenshot();
      equal = this.requestsOnTheirWay === 0 && before?.equals(picture) ? equal + 1 : 0;
      before = picture;
      await this.page.waitForTimeout(100);
    }
    return before;
  }

  // Until it looks so again.
  async looksAgain(picture, what) {
    await untilEqual(() => this.page.screenshot(), picture, what);
  }

  one(role, name) {
    return this.page.getByRole(role, { name, exact: true }).first();
  }

  async press(role, name) {
    await this.one(role, name).dispatchEvent("click");
  }

  async box(role, name) {
    const element = this.one(role, name);
    await element.waitFor();
    return element.boundingBox();
  }

  // Until it stands where it should.
  async untilBox(role, name, fits) {
    await this.stands(async () => this.box(role, name), fits, `${role} “${name}”`);
  }

  // The same for what has the focus of the page.
  async untilFocused(fits) {
    const box = () =>
      this.page.evaluate(() => {
        const at = document.querySelector("canvas.notebook").getAttribute("aria-activedescendant");
        const found = at && document.getElementById(at)?.getBoundingClientRect();
        return found && { x: found.x, y: found.y, width: found.width, height: found.height };
      });
    await this.stands(box, fits, "what has the focus");
  }

  async stands(box, fits, what) {
    const end = Date.now() + timeout;
    let last;
    while (!fits((last = await box()))) {
      if (Date.now() > end) throw new Error(`${what} stays at ${JSON.stringify(last)}`);
      await this.page.waitForTimeout(50);
    }
  }

  async number(role, name) {
    return Number(await this.one(role, name).inputValue());
  }

  // As a screen reader sets a value.
  async fill(role, name, value) {
    await this.one(role, name).fill(String(value));
  }

  // By keys, from a button on: Tab until the number has the focus, Enter, the digits,
  // Enter.
  async type(name, digits, from) {
    const { keyboard } = this.page;
    await this.one("button", from).focus();
    // The canvas takes the keys over, for the element that has been gone to.
    await this.when((from) => {
      const canvas = document.querySelector("canvas.notebook");
      const id = canvas.getAttribute("aria-activedescendant");
      const element = id && document.getElementById(id);
      return document.activeElement === canvas && element?.getAttribute("aria-label") === from;
    }, from);
    for (let stops = 0; (await this.focused()) !== name; stops++) {
      if (stops > 9) throw new Error(`Tab never comes to “${name}”`);
      const before = await this.focusedElement();
      await keyboard.press("Tab");
      await this.when(
        (before) => document.querySelector("canvas.notebook").getAttribute("aria-activedescendant") !== before,
        before,
      );
    }
    await keyboard.press("Enter");
    await this.when(() => document.activeElement.tagName === "INPUT");
    await keyboard.type(digits);
    await keyboard.press("Enter");
  }

  focusedElement() {
    return this.page.evaluate(() =>
      document.querySelector("canvas.notebook").getAttribute("aria-activedescendant"));
  }

  // The name of what has the focus of the page; absent: nothing has.
  focused() {
    return this.page.evaluate(() => {
      const id = document.querySelector("canvas.notebook").getAttribute("aria-activedescendant");
      return id && document.getElementById(id)?.getAttribute("aria-label");
    });
  }

  // What the words of the page say.
  async read(pattern) {
    const words = await this.page.evaluate(() => document.getElementById("notebook-tree").textContent);
    const found = words.match(pattern);
    if (!found) throw new Error(`${pattern} is nowhere in: ${words}`);
    return found;
  }

  // What is said aloud when it appears.
  said(words) {
    return this.page.locator("#notebook-tree [aria-live]", { hasText: new RegExp(`^${words}$`) });
  }

  // Names, roles and values follow the page by a tenth of a second. `expected`: a
  // number, or whether one will do.
  async untilNumber(role, name, expected) {
    const fits = typeof expected === "function" ? expected : (number) => number === expected;
    const end = Date.now() + timeout;
    let last;
    while (!fits((last = await this.number(role, name)))) {
      if (Date.now() > end) throw new Error(`${role} “${name}” stays ${last}`);
      await this.page.waitForTimeout(50);
    }
  }

  // By the mouse, from the middle of a box.
  async drag(box, right, down) {
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const { mouse } = this.page;
    await mouse.move(x, y);
    await mouse.down();
    await mouse.move(x + right, y + down, { steps: 10 });
    await this.isDrawn();
    await mouse.up();
    await this.isDrawn();
  }

  // Until the page sleeps: what has happened is drawn. Not by frames, of which a page
  // that sleeps gets none.
  async isDrawn() {
    await this.when(() => window.framesAwaited === 0);
  }

  async end() {
    await this.page.context().close();
    assert.deepEqual(this.complaints, [], "errors on the console");
  }
}
