// The panel of curves: those at the start, and any other that is asked for.

import { Curve, History } from "./curves";
import type { Package } from "./package";
import { plain } from "../plain";

const COLOURS = ["#1667b7", "#c05621", "#2f855a", "#805ad5", "#b83280", "#718096"];

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
    const colour = COLOURS[this.curves.length % COLOURS.length];
    const curve = new Curve(this.history, this.content.signals, signal, over, colour, this.content.size);
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
  }

  add(rows: Float64Array): void {
    this.history.add(rows);
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => {
      this.due = false;
      for (const curve of this.curves) curve.draw();
    });
  }
}
