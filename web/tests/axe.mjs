// The rules of axe, for the page as it stands.
import { createRequire } from "node:module";

export const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

// What each rule that is broken says, with the elements that break it; the page has
// the script `axe`.
export async function complaintsOfAxe(page) {
  const violations = await page.evaluate(async () => {
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    return violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
  });
  return violations.map(([id, nodes]) => `${id}: ${nodes.join(" ")}`);
}
