// The notebook in a page of a browser, as a test uses it.
import assert from "node:assert/strict";

const live = "body.live";
const timeout = 60_000;

export class NotebookPage {
  // In a context of its own, which remembers nothing of others.
  static async open({ browser, url }, path, options = {}) {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      colorScheme: "light",
      ...options,
    });
    const notebook = new NotebookPage(await context.newPage(), url);
    await notebook.goTo(path);
    return notebook;
  }

  constructor(page, url) {
    this.page = page;
    this.url = url;
    this.complaints = [];
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

  // Until two pictures in a row are the same.
  async still() {
    let before;
    for (let tries = 0; tries < 40; tries++) {
      const picture = await this.page.screenshot();
      if (before?.equals(picture)) return picture;
      before = picture;
      await this.page.waitForTimeout(100);
    }
    return before;
  }

  async end() {
    await this.page.context().close();
    assert.deepEqual(this.complaints, [], "errors on the console");
  }
}
