// Curves of signals: over time they scroll, over another signal they leave a trail that fades.

import type { Signal } from "./package";
import { plain } from "../plain";
import { shortNumber } from "./sliders";
import { suited, type Shown } from "./units";
import { Trail } from "./trail";

const SPAN = 8; // s of time that are shown
const BEFORE = 0.35; // how dark the stroke before this one is
const EDGE = 46; // px on the left for the scale
const NOISE = 1e-6; // of the size of the scene, or of a radian: less is drawn flat,
const RELATIVE = 1e-4; // and so is less than this of a signal's own size

export class History {
  private readonly width: number;
  private readonly numbers: number[] = [];

  constructor(signals: number) {
    this.width = 1 + signals;
  }

  clear(): void {
    this.numbers.length = 0;
  }

  add(rows: Float64Array): void {
    // rows from before a reset may still arrive behind it
    if (this.numbers.length && rows.length && rows[0] <= this.end) this.clear();
    for (const x of rows) this.numbers.push(x);
    const last = this.numbers[this.numbers.length - this.width];
    let first = 0;
    while (first < this.numbers.length && this.numbers[first] < last - SPAN) first += this.width;
    // in large pieces, as each moves all that is behind it
    if (first > 200 * this.width) this.numbers.splice(0, first);
  }

  /** Times and values of a signal since a moment. */
  since(signal: number, from: number): { t: number[]; y: number[] } {
    const t: number[] = [];
    const y: number[] = [];
    for (let at = 0; at < this.numbers.length; at += this.width) {
      if (this.numbers[at] >= from) {
        t.push(this.numbers[at]);
        y.push(this.numbers[at + 1 + signal]);
      }
    }
    return { t, y };
  }

  /** The last value of a signal; NaN if there is none. */
  last(signal: number): number {
    return this.numbers.length && signal >= 0 ? this.numbers[this.numbers.length - this.width + 1 + signal] : NaN;
  }

  get end(): number {
    return this.numbers.length ? this.numbers[this.numbers.length - this.width] : 0;
  }
}

