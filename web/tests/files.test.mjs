// Files come and go as in the native program.
import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bindpose, root, site } from "./browser.mjs";
import { NotebookPage } from "./notebook_page.mjs";

const shared = site();
const MODELS = join(root, "assets/models");
const ARM = join(MODELS, "arm/arm.glb");

async function exported(notebook, entry) {
  await notebook.press("button", "Export");
  await notebook.press("radio", entry);
  await notebook.page.getByRole("radio", { name: entry, exact: true, checked: true }).waitFor();
  const coming = notebook.page.waitForEvent("download");
  await notebook.press("button", "Download");
  const file = await coming;
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

test("a dropped model opens, and exports are those of the native program", async () => {
  const notebook = await NotebookPage.open(shared, "20-bind-pose/");
  await notebook.drop([ARM]);
  await notebook.until((address) => address.includes("model=arm.glb"), "the model opens");
  const folder = await mkdtemp(join(tmpdir(), "bindpose-"));
  for (const [entry, what, ending] of [
    ["Rig with skeleton", "rig-glb", "glb"],
    ["Joint matrices", "palette-csv", "csv"],
  ]) {
    const { name, bytes } = await exported(notebook, entry);
    assert.ok(name.endsWith(`.${ending}`), name);
    const out = join(folder, `native.${ending}`);
    await bindpose("export", ARM, "--as", what, "--out", out, "--force");
    assert.ok(bytes.equals(await readFile(out)), `${entry}: the same bytes`);
    await notebook.page.keyboard.press("Escape");
    await notebook.one("radio", entry).waitFor({ state: "detached" });
  }
  await rm(folder, { recursive: true });
  await notebook.end();
});

test("a model of several files opens when all are there", async () => {
  const notebook = await NotebookPage.open(shared, "20-bind-pose/");
  await notebook.drop([join(MODELS, "simple_skin/simple_skin.gltf")]);
  await notebook.page.getByText("simple_skin.bin").first().waitFor();
  await notebook.drop([join(MODELS, "simple_skin/simple_skin.bin")]);
  await notebook.until((address) => address.includes("model=simple_skin.gltf"), "it opens");
  await notebook.end();
});

test("the link of the page is copied, and one that is pasted is followed", async () => {
  const permissions = ["clipboard-read", "clipboard-write"];
  const path = "40-bone-grid/#step=half-of-each&b0=0.7";
  const notebook = await NotebookPage.open(shared, path, { permissions });
  await notebook.press("button", "Link");
  const copied = () => notebook.page.evaluate(() => navigator.clipboard.readText());
  await notebook.one("textbox", "link for the program").waitFor();
  assert.equal(await copied(), notebook.page.url());
  const link = await notebook.one("textbox", "link for the program").inputValue();
  assert.match(link, /^bindpose:\/\/bone-grid\/half-of-each\?.*b0=0\.7/);
  await notebook.one("textbox", "link to open").fill("bindpose://whale/many-whales");
  await notebook.press("button", "Open the link");
  await notebook.isAt("110-whale/many-whales");
  await notebook.end();
});
