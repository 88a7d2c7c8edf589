// A packed course beside a site, and one that is dropped.
import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { bindpose, root, site, siteFolder, startServer } from "./browser.mjs";
import { NotebookPage, whenAnswered } from "./notebook_page.mjs";

const shared = site();
const STEPS = ["sixteen-joints", "who-moves-the-skin", "bend-one", "a-sign", "make-a-fist"];
const PICTURE = /^A hand as sixteen points: /;
const MODEL = /^[^:]+: [^:]*, 16 joints, /;

// A copy of the site with the course beside its pages, whole and cut in half.
let folder;
let packed;
let beside;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "bindpose-"));
  await cp(siteFolder, folder, { recursive: true });
  packed = join(folder, "hands.bindpose");
  await bindpose("pack", join(root, "docs/examples/hands"), "--out", packed);
  const bytes = await readFile(packed);
  await writeFile(join(folder, "half.bindpose"), bytes.subarray(0, bytes.length / 2));
  beside = await startServer(folder);
});
after(async () => {
  beside?.stop();
  await rm(folder, { recursive: true });
});

function open(path, url = beside.url) {
  return NotebookPage.open({ browser: shared.browser, url }, path);
}

function list(notebook) {
  return notebook.page.getByRole("navigation", { name: "Lessons" });
}

// What stands above the lessons of the course.
function heading(notebook) {
  return list(notebook).getByText("Hands 1.0", { exact: true });
}

// In its first step, with the model of the course and the picture beside it.
async function isOpen(notebook) {
  await notebook.isAt(`hands.hands/${STEPS[0]}`);
  await notebook.tells();
  await heading(notebook).waitFor({ state: "attached" });
  await notebook.page.getByRole("img", { name: MODEL }).first().waitFor();
  await notebook.page.getByRole("img", { name: PICTURE }).first().waitFor();
}

// It says why a course was not opened, and has the lessons of the site alone.
async function isRefused(notebook, why) {
  await notebook.page.getByText(why).first().waitFor({ state: "attached" });
  await list(notebook).getByRole("link", { name: /The 2D bone grid$/ }).waitFor();
  assert.equal(await heading(notebook).count(), 0);
}

test("an address opens a course beside the site, with its model and its picture", async () => {
  const notebook = await open("?course=hands.bindpose");
  await isOpen(notebook);
  await notebook.reload();
  await isOpen(notebook);
  for (const step of STEPS.slice(1)) {
    await notebook.turn("ArrowRight");
    await notebook.isAt(`hands.hands/${step}`);
    await notebook.tells();
  }
  await notebook.end();
});

test("a question of a course is answered by roles and keys", async () => {
  const step = `#lesson=hands.hands&step=${STEPS[1]}`;
  const notebook = await open(`40-bone-grid/?course=../hands.bindpose${step}`);
  await notebook.tells();
  const answer = notebook.one("button", "Answer");
  await answer.focus();
  await notebook.page.keyboard.press("Enter");
  await notebook.said("Not right").first().waitFor({ state: "attached" });
  await notebook.press("button", "next joint");
  await notebook.said("Not right").first().waitFor({ state: "detached" });
  await answer.focus();
  await notebook.page.keyboard.press("Enter");
  await notebook.said("Right").first().waitFor({ state: "attached" });
  await notebook.end();
});

test("a course of another server, and one that is damaged, are refused in words", async () => {
  // It is there, but behind another port.
  const elsewhere = `${beside.url}hands.bindpose`;
  for (const [url, course, why] of [
    [shared.url, elsewhere, /was not opened: a course comes from the same server as this page/],
    [beside.url, "../half.bindpose", /The course “\.\.\/half\.bindpose” was not opened: /],
    [beside.url, "../none.bindpose", /was not opened: its server answers 404/],
  ]) {
    const notebook = await open(`40-bone-grid/?course=${course}`, url);
    await isRefused(notebook, why);
    // The browser says by itself that one is not there.
    notebook.complaints = notebook.complaints.filter((complaint) => !complaint.includes("404"));
    await notebook.end();
  }
});

test("a dropped course opens, and a reload opens it again, at the page that was open", async () => {
  const notebook = await open("40-bone-grid/", shared.url);
  await notebook.drop([packed]);
  await isOpen(notebook);
  await notebook.reload();
  await isOpen(notebook);
  await notebook.goTo("60-normals/");
  await heading(notebook).waitFor({ state: "attached" });
  await notebook.end();
});

// Runs in the page: the names of the courses that the browser keeps, once they are
// `expected`; with `clear`, it keeps none of them any more.
async function keepsCourses({ expected, clear }) {
  const done = (request) => new Promise((done) => (request.onsuccess = () => done(request.result)));
  const database = await done(indexedDB.open("bindpose-courses", 1));
  const store = database.transaction("courses", "readwrite").objectStore("courses");
  const names = await done(store.getAllKeys());
  const fits = names.join() === expected.join();
  if (fits && clear) await done(store.clear());
  database.close();
  return fits;
}

test("the last four courses are kept, and one that is kept no longer is told of", async () => {
  const names = ["1", "2", "3", "4", "5"].map((name) => `${name}.bindpose`);
  const notebook = await open("40-bone-grid/", shared.url);
  for (const [index, name] of names.entries()) {
    await cp(packed, join(folder, name));
    await notebook.drop([join(folder, name)]);
    if (index === 0) await isOpen(notebook);
    const expected = names.slice(Math.max(0, index - 3), index + 1);
    const clear = name === names.at(-1);
    await whenAnswered(notebook.page, keepsCourses, { expected, clear });
  }
  await notebook.goTo("60-normals/");
  const why = "“5.bindpose” of the last time was not opened: the browser keeps no copy of it";
  await isRefused(notebook, why);
  await notebook.goTo("40-bone-grid/");
  await notebook.tells();
  assert.equal(await notebook.page.getByText(why).count(), 0, "it is told once");
  await notebook.end();
});
