// A finger that presses a point of a body with a force along a direction of the world.

import type { Vector } from "./module";
import type { Press } from "./package";
import type { Simulation } from "./simulation";

const RISE = 0.008; // s in which the force reaches what is asked for

export class Finger {
  /** N, at this moment. */
  force = 0;
  private goal = 0;
  private slope = 0; // N/s
  private home = 0; // m: where the point is at the start

  constructor(
    private readonly press: Press,
    private readonly simulation: Simulation,
  ) {}

  /** The point is at its start. */
  begin(): void {
    this.force = this.goal = 0;
    this.home = this.height();
  }

  /** Presses with a force from now on; 0 lets go. */
  ask(force: number): void {
    this.goal = Math.min(Math.max(Number.isFinite(force) ? force : 0, 0), this.press.most);
    this.slope = Math.abs(this.goal - this.force) / RISE;
  }

  get presses(): boolean {
    return this.force !== 0 || this.goal !== 0;
  }

  /** The force and the moment of this tick on its body. */
  wrench(dt: number): number[] {
    const step = this.slope * dt;
    this.force += Math.min(step, Math.max(-step, this.goal - this.force));
    const F = this.vector;
    const { arm } = this.place();
    return [...F, arm[1] * F[2] - arm[2] * F[1], arm[2] * F[0] - arm[0] * F[2], arm[0] * F[1] - arm[1] * F[0]];
  }

  get vector(): Vector {
    return this.press.along.map((x) => this.force * x) as Vector;
  }

  /** How far the point has been pressed along the direction, m. */
  get way(): number {
    return this.height() - this.home;
  }

  /** The point in the world, and its way from the place of its body; by what was looked at last. */
  place(): { at: Vector; arm: Vector } {
    const { p, R } = this.simulation.motion(this.press.body);
    const { point } = this.press;
    const arm = [0, 1, 2].map((k) => R[3 * k] * point[0] + R[3 * k + 1] * point[1] + R[3 * k + 2] * point[2]) as Vector;
    return { at: arm.map((x, k) => x + p[k]) as Vector, arm };
  }

  private height(): number {
    const { along } = this.press;
    return this.place().at.reduce((sum, x, k) => sum + x * along[k], 0);
  }
}
