// The way that points have come: a faint line of all of it, and a bright one of the last part, which fades.

import { BufferAttribute, BufferGeometry, Color, Group, Line, LineBasicMaterial } from "three";
import type { Vector } from "./data";
import { Segments } from "./lines";
import { PALETTES, type Theme } from "./materials";

const RECENT = 160; // segments of the bright part
const FAINT = 0.62; // of the paper in the faint colour

export interface Path {
  places: Float32Array; // three numbers for each frame
  color: Vector;
}

class Trail {
  readonly group = new Group();
  private readonly whole: Line;
  private readonly recent: Segments;
  private readonly numbers = new Float32Array(6 * RECENT);

  constructor(
    private readonly path: Path,
    theme: Theme,
  ) {
    const paper = new Color(PALETTES[theme].paper);
    const own = new Color().setRGB(...path.color, "srgb");
    const geometry = new BufferGeometry().setAttribute("position", new BufferAttribute(path.places, 3));
    this.whole = new Line(geometry, new LineBasicMaterial({ color: own.clone().lerp(paper, FAINT) }));
    const colors: number[] = [];
    for (let k = 0; k < RECENT; k++) {
      for (const part of [k / RECENT, (k + 1) / RECENT]) colors.push(...own.clone().lerp(paper, FAINT * (1 - part)).toArray());
    }
    this.recent = new Segments(this.numbers, 2, null, colors);
    this.recent.object.frustumCulled = this.whole.frustumCulled = false;
    this.group.add(this.whole, this.recent.object);
  }

  /** The path up to a frame, and from there to where the point is now. */
  show(frame: number, now: ArrayLike<number>): void {
    const { places } = this.path;
    this.whole.geometry.setDrawRange(0, frame + 1);
    for (let k = 0; k < RECENT; k++) {
      // the last segment ends at the point itself; before the first frame all lie in one place
      const from = Math.max(0, frame - RECENT + 1 + k);
      const to = Math.max(0, frame - RECENT + 2 + k);
      for (let axis = 0; axis < 3; axis++) {
        this.numbers[6 * k + axis] = places[3 * from + axis];
        this.numbers[6 * k + 3 + axis] = k === RECENT - 1 ? now[axis] : places[3 * to + axis];
      }
    }
    this.recent.move(this.numbers);
  }

  dispose(): void {
    this.recent.dispose();
    this.whole.geometry.dispose();
  }
}

export class Trails {
  readonly group = new Group();
  private trails: Trail[] = [];

  /** Other paths, or the same ones in another theme. */
  set(paths: Path[], theme: Theme): void {
    for (const trail of this.trails) trail.dispose();
    this.group.clear();
    this.trails = paths.map((path) => new Trail(path, theme));
    this.group.add(...this.trails.map(({ group }) => group));
  }

  show(frame: number, now: (k: number) => ArrayLike<number>): void {
    this.trails.forEach((trail, k) => trail.show(frame, now(k)));
  }
}
