// A recording as the file that results are saved in: arrays of NumPy in a zip that is not packed, and facts as JSON.

import type { Package } from "./package";

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c;
});

export interface Recorded {
  rows: Float64Array; // time and all columns, row by row
  parameters: Record<string, number>; // those of sliders, at the end
  gap: number; // the largest of any loop
  full: boolean; // whether it ended because it was long
  trouble: string; // why the motion stood still at its end; empty: it did not
}

/** What a recording has besides the time: all signals, then what was given, and the force of the hand. */
export function columns(content: Package): { name: string; unit: string }[] {
  const taken = new Set(content.signals.map((signal) => signal.name));
  const free = (name: string): string => (taken.has(name) ? free(`${name}_`) : name);
  const hand = ["x", "y", "z"].map((axis) => ({ name: `hand.force.${axis}`, unit: "N" }));
  const given = content.inputs.map(({ column, unit }) => ({ name: column, unit }));
  return [...content.signals, ...[...given, ...hand].map(({ name, unit }) => ({ name: free(name), unit }))];
}

/** The bytes of a file that `hs.load` reads as a Result. */
export function npz(content: Package, recorded: Recorded): Uint8Array {
  const { name } = content;
  const signals = columns(content);
  const width = 1 + signals.length;
  const count = Math.floor(recorded.rows.length / width);
  const column = (k: number) => Float64Array.from({ length: count }, (_, row) => recorded.rows[row * width + k]);
  const facts = {
    hapsis: 1,
    status: "done",
    message: "recorded in a page",
    events: [],
    energy_drift: 0,
    constraint_error: recorded.gap <= Number.MAX_VALUE ? recorded.gap : Number.MAX_VALUE, // JSON has no infinity
    warnings: [
      "recorded in a page, with what was grabbed and changed there: the energy drift was not measured",
      ...(recorded.trouble ? [`${recorded.trouble}: the last rows may be wrong`] : []),
      ...(recorded.full ? ["the recording was full before it was stopped"] : []),
    ],
    units: Object.fromEntries(signals.map((signal) => [signal.name, signal.unit])),
    title: name,
    report: { rate: 1 / content.dt, digest: content.digest, parameters: recorded.parameters },
    names: signals.map((signal) => signal.name),
  };
  const text = new TextEncoder().encode(JSON.stringify(facts));
  return zip([
    ["t.npy", npy(column(0))],
    ["facts.npy", npy(text)],
    ...signals.map((_, k): [string, Uint8Array] => [`c${k}.npy`, npy(column(1 + k))]),
  ]);
}

/** One array as numpy.save writes it. */
function npy(values: Float64Array | Uint8Array): Uint8Array {
  const kind = values instanceof Float64Array ? "<f8" : "|u1";
  const head = `{'descr': '${kind}', 'fortran_order': False, 'shape': (${values.length},), }`;
  const padded = `${head.padEnd(64 * Math.ceil((head.length + 11) / 64) - 11)}\n`;
  const start = new TextEncoder().encode(`.NUMPY....${padded}`);
  start.set([0x93], 0);
  start.set([1, 0, padded.length & 255, padded.length >> 8], 6);
  return joined([start, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)]);
}

/** A zip of files that are stored as they are. */
function zip(files: [string, Uint8Array][]): Uint8Array {
  const parts: Uint8Array[] = [];
  const entries: Uint8Array[] = [];
  let at = 0;
  for (const [name, data] of files) {
    const text = new TextEncoder().encode(name);
    // version, flags, no packing, time, date, checksum, sizes, length of the name, no extra field
    const facts = numbers([20, 2], [0, 2], [0, 2], [0, 2], [33, 2], [checksum(data), 4], [data.length, 4], [data.length, 4], [text.length, 2], [0, 2]);
    const local = joined([numbers([0x04034b50, 4]), facts, text, data]);
    entries.push(joined([numbers([0x02014b50, 4], [20, 2]), facts, numbers([0, 2], [0, 2], [0, 2], [0, 4], [at, 4]), text]));
    parts.push(local);
    at += local.length;
  }
  const index = joined(entries);
  const end = numbers([0x06054b50, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [index.length, 4], [at, 4], [0, 2]);
  return joined([...parts, index, end]);
}

/** Whole numbers of so many bytes each, the low byte first. */
function numbers(...values: [number, number][]): Uint8Array {
  return Uint8Array.from(values.flatMap(([value, size]) => Array.from({ length: size }, (_, k) => Math.floor(value / 256 ** k) & 255)));
}

function checksum(data: Uint8Array): number {
  let c = 0xffffffff;
  for (const byte of data) c = TABLE[(c ^ byte) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

function joined(parts: Uint8Array[]): Uint8Array {
  const result = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}
