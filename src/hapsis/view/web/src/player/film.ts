// What Python puts into a player: the drawing, poses by time, arrows and every signal of the result.

import type { SceneData, Vector } from "../scene";
import { bytesOf } from "../bytes";

/** Where numbers lie in the block of arrays. */
export interface Place {
  at: number; // bytes
  count: number;
  kind: "f4" | "f8";
}

export interface Series {
  name: string;
  unit: string;
  times: Place; // s since the first time
  values: Place; // a value is middle + half * number
  middle: number;
  half: number;
  noise: number; // a signal that varies less is flat
}

export interface Film {
  title: string;
  notes: string;
  times: Place;
  still: Place; // x y z qw qx qy qz of each body that does not move
  moving: Place; // the same of each other one, for each time
  skins: { frames: number; count: number; places: Place } | null; // x y z of so many vertices, at even times
  bodies: { name: string; still: boolean; trail: Vector }[];
  drawing: SceneData;
  arrows: { name: string; unit: string; typical: number; color: Vector; points: Place; vectors: Place }[];
  series: Series[];
  shown: number[]; // series that are plotted at first
}

export type Numbers = Float32Array | Float64Array;

/** Gives the numbers at a place. */
export function unpacked(text: string): (place: Place) => Numbers {
  const bytes = bytesOf(text);
  return ({ at, count, kind }) => {
    const from = bytes.byteOffset + at;
    return kind === "f4" ? new Float32Array(bytes.buffer, from, count) : new Float64Array(bytes.buffer, from, count);
  };
}
