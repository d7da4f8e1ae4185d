// Numbers as a reader wants them, and the ticks of an axis.

import { roundStep } from "../steps";

/** [value, label] at 1-2-5 steps; where labels would be long, all but the first are differences. */
export function ticks(low: number, high: number, count: number): [number, string][] {
  if (!(high > low)) return [[low, readable(low)]];
  const step = roundStep(high / count - low / count);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const size = Math.max(Math.abs(low), Math.abs(high));
  const first = Math.ceil(low / step - 1e-9);
  const all: [number, string][] = [];
  for (let k = first; k <= high / step + 1e-9 && all.length < 50; k++) {
    let text = compact(k * step);
    if (size < 1e5 && digits < 4) text = signed((k * step).toFixed(digits));
    else if (size / step > 1e3 && k > first) text = `+${compact((k - first) * step)}`;
    all.push([k * step, text]);
  }
  return all;
}

function signed(text: string): string {
  return text.replace("+", "").replace(/-/g, "\u2212");
}

/** Few characters, for ticks. */
function compact(value: number): string {
  const [size, round] = [Math.abs(value), Number(value.toPrecision(4))];
  return signed(size && (size >= 1e5 || size < 1e-3) ? round.toExponential() : String(round));
}

/** Four digits, for values that change: the length stays. */
export function readable(value: number): string {
  const size = Math.abs(value);
  if (!size) return "0";
  return signed(size >= 1e5 || size < 1e-3 ? value.toExponential(2) : value.toPrecision(4));
}