/** Limits of an axis; rounding noise is drawn as the flat line it is. */
function limits(values: number[], least: number): [number, number] {
  const low = values.reduce((a, b) => Math.min(a, b), Infinity);
  const high = values.reduce((a, b) => Math.max(a, b), -Infinity);
  if (!(low <= high)) return [-1, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const spread = Math.max(high - low, RELATIVE * size, least, 1e-12);
  const middle = (low + high) / 2;
  return [middle - 0.55 * spread, middle + 0.55 * spread];
}

/** One canvas with one signal over time, or over another signal. */
export class Curve {
  readonly element: HTMLElement;
  private readonly canvas = document.createElement("canvas");
  private readonly caption = document.createElement("div");
  readonly close = document.createElement("button");
  private trail = new Trail(); // of a phase plot
  private before: Trail | null = null; // that of the stroke before

  constructor(
    private readonly history: History,
    readonly signals: Signal[],
    public signal: number,
    public over: number, // -1: time
    private readonly colour: string,
    private readonly size: number, // m, of the scene
    private readonly strokes = false, // whether it is drawn stroke by stroke
  ) {
    this.element = document.createElement("figure");
    this.element.className = over < 0 ? "curve" : "curve phase";
    this.caption.className = "caption";
    this.canvas.setAttribute("role", "img");
    this.close.type = "button";
    this.close.className = "close";
    this.close.textContent = "×";
    this.close.setAttribute("aria-label", `close the curve of ${plain(signals[signal].name)}`);
    this.element.append(this.close, this.caption, this.canvas);
  }

  /** All is forgotten. */
  clear(): void {
    this.trail = new Trail();
    this.before = null;
  }

  /** A stroke begins: of those before, one stays, paler. */
  stroke(): void {
    if (!this.strokes || this.trail.x.length < 2) return;
    this.before = this.trail;
    this.trail = new Trail();
  }

  /** Rows of the time and all signals. */
  add(rows: Float64Array, width: number): void {
    if (this.over < 0) return;
    for (let at = 0; at < rows.length; at += width) {
      this.trail.add(rows[at], rows[at + 1 + this.over], rows[at + 1 + this.signal]);
    }
  }

  draw(): void {
    const ratio = window.devicePixelRatio || 1;
    const { clientWidth, clientHeight } = this.canvas;
    if (!clientWidth) return;
    if (this.canvas.width !== Math.round(clientWidth * ratio)) this.canvas.width = Math.round(clientWidth * ratio);
    if (this.canvas.height !== Math.round(clientHeight * ratio)) {
      this.canvas.height = Math.round(clientHeight * ratio);
    }
    const context = this.canvas.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, clientWidth, clientHeight);
    const end = this.history.end;
    const over = this.over < 0 ? null : this.trail;
    const { t, y } = over ? { t: over.x, y: over.y } : this.history.since(this.signal, end - SPAN);
    const x = t;
    const all = over && this.before ? { x: [...this.before.x, ...x], y: [...this.before.y, ...y] } : { x, y };
    const [bottom, top] = limits(all.y, this.least(this.signal));
    const [left, right] = over ? limits(all.x, this.least(this.over)) : [Math.max(0, end - SPAN), Math.max(SPAN, end)];
    const up = suited(this.signals[this.signal].unit, Math.max(Math.abs(bottom), Math.abs(top)));
    const along = over ? suited(this.signals[this.over].unit, Math.max(Math.abs(left), Math.abs(right))) : { unit: "s", factor: 1 };
    const now = this.history.last(this.signal);
    const last = Number.isFinite(now) ? `${shortNumber(now * up.factor)} ${up.unit}` : "";
    const across = over ? ` over ${this.words(this.over)}` : "";
    this.caption.textContent = `${this.words(this.signal)}${across}  ${last}`;
    this.canvas.setAttribute("aria-label", this.caption.textContent);
    if (all.y.length < 2) return;
    const px = (value: number) => EDGE + ((clientWidth - EDGE - 4) * (value - left)) / (right - left);
    const py = (value: number) => clientHeight - 16 - ((clientHeight - 22) * (value - bottom)) / (top - bottom);
    this.scale(context, [left, right, bottom, top], px, py, [along, up], clientWidth);
    context.lineWidth = 1.25;
    context.strokeStyle = this.colour;
    context.lineJoin = "round";
    if (over && this.before) {
      context.globalAlpha = BEFORE;
      context.beginPath();
      this.before.x.forEach((value, k) => context.lineTo(px(value), py(this.before!.y[k])));
      context.stroke();
    }
    const parts = over && !this.before && !this.strokes ? 12 : 1; // a trail fades part by part
    for (let part = 0; part < parts; part++) {
      const from = Math.floor(((y.length - 1) * part) / parts);
      const to = Math.floor(((y.length - 1) * (part + 1)) / parts);
      context.globalAlpha = parts === 1 ? 1 : 0.1 + (0.9 * (part + 1)) / parts;
      context.beginPath();
      for (let k = from; k <= to; k++) context.lineTo(px(x[k]), py(y[k]));
      context.stroke();
    }
    context.globalAlpha = 1;
    if (x.length && over) {
      context.fillStyle = this.colour;
      context.beginPath();
      context.arc(px(x[x.length - 1]), py(y[y.length - 1]), 3, 0, 2 * Math.PI);
      context.fill();
    }
  }

  /** A signal in words, where it has them. */
  private words(signal: number): string {
    const { name, label } = this.signals[signal];
    return plain(label ?? name);
  }

  /** A spread below which a signal is noise. */
  private least(signal: number): number {
    const { unit } = this.signals[signal];
    return unit === "m" ? NOISE * this.size : unit === "rad" ? NOISE : 0;
  }

  /** Round values on both axes, with fine lines. */
  private scale(
    context: CanvasRenderingContext2D,
    [left, right, bottom, top]: [number, number, number, number],
    px: (value: number) => number,
    py: (value: number) => number,
    [along, up]: [Shown, Shown],
    width: number,
  ): void {
    const ink = getComputedStyle(this.caption).color;
    context.font = "11px system-ui, sans-serif";
    context.fillStyle = ink;
    context.strokeStyle = ink;
    context.lineWidth = 1;
    const line = (x1: number, y1: number, x2: number, y2: number) => {
      context.globalAlpha = 0.18;
      context.beginPath();
      context.moveTo(x1, y1);
      context.lineTo(x2, y2);
      context.stroke();
      context.globalAlpha = 1;
    };
    context.textAlign = "right";
    context.textBaseline = "middle";
    for (const value of ticks(bottom, top)) {
      line(px(left), py(value), px(right), py(value));
      context.fillText(tickText(up.factor * value, up.factor * (top - bottom)), px(left) - 5, py(value));
    }
    context.textAlign = "center";
    context.textBaseline = "top";
    const values = ticks(left, right);
    values.forEach((value, k) => {
      line(px(value), py(bottom), px(value), py(top));
      const number = tickText(along.factor * value, along.factor * (right - left));
      const text = k === values.length - 1 ? `${number} ${along.unit}` : number; // the unit once
      const half = context.measureText(text).width / 2;
      context.fillText(text, Math.min(Math.max(px(value), half), width - half), py(bottom) + 4); // whole
    });
  }
}

/** A few round values inside of limits. */
export function ticks(low: number, high: number): number[] {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step);
  return Array.from({ length: Math.max(0, Math.min(5, last - first + 1)) }, (_, k) => (first + k) * step);
}

/** A value with the digits that a spread makes visible. */
function tickText(value: number, spread: number): string {
  const digits = Math.max(0, Math.min(8, 1 - Math.floor(Math.log10(spread))));
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e5 || size < 1e-3)) return value.toExponential(1);
  return String(Number(value.toFixed(digits)));
}
