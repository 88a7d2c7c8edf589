// What of the site is kept, and how a new version of it comes.
import assert from "node:assert/strict";
import { createReadStream } from "node:fs";
import { cp, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { test } from "node:test";
import { root, site } from "./browser.mjs";
import { NotebookPage, whenAnswered } from "./notebook_page.mjs";

const shared = site();
const kinds = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".wasm": "application/wasm", ".svg": "image/svg+xml" };

// A copy of the site that a test may change, below a path; `headers` go with each file.
async function copy(headers = {}) {
  const folder = await mkdtemp(join(tmpdir(), "bindpose-"));
  await cp(join(root, "target/web"), join(folder, "a/path"), { recursive: true });
  const server = createServer(async (request, response) => {
    const path = new URL(request.url, "http://x").pathname;
    const file = join(folder, path.endsWith("/") ? `${path}index.html` : path);
    if (!(await stat(file).catch(() => null))?.isFile()) return response.writeHead(404).end();
    response.writeHead(200, { "content-type": kinds[extname(file)] ?? "application/octet-stream", ...headers });
    createReadStream(file).pipe(response);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  // A test that fails leaves it behind.
  server.unref();
  const change = async (file, from, to) => {
    const path = join(folder, "a/path", file);
    const text = await readFile(path, "utf8");
    await writeFile(path, text.replace(from, to));
  };
  // The server goes, the page stays.
  const away = () => {
    server.closeAllConnections();
    server.close();
  };
  const end = async () => {
    away();
    await rm(folder, { recursive: true });
  };
  return { url: `http://localhost:${server.address().port}/a/path/`, browser: shared.browser, change, end, away };
}

const kept = (page) =>
  whenAnswered(page, async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return registration?.active?.state === "activated";
  });

test("the second visit needs no network", async () => {
  const notebook = await NotebookPage.open(shared, "40-bone-grid/");
  await kept(notebook.page);
  await notebook.page.context().setOffline(true);
  await notebook.goTo("60-normals/");
  await notebook.isAt("60-normals/what-a-normal-is-for");
  await notebook.goTo("110-whale");
  await notebook.isAt("110-whale/the-mesh-as-stored");
  await notebook.page.goto(shared.url);
  assert.match(await notebook.page.title(), /^Bindpose/);
  await notebook.page.context().close();
});

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
// What hosts say of how long a file may be kept; the third has run out.
const HOSTS = [
  ["nothing", {}],
  ["no-cache", { "cache-control": "no-cache" }],
  ["max-age=600, run out", { "cache-control": "max-age=600", age: "700" }],
  ["immutable", { "cache-control": "public, max-age=31536000, immutable" }],
];
for (const [said, headers] of HOSTS) {
  for (const [size, options] of [["a desktop", {}], ["a phone", phone]]) {
    test(`the second visit of ${size} needs no host, which said ${said}`, async () => {
      const site = await copy(headers);
      const notebook = await NotebookPage.open(site, "20-bind-pose/", options);
      await kept(notebook.page);
      site.away();
      for (const lesson of ["110-whale", "160-your-model"]) {
        await notebook.goTo(`${lesson}/`);
        // What is of the second part works as well.
        await notebook.press("button", options === phone ? "Contents" : "Export");
        await notebook.still();
        assert.equal(await notebook.page.locator("#failure, #state.wrong").count(), 0, lesson);
      }
      await notebook.page.context().close();
      await site.end();
    });
  }
}

test("a new version is told, comes when asked for, and the old one goes", async () => {
  const site = await copy();
  const notebook = await NotebookPage.open(site, "40-bone-grid/");
  const page = notebook.page;
  await kept(page);
  await site.change("offline.js", /const VERSION = .*/, "const VERSION = `${SITE}next`;");
  await site.change("40-bone-grid/index.html", 'name="description" content="', "$&New: ");
  await page.goto("about:blank");
  await notebook.goTo("40-bone-grid/#step=half-of-each&b0=0.4");
  const line = page.locator("#update");
  await line.waitFor();
  const source = () => page.evaluate(() => document.querySelector("meta[name=description]").content);
  assert.doesNotMatch(await source(), /^New: /, "nothing is forced");
  const [below, foot] = await page.evaluate(() => [
    document.querySelector("canvas.notebook").getBoundingClientRect().bottom,
    document.getElementById("update").getBoundingClientRect().top,
  ]);
  assert.ok(below <= foot + 1, `nothing of the notebook is covered: ${below}, ${foot}`);
  await line.getByText("Load it").click();
  const described = "meta[name=description][content^='New: ']";
  await page.waitForSelector(described, { state: "attached" });
  await notebook.isLive();
  assert.match(notebook.address(), /half-of-each&b0=0\.4/);
  await whenAnswered(page, async () => (await caches.keys()).length === 1);
  await page.context().close();
  await site.end();
});
