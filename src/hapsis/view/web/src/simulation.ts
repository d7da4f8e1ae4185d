// The motion: one WebAssembly module, its memory, and the hand that holds a body.
//
// Nothing here knows of a page, so that the same code runs in a worker, in Node and in the tests.

import { type Gains, gains } from "./coupling";
import type { Call, Package } from "./package";

export type Vector = [number, number, number];

const AXES = 3;
const SAMPLE = 3 * AXES + 2; // position, velocity, force, status, counter
const SMOOTHING = 0.015; // s: the hand follows the pointer within this time
const AGAIN = 5; // ticks until it is felt again what the hand holds
const PROBE = 0.01; // of the largest force, to feel it

export interface Held {
  body: number;
  point: Vector; // in the axes of the body
  goal: Vector; // where the pointer is, in the world
  target: Vector; // where the hand is on its way there
  force: Vector; // on the body
  at: Vector; // the held point in the world
  speed: Vector; // of the held point
  pace: Vector; // of the target
  gains: Gains;
  ticks: number; // since it was taken
}

interface Layout {
  inputs: Float64Array[];
  outputs: Float64Array[];
  addresses: number[];
}

export class Simulation {
  readonly p: Float64Array;
  readonly viewCall: Layout;
  readonly stepCall: Layout;
  ticks = 0;
  held: Held | null = null;
  /** Why the motion stands still; empty while it moves. */
  trouble = "";
  private readonly functions: Record<string, (...addresses: number[]) => void>;
  private readonly memory: WebAssembly.Memory;
  private readonly prepared: Float64Array;
  private readonly guard: { address: number; image: Uint8Array };
  private readonly wanted: Float64Array;
  private readonly sample: Float64Array;
  private readonly safe: Float64Array;
  private stale = true; // p has changed since it was prepared

  static async create(content: Package): Promise<Simulation> {
    const bytes = bytesOf(content.wasm);
    const { instance } = await WebAssembly.instantiate(bytes as BufferSource, {});
    return new Simulation(content, instance);
  }

