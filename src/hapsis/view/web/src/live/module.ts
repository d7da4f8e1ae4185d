// The WebAssembly module of a page, its memory, and the guard of the hand in it.

import { bytesOf } from "../bytes";
import type { Call, Native, Package } from "./package";

export type Vector = [number, number, number];

/** The numbers that a function takes and gives, in the memory of the module. */
export interface Layout {
  inputs: Float64Array[];
  outputs: Float64Array[];
  addresses: number[];
}

const AXES = 3;
const SAMPLE = 3 * AXES + 2; // position, velocity, force, status, counter
const PAGE = 65536; // bytes
const LINE = 64; // bytes

export class Module {
  readonly p: Float64Array;
  private readonly functions: Record<string, (...addresses: number[]) => void>;
  private readonly memory: WebAssembly.Memory;
  private next: number; // the first free address
  private readonly guard: { address: number; image: Uint8Array };
  private readonly wanted: Float64Array;
  private readonly sample: Float64Array;
  private readonly safe: Float64Array;

  static async load(content: Package): Promise<Module> {
    const { instance } = await WebAssembly.instantiate(bytesOf(content.wasm) as BufferSource, {});
    return new Module(content, instance);
  }

  private constructor(content: Package, instance: WebAssembly.Instance) {
    const { memory, heap, ...functions } = instance.exports as Record<string, unknown>;
    this.functions = functions as Record<string, (...addresses: number[]) => void>;
    this.memory = memory as WebAssembly.Memory;
    // the image of the guard was made for the first free address
    this.guard = { address: (heap as WebAssembly.Global).value as number, image: bytesOf(content.guard.image) };
    this.next = Math.ceil((this.guard.address + this.guard.image.length) / LINE) * LINE;
    // all of it at once: arrays would lose a memory that grows under them
    const { step, view, gap, steps } = content;
    for (const { native } of steps) if (native) this.next = native.address + native.size; // made for this address
    const ways = steps.reduce((sum, way) => sum + way.prepared + sizes(way.pivots), 0);
    const numbers = content.p.length + sizes(step) + sizes(view) + sizes(gap) + ways + 2 * AXES + SAMPLE;
    const missing = this.next + 8 * numbers - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    this.p = this.place(content.p.length);
    this.wanted = this.place(AXES);
    this.sample = this.place(SAMPLE);
    this.safe = this.place(AXES);
  }

  call(name: string, addresses: number[]): void {
    this.functions[name](...addresses);
  }

  /** So many new numbers. */
  place(size: number): Float64Array {
    const array = new Float64Array(this.memory.buffer, this.next, size);
    this.next += 8 * size;
    return array;
  }

  /** New numbers for what a function takes and gives, in order and without gaps. */
  layout(call: Call): Layout {
    const inputs = call.inputs.map((port) => this.place(port.size));
    const outputs = call.outputs.map((port) => this.place(port.size));
    const between = call.parameters ? [this.p] : [];
    return { inputs, outputs, addresses: [...inputs, ...between, ...outputs].map((array) => array.byteOffset) };
  }

  /** The bytes of a step's memory. */
  bytes({ address, size }: Native): Uint8Array {
    return new Uint8Array(this.memory.buffer, address, size);
  }

  /** A step that remembers nothing yet. */
  fresh(native: Native): void {
    const bytes = this.bytes(native).fill(0);
    for (const [at, text] of native.parts) bytes.set(bytesOf(text), at);
  }

  /** Gives the kernels of a step the present parameters. */
  prepare({ kernels }: Native): void {
    for (const { prepare, places, address } of kernels) {
      if (prepare) this.call(prepare, [this.p.byteOffset, address]);
      else places.forEach((place, k) => (new Float64Array(this.memory.buffer, address, places.length)[k] = this.p[place]));
    }
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
    const arrays = [this.wanted, this.sample, this.safe];
    this.call("guard", [...arrays.map((array) => array.byteOffset), this.guard.address]);
    return [-this.safe[0], -this.safe[1], -this.safe[2]];
  }
}

function sizes(call: Call | null): number {
  return !call ? 0 : [...call.inputs, ...call.outputs].reduce((sum, port) => sum + port.size, 0);
}
