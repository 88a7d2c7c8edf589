// What a page does where the network is slow, away or forbidden, and in frames of others.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { root, site } from "./browser.mjs";
import { NotebookPage, when } from "./notebook_page.mjs";

const shared = site();
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const sizes = [["a desktop", {}], ["a phone", phone], ["fine pixels", { deviceScaleFactor: 2 }]];
const REST = "**/bindpose-later-*.wasm";
const OTHER_PAGES = "**/bindpose-pages-*.wasm";

// A page in a context of its own, whose requests `route` sees first.
async function pageWith(options, route) {
  const context = await shared.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  await route?.(context);
  return new NotebookPage(await context.newPage(), shared.url);
}

// Until something is so that this process knows.
async function until(isSo) {
  const end = Date.now() + 60_000;
  while (!isSo()) {
    if (Date.now() > end) throw new Error(`it never comes true: ${isSo}`);
    await new Promise((done) => setTimeout(done, 30));
  }
}

for (const [size, options] of sizes) {
  test(`the first picture of ${size} needs no other part, and none is waited for`, async () => {
    const kinds = [];
    const away = async (context) => {
      await context.route(REST, () => {});
      await context.route(OTHER_PAGES, () => {});
    };
    const notebook = await pageWith(options, away);
    const { page } = notebook;
    page.on("request", (request) => kinds.push(request.resourceType()));
    for (const [path, title] of [["10-what-skinning-is/", "Forget one thing"], ["20-bind-pose/", "Something is wrong"]]) {
      await page.goto(shared.url + path);
      await notebook.hasPicture();
      await notebook.one("heading", title).waitFor();
    }
    assert.ok(!kinds.includes("xhr"), kinds.join());
    assert.ok(await page.locator("#state").isHidden(), "nothing is waited for");
    // A page that is not opened first waits for what such pages need.
    await page.goto(`${shared.url}40-bone-grid/`);
    await page.waitForTimeout(1000);
    assert.equal(await page.locator("body.live").count(), 0);
    await page.context().unroute(OTHER_PAGES);
    await page.goto(`${shared.url}40-bone-grid/?`);
    await notebook.hasPicture();
    assert.ok(await page.locator("#state").isHidden(), "nothing more is waited for");
    await page.context().close();
  });
}

test("an act that takes the rest waits for it, with the picture in place", async () => {
  let come;
  const coming = new Promise((done) => (come = done));
  const waited = [];
  const notebook = await pageWith({}, (context) =>
    context.route(REST, async (route) => {
      if (route.request().resourceType() === "xhr") waited.push(route.request().url());
      await coming;
      await route.continue();
    }));
  const { page } = notebook;
  await page.goto(`${shared.url}20-bind-pose/`);
  await notebook.hasPicture();
  await page.evaluate(() => (window.isTheSamePage = true));
  // Its list is of the second part. The page answers when that is here.
  const pressed = notebook.one("button", "Export").dispatchEvent("click");
  await until(() => waited.length > 0);
  come();
  await pressed;
  await notebook.one("button", "Undo").waitFor();
  await notebook.isLive();
  assert.ok(await page.evaluate(() => window.isTheSamePage), "the page was not opened again");
  assert.equal(await page.locator("#state").isVisible(), false);
  assert.equal(await page.locator("#standstill").count(), 0);
  const fetched = await notebook.fetchedNames();
  assert.ok(fetched.includes("bindpose-later") && !fetched.includes("bindpose-class"), "no class, no part for it");
  await page.context().close();
});

test("of a lesson whose text is yet to come lists know the name, and it opens with the text", async () => {
  let come;
  const coming = new Promise((done) => (come = done));
  const wait = async (route) => {
    await coming;
    await route.continue();
  };
  const notebook = await pageWith({}, async (context) => {
    await context.route(REST, wait);
    await context.route(OTHER_PAGES, wait);
  });
  const { page } = notebook;
  await page.goto(`${shared.url}20-bind-pose/`);
  await notebook.hasPicture();
  const lessons = page.locator("#notebook-tree").getByRole("navigation", { name: "Lessons" });
  const hierarchy = lessons.getByRole("link", { name: /Hierarchy/ });
  const names = async () => {
    await hierarchy.waitFor({ state: "attached" });
    return lessons.getByRole("link").evaluateAll((links) => links.map((link) => link.getAttribute("aria-label")));
  };
  const outlined = await names();
  await hierarchy.dispatchEvent("click");
  await page.getByText("Loading the text…").first().waitFor({ state: "attached" });
  assert.equal(await page.locator("#state").isVisible(), false, "the notebook stays");
  come();
  await notebook.isLive();
  await notebook.isAt("30-hierarchy/two-joints-in-one-place");
  await notebook.tells();
  await page.getByText("the mesh is folded up").first().waitFor({ state: "attached" });
  await page.goto(`${shared.url}20-bind-pose/`);
  await notebook.isLive();
  assert.deepEqual(await names(), outlined, "lists say the same with all texts");
  await page.context().close();
});

