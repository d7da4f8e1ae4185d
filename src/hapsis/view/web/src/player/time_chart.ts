// Curves of one unit over time, each with its name and its value now beside its end.

import { along, type Box, Chart, dot, stroke, type Style } from "./chart";
import { readable } from "./numbers";
import { limits, type Signal } from "./signal";

const LEFT = 52;
const MARGIN = 112; // px for the names
const ROW = 14; // px of a name

export interface Line {
  signal: Signal;
  colour: number;
}

export class TimeChart extends Chart {
  private lines: Line[] = [];
  private y: [number, number] = [0, 1];
  private rows: number[] = []; // where the names are

  /** `range` is the time from the first to the last moment; a click goes to a time. */
  constructor(
    private readonly range: [number, number],
    seek: (time: number) => void,
    private readonly remove: (signal: Signal) => void,
  ) {
    super();
    let held = false;
    const follow = (event: PointerEvent) => {
      const part = (event.offsetX - LEFT) / (this.width - LEFT - MARGIN);
      seek(range[0] + Math.max(0, Math.min(1, part)) * (range[1] - range[0]));
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      if (event.offsetX > this.width - MARGIN) return this.drop(event.offsetY);
      held = true;
      this.canvas.setPointerCapture(event.pointerId);
      follow(event);
    });
    this.canvas.addEventListener("pointermove", (event) => held && follow(event));
    for (const kind of ["pointerup", "pointercancel"] as const) this.canvas.addEventListener(kind, () => (held = false));
  }

  show(lines: Line[]): void {
    this.lines = lines;
    this.y = limits(lines.map(({ signal }) => signal));
    this.caption.textContent = lines[0].signal.unit;
    this.canvas.setAttribute("aria-label", `${lines.map(({ signal }) => signal.name).join(", ")} over time; a click goes to that time, one on a name takes it away`);
  }

  protected get height(): number {
    return Math.max(96, ROW * this.lines.length + 8) + 26;
  }

  private get box(): Box {
    return { left: LEFT, right: this.width - MARGIN, top: 6, bottom: this.height - 20 };
  }

  protected drawStill(pen: CanvasRenderingContext2D, style: Style): void {
    this.axes(pen, style, this.box, this.range, this.y);
    for (const line of this.lines) this.curve(pen, style, line);
    this.rows = spread(this.lines.map(({ signal }) => this.end(signal)), ROW, this.box.top + 5, this.box.bottom);
  }

  private curve(pen: CanvasRenderingContext2D, style: Style, { signal, colour }: Line): void {
    const { left, right, top, bottom } = this.box;
    pen.strokeStyle = pen.fillStyle = style.lines[colour % style.lines.length];
    pen.lineWidth = 1.4;
    pen.beginPath();
    let pending = false;
    for (let k = 0; k < signal.count; k++) {
      const value = signal.value(k);
      if (!Number.isFinite(value)) {
        pending = false;
        continue;
      }
      const [x, y] = [along(signal.time(k), this.range, left, right), along(value, this.y, bottom, top)];
      if (pending) pen.lineTo(x, y);
      else pen.moveTo(x, y);
      if (!pending && !Number.isFinite(signal.value(k + 1))) pen.fillRect(x - 2, y - 2, 4, 4); // alone
      pending = true;
    }
    pen.stroke();
  }

  /** The height of the last point of a curve. */
  private end(signal: Signal): number {
    let k = signal.count - 1;
    while (k > 0 && !Number.isFinite(signal.value(k))) k -= 1;
    const value = k >= 0 ? signal.value(k) : NaN;
    return Number.isFinite(value) ? along(value, this.y, this.box.bottom, this.box.top) : this.box.bottom;
  }

  protected drawNow(pen: CanvasRenderingContext2D, style: Style, time: number): void {
    const { left, right, top, bottom } = this.box;
    const x = along(time, this.range, left, right);
    pen.strokeStyle = style.accent;
    pen.lineWidth = 1.2;
    stroke(pen, x, top, x, bottom);
    pen.textAlign = "left";
    this.lines.forEach(({ signal, colour }, k) => {
      const value = signal.at(time);
      pen.fillStyle = style.lines[colour % style.lines.length];
      if (Number.isFinite(value)) dot(pen, x, along(value, this.y, bottom, top));
      const number = Number.isFinite(value) ? ` ${readable(Math.abs(value) < signal.noise ? 0 : value)}` : "";
      pen.fillText(fitted(pen, signal.name, number, MARGIN - 12), right + 8, this.rows[k] + 4);
    });
  }

  /** A click on a name takes its curve away. */
  private drop(y: number): void {
    const k = this.rows.findIndex((row) => Math.abs(row - y) < ROW / 2);
    if (k >= 0) this.remove(this.lines[k].signal);
  }
}

/** A name and its number in so many pixels; a long name loses its beginning, which names often share. */
function fitted(pen: CanvasRenderingContext2D, name: string, number: string, width: number): string {
  let text = name;
  while (text.length > 2 && pen.measureText(`${text}${number}`).width > width) text = `\u2026${text.slice(2)}`;
  return text + number;
}

/** Places as near as possible to those wanted, at least `gap` apart, between two limits. */
export function spread(wanted: number[], gap: number, low: number, high: number): number[] {
  const order = wanted.map((_, k) => k).sort((a, b) => wanted[a] - wanted[b]);
  const places = [...wanted];
  let last = low - gap;
  for (const k of order) places[k] = last = Math.max(wanted[k], last + gap);
  let next = high + gap;
  for (const k of [...order].reverse()) places[k] = next = Math.min(places[k], next - gap);
  return places;
}
