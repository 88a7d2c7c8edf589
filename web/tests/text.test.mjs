// A lesson's page is text until the notebook runs, and where it cannot run.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { bindpose, root, site } from "./browser.mjs";
import { NotebookPage, when } from "./notebook_page.mjs";

const shared = site();
const step = "20-bind-pose/#step=take-it-out-first";
const COVER = "4,968 points. Nobody stored how they swim.";

// A page whose program never comes, or, without scripts, is never asked for.
async function textPage(path, options = {}) {
  const context = await shared.browser.newContext({ viewport: { width: 390, height: 844 }, ...options });
  await context.route("**/*.wasm", () => {});
  const page = await context.newPage();
  await page.goto(shared.url + path, { waitUntil: "commit" });
  await page.waitForSelector("#text h1");
  return page;
}

const top = (page, id) =>
  page.evaluate((id) => document.getElementById(id).getBoundingClientRect().top, id);

test("without scripts the text stands at the step of the address, and all is named", async () => {
  const page = await textPage(step, { javaScriptEnabled: false });
  const missing = page.locator("noscript footer");
  assert.match(await missing.innerText(), /needs JavaScript, which is switched off/);
  assert.equal(await page.locator("h1").count(), 1);
  assert.equal(await page.locator("#state").isVisible(), false);
  await page.locator(".bar summary").click();
  await page.locator(".bar a[href='../40-bone-grid/']").click();
  await page.waitForURL(/40-bone-grid\/$/);
  assert.equal(await page.locator("h1").innerText(), "The 2D bone grid");
  await page.context().close();
});

test("the text goes to the step of an address with values, and the address follows the reader", async () => {
  const page = await textPage(`${step}&nod=0.5`);
  await when(page, () => scrollY > 0);
  assert.ok(Math.abs(await top(page, "step=take-it-out-first")) < 40);
  assert.match(page.url(), /&nod=0\.5$/, "who has not moved keeps the values");
  await page.keyboard.press("Home");
  await page.locator("[id='step=and-carry-it-back']").scrollIntoViewIfNeeded();
  await page.evaluate(() => document.getElementById("step=and-carry-it-back").scrollIntoView());
  await page.waitForURL(/#step=and-carry-it-back$/);
  const sideways = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  assert.ok(sideways <= 0, "nothing stands out of a phone");
  await page.context().close();
});

test("the contents lead to lessons, back to where one was, and from links of one file", async () => {
  const here = "40-bone-grid/#step=half-of-each&b0=0.5";
  const notebook = await NotebookPage.open(shared, here, { serviceWorkers: "block" });
  const page = notebook.page;
  // Before the program has come.
  await page.route("**/*.wasm", () => {});
  await page.goto(shared.url);
  await page.getByRole("link", { name: "Go on where you were" }).click();
  await page.waitForURL(/40-bone-grid/, { waitUntil: "commit" });
  await page.unroute("**/*.wasm");
  await page.reload();
  await notebook.isAt("40-bone-grid/half-of-each");
  await page.goto("about:blank");
  await page.goto(`${shared.url}#lesson=whale&step=many-whales`);
  await notebook.isAt("110-whale/many-whales");
  await notebook.end();
});

test("the cover swims on the first page, and the browser's own buttons lead to it and from it", async () => {
  const notebook = await NotebookPage.open(shared, "", { reducedMotion: "no-preference" });
  const page = notebook.page;
  await notebook.one("heading", COVER).waitFor();
  assert.equal(notebook.address(), "");
  const whale = { x: 640, y: 150, width: 500, height: 300 };
  const before = await page.screenshot({ clip: whale });
  await page.waitForTimeout(300);
  assert.ok(!before.equals(await page.screenshot({ clip: whale })), "it swims");
  await notebook.press("button", "Begin");
  await notebook.until((address) => address.startsWith("10-what-skinning-is/#step="), "to begin");
  await page.goBack();
  await notebook.one("heading", COVER).waitFor();
  // The title follows the address, which is written when the page is at rest.
  await notebook.when(() => document.title.startsWith("Bindpose: "));
  await page.goForward();
  await notebook.tells();
  await notebook.turn("ArrowRight");
  await notebook.press("button", "Cover");
  await notebook.until((address) => address === "", "to come back to the cover");
  await notebook.one("button", "Continue: 10 · 2").waitFor();
  await notebook.end();
});

test("who reads the list below the cover keeps it until they want the notebook", async () => {
  const context = await shared.browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: "reduce" });
  const page = await context.newPage();
  let go;
  const read = new Promise((done) => (go = done));
  await page.route("**/*.wasm", async (route) => {
    await read;
    await route.continue();
  });
  await page.goto(shared.url);
  await page.getByRole("heading", { name: "Routes" }).scrollIntoViewIfNeeded();
  await when(page, () => scrollY > innerHeight);
  go();
  await page.getByRole("button", { name: "Show it" }).click();
  await page.waitForSelector("body.live", { state: "attached" });
  await page.locator("#notebook-tree").getByRole("heading", { name: COVER }).waitFor();
  await context.close();
});

test("one file opens without a server, at any lesson", async () => {
  const folder = await mkdtemp(join(tmpdir(), "bindpose-"));
  const file = join(folder, "bindpose.html");
  await bindpose("web", "--program", join(root, "target/web-parts"), "--one-file", "--out", file);
  const page = await shared.browser.newPage();
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  const notebook = new NotebookPage(page, pathToFileURL(file).href);
  for (const at of ["", "#lesson=whale&step=many-whales"]) {
    await page.goto("about:blank");
    await page.goto(pathToFileURL(file).href + at);
    await notebook.isLive();
    if (!at) {
      await notebook.one("heading", COVER).waitFor();
      await notebook.press("button", "Begin");
    }
    await page.waitForURL((url) => url.hash.startsWith(at || "#lesson=what-skinning-is&step="));
  }
  await page.keyboard.press("ArrowRight");
  await page.waitForURL((url) => !url.hash.includes("many-whales"));
  // The teacher's window is the same file, and each turns the other's page.
  const coming = page.waitForEvent("popup");
  await page.keyboard.press("t");
  const teacher = await coming;
  teacher.on("pageerror", (error) => complaints.push(error.message));
  await teacher.waitForSelector("body.live", { state: "attached" });
  await teacher.bringToFront();
  await teacher.keyboard.press("ArrowLeft");
  await page.waitForURL((url) => url.hash.includes("many-whales"));
  await teacher.locator("#notebook-tree").getByText("Many whales").first().waitFor();
  assert.deepEqual(complaints, []);
  await page.close();
  await rm(folder, { recursive: true });
});
