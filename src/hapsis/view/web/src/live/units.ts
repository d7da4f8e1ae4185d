// Units that suit the size of what is shown: small lengths in mm, small masses in g.

const SMALL = 0.1; // what is at most so large is shown in the smaller unit
const SMALLER: Record<string, string> = { m: "mm", kg: "g", s: "ms", "N·m": "N·mm", "m/s": "mm/s" };

export interface Shown {
  unit: string;
  factor: number; // of the number that is shown
}

/** How a signal or a slider is shown whose largest size is this one. */
export function suited(unit: string, size: number): Shown {
  const small = size > 0 && size < SMALL ? SMALLER[unit] : undefined;
  return small ? { unit: small, factor: 1000 } : { unit, factor: 1 };
}