  constructor(readonly content: Package, instance: WebAssembly.Instance) {
    const { memory, heap, ...functions } = instance.exports as Record<string, unknown>;
    this.functions = functions as Record<string, (...addresses: number[]) => void>;
    this.memory = memory as WebAssembly.Memory;
    const image = bytesOf(content.guard.image);
    const start = (heap as WebAssembly.Global).value as number;
    // the image of the guard was made for the first free address
    this.guard = { address: start, image };
    const numbers = 64 + sizes(content.step) + sizes(content.view) + content.p.length + content.prepared;
    const needed = start + image.length + 64 + 8 * (numbers + 2 * AXES + SAMPLE);
    const missing = needed - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / 65536));
    let at = Math.ceil((start + image.length) / 64) * 64;
    const place = (size: number): Float64Array => {
      const array = new Float64Array(this.memory.buffer, at, size);
      at += 8 * size;
      return array;
    };
    this.p = place(content.p.length);
    this.prepared = content.prepared ? place(content.prepared) : this.p;
    this.wanted = place(AXES);
    this.sample = place(SAMPLE);
    this.safe = place(AXES);
    this.stepCall = layout(content.step, this.prepared, place);
    this.viewCall = layout(content.view, this.p, place);
    this.reset(true);
  }

  /** The state at the start; the parameters stay as they are, unless they are asked for too. */
  reset(parameters = false): void {
    if (parameters) this.p.set(this.content.p);
    this.stale = true;
    this.release();
    this.content.start.forEach((values, k) => this.stepCall.inputs[k].set(values));
    this.ticks = 0;
    this.trouble = "";
    this.look();
  }

  set(place: number, value: number): void {
    this.p[place] = value;
    this.stale = true;
  }

  /** An input of the step that no step gives again, from the next tick on. */
  give(port: number, value: number): void {
    this.stepCall.inputs[port].fill(value);
  }

  /** The signals of the present state. */
  signals(): number[] {
    const { inputs, outputs } = this.stepCall;
    return this.content.signals.map(({ output, port, place }) => (output ? outputs : inputs)[port][place]);
  }

  /** The place and the axes of every body, as `look` left them. */
  poses(): Float64Array {
    const count = this.content.handles.length;
    const poses = new Float64Array(12 * count);
    for (let body = 0; body < count; body++) {
      const { p, R } = this.motion(body);
      poses.set(p, 12 * body);
      poses.set(R, 12 * body + 3);
    }
    return poses;
  }

  get time(): number {
    return this.ticks * this.content.dt;
  }

  /** One tick: the hand, the step, and whether its result is a motion. */
  tick(): void {
    if (this.trouble) return;
    if (this.held) this.pull(this.held);
    this.compute();
    const { inputs, outputs } = this.stepCall;
    for (let k = 0; k < this.content.states; k++) {
      if (!outputs[k].every(Number.isFinite)) {
        this.trouble = `after ${this.time.toPrecision(4)} s the motion is no number any more`;
        return;
      }
    }
    for (let k = 0; k < this.content.states; k++) inputs[k].set(outputs[k]);
    this.ticks += 1;
  }

  /** The step from the present state, which stays as it is: `stepCall.outputs`. */
  private compute(): void {
    if (this.stale) {
      if (this.content.prepared) this.functions.prepare(this.p.byteOffset, this.prepared.byteOffset);
      this.stale = false;
    }
    this.functions.step(...this.stepCall.addresses);
  }

  /** Computes what is seen from the present state, or from another one: `viewCall.outputs`. */
  look(state: Float64Array[] = this.stepCall.inputs): void {
    const { inputs } = this.viewCall;
    for (let k = 0; k < Math.min(inputs.length, 2); k++) inputs[k].set(state[k]);
    this.functions.view(...this.viewCall.addresses);
  }

  /** The place, the axes (by rows) and the speeds of a body, as `look` left them. */
  motion(body: number): { p: Float64Array; R: Float64Array; V: Float64Array } {
    const [p, R, V] = this.viewCall.outputs.slice(3 * body, 3 * body + 3);
    return { p, R, V };
  }

  /** A hand holds a body at a point of the world; from now on it pulls towards the goal. */
  grab(body: number, point: Vector): void {
    this.look();
    const { p, R } = this.motion(body);
    const arm: Vector = [point[0] - p[0], point[1] - p[1], point[2] - p[2]];
    const inside = [0, 1, 2].map((k) => R[k] * arm[0] + R[3 + k] * arm[1] + R[6 + k] * arm[2]) as Vector;
    new Uint8Array(this.memory.buffer).set(this.guard.image, this.guard.address);
    this.sample.fill(0);
    const zero = (): Vector => [0, 0, 0];
    const still = { force: zero(), speed: zero(), pace: zero(), ticks: 0 };
    const none = { stiffness: new Float64Array(9), damping: new Float64Array(9) };
    this.held = { body, point: inside, goal: [...point], target: [...point], at: [...point], gains: none, ...still };
  }

  move(goal: Vector): void {
    if (this.held) this.held.goal = goal;
  }

  release(): void {
    if (this.held) {
      this.push(this.held.body, [0, 0, 0, 0, 0, 0]);
    }
    this.held = null;
  }

  /** The force of the hand, limited by the guard, as force and moment on the body. */
  private pull(held: Held): void {
    if (held.ticks % AGAIN === 0) held.gains = this.felt(held);
    held.ticks += 1;
    this.look();
    const arm = this.hold(held);
    const share = Math.min(1, this.content.dt / SMOOTHING);
    const stretch: Vector = [0, 0, 0];
    const slip: Vector = [0, 0, 0];
    for (let k = 0; k < AXES; k++) {
      const before = held.target[k];
      held.target[k] += share * (held.goal[k] - before);
      held.pace[k] = (held.target[k] - before) / this.content.dt;
      stretch[k] = held.target[k] - held.at[k];
      slip[k] = held.pace[k] - held.speed[k];
    }
    const { stiffness, damping } = held.gains;
    for (let k = 0; k < AXES; k++) {
      this.wanted[k] = -(dot3(stiffness, 3 * k, stretch) + dot3(damping, 3 * k, slip)); // what the hand feels
      this.sample[k] = held.target[k];
      this.sample[AXES + k] = held.pace[k];
    }
    this.sample[SAMPLE - 1] += 1;
    this.functions.guard(
      this.wanted.byteOffset,
      this.sample.byteOffset,
      this.safe.byteOffset,
      this.guard.address,
    );
    for (let k = 0; k < AXES; k++) held.force[k] = -this.safe[k];
    this.push(held.body, [...held.force, ...cross(arm, held.force)]);
  }

  /** Place and speed of the held point in what was looked at last; what comes back is its way from the body's place. */
  private hold(held: Held): Vector {
    const { p, R, V } = this.motion(held.body);
    const arm = [0, 1, 2].map((k) => dot3(R, 3 * k, held.point)) as Vector;
    const swing = cross([V[0], V[1], V[2]], arm);
    for (let k = 0; k < AXES; k++) {
      held.at[k] = p[k] + arm[k];
      held.speed[k] = V[3 + k] + swing[k];
    }
    return arm;
  }

  /** Springs and dampers for what is held: a small force along each axis is tried for one tick. */
  private felt(held: Held): Gains {
    const { stiffness, mass, limit } = this.content.coupling;
    this.look();
    const arm = this.hold(held);
    const probe = PROBE * limit;
    const speeds = [-1, 0, 1, 2].map((axis) => {
      const force: Vector = [0, 0, 0];
      if (axis >= 0) force[axis] = probe;
      this.push(held.body, [...force, ...cross(arm, force)]);
      this.compute();
      this.look(this.stepCall.outputs);
      this.hold(held);
      return [...held.speed];
    });
    const W = new Float64Array(9);
    for (let row = 0; row < AXES; row++) {
      for (let column = 0; column < AXES; column++) {
        W[3 * row + column] = (speeds[1 + column][row] - speeds[0][row]) / (probe * this.content.dt);
      }
    }
    return gains(W, stiffness, mass, this.content.dt);
  }

  /** Force and moment on a body from now on. */
  private push(body: number, wrench: number[]): void {
    this.content.handles[body].places.forEach((place, k) => {
      if (place >= 0) this.p[place] = wrench[k];
    });
    this.stale = true;
  }
}

function sizes(call: Call): number {
  return [...call.inputs, ...call.outputs].reduce((sum, port) => sum + port.size, 0);
}

function layout(call: Call, p: Float64Array, place: (size: number) => Float64Array): Layout {
  const inputs = call.inputs.map((port) => place(port.size));
  const outputs = call.outputs.map((port) => place(port.size));
  const between = call.parameters ? [p] : [];
  return { inputs, outputs, addresses: [...inputs, ...between, ...outputs].map((array) => array.byteOffset) };
}

function dot3(R: Float64Array, row: number, x: Vector): number {
  return R[row] * x[0] + R[row + 1] * x[1] + R[row + 2] * x[2];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
