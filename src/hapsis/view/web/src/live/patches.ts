// Objects of particles as bodies that a hand can hold: a few particles near the point move as one patch.
//
// The mass of a patch is that of its particles: within a tick the others do not follow yet.

import type { Matrix } from "./coupling";
import type { Vector } from "./module";
import type { Particles } from "./package";

const REACH = 0.2; // of the size of an object, around the nearest particle
const AXES = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);

export class Patches {
  private members: number[] = [];
  private held = -1; // the object
  private seen: Float64Array[];

  constructor(
    private readonly particles: Particles,
    private readonly states: Float64Array[],
  ) {
    this.seen = states;
  }

  /** From now on positions and velocities of this state are seen. */
  look(state: Float64Array[]): void {
    this.seen = state;
  }

  /** The particles of an object near a point, which a hand will hold. */
  choose(body: number, point: Vector): void {
    this.held = body;
    const [x] = this.states;
    const { first, count, size } = this.particles.objects[body];
    const away = (i: number, from: ArrayLike<number>, at: number) =>
      Math.hypot(x[3 * i] - from[at], x[3 * i + 1] - from[at + 1], x[3 * i + 2] - from[at + 2]);
    const all = Array.from({ length: count }, (_, k) => first + k);
    const nearest = all.reduce((best, i) => (away(i, point, 0) < away(best, point, 0) ? i : best), first);
    this.members = all.filter((i) => away(i, x, 3 * nearest) <= REACH * size);
  }

  /** The mean place and velocity of the patch that is held; of another object those of all its particles. */
  motion(body: number): { p: Float64Array; R: Float64Array; V: Float64Array } {
    const { first, count } = this.particles.objects[body];
    const members = body === this.held ? this.members : Array.from({ length: count }, (_, k) => first + k);
    const p = new Float64Array(3);
    const V = new Float64Array(6);
    const mass = this.mass(members);
    for (const i of members) {
      const share = this.particles.masses[i] / mass;
      for (let c = 0; c < 3; c++) {
        p[c] += share * this.seen[0][3 * i + c];
        V[3 + c] += share * this.seen[1][3 * i + c];
      }
    }
    return { p, R: AXES, V };
  }

  /** A force on the patch that is held: each particle has the part of its mass. */
  push(p: Float64Array, force: number[]): void {
    const mass = this.mass(this.members);
    for (const i of this.members) {
      const share = this.particles.masses[i] / mass;
      for (let c = 0; c < 3; c++) p[this.particles.pushes + 3 * i + c] = share * force[c];
    }
  }

  /** The inverse mass of the patch that is held, in each direction. */
  feels(): Matrix {
    return AXES.map((x) => x / this.mass(this.members));
  }

  /** A pose of no consequence for each object, and behind these the places of all particles. */
  poses(): Float64Array {
    const { objects } = this.particles;
    const poses = new Float64Array(12 * objects.length + this.seen[0].length);
    objects.forEach((_, k) => poses.set(AXES, 12 * k + 3));
    poses.set(this.seen[0], 12 * objects.length);
    return poses;
  }

  private mass(members: number[]): number {
    return members.reduce((sum, i) => sum + this.particles.masses[i], 0);
  }
}
