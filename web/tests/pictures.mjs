// How far two pictures differ.
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";

// Part of the pixels in `area` (in pixels, else all) whose colour differs by more
// than `threshold` of the way from black to white.
export function difference(one, other, threshold, area) {
  const [a, b] = [cut(PNG.sync.read(one), area), cut(PNG.sync.read(other), area)];
  if (a.width !== b.width || a.height !== b.height) {
    throw new Error(`${a.width}×${a.height} against ${b.width}×${b.height}`);
  }
  const shown = new PNG({ width: a.width, height: a.height });
  const pixels = pixelmatch(a.data, b.data, shown.data, a.width, a.height, { threshold });
  return { part: pixels / (a.width * a.height), shown: PNG.sync.write(shown) };
}

function cut(picture, area) {
  if (!area) return picture;
  const [x, y] = [Math.round(area.x), Math.round(area.y)];
  const [width, height] = [Math.floor(area.width), Math.floor(area.height)];
  const part = new PNG({ width, height });
  PNG.bitblt(picture, part, x, y, width, height, 0, 0);
  return part;
}
