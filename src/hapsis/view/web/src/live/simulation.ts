// The motion: the state, its steps, what is seen of it, and where it must stand still.
//
// Nothing here knows of a page, so that the same code runs in a worker, in Node and in the tests.

import { Finger } from "./finger";
import { Hand, type Held } from "./hand";
import { type Layout, Module, type Vector } from "./module";
import type { Call, Native, Package } from "./package";
import { Patches } from "./patches";
import { Touches } from "./touches";

const MOST_GAP = 0.02; // of the size, where a loop counts as apart
const BETTER = 3; // times: a smallest pivot that much larger leads better
const CHOICE = 0.002; // s from one look at the loops, and choice of a partition, to the next

export class Simulation {
  readonly viewCall: Layout;
  readonly stepCall: Layout;
  ticks = 0;
  /** Why the motion stands still; empty while it moves. */
  trouble = "";
  /** The number of the partition by which steps are computed. */
  way = 0;
  readonly touches: Touches | null;
  readonly finger: Finger | null;
  readonly patches: Patches | null;
  private pressed: number[] | null = null; // force and moment of the finger
  private readonly hand: Hand;
  private readonly gapCall: Layout | null;
  private readonly ways: { prepared: Float64Array; addresses: number[]; pivots: Layout | null }[];
  private readonly apart: number; // ticks from one choice to the next
  private stale = true; // p has changed since it was prepared
  private changed = true; // p has changed since the last tick, which closes loops anew
  private readonly good: { state: Float64Array[]; ticks: number }; // where all was well the last time

  static async create(content: Package): Promise<Simulation> {
    return new Simulation(content, await Module.load(content));
  }

  private constructor(
    readonly content: Package,
    private readonly module: Module,
  ) {
    this.hand = new Hand(this, module);
    this.touches = content.sounds.length ? new Touches(content.sounds) : null;
    this.finger = content.press && new Finger(content.press, this);
    this.stepCall = module.layout(content.step);
    this.patches = content.particles ? new Patches(content.particles, this.stepCall.inputs) : null;
    this.ways = content.steps.map((each) => {
      const prepared = each.prepared ? module.place(each.prepared) : this.p;
      const { inputs, outputs } = this.stepCall;
      const arrays = [...inputs, ...(each.parameters ? [prepared] : []), ...outputs];
      const addresses = each.native ? this.packed(each.native) : arrays.map((array) => array.byteOffset);
      return { prepared, addresses, pivots: each.pivots && module.layout(each.pivots) };
    });
    this.viewCall = module.layout(content.view);
    this.gapCall = content.gap && module.layout(content.gap);
    this.good = { state: this.stepCall.inputs.slice(0, content.states).map((x) => x.slice()), ticks: 0 };
    this.apart = Math.max(1, Math.round(CHOICE / content.dt));
    this.reset(true);
  }

  /** The arguments of a native step: states, inputs, none that are live, the same of outputs, and its memory. */
  private packed({ address }: Native): number[] {
    const { inputs, outputs } = this.stepCall;
    const ends = [inputs, outputs].map((arrays) => [arrays[0], arrays[this.content.states] ?? arrays[0]]);
    const [[y, u], [yNew, out]] = ends.map((pair) => pair.map((array) => array.byteOffset));
    return [y, u, u, yNew, out, address];
  }

  get p(): Float64Array {
    return this.module.p;
  }

  /** The state at the start; the parameters stay as they are, unless they are asked for too. */
  reset(parameters = false): void {
    if (parameters) this.p.set(this.content.p);
    this.stale = true;
    this.changed = true;
    for (const { native } of this.content.steps) if (native) this.module.fresh(native);
    this.release();
    const given = parameters ? this.content.start.length : this.content.states; // what sliders give stays too
    for (let k = 0; k < given; k++) this.stepCall.inputs[k].set(this.content.start[k]);
    this.ticks = 0;
    this.way = 0;
    this.trouble = "";
    this.keep();
    this.look();
    this.touches?.clear();
    if (this.finger && this.pressed) this.lift();
    this.finger?.begin();
  }

