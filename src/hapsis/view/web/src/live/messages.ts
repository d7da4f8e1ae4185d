// What the page and the worker say to each other.

import type { Held } from "./hand";
import type { Recorded } from "./npz";
import type { Package } from "./package";
import type { Vector } from "./module";
import type { Touch } from "./touches";

export type ToWorker =
  | { kind: "open"; content: Package }
  | { kind: "play"; on: boolean }
  | { kind: "seen"; on: boolean } // whether anybody can see the page
  | { kind: "once" } // one tick
  | { kind: "reset"; parameters: boolean }
  | { kind: "speed"; factor: number } // of real time
  | { kind: "parameter"; place: number; value: number }
  | { kind: "input"; port: number; value: number }
  | { kind: "grab"; body: number; point: Vector }
  | { kind: "move"; goal: Vector }
  | { kind: "release" }
  | { kind: "press"; value: number } // force or speed of the finger; 0: it lets go
  | { kind: "record"; on: boolean };

export interface Frame {
  kind: "frame";
  time: number; // s, of the model
  began: number; // ms since 1970, of the first tick; 0 before
  ticks: number;
  poses: Float64Array; // of each body: place, then its axes by rows
  rows: Float64Array; // time and all signals, for each row since the last frame
  hand: Held | null;
  finger: { at: Vector; force: Vector } | null; // while it presses
  gap: number; // the largest of any loop, m or rad
  trouble: string;
  playing: boolean;
  cost: number; // s of computing for one tick
  factor: number; // of real time, over the last second
  recorded: number; // rows so far
}

export type FromWorker =
  | Frame
  | { kind: "touch"; touch: Touch }
  | { kind: "ready" }
  | { kind: "failed"; reason: string }
  | { kind: "recording"; recorded: Recorded };
