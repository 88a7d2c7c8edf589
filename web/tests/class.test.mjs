// A class in real browsers: a teacher and six students, phones and laptops, through
// follow, wander, vote, reveal, everyone's pages, sleep, and a teacher who starts again.
import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startBrowser, startClass } from "./browser.mjs";
import { NotebookPage } from "./notebook_page.mjs";

const LESSON = "10-what-skinning-is";
const QUESTION = "a-weight-is-data-like-a-colour";
const RIGHT = "One, that of joint 1";
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true };
const LAPTOP = { viewport: { width: 1024, height: 700 } };

const settings = { BINDPOSE_SETTINGS: mkdtempSync(join(tmpdir(), "class-")) };
let browser, room, teacher;
const students = [];

before(async () => {
  [browser, room] = await Promise.all([startBrowser(), startClass([], settings)]);
});
after(async () => {
  await browser?.close();
  await room?.stop();
});

// Until the page's words have this.
const tells = (notebook, words) =>
  notebook.when((words) => document.getElementById("notebook-tree")?.textContent.includes(words), words);
const allTell = (words) => Promise.all(students.map((student) => tells(student, words)));

test("a class of six comes by its code and lands where the teacher is", async () => {
  const address = `${LESSON}/?class=${room.code}&lead=${room.lead}#step=${QUESTION}`;
  teacher = await NotebookPage.open({ browser, url: room.url }, address);
  await tells(teacher, "0 here");
  assert.ok(!teacher.page.url().includes(room.lead), "the secret leaves the address bar");
  for (const size of [PHONE, PHONE, PHONE, PHONE, LAPTOP, LAPTOP]) {
    students.push(await NotebookPage.open({ browser, url: room.url }, room.code, size));
  }
  await allTell("With the class");
  await Promise.all(students.map((student) => student.isAt(`${LESSON}/${QUESTION}`)));
  await tells(teacher, "6 here");
  assert.ok((await students[0].fetchedNames()).includes("bindpose-class"));
});

test("who goes on alone wanders, and comes back by one button", async () => {
  const [one, other] = [students[4], students[5]];
  await one.turn("ArrowRight");
  await tells(one, "On your own");
  await teacher.turn("ArrowLeft");
  const there = teacher.step();
  await other.isAt(there);
  assert.notEqual(one.step(), there);
  await one.press("button", "Back to the class");
  await one.isAt(there);
  await teacher.turn("ArrowRight");
  await Promise.all(students.map((student) => student.isAt(`${LESSON}/${QUESTION}`)));
});

test("everyone answers alone, sees nothing, talks, answers again, and then it is revealed", async () => {
  await teacher.press("button", "Ask the class");
  await allTell("Answer on your own");
  const wrong = await students[0].page.evaluate((right) => {
    const all = [...document.querySelectorAll("#notebook-tree [role=radio], #notebook-tree input[type=radio]")];
    return all.map((one) => one.getAttribute("aria-label") ?? one.textContent).find((words) => words !== right);
  }, RIGHT);
  const answer = async (student, words) => {
    await student.press("radio", words);
    await student.one("button", "Hand in").waitFor();
    await student.press("button", "Hand in");
    await tells(student, "Handed in");
  };
  for (const [index, student] of students.entries()) await answer(student, index < 4 ? wrong : RIGHT);
  await tells(teacher, "6 of 6 answered");
  assert.equal(await teacher.page.getByRole("img", { name: /: \d/ }).count(), 0, "no bars yet");
  await teacher.page.keyboard.press("q");
  await allTell("Talk about it with your neighbours");
  await teacher.page.keyboard.press("q");
  await allTell("Now answer again");
  for (const [index, student] of students.entries()) await answer(student, index < 1 ? wrong : RIGHT);
  await tells(teacher, "6 of 6 answered");
  await teacher.page.keyboard.press("q");
  await allTell("Here is the answer");
  await teacher.one("img", `${RIGHT}: 2, then 5`).waitFor();
  await teacher.one("img", `${wrong}: 4, then 1`).waitFor();
  await tells(teacher, "3 changed to the right answer, 0 away from it.");
  await teacher.page.keyboard.press("q");
});

test("eyes up covers every page and gives it back as it was", async () => {
  await teacher.page.keyboard.press("u");
  await allTell("Eyes up");
  await teacher.page.keyboard.press("u");
  await Promise.all(
    students.map((student) =>
      student.when(() => !document.getElementById("notebook-tree").textContent.includes("Eyes up"))),
  );
});

test("the wall shows six pages, and what a student does is on it", async () => {
  await teacher.page.keyboard.press("o");
  await tells(teacher, "Everyone’s pages");
  const tile = (name) => teacher.page.getByRole("button", { name: new RegExp(`^${name}\\b`) });
  await tile("Student 6").waitFor();
  await students[5].turn("ArrowRight");
  await tile("Student 6").and(teacher.page.getByRole("button", { name: /on its own/ })).waitFor();
  await tile("Student 6").dispatchEvent("click");
  await teacher.press("button", "Show here");
  await teacher.isAt(students[5].step());
  await students[5].press("button", "Back to the class");
});

test("a phone that slept and a server that starts again lose nothing", async () => {
  const phone = students[0];
  await phone.reload();
  await tells(phone, "With the class");
  await tells(teacher, "6 here");
  await room.stop("SIGKILL");
  await tells(phone, "No connection; trying again.");
  const port = new URL(room.url).port;
  room = await startClass(["--again"], settings);
  assert.equal(new URL(room.url).port, port);
  await allTell("With the class");
  await tells(teacher, "6 here");
  await teacher.turn("ArrowLeft");
  await Promise.all(students.map((student) => student.isAt(teacher.step())));
});

test("the class ends, and every page is its student’s own again", async () => {
  await teacher.press("button", "Same step ▾");
  await teacher.press("button", "End the class");
  await allTell("The class has ended.");
  await students[4].press("button", "Leave the class");
  await students[4].when(() => !document.getElementById("notebook-tree").textContent.includes("The class"));
  for (const page of [teacher, ...students]) {
    // What was asked while the server was away is no fault of the page.
    page.complaints = page.complaints.filter((words) => !/WebSocket|ERR_CONNECTION/.test(words));
    await page.end();
  }
});
