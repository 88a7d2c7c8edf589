// What a browser does to a page: it takes the graphics away, prints it, shows it in
// another page, opens a second window, and lets it stand.
import assert from "node:assert/strict";
import { test } from "node:test";
import { site } from "./browser.mjs";
import { NotebookPage, when } from "./notebook_page.mjs";
import { difference } from "./pictures.mjs";

const shared = site();
const HALF = "40-bone-grid/#step=half-of-each";
const WEIGHT = "weight of joint 0 on v2";

function loseContext(page) {
  return page.evaluate(() => {
    const canvas = document.querySelector("canvas.notebook");
    canvas.dataset.lost = "yes";
    canvas.getContext("webgl2").getExtension("WEBGL_lose_context").loseContext();
  });
}

async function isBack(page) {
  await when(page, () => {
    const canvases = [...document.querySelectorAll("canvas.notebook")];
    return canvases.length === 1 && !canvases[0].dataset.lost;
  });
  await page.waitForSelector("body.live", { state: "attached" });
}

test("after a lost context all is as it was, and undo still knows what was done", async () => {
  const notebook = await NotebookPage.open(shared, HALF);
  const { page } = notebook;
  const slider = await notebook.box("slider", WEIGHT);
  await notebook.drag(slider, slider.width / 4, 0);
  await page.mouse.move(5, 795);
  const viewport = await notebook.box("img", /^Viewport/);
  const before = await notebook.still();
  for (let times = 0; times < 2; times++) {
    await loseContext(page);
    await isBack(page);
  }
  const { part } = difference(before, await notebook.still(), 0.02, viewport);
  assert.ok(part < 0.001, `the same picture: ${part}`);
  await notebook.press("button", "Undo");
  await notebook.untilNumber("slider", WEIGHT, 0.5);
  await notebook.end();
});

test("after lost contexts nothing listens twice", async () => {
  const before = () => {
    window.listeners = {};
    for (const [method, more] of [["addEventListener", 1], ["removeEventListener", -1]]) {
      const original = EventTarget.prototype[method];
      EventTarget.prototype[method] = function (event, ...of) {
        window.listeners[event] = (window.listeners[event] ?? 0) + more;
        return original.call(this, event, ...of);
      };
    }
  };
  const notebook = await NotebookPage.open(shared, HALF, { before });
  const { page } = notebook;
  await notebook.still();
  const listeners = () => page.evaluate(() => {
    // The page's own, one for each canvas.
    const { webglcontextlost: _, ...others } = window.listeners;
    return others;
  });
  const first = await listeners();
  assert.ok(first.keydown > 0 && first.beforeprint > 0 && first.paste > 0, JSON.stringify(first));
  for (let times = 0; times < 2; times++) {
    await loseContext(page);
    await isBack(page);
    await notebook.still();
  }
  assert.deepEqual(await listeners(), first);
  await notebook.end();
});

test("a browser prints the text of the lesson in sight", async () => {
  const notebook = await NotebookPage.open(shared, HALF);
  const { page } = notebook;
  // The title of the text that is there while the browser prints.
  const printed = () => page.evaluate(() => {
    dispatchEvent(new Event("beforeprint"));
    const title = document.querySelector("#printed-text h1")?.textContent;
    dispatchEvent(new Event("afterprint"));
    return title;
  });
  assert.equal(await printed(), "The 2D bone grid");
  await notebook.press("button", "Link");
  await notebook.one("textbox", "link to open").fill("bindpose://whale/many-whales");
  await notebook.press("button", "Open the link");
  await notebook.isAt("110-whale/many-whales");
  assert.equal(await printed(), "The glTF whale");
  assert.equal(await page.locator("#printed-text").count(), 0);
  await notebook.end();
});

// No door in the program: the browser takes nothing to draw any more.
// Another width each time, or there is nothing to draw.
async function breakOff(page, width = 1000) {
  await page.evaluate(() => {
    WebGL2RenderingContext.prototype.bufferData = () => {
      throw new Error("provoked");
    };
  });
  await page.setViewportSize({ width, height: 700 });
}