  set(place: number, value: number): void {
    this.p[place] = value;
    this.stale = true;
    this.changed = true;
  }

  /** An input of the step that no step gives again, from the next tick on. */
  give(port: number, value: number): void {
    this.stepCall.inputs[port].fill(value);
  }

  /** The signals of the present state. */
  signals(): number[] {
    if (this.finger) this.look();
    return this.content.signals.map((_, k) => this.signal(k));
  }

  /** One signal of the present state; those of the finger as `look` left it. */
  private signal(k: number): number {
    const { output, port, place } = this.content.signals[k];
    if (port < 0) return place ? this.fingerForce() : this.finger!.way;
    return (output ? this.stepCall.outputs : this.stepCall.inputs)[port][place];
  }

  /** What acts on the pressed body along the direction of the finger, N: the finger, and the hand. */
  private fingerForce(): number {
    const { body, along } = this.content.press!;
    const { held } = this;
    const hand = held?.body === body ? held.force.reduce((sum, x, k) => sum + x * along[k], 0) : 0;
    return this.finger!.force + hand;
  }

  /** A row of a recording: the signals, what is given, the force of the hand. */
  record(): number[] {
    const given = this.content.inputs.map(({ port }) => this.stepCall.inputs[port][0]);
    return [...this.signals(), ...given, ...(this.held?.force ?? [0, 0, 0])];
  }

  /** The place and the axes of every body, as `look` left them. */
  poses(): Float64Array {
    if (this.patches) return this.patches.poses();
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
    if (this.gapCall && this.ticks % this.apart === 0) {
      this.check();
      if (this.trouble) return;
      if (this.ways.length > 1) this.choose();
    }
    if (this.finger && (this.finger.presses || this.pressed)) this.pressOn();
    this.hand.pull();
    this.compute();
    const { inputs, outputs } = this.stepCall;
    for (let k = 0; k < this.content.states; k++) {
      if (!outputs[k].every(Number.isFinite)) {
        const loops = this.gapCall ? "; with loops this is mostly a position that the step does not pass" : "";
        const { native } = this.content.steps[this.way];
        this.stop(native && !this.patches ? "the contacts of a step were not solved" : `the motion is no number any more${loops}`);
        return;
      }
    }
    for (let k = 0; k < this.content.states; k++) inputs[k].set(outputs[k]);
    this.ticks += 1;
    this.changed = false;
    this.touches?.look((k) => this.signal(k), this.time);
  }

  /** The finger of this tick. */
  private pressOn(): void {
    const { finger } = this;
    if (!finger!.presses) return this.lift();
    this.look();
    this.pressed = finger!.wrench(this.content.dt);
    if (this.held?.body !== this.content.press!.body) this.push(this.content.press!.body, [0, 0, 0, 0, 0, 0]);
  }

  private lift(): void {
    this.pressed = null;
    this.push(this.content.press!.body, [0, 0, 0, 0, 0, 0]);
  }

  /** The largest gap of any loop, m or rad. Loops that have come apart stop the motion where they were closed.
   *  A length that has just changed opens them until the next tick. */
  check(): number {
    const gap = this.trouble || this.changed ? 0 : this.gap();
    if (gap > MOST_GAP * Math.max(this.content.size, 1e-9) || Number.isNaN(gap)) {
      this.stop("the mechanism came to a position that its step does not pass: a loop has come apart");
    } else if (!this.trouble) this.keep();
    return gap;
  }

  private gap(): number {
    if (!this.gapCall) return 0;
    const [rows] = this.evaluate("gap", this.content.gap!, this.gapCall);
    return rows.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  }

