// One signal over another: all of it faintly, the last part as a trail that fades, a point at this moment.

import { along, type Box, Chart, dot, type Style } from "./chart";
import { readable } from "./numbers";
import { limits, type Signal } from "./signal";

const PARTS = 16; // of a trail that fades
const TRAIL = 0.15; // of the whole time
const STEPS = 600; // points of the whole curve

export class PhaseChart extends Chart {
  private readonly x: [number, number];
  private readonly y: [number, number];
  readonly close = document.createElement("button");

  constructor(
    readonly over: Signal,
    readonly signal: Signal,
    private readonly colour: number,
    private readonly range: [number, number],
  ) {
    super();
    [this.x, this.y] = [limits([over]), limits([signal])];
    this.caption.textContent = `${named(signal)} over ${named(over)}`;
    this.canvas.setAttribute("aria-label", this.caption.textContent);
    this.close.type = "button";
    this.close.className = "close";
    this.close.textContent = "\u00d7";
    this.close.setAttribute("aria-label", `close ${this.caption.textContent}`);
    this.element.prepend(this.close);
  }

  protected get height(): number {
    return Math.round(Math.max(150, Math.min(260, 0.62 * this.width)));
  }

  private get box(): Box {
    return { left: 52, right: this.width - 14, top: 6, bottom: this.height - 20 };
  }

  protected drawStill(pen: CanvasRenderingContext2D, style: Style): void {
    this.axes(pen, style, this.box, this.x, this.y);
    pen.strokeStyle = style.lines[this.colour % style.lines.length];
    pen.globalAlpha = 0.22;
    pen.lineWidth = 1.2;
    this.path(pen, this.range[0], this.range[1], STEPS);
    pen.globalAlpha = 1;
  }

  protected drawNow(pen: CanvasRenderingContext2D, style: Style, time: number): void {
    const [first, last] = this.range;
    const length = TRAIL * (last - first);
    pen.strokeStyle = pen.fillStyle = style.lines[this.colour % style.lines.length];
    pen.lineWidth = 1.8;
    for (let part = 0; part < PARTS; part++) {
      const [from, to] = [part, part + 1].map((k) => Math.max(first, time - length * (1 - k / PARTS)));
      pen.globalAlpha = (part + 1) / PARTS;
      if (to > from) this.path(pen, from, to, 8);
    }
    pen.globalAlpha = 1;
    const [a, b] = [this.over.at(time), this.signal.at(time)];
    if (!Number.isFinite(a) || !Number.isFinite(b)) return;
    const [x, y] = this.place(a, b);
    dot(pen, x, y);
    pen.fillStyle = style.ink;
    pen.textAlign = x > this.width / 2 ? "right" : "left";
    pen.fillText(`${readable(a)}, ${readable(b)}`, x + (x > this.width / 2 ? -8 : 8), y < 24 ? y + 16 : y - 7);
  }

  private place(a: number, b: number): [number, number] {
    const { left, right, top, bottom } = this.box;
    return [along(a, this.x, left, right), along(b, this.y, bottom, top)];
  }

  private path(pen: CanvasRenderingContext2D, from: number, to: number, steps: number): void {
    pen.beginPath();
    let pending = false;
    for (let k = 0; k <= steps; k++) {
      const time = from + ((to - from) * k) / steps;
      const [a, b] = [this.over.at(time), this.signal.at(time)];
      const known = Number.isFinite(a) && Number.isFinite(b);
      if (known && pending) pen.lineTo(...this.place(a, b));
      else if (known) pen.moveTo(...this.place(a, b));
      pending = known;
    }
    pen.stroke();
  }
}

function named({ name, unit }: Signal): string {
  return unit ? `${name}, ${unit}` : name;
}
