// An exercise of each lesson, solved as a reader would who hears the page: by roles,
// names, values and keys. No place on the screen is known here.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { root, site } from "./browser.mjs";
import { NotebookPage } from "./notebook_page.mjs";

const shared = site();

// The last button before the text.
const FIRST = "put a bookmark on this step";

// By lesson and step: what is done there, and what is said then, if not “Solved”. A
// question may differ from reader to reader.
const EXERCISES = {
  "10-what-skinning-is/a-weight-is-data-like-a-colour": async (notebook) => {
    await notebook.press("radio", "One, that of joint 1");
    await notebook.press("button", "Answer");
    return "Right";
  },
  "20-bind-pose/lift-the-chin": async (notebook) => {
    const [, height] = await notebook.read(/Bring v0 to \(0\.00, ([\d.]+)\)/);
    const cell = "joint 1 from bind, row 1, column 4";
    await notebook.fill("spinbutton", cell, Number(height) - 2.25);
  },
  "30-hierarchy/down-the-chain": async (notebook) => {
    await notebook.press("button", "put in joint 1 from joint 2, local transform");
  },
  "40-bone-grid/reach-for-it": async (notebook) => {
    const [, x] = await notebook.read(/Bring v9 to \((−?[\d.]+), −?[\d.]+\)/);
    const turn = (Math.acos((number(x) - 4) / 4) * 180) / Math.PI;
    await notebook.fill("slider", "joint 1", Math.round(turn));
    await notebook.fill("slider", "joint 2", -Math.round(turn));
  },
  "50-gltf-joint-matrices/the-bind-shape": async (notebook) => {
    await notebook.fill("slider", "bind shape x", -0.5);
  },
  // By keys: the number in the text, the digits typed into it.
  "60-normals/squashed": async (notebook) => {
    const [, off] = await notebook.read(/until this normal is ([\d.]+)° away/);
    const squash = Math.tan(((90 - off) / 360) * Math.PI);
    await notebook.type("squash", squash.toFixed(3), FIRST);
  },
  "70-weights/where-the-rest-goes": async (notebook) => {
    const [, move] = await notebook.read(/v697 is to move by ([\d.]+) instead/);
    await notebook.fill("spinbutton", "weight of joint 1 on v697", (1 - move / Math.hypot(3.5, 0.5)).toFixed(3));
  },
  "75-weight-sources/near-is-not-attached": async (notebook) => {
    await notebook.press("radio", "s = 8");
  },
  "80-texture-storage/uniforms-run-out": async (notebook) => {
    const [, count] = await notebook.read(/A skin has (\d+) joints, each a mat4/);
    await notebook.fill("spinbutton", "number of slots", 4 * count + 9);
  },
  "90-gltf-bytes/what-a-number-is-made-of": async (notebook) => {
    await notebook.fill("spinbutton", "lane 1 of element 9", 0);
  },
  "100-scene-graph/three-angles": async (notebook) => {
    const roll = notebook.one("slider", "roll");
    await roll.focus();
    for (let degree = 1; degree <= 40; degree++) await roll.press("ArrowUp");
    await notebook.untilNumber("slider", "roll", 40);
  },
  "110-whale/the-mesh-as-stored": async (notebook) => {
    await notebook.press("radio", "The picture shows stored positions, and no joint moves those.");
    await notebook.press("button", "Answer");
    return "Right";
  },
  "120-debugging/one-line-is-wrong": async (notebook) => {
    await notebook.press("radio", "palette[j] = inverse_bind[j] * world[j]");
    await notebook.press("button", "Answer");
    return "Right";
  },
  "130-time/the-straight-way-shrinks": async (notebook) => {
    await notebook.press("radio", "lerp of matrices");
    await notebook.fill("slider", "time, in seconds", 0.817);
  },
  "140-beyond-linear/the-candy-wrapper": async (notebook) => {
    await notebook.type("twist", "73.74", FIRST);
  },
  "150-conventions/columns-or-rows": async (notebook) => {
    const right = "The transpose of a product is the product of the transposes, in reverse order";
    await notebook.press("radio", right);
    await notebook.press("button", "Answer");
    return "Right";
  },
  "160-your-model/one-of-its-vertices": async (notebook) => {
    // Each weight to its half.
    for (const lane of ["joint 3", "joint 2"]) {
      const name = `weight of ${lane} on v0`;
      const half = (await notebook.number("spinbutton", name)) / 2;
      await notebook.fill("spinbutton", name, half);
      await notebook.untilNumber("spinbutton", name, (now) => Math.abs(now - half) < 1e-3);
    }
  },
};

test("an exercise of every lesson is solved by roles, names, values and keys", async (all) => {
  const lessons = Object.keys(EXERCISES).map((step) => step.split("/")[0]);
  assert.deepEqual(lessons.sort(), lessonFolders(), "no lesson is left out");
  const notebook = await NotebookPage.open(shared, "20-bind-pose/");
  for (const [step, solve] of Object.entries(EXERCISES)) {
    await all.test(step, async () => {
      await notebook.goTo(step.replace("/", "/#step="));
      await notebook.tells();
      assert.equal(await notebook.said("Solved").count(), 0, "it is still to be solved");
      const said = (await solve(notebook)) ?? "Solved";
      await notebook.said(said).first().waitFor({ state: "attached" });
    });
  }
  await notebook.end();
});

function lessonFolders() {
  const entries = readdirSync(join(root, "lessons"), { withFileTypes: true });
  // Leading zeros of `020-bind-pose` sort folders; addresses have none.
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return names.map((name) => name.replace(/^0+/, "")).sort();
}

function number(text) {
  return Number(text.replace("−", "-"));
}
