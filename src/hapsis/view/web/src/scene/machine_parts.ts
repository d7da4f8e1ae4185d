// Parts of machines: pins, wheels, rails and supports with hatching, pulleys, spirals, bushes, motors.

import { BoxGeometry, type BufferGeometry, ExtrudeGeometry, Shape } from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import type { Substance } from "./data";
import { plate } from "./outlines";
import { drum, lathe, type Piece } from "./shapes";

export function pin(radius: number, length: number): BufferGeometry[] {
  const cap = 0.45 * radius;
  const ends = [-1, 1].map((side) => drum(1.45 * radius, cap).translate(0, 0, (side * (length + cap)) / 2));
  return [drum(radius, length), ...ends];
}

/** A tyre on a rim with five holes' worth of spokes; the mark is one spoke in the colour of the body. */
export function wheel(radius: number, width: number, tyre: boolean, own: Substance): Piece[] {
  const inner = tyre ? 0.68 * radius : 0.84 * radius;
  const [w, b] = [width / 2, Math.min(0.28 * width, 0.2 * radius)];
  const ring = lathe([
    [inner, -0.8 * w],
    [radius - b, -w],
    [radius - 0.3 * b, -w + 0.3 * b],
    [radius, -w + b],
    [radius, w - b],
    [radius - 0.3 * b, w - 0.3 * b],
    [radius - b, w],
    [inner, 0.8 * w],
    [inner, -0.8 * w],
  ], 52);
  const spokes: Piece[] = [];
  const count = 5;
  for (let k = 0; k < count; k++) {
    const bar = new RoundedBoxGeometry(inner * 0.98, 0.16 * radius, 0.34 * width, 1, 0.02 * radius);
    bar.translate(inner * 0.5, 0, 0).rotateZ((2 * Math.PI * k) / count);
    spokes.push([bar, k ? "metal" : own]);
  }
  const rim = lathe([[inner * 0.93, -0.78 * w], [inner, -0.78 * w], [inner, 0.78 * w], [inner * 0.93, 0.78 * w], [inner * 0.93, -0.78 * w]]);
  return [[ring, tyre ? "rubber" : own], [rim, tyre ? "metal" : own], ...spokes, [drum(0.17 * radius, 0.6 * width), "metal"]];
}

/** Two straight guides, or only the lower one, with hatching on their outer sides. */
export function rail(length: number, gap: number, depth: number, sides: number): Piece[] {
  const bar = 0.018 * length;
  const items: Piece[] = [];
  for (const side of [-1, 1].slice(0, sides)) {
    const y = side * (gap / 2 + bar / 2);
    items.push([new RoundedBoxGeometry(length, bar, depth, 2, 0.2 * bar).translate(0, y, 0), "ground"]);
    items.push(...hatching(length, 2.4 * bar, depth, y + (side * bar) / 2, side));
  }
  return items;
}

/** Slanted strokes along x, from the height y outwards. */
function hatching(length: number, size: number, depth: number, y: number, side: number): Piece[] {
  const count = Math.max(4, Math.round(length / (0.75 * size)));
  const items: Piece[] = [];
  for (let k = 0; k < count; k++) {
    const stroke = new BoxGeometry(1.25 * size, 0.11 * size, 0.06 * depth);
    stroke.rotateZ((side * Math.PI) / 4).translate(((k + 0.5) / count - 0.5) * length, y + side * 0.44 * size, -0.4 * depth);
    items.push([stroke, "ground"]);
  }
  return items;
}

/** A bearing block with a foot and hatching below it. */
export function support(size: number, depth: number): Piece[] {
  const block = plate([[0, 0], [-0.9 * size, -1.75 * size], [0.9 * size, -1.75 * size]], 0.62 * size, depth, 0);
  const foot = new RoundedBoxGeometry(5 * size, 0.3 * size, 1.15 * depth, 2, 0.08 * size).translate(0, -2.45 * size, 0);
  return [[block, "ground"], [foot, "ground"], ...hatching(5 * size, 0.9 * size, depth, -2.6 * size, -1)];
}

/** A wheel with a groove, for cords and belts; one hole so that turning is seen. */
export function pulley(radius: number, width: number, own: Substance): Piece[] {
  const [w, deep] = [width / 2, Math.min(0.3 * radius, 0.45 * width)];
  const rim = lathe([
    [0.2 * radius, -w],
    [radius + 0.35 * deep, -w],
    [radius + 0.35 * deep, -0.8 * w],
    [radius - deep, 0],
    [radius + 0.35 * deep, 0.8 * w],
    [radius + 0.35 * deep, w],
    [0.2 * radius, w],
  ]);
  const mark = drum(0.14 * radius, 1.06 * width).translate(0.55 * radius, 0, 0);
  return [[rim, own], [mark, "metal"], [drum(0.22 * radius, 1.2 * width), "metal"]];
}

/** A flat spring that winds outwards about z, as in a clock. */
export function spiral(radius: number, width: number, turns: number): BufferGeometry {
  const thick = (0.22 * radius) / turns;
  const band = new Shape();
  const count = 24 * turns;
  const at = (k: number, out: number): [number, number] => {
    const angle = (2 * Math.PI * turns * k) / count;
    const r = radius * (0.2 + (0.8 * k) / count) + out;
    return [r * Math.cos(angle), r * Math.sin(angle)];
  };
  band.moveTo(...at(0, -thick));
  for (let k = 1; k <= count; k++) band.lineTo(...at(k, -thick));
  for (let k = count; k >= 0; k--) band.lineTo(...at(k, thick));
  band.closePath();
  return new ExtrudeGeometry(band, { depth: width, bevelEnabled: false }).translate(0, 0, -width / 2);
}

/** A ring of rubber in a shell of metal; what it holds goes through `inner`. */
export function bush(radius: number, inner: number, length: number): Piece[] {
  const [h, shell] = [length / 2, 0.88 * radius];
  const ring = (a: number, b: number, half: number) => lathe([[a, half], [a, -half], [b, -half], [b, half], [a, half]]);
  return [[ring(inner, shell, 0.92 * h), "rubber"], [ring(shell, radius, h), "metal"]];
}

/** The housing of a motor along z, with its flange at the front and ribs for cooling. */
export function motor(radius: number, length: number): Piece[] {
  const [h, rib] = [length / 2, 0.09 * length];
  const outline: number[][] = [[0, -h], [0.7 * radius, -h], [0.8 * radius, -0.85 * h]];
  for (let k = 0; k < 5; k++) {
    const z = -0.75 * h + 2.6 * k * rib;
    outline.push([0.8 * radius, z], [0.92 * radius, z], [0.92 * radius, z + rib], [0.8 * radius, z + rib]);
  }
  outline.push([0.8 * radius, 0.8 * h]);
  const flange = drum(radius, 0.2 * length).translate(0, 0, 0.9 * h);
  return [[lathe(outline, 28), "rubber"], [flange, "metal"], [drum(0.28 * radius, 0.3 * length).translate(0, 0, 1.1 * h), "metal"]];
}