test("a file that is dropped before the rest is here is opened when it has come", async () => {
  let come;
  const coming = new Promise((done) => (come = done));
  const notebook = await pageWith({}, (context) =>
    context.route(REST, async (route) => {
      await coming;
      await route.continue();
    }));
  const { page } = notebook;
  await page.goto(`${shared.url}160-your-model/`);
  await notebook.hasPicture();
  await notebook.drop([join(root, "assets/models/arm/arm.glb")]);
  await page.locator("#state").getByText("which is on its way").waitFor();
  come();
  await notebook.isLive();
  await notebook.until((address) => address.includes("model=arm.glb"), "the model opens");
  assert.equal(await page.locator("#state").isVisible(), false);
  await page.context().close();
});

test("without the network the page says so, keeps the work, and comes by itself", async () => {
  const notebook = await pageWith({}, (context) => context.route(REST, (route) => route.abort("internetdisconnected")));
  const { page } = notebook;
  await page.goto(`${shared.url}20-bind-pose/`);
  await notebook.hasPicture();
  await page.evaluate(() => localStorage.setItem("of a test", "kept"));
  await notebook.one("button", "Export").dispatchEvent("click");
  const said = page.locator("#state.wrong");
  await said.getByText(/cannot be reached|There is no network/).waitFor();
  await said.getByRole("button", { name: "Try again" }).waitFor();
  assert.equal(await page.getByText("fresh settings").count(), 0);
  await page.context().unroute(REST);
  await page.evaluate(() => dispatchEvent(new Event("online")));
  await notebook.isLive();
  assert.equal(await page.evaluate(() => localStorage.getItem("of a test")), "kept");
  await page.context().close();
});

test("a part that is not on the server is told by the server's answer", async () => {
  const notebook = await pageWith({}, (context) =>
    context.route(/bindpose-[0-9a-f]+\.wasm/, (route) => route.fulfill({ status: 404 })));
  await notebook.page.goto(`${shared.url}20-bind-pose/`);
  await notebook.page.locator("#state.wrong", { hasText: "it answers 404" }).waitFor();
  await notebook.page.context().close();
});

// A platform: another origin on this machine. `{ url, end }`
async function platform(answer) {
  const server = createServer(answer);
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  server.unref();
  const end = () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${server.address().port}/`, end };
}

// The site below a policy, as learning platforms have them.
function withPolicy(policy) {
  return platform(async (request, response) => {
    const answer = await fetch(new URL(request.url, shared.url));
    response.writeHead(answer.status, {
      "content-type": answer.headers.get("content-type"),
      "content-security-policy": policy,
    });
    response.end(Buffer.from(await answer.arrayBuffer()));
  });
}

test("a policy without programs leaves the text and a true sentence; one with them the notebook", async () => {
  const strict = await withPolicy("default-src 'self'");
  const allowed = await withPolicy("default-src 'self'; script-src 'self' 'wasm-unsafe-eval'");
  const page = await shared.browser.newPage();
  await page.goto(`${strict.url}20-bind-pose/`);
  await page.locator("#state.wrong", { hasText: "'wasm-unsafe-eval'" }).waitFor();
  await page.locator("#text h1").waitFor();
  await page.goto(`${allowed.url}20-bind-pose/`);
  await page.waitForSelector("body.live", { state: "attached" });
  await page.close();
  strict.end();
  allowed.end();
});

test("in a sandboxed frame of another origin the notebook runs", async () => {
  const page = await shared.browser.newPage({ viewport: { width: 1000, height: 800 } });
  const frame = `<iframe sandbox="allow-scripts" src="${shared.url}20-bind-pose/" width="900" height="700"></iframe>`;
  const body = `<!doctype html><title>Platform</title>${frame}`;
  const around = await platform((_, response) => response.setHeader("content-type", "text/html").end(body));
  await page.goto(around.url);
  const inside = await (await page.waitForSelector("iframe")).contentFrame();
  await inside.waitForSelector("body.live", { state: "attached" });
  assert.equal(await inside.evaluate(() => origin), "null");
  await page.close();
  around.end();
});

test("in a frame that keeps its modules off, the page says so with a way out", async () => {
  const page = await shared.browser.newPage();
  await page.route("**/start-*.js", (route) => route.abort());
  await page.goto(`${shared.url}20-bind-pose/`);
  const said = page.locator("#state.wrong");
  await said.getByText("could not be loaded here").waitFor();
  assert.equal(await said.getByRole("link").getAttribute("target"), "_blank");
  await page.close();
});

test("a picture stands before the notebook", async () => {
  const notebook = await pageWith(phone, (context) => context.route("**/*.wasm", () => {}));
  await notebook.page.goto(`${shared.url}20-bind-pose/`);
  await when(notebook.page, () => document.querySelector("#text .still img").naturalWidth > 0);
  await notebook.page.context().close();
});
