// The rules of axe, for the page as it stands.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const script = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

// Before the first complaints. Not by an element: pages allow no scripts but their own.
export async function addAxe(page) {
  await page.evaluate(script);
}

// What each rule that is broken says, with the elements that break it.
export async function complaintsOfAxe(page) {
  const violations = await page.evaluate(async () => {
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
  });
  return violations.map(([id, nodes]) => `${id}: ${nodes.join(" ")}`);
}
