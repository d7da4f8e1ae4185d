// A finger that presses a point of a body along a direction of the world: with a force, or by a motion.
//
// By a motion: it goes down with a constant acceleration that would give it the asked speed at its depth, and pushes by
// a stiff spring and a damper, F = k (s - x) + d (ds/dt - dx/dt), which never pull. They suit the mass that is felt there.

import { AGAIN, cross, felt, locate, type Point } from "./hand";
import type { Vector } from "./module";
import type { Press } from "./package";
import type { Simulation } from "./simulation";

const RISE = 0.008; // s in which a force reaches what is asked for
const SOFT = 0.04; // of the depth, by which the finger gives way under its largest force
const SETTLED = 0.03; // s after which a key that has reached its end rests
const LIFT = 0.4; // m/s, the slowest way up

export class Finger {
  /** N, at this moment. */
  force = 0;
  /** m, where a finger that moves is. */
  s = 0;
  private rate = 0; // m/s, of s
  private asked = 0; // N or m/s
  private slope = 0; // N/s
  private up = LIFT; // m/s
  private home = 0; // m: where the point is at the start
  private ticks = 0;
  private since = Infinity; // s for which s has not changed
  private mass = 0; // kg, felt
  private readonly touched: Point;

  constructor(
    private readonly press: Press,
    private readonly simulation: Simulation,
  ) {
    this.touched = { body: press.body, point: press.point, at: [0, 0, 0], speed: [0, 0, 0] };
  }

  /** The point is at its start. */
  begin(): void {
    this.force = this.asked = this.s = this.rate = this.ticks = 0;
    this.since = Infinity;
    this.home = this.height();
  }

  /** Presses with a force, or a speed, from now on; 0 lets go. */
  ask(value: number): void {
    this.asked = Math.min(Math.max(Number.isFinite(value) ? value : 0, 0), this.press.most);
    this.slope = Math.abs(this.asked - this.force) / RISE;
    if (this.asked) this.up = Math.max(LIFT, this.asked);
  }

  get presses(): boolean {
    return this.force !== 0 || this.asked !== 0 || this.s !== 0;
  }

  /** Whether it is on its way, or has just arrived. */
  get moves(): boolean {
    return this.press.depth ? this.since < SETTLED : this.presses;
  }

  /** The force and the moment of this tick on its body. */
  wrench(dt: number): number[] {
    if (this.press.depth) this.follow(dt);
    else {
      const step = this.slope * dt;
      this.force += Math.min(step, Math.max(-step, this.asked - this.force));
    }
    this.simulation.look();
    const F = this.vector;
    return [...F, ...cross(locate(this.simulation, this.touched), F)];
  }

  get vector(): Vector {
    return this.press.along.map((x) => this.force * x) as Vector;
  }

  /** How far the point has been pressed along the direction, m. */
  get way(): number {
    return this.height() - this.home;
  }

  /** Where the point is in the world, by what was looked at last. */
  get at(): Vector {
    locate(this.simulation, this.touched);
    return [...this.touched.at];
  }

  /** One tick of a finger that moves. */
  private follow(dt: number): void {
    const { press, simulation, touched } = this;
    const { depth, along, limit } = press;
    const before = this.s;
    if (this.asked) this.rate = Math.min(this.asked, Math.max(this.rate, 0) + ((this.asked * this.asked) / (2 * depth)) * dt);
    else this.rate = -this.up;
    this.s = Math.min(depth, Math.max(0, before + this.rate * dt));
    this.since = this.s === before ? this.since + dt : 0;
    if (this.ticks % AGAIN === 0) {
      const W = felt(simulation, touched);
      const inverse = along.reduce((sum, x, i) => sum + along.reduce((row, y, j) => row + x * W[3 * i + j] * y, 0), 0);
      this.mass = inverse * simulation.content.coupling.mass > 1 ? 1 / inverse : simulation.content.coupling.mass;
    }
    this.ticks += 1;
    simulation.look();
    locate(simulation, touched);
    const k = Math.min(limit / (SOFT * depth), (0.1 * this.mass) / (dt * dt));
    const d = Math.min(1.4 * Math.sqrt(k * this.mass), (0.5 * this.mass) / dt);
    const speed = dot(touched.speed, along);
    const F = k * (this.s - (dot(touched.at, along) - this.home)) + d * ((this.s - before) / dt - speed);
    this.force = this.s > 0 || this.asked ? Math.min(limit, Math.max(0, F)) : 0;
  }

  private height(): number {
    return dot(this.at, this.press.along);
  }
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
