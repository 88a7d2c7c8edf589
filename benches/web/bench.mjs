// Hands the page to Chromium and writes what it measured, as JSON:
// `node bench.mjs MODEL`.
import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startBrowser } from "../../web/tests/browser.mjs";

const [model] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));
// What wasm-bindgen has written.
const parts = join(here, "../../target/web-bench");
const kinds = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

function fileOf(path) {
  if (path === "/model.glb") return model;
  if (path.startsWith("/parts/")) return join(parts, path.slice("/parts/".length));
  return join(here, path === "/" ? "page.html" : path);
}

const server = createServer((request, answer) => {
  const file = fileOf(new URL(request.url, "http://localhost").pathname);
  if (!existsSync(file)) return answer.writeHead(404).end();
  answer.writeHead(200, { "content-type": kinds[extname(file)] ?? "application/octet-stream" });
  createReadStream(file).pipe(answer);
});
await new Promise((done) => server.listen(0, "localhost", done));
const browser = await startBrowser();
try {
  const page = await browser.newPage();
  page.on("pageerror", (error) => console.error(error));
  page.on("console", (message) => message.type() === "error" && console.error(message.text()));
  await page.goto(`http://localhost:${server.address().port}/`);
  await page.waitForFunction(() => "measured" in window);
  console.log(JSON.stringify(await page.evaluate(() => window.measured)));
} finally {
  await browser.close();
  server.close();
}
