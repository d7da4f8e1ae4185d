// What an engineer measures by: the axes at the origin, and a grid on the floor or in the plane of the mechanism.

import { Group, Vector3 } from "three";
import type { SceneData, Vector } from "./data";
import type { Label } from "./labels";
import { Segments } from "./lines";
import type { Theme } from "./materials";
import { roundStep } from "../steps";

const AXES: [string, Vector][] = [
  ["x", [0.85, 0.27, 0.25]],
  ["y", [0.29, 0.62, 0.29]],
  ["z", [0.25, 0.45, 0.88]],
];
const LINES = 10; // of the grid to each side of its middle

export class Guides {
  readonly axes = new Group();
  readonly grid = new Group();
  private readonly ends: Vector3[] = [];

  constructor(private readonly data: SceneData) {
    const reach = 0.14 * data.size;
    AXES.forEach(([, color], k) => {
      const end = new Vector3().setComponent(k, reach);
      this.ends.push(end);
      const line = new Segments([0, 0, 0, end.x, end.y, end.z], 2.4, color);
      line.object.renderOrder = 2;
      this.axes.add(line.object);
    });
    this.axes.visible = this.grid.visible = false;
  }

  /** Lines at round distances about a middle, in the floor at that height; of a planar mechanism behind it. */
  place(middle: Vector3, radius: number, height: number, theme: Theme): void {
    this.grid.clear();
    const up = new Vector3(...this.data.up).normalize();
    const back = new Vector3(...this.data.side).normalize();
    const right = up.clone().cross(back).normalize();
    const [first, second, normal] = this.data.planar ? [right, up, back] : [right, back, up];
    const step = roundStep(radius / 5);
    const level = this.data.planar ? middle.dot(back) - 1.2 * radius : height;
    const at = (a: number, b: number) => first.clone().multiplyScalar(a).addScaledVector(second, b).addScaledVector(normal, level);
    const [a, b] = [first, second].map((axis) => step * Math.round(middle.dot(axis) / step));
    const reach = LINES * step;
    const places: number[] = [];
    for (let k = -LINES; k <= LINES; k++) {
      places.push(...at(a + k * step, b - reach), ...at(a + k * step, b + reach));
      places.push(...at(a - reach, b + k * step), ...at(a + reach, b + k * step));
    }
    const shade = theme === "dark" ? 0.3 : 0.82;
    this.grid.add(new Segments(places, 1, [shade, shade, shade]).object);
  }

  labels(onScreen: (p: Vector3) => [number, number, number]): Label[] {
    if (!this.axes.visible) return [];
    return this.ends.map((end, k) => {
      const [x, y] = onScreen(end.clone().multiplyScalar(1.15));
      return { text: AXES[k][0], x, y: y + 9 };
    });
  }
}
