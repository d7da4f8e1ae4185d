// A signal: its values by time, with gaps, and the limits of an axis that shows it.

import type { Numbers, Place, Series } from "./film";

const LEAST = 1e-15; // a signal that varies less is rounding, whatever its unit

export class Signal {
  readonly name: string;
  readonly unit: string;
  readonly noise: number;
  private readonly t: Numbers;
  private readonly y: Numbers;

  constructor(
    readonly index: number,
    private readonly series: Series,
    array: (place: Place) => Numbers,
    private readonly first: number, // s
  ) {
    ({ name: this.name, unit: this.unit, noise: this.noise } = series);
    this.t = array(series.times);
    this.y = array(series.values);
  }

  get count(): number {
    return this.t.length;
  }

  time(k: number): number {
    return this.first + this.t[k];
  }

  /** A value, NaN at the end of each piece. */
  value(k: number): number {
    return this.series.middle + this.series.half * this.y[k];
  }

  /** The value at a time; NaN where there is none. */
  at(time: number): number {
    const [n, t] = [this.t.length, time - this.first];
    if (!n || t < this.t[0]) return NaN;
    let [low, high] = [0, n - 1];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.t[middle] <= t) low = middle;
      else high = middle;
    }
    const [a, b, width] = [this.value(low), this.value(high), this.t[high] - this.t[low]];
    // behind the last point of a piece there is nothing, but that point is there
    if (!Number.isFinite(b)) return t - this.t[low] <= 1e-6 * this.t[n - 1] ? a : NaN;
    return width > 0 ? a + ((b - a) * (t - this.t[low])) / width : b;
  }

  /** The least and the largest value; NaN where there is none. */
  get range(): [number, number] {
    const { middle, half } = this.series;
    return this.y.some(Number.isFinite) ? [middle - half, middle + half] : [NaN, NaN];
  }
}

/** The limits of an axis for these signals; rounding noise is drawn as the flat line it is. */
export function limits(signals: Signal[]): [number, number] {
  let [low, high, noise] = [Infinity, -Infinity, LEAST];
  for (const signal of signals) {
    const [a, b] = signal.range;
    if (Number.isNaN(a)) continue;
    low = Math.min(low, a);
    high = Math.max(high, b);
    noise = Math.max(noise, signal.noise);
  }
  if (!(low <= high)) return [0, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  if (high - low > Math.max(noise, 1e-12 * size)) {
    const room = 0.08 * (high - low);
    return [low - room, high + room];
  }
  // flat: zero, or a value that stays
  const half = size > noise ? 0.1 * size : 1;
  const middle = size > noise ? low / 2 + high / 2 : 0;
  return [middle - half, middle + half];
}
