// The motion: the pose of every body, and every arrow, at any moment between the frames.

import type { Vector } from "../scene";
import type { Film, Numbers, Place } from "./film";

export interface MovingArrow {
  name: string;
  unit: string;
  typical: number;
  color: Vector;
  points: Numbers;
  vectors: Numbers;
  point: Float64Array;
  vector: Float64Array;
}

export class Motion {
  readonly times: Numbers;
  readonly first: number;
  readonly last: number;
  readonly moving: number[] = [];
  readonly poses: Float64Array; // place and axes by rows, as the scene wants them
  readonly arrows: MovingArrow[];
  frame = 0;
  part = 0; // of the way to the next frame
  private readonly table: Numbers;
  private readonly skins: Numbers | null;
  private readonly turn = new Float64Array(4);

  constructor(
    private readonly film: Film,
    array: (place: Place) => Numbers,
  ) {
    this.times = array(film.times);
    this.table = array(film.moving);
    this.first = this.times[0];
    this.last = this.times[this.times.length - 1];
    this.skins = film.skins && array(film.skins.places);
    this.poses = new Float64Array(12 * film.bodies.length + 3 * (film.skins?.count ?? 0));
    const still = array(film.still);
    let row = 0;
    film.bodies.forEach((body, b) => {
      if (!body.still) this.moving.push(b);
      else this.place(b, still, 7 * row, 7 * row++, 0);
    });
    this.arrows = film.arrows.map((arrow) => ({
      ...arrow,
      points: array(arrow.points),
      vectors: array(arrow.vectors),
      point: new Float64Array(3),
      vector: new Float64Array(3),
    }));
    this.seek(this.first);
  }

  /** The last frame at or before a time, and the part of the way to the next one. */
  find(time: number): void {
    let [low, high] = [0, this.times.length - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= time) low = middle;
      else high = middle;
    }
    const width = this.times[high] - this.times[low];
    this.frame = low;
    this.part = width > 0 ? Math.min(1, Math.max(0, (time - this.times[low]) / width)) : 0;
  }

  /** Fills `poses` and the arrows. */
  seek(time: number): void {
    this.find(time);
    const [n, next] = [this.moving.length, Math.min(this.frame + 1, this.times.length - 1)];
    this.moving.forEach((body, m) => this.place(body, this.table, 7 * (this.frame * n + m), 7 * (next * n + m), this.part));
    this.deform(time);
    for (const { point, vector, points, vectors } of this.arrows) {
      for (let k = 0; k < 3; k++) {
        const [a, b] = [3 * this.frame + k, 3 * next + k];
        point[k] = points[a] + this.part * (points[b] - points[a]);
        vector[k] = vectors[a] + this.part * (vectors[b] - vectors[a]);
      }
    }
  }

  /** The corners of surfaces that deform, between their frames, behind the poses. */
  private deform(time: number): void {
    const { skins, film } = this;
    if (!skins || !film.skins) return;
    const { frames, count } = film.skins;
    const share = this.last > this.first ? (time - this.first) / (this.last - this.first) : 0;
    const moment = Math.min(1, Math.max(0, share)) * (frames - 1);
    const before = Math.min(Math.floor(moment), Math.max(0, frames - 2));
    const part = moment - before;
    const [a, b] = [3 * count * before, 3 * count * Math.min(before + 1, frames - 1)];
    const at = 12 * film.bodies.length;
    for (let k = 0; k < 3 * count; k++) this.poses[at + k] = skins[a + k] + part * (skins[b + k] - skins[a + k]);
  }

  /** A point of a body in the world, now. */
  point(body: number, [x, y, z]: Vector): Vector {
    const [p, o] = [this.poses, 12 * body];
    const row = (k: number) => p[o + k] + p[o + 3 + 3 * k] * x + p[o + 4 + 3 * k] * y + p[o + 5 + 3 * k] * z;
    return [row(0), row(1), row(2)];
  }

  /** The paths of the marked points of all moving bodies through all frames. */
  paths(): Float32Array[] {
    const paths = this.moving.map(() => new Float32Array(3 * this.times.length));
    const here = this.times[this.frame] + this.part * ((this.times[this.frame + 1] ?? 0) - this.times[this.frame] || 0);
    for (let f = 0; f < this.times.length; f++) {
      const at = 7 * f * this.moving.length;
      this.moving.forEach((body, m) => {
        this.place(body, this.table, at + 7 * m, at + 7 * m, 0);
        paths[m].set(this.point(body, this.film.bodies[body].trail), 3 * f);
      });
    }
    this.seek(here);
    return paths;
  }

  /** Poses at some moments of the motion. */
  samples(count: number): Float64Array[] {
    const frames = Math.min(count, this.times.length);
    const all = Array.from({ length: frames }, (_, k) => {
      this.seek(this.times[Math.round((k * (this.times.length - 1)) / Math.max(1, frames - 1))]);
      return this.poses.slice();
    });
    this.seek(this.first);
    return all;
  }

  private place(body: number, table: Numbers, a: number, b: number, part: number): void {
    const [p, o] = [this.poses, 12 * body];
    for (let k = 0; k < 3; k++) p[o + k] = table[a + k] + part * (table[b + k] - table[a + k]);
    between(this.turn, table, a + 3, b + 3, part);
    const [w, x, y, z] = this.turn;
    p[o + 3] = 1 - 2 * (y * y + z * z);
    p[o + 4] = 2 * (x * y - w * z);
    p[o + 5] = 2 * (x * z + w * y);
    p[o + 6] = 2 * (x * y + w * z);
    p[o + 7] = 1 - 2 * (x * x + z * z);
    p[o + 8] = 2 * (y * z - w * x);
    p[o + 9] = 2 * (x * z - w * y);
    p[o + 10] = 2 * (y * z + w * x);
    p[o + 11] = 1 - 2 * (x * x + y * y);
  }
}

/** The quaternion w x y z at a part of the shorter turn between two of a table. */
function between(out: Float64Array, table: Numbers, a: number, b: number, part: number): void {
  let cosine = 0;
  for (let k = 0; k < 4; k++) cosine += table[a + k] * table[b + k];
  const sign = cosine < 0 ? -1 : 1;
  let [s, r] = [1 - part, sign * part];
  if (Math.abs(cosine) < 0.9995) {
    const angle = Math.acos(Math.abs(cosine));
    s = Math.sin(s * angle) / Math.sin(angle);
    r = (sign * Math.sin(part * angle)) / Math.sin(angle);
  }
  for (let k = 0; k < 4; k++) out[k] = s * table[a + k] + r * table[b + k];
  const size = Math.hypot(...out);
  for (let k = 0; k < 4; k++) out[k] /= size;
}