  /** Goes on by another partition of the loops where that one leads much better. */
  private choose(): void {
    const sizes = this.ways.map(({ pivots }, k) => {
      const { pivots: call, units } = this.content.steps[k];
      const [values] = this.evaluate(`pivots${k}`, call!, pivots!);
      return values.reduce((least, x, n) => Math.min(least, Math.abs(x) / units[n]), Infinity);
    });
    const best = sizes.indexOf(Math.max(...sizes));
    if (sizes[best] > BETTER * sizes[this.way]) {
      this.way = best;
      this.stale = true;
    }
  }

  /** A function of the state, at the present one. */
  private evaluate(name: string, call: Call, { inputs, outputs, addresses }: Layout): Float64Array[] {
    call.inputs.forEach((port, k) => {
      const place = this.content.step.inputs.findIndex((own) => own.name === port.name);
      inputs[k].set(this.stepCall.inputs[place]);
    });
    this.module.call(name, addresses);
    return outputs;
  }

  /** Remembers a state in which all is well. */
  private keep(): void {
    this.good.state.forEach((values, k) => values.set(this.stepCall.inputs[k]));
    this.good.ticks = this.ticks;
  }

  /** Stands still, where all was well the last time. */
  private stop(reason: string): void {
    this.trouble = `after ${this.time.toPrecision(4)} s ${reason}`;
    this.release();
    this.finger?.ask(0);
    this.good.state.forEach((values, k) => this.stepCall.inputs[k].set(values));
    this.ticks = this.good.ticks;
  }

  /** The step from the present state, which stays as it is: `stepCall.outputs`. What it remembers changes. */
  compute(): void {
    const { prepared, addresses } = this.ways[this.way];
    const { native } = this.content.steps[this.way];
    if (this.stale) {
      if (native) this.module.prepare(native);
      else if (prepared !== this.p) this.module.call(`prepare${this.way}`, [this.p.byteOffset, prepared.byteOffset]);
      this.stale = false;
    }
    this.module.call(`step${this.way}`, addresses);
  }

  /** What steps remember; null where they remember nothing. */
  memory(): Uint8Array | null {
    const { native } = this.content.steps[this.way];
    return native && this.module.bytes(native).slice();
  }

  /** Lets steps remember that, and nothing later. */
  recall(memory: Uint8Array | null): void {
    const { native } = this.content.steps[this.way];
    if (!native || !memory) return;
    this.module.bytes(native).set(memory);
    this.stale = true;
  }

  /** Computes what is seen from the present state, or from another one: `viewCall.outputs`. */
  look(state: Float64Array[] = this.stepCall.inputs): void {
    if (this.patches) return this.patches.look(state);
    const { inputs } = this.viewCall;
    for (let k = 0; k < Math.min(inputs.length, 2); k++) inputs[k].set(state[k]);
    this.module.call("view", this.viewCall.addresses);
  }

  /** The place, the axes (by rows) and the speeds of a body, as `look` left them. */
  motion(body: number): { p: Float64Array; R: Float64Array; V: Float64Array } {
    if (this.patches) return this.patches.motion(body);
    const [p, R, V] = this.viewCall.outputs.slice(3 * body, 3 * body + 3);
    return { p, R, V };
  }

  /** A hand holds a body at a point of the world; from now on it pulls towards the goal. */
  grab(body: number, point: Vector): void {
    this.release();
    this.patches?.choose(body, point);
    this.hand.grab(body, point);
  }

  move(goal: Vector): void {
    if (this.held && goal.every(Number.isFinite)) this.held.goal = goal; // else it stays where it was
  }

  release(): void {
    this.hand.release();
  }

  get held(): Held | null {
    return this.hand.held;
  }

  /** Force and moment of the hand on a body from now on; those of the finger come on top. */
  push(body: number, wrench: number[]): void {
    if (this.patches) {
      this.patches.push(this.p, wrench);
      this.stale = true;
      return;
    }
    const more = this.pressed && body === this.content.press!.body ? this.pressed : null;
    this.content.handles[body].places.forEach((place, k) => {
      if (place >= 0) this.p[place] = wrench[k] + (more ? more[k] : 0);
    });
    this.stale = true;
  }
}
