// A packed course beside a site, and one that is dropped.
import assert from "node:assert/strict";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { bindpose, root, site, siteFolder, startServer } from "./browser.mjs";
import { NotebookPage } from "./notebook_page.mjs";

const shared = site();
const HEADING = "Hands 1.0";
const STEPS = ["sixteen-joints", "who-moves-the-skin", "bend-one", "a-sign", "make-a-fist"];
const PICTURE = /^A hand as sixteen points: /;
const MODEL = /^[^:]+: [^:]*, 16 joints, /;
const BEGUN = "#lesson=hands.hands&step=";

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

// The course is open, at this step.
async function isAtStep(notebook, step) {
  await notebook.until((address) => address.includes(BEGUN + step), `to be at ${step}`);
  await notebook.tells();
}

async function isListed(notebook) {
  await notebook.page.getByText(HEADING, { exact: true }).first().waitFor({ state: "attached" });
}

// The model of the course and the picture beside it.
async function isShown(notebook) {
  await notebook.page.getByRole("img", { name: MODEL }).first().waitFor();
  await notebook.page.getByRole("img", { name: PICTURE }).first().waitFor();
}

// It says why a course was not opened, and has the lessons of the site alone.
async function isRefused(notebook, why) {
  await notebook.page.getByText(why).first().waitFor({ state: "attached" });
  assert.equal(await notebook.page.getByText(HEADING, { exact: true }).count(), 0);
  await notebook.one("button", /The 2D bone grid/).waitFor();
}

test("an address opens a course beside the site, with its model and its picture", async () => {
  const notebook = await open("?course=hands.bindpose");
  await isAtStep(notebook, STEPS[0]);
  await isListed(notebook);
  await isShown(notebook);
  await notebook.reload();
  await isAtStep(notebook, STEPS[0]);
  await isListed(notebook);
  await isShown(notebook);
  for (const step of STEPS.slice(1)) {
    await notebook.turn("ArrowRight");
    await isAtStep(notebook, step);
  }
  await notebook.end();
});

test("a question of a course is answered by roles and keys", async () => {
  const notebook = await open(`40-bone-grid/?course=../hands.bindpose${BEGUN}${STEPS[1]}`);
  await isAtStep(notebook, STEPS[1]);
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
  // The same folder, from another port.
  const elsewhere = `${shared.url.replace("localhost", "127.0.0.1")}hands.bindpose`;
  for (const [course, why] of [
    [elsewhere, /was not opened: a course comes from the same server as this page/],
    ["../half.bindpose", /The course “\.\.\/half\.bindpose” was not opened: /],
    ["../none.bindpose", /was not opened: its server answers 404/],
  ]) {
    const notebook = await open(`40-bone-grid/?course=${course}`);
    await isRefused(notebook, why);
    // That one is not there, the browser says, too.
    notebook.complaints = notebook.complaints.filter((complaint) => !complaint.includes("404"));
    await notebook.end();
  }
});

test("a dropped course opens, and a reload opens it again, at the page that was open", async () => {
  const notebook = await open("40-bone-grid/", shared.url);
  await notebook.drop([packed]);
  await isAtStep(notebook, STEPS[0]);
  await isListed(notebook);
  await isShown(notebook);
  await notebook.reload();
  await isAtStep(notebook, STEPS[0]);
  await isShown(notebook);
  await notebook.turn("ArrowRight");
  await isAtStep(notebook, STEPS[1]);
  // Without the page in the address, by what is remembered.
  await notebook.goTo("60-normals/");
  await isListed(notebook);
  await notebook.end();
});
