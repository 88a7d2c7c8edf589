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

// Is there something in it, or in an area of it? What differs from its first pixel.
export function isBlank(picture, area) {
  const { data } = cut(PNG.sync.read(picture), area);
  const first = data.subarray(0, 4);
  let others = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (first.some((part, i) => data[at + i] !== part)) others += 4;
  }
  return others < data.length / 100;
}

// From 0 to 1: the mean of all pixels.
export function brightness(picture) {
  const { data } = PNG.sync.read(picture);
  let sum = 0;
  for (let at = 0; at < data.length; at += 4) sum += data[at] + data[at + 1] + data[at + 2];
  return sum / (data.length / 4) / (3 * 255);
}

function cut(picture, area) {
  if (!area) return picture;
  const [x, y] = [Math.round(area.x), Math.round(area.y)];
  const [width, height] = [Math.floor(area.width), Math.floor(area.height)];
  const part = new PNG({ width, height });
  PNG.bitblt(picture, part, x, y, width, height, 0, 0);
  return part;
}