test("a program that breaks off before anything was done is opened once more", async () => {
  const notebook = await NotebookPage.open(shared, `${HALF}&b0=0.7`);
  const { page } = notebook;
  await notebook.still();
  const opened = page.waitForEvent("load");
  await breakOff(page);
  await opened;
  await notebook.isLive();
  assert.match(page.url(), /b0=0\.7/);
  await breakOff(page, 900);
  await page.getByRole("alert").getByText("The notebook has stopped").waitFor();
  await page.context().close();
});

test("a program that breaks off says what to do, and the page opens again", async () => {
  const notebook = await NotebookPage.open(shared, `${HALF}&b0=0.7`);
  const { page } = notebook;
  await page.keyboard.press("Escape");
  await notebook.still();
  await breakOff(page);
  const said = page.getByRole("alert");
  await said.getByText("The notebook has stopped").waitFor();
  const link = await said.getByLabel("the link to the page").first().inputValue();
  assert.equal(link, page.url());
  await said.getByRole("button", { name: "Open it again" }).click();
  await notebook.isLive();
  assert.equal(page.url(), link);
  await page.context().close();
});

test("a stage stands in another page, and leaves keys and wheel to it", async () => {
  const page = await shared.browser.newPage({ viewport: { width: 900, height: 700 } });
  const stage = `${shared.url}40-bone-grid/?embed=stage&theme=dark#step=half-of-each&b0=0.8`;
  const body = `<!doctype html><title>Host</title><body style="height:3000px"><h1>Host</h1>
    <iframe src="${stage}" width="720" height="540"></iframe>`;
  await page.route("**/host.html", (route) => route.fulfill({ contentType: "text/html", body }));
  await page.goto(`${shared.url}host.html`);
  const frame = await (await page.waitForSelector("iframe")).contentFrame();
  await frame.waitForSelector("body.live", { state: "attached" });
  await frame.getByRole("slider", { name: WEIGHT }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "BODY");
  assert.equal(await frame.evaluate(() => localStorage["bindpose.settings"]), undefined);
  await page.mouse.move(300, 300);
  await page.mouse.wheel(0, 200);
  await when(page, () => scrollY > 0);
  await page.context().close();
});

test("the teacher's window follows the notebook and turns its pages", async () => {
  const notebook = await NotebookPage.open(shared, "40-bone-grid/");
  const coming = notebook.page.waitForEvent("popup");
  // By a key: a window that opens without one is held back.
  await notebook.page.keyboard.press("t");
  const popup = new NotebookPage(await coming, shared.url);
  await popup.isLive();
  const shown = popup.page.locator("#notebook-tree");
  await shown.getByText("Ten vertices, three joints").first().waitFor();
  await popup.page.keyboard.press("ArrowRight");
  await notebook.isAt("40-bone-grid/the-same-mistake-again");
  await notebook.turn("ArrowRight");
  await shown.getByText("One angle for all").first().waitFor();
  await popup.page.close();
  await notebook.end();
});

test("a page that stands still draws nothing", async () => {
  const notebook = await NotebookPage.open(shared, "20-bind-pose/");
  await notebook.page.evaluate(() => {
    window.drawnAt = performance.now();
    const draw = WebGL2RenderingContext.prototype.drawElements;
    WebGL2RenderingContext.prototype.drawElements = function (...of) {
      window.drawnAt = performance.now();
      return draw.apply(this, of);
    };
  });
  // A page that goes on drawing never comes to rest.
  const rested = await notebook.when(
    () => performance.now() - window.drawnAt > 4000 && window.drawnAt,
  );
  await notebook.page.keyboard.press("ArrowRight");
  await notebook.when((rested) => window.drawnAt > rested, await rested.jsonValue());
  await notebook.end();
});

test("a phone has one column, and nothing stands out of it", async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
  const notebook = await NotebookPage.open(shared, HALF, phone);
  const picture = await notebook.box("img", /^Viewport/);
  const heading = await notebook.box("heading", "Half of each");
  assert.ok(picture.y + picture.height <= heading.y, "the picture is above the text");
  assert.ok(picture.x >= 0 && picture.x + picture.width <= 390);
  await notebook.one("button", "Weights").dispatchEvent("click");
  await notebook.one("slider", WEIGHT).waitFor();
  await notebook.end();
});
