// A chart on a canvas: a still picture of axes and curves, and over it what changes with the time.

import { ticks } from "./numbers";

export interface Style {
  font: string;
  ink: string;
  quiet: string;
  grid: string;
  accent: string;
  lines: string[];
}

export interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

export abstract class Chart {
  readonly element = document.createElement("figure");
  readonly canvas = document.createElement("canvas");
  protected readonly caption = document.createElement("figcaption");
  protected width = 300;
  protected style: Style | null = null;
  private readonly still = document.createElement("canvas");
  private ratio = 1;

  constructor() {
    this.element.className = "chart";
    this.canvas.setAttribute("role", "img");
    this.element.append(this.caption, this.canvas);
  }

  protected abstract get height(): number;
  protected abstract drawStill(pen: CanvasRenderingContext2D, style: Style): void;
  protected abstract drawNow(pen: CanvasRenderingContext2D, style: Style, time: number): void;

  /** The part that does not change with the time. */
  redraw(style: Style, width: number): void {
    Object.assign(this, { style, width, ratio: Math.min(devicePixelRatio || 1, 3) });
    for (const canvas of [this.canvas, this.still]) {
      canvas.width = Math.round(width * this.ratio);
      canvas.height = Math.round(this.height * this.ratio);
    }
    this.canvas.style.height = `${this.height}px`;
    const pen = this.still.getContext("2d")!;
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.font = style.font;
    pen.lineJoin = "round";
    this.drawStill(pen, style);
  }

  /** The moment that the scene shows. */
  draw(time: number): void {
    if (!this.style) return;
    const pen = this.canvas.getContext("2d")!;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.drawImage(this.still, 0, 0);
    pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    pen.font = this.style.font;
    this.drawNow(pen, this.style, time);
  }

  /** Fine lines at round values, with their numbers. */
  protected axes(pen: CanvasRenderingContext2D, style: Style, box: Box, x: [number, number], y: [number, number]): void {
    pen.strokeStyle = style.grid;
    pen.fillStyle = style.quiet;
    pen.lineWidth = 1;
    pen.textAlign = "right";
    for (const [value, label] of ticks(y[0], y[1], Math.max(2, (box.bottom - box.top) / 20))) {
      const at = along(value, y, box.bottom, box.top);
      stroke(pen, box.left, at, box.right, at);
      pen.fillText(label, box.left - 6, at + 4);
    }
    pen.textAlign = "center";
    for (const [value, label] of ticks(x[0], x[1], Math.max(2, (box.right - box.left) / 50))) {
      const at = along(value, x, box.left, box.right);
      stroke(pen, at, box.top, at, box.bottom);
      pen.fillText(label, at, box.bottom + 14);
    }
  }
}

/** Where a value lies between two pixels. */
export function along(value: number, [low, high]: [number, number], from: number, to: number): number {
  const half = high / 2 - low / 2;
  return half > 0 ? from + ((to - from) * (value / 2 - low / 2)) / half : from;
}

export function stroke(pen: CanvasRenderingContext2D, x0: number, y0: number, x1: number, y1: number): void {
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}

export function dot(pen: CanvasRenderingContext2D, x: number, y: number): void {
  pen.beginPath();
  pen.arc(x, y, 3.2, 0, 2 * Math.PI);
  pen.fill();
}
