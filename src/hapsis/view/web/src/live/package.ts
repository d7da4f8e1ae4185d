// What Python puts into a page: the module, the numbers at the start, names, units and ranges.

import type { SceneData } from "../scene";

export interface Port {
  name: string;
  size: number;
}

export interface Call {
  parameters: boolean; // whether it takes p behind its inputs
  inputs: Port[];
  outputs: Port[];
}

export interface Parameter {
  group: string;
  name: string;
  label: string; // in words
  unit: string;
  value: number;
  low: number;
  high: number;
  place: number; // in p
}

/** One body that can be held: where the force and the moment of the hand are in p. */
export interface Handle {
  body: string;
  places: number[]; // in p: force x y z, moment x y z; -1 where it has no effect
}

export interface Coupling {
  stiffness: number; // N/m
  mass: number; // kg, the most that counts as moving with the hand
  limit: number; // N
}

/** A contact that sounds when it is touched, and what ends the sound. */
export interface Sound {
  contact: string;
  note: string; // how it is named
  frequency: number; // Hz
  time: number; // among the signals: of the first touch in a step; -1: it was not touched
  speed: number; // among the signals: of that touch, m/s
  damper: number; // among the signals: the gap of its damper, negative while that touches; -1: there is none
}

/** A finger that presses a point of a body, with a force or by a motion. */
export interface Press {
  body: number; // among the handles
  point: [number, number, number]; // in the axes of the body
  along: [number, number, number]; // in the world
  depth: number; // m, how far it moves; 0: it has a force instead
  value: number; // its force, N, or its speed, m/s, at first
  most: number; // the largest of these
  softest: number; // the smallest that a key gives
  limit: number; // N, the largest force
  signals: [number, number]; // its way and its force, among the signals
}

/** A number that is shown: one of the state (an input of `step` that it gives again), or one of its outputs.
 *  Port -1 is the finger: its way, and its force. */
export interface Signal {
  name: string;
  label?: string; // in words
  unit: string;
  output: boolean;
  port: number;
  place: number;
}

/** What a person or a program gives the model while it moves: an effort, or the motion of a drive. */
export interface Given {
  name: string;
  label: string; // in words
  unit: string;
  value: number;
  low: number;
  high: number;
  port: number; // among the inputs of `step`
  column: string; // its name in recordings
}

/** What native code calls: a Function of the module, and where it reads what stands for its parameters. */
export interface Kernel {
  prepare: string; // the function that makes it of p; empty: it is the parameters themselves
  places: number[]; // of these in p
  address: number;
}

/** The memory of a step that is native code: what it remembers from tick to tick, and its kernels. */
export interface Native {
  address: number;
  size: number; // bytes
  parts: [number, string][]; // what is not zero at the start: where, and the bytes in base64
  kernels: Kernel[];
}

/** One way to compute the step; others have other partitions of the loops. */
export interface Way {
  parameters: boolean; // whether it takes p, or what was prepared of it
  prepared: number; // numbers that `prepare` makes of p; 0: there is no such function
  pivots: Call | null; // q, ... -> how well its partition leads; null: there is no other way
  units: number[]; // of the pivots
  native: Native | null; // null: it is a Function, without a memory
}

/** Objects of particles: bodies whose surfaces deform, and which are held by some particles near a point. */
export interface Particles {
  objects: { first: number; count: number; size: number }[]; // the numbers of their particles; m
  masses: number[]; // kg
  pushes: number; // the place in p of the forces on all particles
}

export interface Package {
  name: string;
  facts: string; // one quiet line about the model
  scene: SceneData;
  dt: number; // s
  wasm: string; // base64
  shown: number[]; // signals that are plotted at the start
  step: Call; // q, v, ... -> q, v, ..., outputs
  view: Call; // q, v -> pose and velocity of every body, energies
  steps: Way[]; // that of the start first
  p: number[];
  start: number[][]; // of the inputs of step
  states: number; // inputs of step that the step gives again, in this order
  handles: Handle[];
  coupling: Coupling;
  follow: boolean; // whether the camera moves along with the bodies
  grab: boolean; // whether bodies can be held
  digest: string; // of the step
  gap: Call | null; // q, v, (t) -> the rows of loops and their rates; null: there are none
  size: number; // m, of the scene
  guard: { image: string; places: Record<string, number> };
  parameters: Parameter[];
  inputs: Given[];
  signals: Signal[];
  sounds: Sound[];
  press: Press | null;
  particles?: Particles; // whose step has the states x, v, t; nothing but these is seen
}
