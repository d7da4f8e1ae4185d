// The panel of curves: those at the start, and any other that is asked for.

import { Curve, History } from "./curves";
import type { Package } from "./package";
import { plain } from "../plain";

const LIGHT = ["#1667b7", "#c05621", "#2f855a", "#805ad5", "#b83280", "#718096"];
const DARK = ["#6cb0f5", "#f0965f", "#68c79a", "#b59af2", "#f07cb8", "#a9b4c2"];

export class Curves {
  private readonly history: History;
  private readonly curves: Curve[] = [];
  private readonly panel = document.getElementById("curves")!;
  private due = false;

  constructor(private readonly content: Package) {
    this.history = new History(content.signals.length);
    const signal = document.getElementById("signal") as HTMLSelectElement;
    const over = document.getElementById("over") as HTMLSelectElement;
    over.append(new Option("time", "-1"));
    content.signals.forEach(({ name }, k) => {
      signal.append(new Option(plain(name), String(k)));
      over.append(new Option(plain(name), String(k)));
    });
    document.getElementById("add")!.onclick = () => this.open(Number(signal.value), Number(over.value));
    if (content.press) this.open(content.press.signals[1], content.press.signals[0]);
    for (const k of content.shown) this.open(k, -1);
  }

  /** One more curve at the end; a click on its caption takes it away. */
  private open(signal: number, over: number): void {
    const colours = matchMedia("(prefers-color-scheme: dark)").matches ? DARK : LIGHT;
    const colour = colours[this.curves.length % colours.length];
    const { signals, size, press } = this.content;
    const strokes = press !== null && over === press.signals[0];
    const curve = new Curve(this.history, signals, signal, over, colour, size, strokes);
    this.curves.push(curve);
    this.panel.append(curve.element);
    curve.close.onclick = () => {
      this.curves.splice(this.curves.indexOf(curve), 1);
      curve.element.remove();
    };
  }

  last(signal: number): number {
    return this.history.last(signal);
  }

  clear(): void {
    this.history.clear();
    for (const curve of this.curves) curve.clear();
  }

  /** A stroke of the finger begins. */
  stroke(): void {
    for (const curve of this.curves) curve.stroke();
  }

  add(rows: Float64Array): void {
    this.history.add(rows);
    for (const curve of this.curves) curve.add(rows, 1 + this.content.signals.length);
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      for (const curve of this.curves) curve.draw();
    });
  }
}
