// What a browser keeps of a class must not stand in the way of the next one at the same address.
import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startBrowser, startClass, startServer } from "./browser.mjs";
import { NotebookPage, whenAnswered } from "./notebook_page.mjs";

const LESSON = "10-what-skinning-is";
// Pages that a tab may open in `WATCHED_MS`: one leads to another, and no further.
const MAX_PAGES = 3;
const WATCHED_MS = 3000;

let browser;
let running;
let context;

before(async () => {
  browser = await startBrowser();
  context = await browser.newContext({ viewport: { width: 1024, height: 700 }, reducedMotion: "reduce" });
});
after(async () => {
  await browser?.close();
  await running?.stop();
});

// A class with a code of its own, as on another day.
const classAt = (port) => startClass([], { BINDPOSE_SETTINGS: mkdtempSync(join(tmpdir(), "class-")) }, port);

const tells = (notebook, words) =>
  notebook.when((words) => document.getElementById("notebook-tree")?.textContent.includes(words), words);

// The site is kept in this browser, and the kept one answers.
const isKept = (page) =>
  whenAnswered(page, async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    return registration?.active?.state === "activated";
  });

async function open(url) {
  const notebook = new NotebookPage(await context.newPage(), running.url);
  await notebook.page.goto(url);
  return notebook;
}

async function isTeacherAlone(notebook) {
  await notebook.isLive();
  await tells(notebook, "0 here");
}

test("a browser that was in a class gets into the next one at the same address", async () => {
  running = await classAt(0);
  const port = new URL(running.url).port;
  const address = ({ url, code, lead }) => `${url}?class=${code}&lead=${lead}`;
  const first = await open(address(running));
  await isTeacherAlone(first);
  await isKept(first.page);
  await first.page.close();
  const { code } = running;
  await running.stop();

  running = await classAt(port);
  assert.notEqual(running.code, code, "another class");
  const teacher = await open(address(running));
  await isTeacherAlone(teacher);
  // A student types the code, on the page that the address alone shows.
  const student = await open(running.url);
  await student.page.getByLabel("The code").fill(running.code);
  await student.page.getByRole("button", { name: "Join" }).click();
  await student.isLive();
  await tells(student, "With the class");
  await tells(teacher, "1 here");
  const wrong = await open(`${running.url}?class=${code}`);
  await wrong.page.getByText("No class has this code here").waitFor();
  await wrong.page.getByRole("link", { name: "Open the notebook alone" }).click();
  await wrong.isLive();
  assert.match(await wrong.page.title(), /^Bindpose/);
  for (const { page } of [student, wrong]) await page.close();
  await teacher.page.close();
});

test("another tab of a class opens the notebook once", async () => {
  running ??= await classAt(0);
  const tab = await open(`${running.url}${LESSON}/?class=${running.code}`);
  await tab.isLive();
  await tells(tab, "With the class");
  // It takes over what is kept for the tab.
  const opened = context.waitForEvent("page");
  await tab.page.evaluate((url) => void window.open(url), running.url);
  const other = new NotebookPage(await opened, running.url);
  let pages = 0;
  other.page.on("domcontentloaded", () => (pages += 1));
  await other.isLive();
  await other.page.waitForTimeout(WATCHED_MS);
  assert.ok(pages <= MAX_PAGES, `${pages} pages`);
  await tells(other, "With the class");
  for (const { page } of [tab, other]) await page.close();
});

test("where a class was, the site itself opens, and a class where the site was", async () => {
  running ??= await classAt(0);
  const port = new URL(running.url).port;
  await running.stop();
  running = await startServer(undefined, port);
  const alone = await open(running.url);
  await alone.isLive();
  assert.match(await alone.page.title(), /^Bindpose/);
  await alone.page.close();
  await running.stop();
  running = await classAt(port);
  const student = await open(running.url);
  await student.page.getByLabel("The code").waitFor();
  await student.page.close();
});
