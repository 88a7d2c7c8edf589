import { writeFileSync } from "node:fs";
import { startBrowser, startServer } from "./browser.mjs";
import { NotebookPage } from "./notebook_page.mjs";
const [site, path, name, out, rate] = process.argv.slice(2);
const [browser, server] = await Promise.all([startBrowser(), startServer(site)]);
const n = await NotebookPage.open({ browser, url: server.url }, path);
const { page } = n;
const cdp = await page.context().newCDPSession(page);
await cdp.send("Profiler.enable");
await cdp.send("Profiler.setSamplingInterval", { interval: 200 });
if (+rate > 1) await cdp.send("Emulation.setCPUThrottlingRate", { rate: +rate });
const box = await n.box("slider", name);
console.log(box);
const y = box.y + box.height / 2;
await page.mouse.move(box.x + box.width * 0.3, y);
await page.mouse.down();
await page.waitForTimeout(500);
if (out !== "-") await cdp.send("Profiler.start");
await cdp.send("Performance.enable");
const m0 = Object.fromEntries((await cdp.send("Performance.getMetrics")).metrics.map((m) => [m.name, m.value]));
const MOVES = 25;
for (let i = 0; i < MOVES; i++) { await page.mouse.move(box.x + box.width * (0.3 + 0.4 * i / MOVES), y); await page.evaluate(() => new Promise((d) => window.browsersFrame(() => setTimeout(d, 0)))); await page.waitForTimeout(60); }
const m1 = Object.fromEntries((await cdp.send("Performance.getMetrics")).metrics.map((m) => [m.name, m.value]));
console.log("per move ms: task", 1000 * (m1.TaskDuration - m0.TaskDuration) / MOVES, "script", 1000 * (m1.ScriptDuration - m0.ScriptDuration) / MOVES);
if (out !== "-") {
  const { profile } = await cdp.send("Profiler.stop");
  writeFileSync(out, JSON.stringify(profile));
}
await page.mouse.up();
await browser.close(); server.stop();
