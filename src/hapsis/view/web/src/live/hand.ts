// The hand that holds a body: a spring and damper to the pointer, limited by the guard as on a device.
//
//   F = K (target - at) + D (speed of the target - speed of the held point)
//
// K and D are those of `coupling`, found from what a small force would change in the next tick, every few ticks.

import { type Gains, gains, type Matrix } from "./coupling";
import type { Module, Vector } from "./module";
import type { Simulation } from "./simulation";

const AXES = 3;
const SMOOTHING = 0.015; // s: the hand follows the pointer within this time
export const AGAIN = 5; // ticks until it is felt again what the hand holds
const PROBE = 0.01; // of the largest force, to feel it

/** A point of a body and how it moves. */
export interface Point {
  body: number;
  point: Vector; // in the axes of the body
  at: Vector; // in the world
  speed: Vector;
}

export interface Held extends Point {
  goal: Vector; // where the pointer is, in the world
  target: Vector; // where the hand is on its way there
  force: Vector; // on the body
  pace: Vector; // of the target
  gains: Gains;
  ticks: number; // since it was taken
}

export class Hand {
  held: Held | null = null;

  constructor(
    private readonly simulation: Simulation,
    private readonly module: Module,
  ) {}

  /** Holds a body at a point of the world; from now on it pulls towards the goal. */
  grab(body: number, point: Vector): void {
    const { simulation } = this;
    this.release();
    if (!point.every(Number.isFinite)) return;
    simulation.look();
    const { p, R } = simulation.motion(body);
    const arm: Vector = [point[0] - p[0], point[1] - p[1], point[2] - p[2]];
    const inside = [0, 1, 2].map((k) => R[k] * arm[0] + R[3 + k] * arm[1] + R[6 + k] * arm[2]) as Vector;
    this.module.freshGuard();
    const zero = (): Vector => [0, 0, 0];
    const still = { force: zero(), speed: zero(), pace: zero(), ticks: 0 };
    const none = { stiffness: new Float64Array(9), damping: new Float64Array(9) };
    this.held = { body, point: inside, goal: [...point], target: [...point], at: [...point], gains: none, ...still };
  }

  release(): void {
    if (this.held) this.simulation.push(this.held.body, [0, 0, 0, 0, 0, 0]);
    this.held = null;
  }

  /** The force of this tick, as force and moment on the body. */
  pull(): void {
    const { held, simulation } = this;
    if (!held) return;
    const { dt, coupling } = simulation.content;
    if (held.ticks % AGAIN === 0) held.gains = gains(simulation.patches?.feels() ?? felt(simulation, held), coupling.stiffness, coupling.mass, dt);
    held.ticks += 1;
    simulation.look();
    const arm = locate(simulation, held);
    const share = Math.min(1, dt / SMOOTHING);
    const stretch: Vector = [0, 0, 0];
    const slip: Vector = [0, 0, 0];
    for (let k = 0; k < AXES; k++) {
      const before = held.target[k];
      held.target[k] += share * (held.goal[k] - before);
      held.pace[k] = (held.target[k] - before) / dt;
      stretch[k] = held.target[k] - held.at[k];
      slip[k] = held.pace[k] - held.speed[k];
    }
    const { stiffness, damping } = held.gains;
    const wanted = [0, 1, 2].map((k) => dot3(stiffness, 3 * k, stretch) + dot3(damping, 3 * k, slip)) as Vector;
    held.force = this.module.guarded(withinReason(wanted, coupling.limit), held.target, held.pace);
    simulation.push(held.body, [...held.force, ...cross(arm, held.force)]);
  }
}

/** Place and speed of a point in what was looked at last; what comes back is its way from the body's place. */
export function locate(simulation: Simulation, held: Point): Vector {
  const { p, R, V } = simulation.motion(held.body);
  const arm = [0, 1, 2].map((k) => dot3(R, 3 * k, held.point)) as Vector;
  const swing = cross([V[0], V[1], V[2]], arm);
  for (let k = 0; k < AXES; k++) {
    held.at[k] = p[k] + arm[k];
    held.speed[k] = V[3 + k] + swing[k];
  }
  return arm;
}

/** The inverse mass at a point: what a small force along each axis changes of its speed in one tick, over its impulse. */
export function felt(simulation: Simulation, held: Point): Matrix {
  const { dt, coupling } = simulation.content;
  simulation.look();
  const arm = locate(simulation, held);
  const probe = PROBE * coupling.limit;
  const memory = simulation.memory(); // a trial leaves no trace in it
  const speeds = [-1, 0, 1, 2].map((axis) => {
    const force: Vector = [0, 0, 0];
    if (axis >= 0) force[axis] = probe;
    simulation.push(held.body, [...force, ...cross(arm, force)]);
    simulation.compute();
    simulation.recall(memory);
    simulation.look(simulation.stepCall.outputs);
    locate(simulation, held);
    return [...held.speed];
  });
  const W: Matrix = new Float64Array(9);
  for (let row = 0; row < AXES; row++) {
    for (let column = 0; column < AXES; column++) {
      W[3 * row + column] = (speeds[1 + column][row] - speeds[0][row]) / (probe * dt);
    }
  }
  return W;
}

/** A force of the same direction of at most ten limits: what is beyond any force is a fault to the guard. */
function withinReason(force: Vector, limit: number): Vector {
  const share = (10 * limit) / Math.hypot(...force);
  return share < 1 ? (force.map((x) => x * share) as Vector) : force;
}

function dot3(R: Float64Array, row: number, x: Vector): number {
  return R[row] * x[0] + R[row + 1] * x[1] + R[row + 2] * x[2];
}

export function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
