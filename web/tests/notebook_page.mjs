// The notebook in a page of a browser, as a test uses it.
import assert from "node:assert/strict";

const live = "body.live";
const timeout = 60_000;

// Runs before any script of the page: how many frames it waits for.
function countFrames() {
  const ask = window.requestAnimationFrame.bind(window);
  window.framesAwaited = 0;
  window.requestAnimationFrame = (callback) => {
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
  static async open({ browser, url }, path, { before, ...options } = {}) {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      colorScheme: "light",
      ...options,
    });
    // The page's own waits until there is something to draw.
    await context.addInitScript(() => (window.browsersFrame = requestAnimationFrame.bind(window)));
    await context.addInitScript(countFrames);
    if (before) await context.addInitScript(before);
    const notebook = new NotebookPage(await context.newPage(), url);
    await notebook.goTo(path);
    return notebook;
  }

  constructor(page, url) {
    this.page = page;
    this.url = url;
    this.complaints = [];
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

  async isLive() {
    await this.page.waitForSelector(live, { state: "attached", timeout });
  }

  // What the address says after the site's own part.
  address() {
    return this.page.url().slice(this.url.length);
  }

  step() {
    const [folder, fragment = ""] = this.address().split("/#");
    return `${folder}/${fragment.split("&")[0].replace("step=", "")}`;
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

  // Until what was done before is drawn: what is told to the page asks for a frame at
  // once, and what that frame shows anew has its own.
  async drawn() {
    await this.page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame++) await new Promise(window.browsersFrame);
    });
  }

  // Until two pictures in a row are the same.
  async still() {
    let before;
    for (let tries = 0; tries < 40; tries++) {
      await this.drawn();
      const picture = await this.page.screenshot();
      if (before?.equals(picture)) return picture;
      before = picture;
      await this.page.waitForTimeout(100);
    }
    return before;
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

  async number(role, name) {
    return Number(await this.one(role, name).inputValue());
  }

  // Names, roles and values follow the page by a tenth of a second.
  async untilNumber(role, name, expected) {
    const end = Date.now() + timeout;
    let last;
    while ((last = await this.number(role, name)) !== expected) {
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
    await this.page.waitForFunction(() => window.framesAwaited === 0, undefined, { polling: 30 });
  }

  async end() {
    await this.page.context().close();
    assert.deepEqual(this.complaints, [], "errors on the console");
  }
}
