// The motion: one WebAssembly module and its memory.
//
// Nothing here knows of a page, so that the same code runs in a worker, in Node and in the tests.

import { Hand, type Held } from "./hand";
import type { Call, Package } from "./package";

export type Vector = [number, number, number];

const AXES = 3;
const SAMPLE = 3 * AXES + 2; // position, velocity, force, status, counter
const MOST_GAP = 0.02; // of the size, where a loop counts as apart

interface Layout {
  inputs: Float64Array[];
  outputs: Float64Array[];
  addresses: number[];
}

export class Simulation {
  readonly p: Float64Array;
  readonly viewCall: Layout;
  readonly stepCall: Layout;
  private readonly gapCall: Layout | null;
  ticks = 0;
  private readonly hand = new Hand(this);
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
  private good: { state: Float64Array[]; ticks: number } = { state: [], ticks: 0 };

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
    const numbers = 64 + sizes(content.gap) + sizes(content.step) + sizes(content.view) + content.p.length + content.prepared;
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
    this.gapCall = content.gap && layout(content.gap, this.p, place);
    this.reset(true);
  }

  /** The state at the start; the parameters stay as they are, unless they are asked for too. */
  reset(parameters = false): void {
    if (parameters) this.p.set(this.content.p);
    this.stale = true;
    this.release();
    const given = parameters ? this.content.start.length : this.content.states; // what sliders give stays too
    for (let k = 0; k < given; k++) this.stepCall.inputs[k].set(this.content.start[k]);
    this.ticks = 0;
    this.trouble = "";
    this.keep();
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
    this.hand.pull();
    this.compute();
    const { inputs, outputs } = this.stepCall;
    for (let k = 0; k < this.content.states; k++) {
      if (!outputs[k].every(Number.isFinite)) {
        const loops = this.gapCall ? "; with loops this is mostly a position that the step does not pass" : "";
        this.stop(`the motion is no number any more${loops}`);
        return;
      }
    }
    for (let k = 0; k < this.content.states; k++) inputs[k].set(outputs[k]);
    this.ticks += 1;
  }

  /** The largest gap of any loop, m or rad. Loops that have come apart stop the motion where they were closed. */
  check(): number {
    const gap = this.trouble ? 0 : this.gap();
    if (gap > MOST_GAP * Math.max(this.content.size, 1e-9)) {
      this.stop("the mechanism came to a position that its step does not pass: a loop has come apart");
    } else if (!this.trouble) this.keep();
    return gap;
  }

  private gap(): number {
    if (!this.gapCall) return 0;
    const { inputs, outputs, addresses } = this.gapCall;
    this.content.gap!.inputs.forEach((port, k) => {
      const place = this.content.step.inputs.findIndex(({ name }) => name === port.name);
      inputs[k].set(this.stepCall.inputs[place]);
    });
    this.functions.gap(...addresses);
    return outputs[0].reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  }

  /** Remembers a state in which all is well. */
  private keep(): void {
    this.good = { state: this.stepCall.inputs.slice(0, this.content.states).map((x) => x.slice()), ticks: this.ticks };
  }

  /** Stands still, where all was well the last time. */
  private stop(reason: string): void {
    this.trouble = `after ${this.time.toPrecision(4)} s ${reason}`;
    this.release();
    this.good.state.forEach((values, k) => this.stepCall.inputs[k].set(values));
    this.ticks = this.good.ticks;
  }

  /** The step from the present state, which stays as it is: `stepCall.outputs`. */
  compute(): void {
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
    this.hand.grab(body, point);
  }

  move(goal: Vector): void {
    if (this.held) this.held.goal = goal;
  }

  release(): void {
    this.hand.release();
  }

  get held(): Held | null {
    return this.hand.held;
  }

  /** A guard that has seen nothing yet. */
  freshGuard(): void {
    new Uint8Array(this.memory.buffer).set(this.guard.image, this.guard.address);
    this.sample.fill(0);
  }

  /** The force that the guard allows, where the hand is at `place` with this speed. */
  guarded(force: Vector, place: Vector, speed: Vector): Vector {
    for (let k = 0; k < AXES; k++) {
      this.wanted[k] = -force[k]; // what the hand feels
      this.sample[k] = place[k];
      this.sample[AXES + k] = speed[k];
    }
    this.sample[SAMPLE - 1] += 1;
    this.functions.guard(
      this.wanted.byteOffset,
      this.sample.byteOffset,
      this.safe.byteOffset,
      this.guard.address,
    );
    return [-this.safe[0], -this.safe[1], -this.safe[2]];
  }

  /** Force and moment on a body from now on. */
  push(body: number, wrench: number[]): void {
    this.content.handles[body].places.forEach((place, k) => {
      if (place >= 0) this.p[place] = wrench[k];
    });
    this.stale = true;
  }
}

function sizes(call: Call | null): number {
  return !call ? 0 : [...call.inputs, ...call.outputs].reduce((sum, port) => sum + port.size, 0);
}

function layout(call: Call, p: Float64Array, place: (size: number) => Float64Array): Layout {
  const inputs = call.inputs.map((port) => place(port.size));
  const outputs = call.outputs.map((port) => place(port.size));
  const between = call.parameters ? [p] : [];
  return { inputs, outputs, addresses: [...inputs, ...between, ...outputs].map((array) => array.byteOffset) };
}

export function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}
