// Every signal of the result in a list that can be searched, and the charts of those that were chosen.

import type { Chart, Style } from "./chart";
import type { Film, Numbers, Place } from "./film";
import { PhaseChart } from "./phase_chart";
import { Signal } from "./signal";
import { type Line, TimeChart } from "./time_chart";

export class SignalPanel {
  readonly signals: Signal[];
  private readonly lines: Line[] = []; // chosen, in the order of choosing
  private readonly phases: PhaseChart[] = [];
  private charts = new Map<string, TimeChart>();
  private readonly rows: HTMLButtonElement[] = [];
  private readonly place = document.getElementById("charts")!;
  private readonly over = document.getElementById("over") as HTMLSelectElement;
  private style: Style | null = null;
  private time: number;

  constructor(
    film: Film,
    array: (place: Place) => Numbers,
    private readonly range: [number, number],
    private readonly seek: (time: number) => void,
  ) {
    this.time = range[0];
    this.signals = film.series.map((series, k) => new Signal(k, series, array, range[0]));
    const list = document.getElementById("signals")!;
    this.over.append(new Option("time", "-1"));
    for (const signal of this.signals) {
      const row = document.createElement("button");
      row.type = "button";
      row.textContent = signal.unit ? `${signal.name}, ${signal.unit}` : signal.name;
      row.setAttribute("aria-pressed", "false");
      row.onclick = () => this.choose(signal);
      this.rows.push(row);
      list.append(row);
      this.over.append(new Option(signal.name, String(signal.index)));
    }
    const find = document.getElementById("find") as HTMLInputElement;
    find.placeholder = `Find one of ${this.signals.length} signals`;
    find.oninput = () => this.filter(find.value);
    document.getElementById("numbers")!.hidden = !this.signals.length;
    for (const k of film.shown) this.toggle(this.signals[k]);
  }

  /** Curves over time, or a phase plot over what is chosen for that. */
  choose(signal: Signal): void {
    const over = Number(this.over.value);
    if (over >= 0) this.phase(this.signals[over], signal);
    else this.toggle(signal);
    this.redraw();
  }

  private toggle(signal: Signal): void {
    const k = this.lines.findIndex((line) => line.signal === signal);
    if (k >= 0) this.lines.splice(k, 1);
    else this.lines.push({ signal, colour: this.freeColour() });
    this.arrange();
  }

  private phase(over: Signal, signal: Signal): void {
    const chart = new PhaseChart(over, signal, this.freeColour(), this.range);
    chart.close.onclick = () => {
      this.phases.splice(this.phases.indexOf(chart), 1);
      chart.element.remove();
    };
    this.phases.push(chart);
    this.place.append(chart.element);
  }

  private freeColour(): number {
    const used = new Set(this.lines.map(({ colour }) => colour));
    let colour = 0;
    while (used.has(colour)) colour += 1;
    return colour;
  }

  /** One chart for each unit; signals without unit have one each. */
  private arrange(): void {
    const groups = new Map<string, Line[]>();
    for (const line of this.lines) {
      const key = line.signal.unit ? `unit ${line.signal.unit}` : `name ${line.signal.index}`;
      groups.set(key, [...(groups.get(key) ?? []), line]);
    }
    const charts = new Map<string, TimeChart>();
    for (const [key, lines] of groups) {
      const chart = this.charts.get(key) ?? new TimeChart(this.range, this.seek, (signal) => (this.toggle(signal), this.redraw()));
      chart.show(lines);
      charts.set(key, chart);
    }
    this.charts = charts;
    this.place.replaceChildren(...[...charts.values(), ...this.phases].map(({ element }) => element));
    this.rows.forEach((row, k) => row.setAttribute("aria-pressed", String(this.lines.some(({ signal }) => signal.index === k))));
  }

  /** Shows the signals whose names hold all words. */
  private filter(text: string): void {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    this.rows.forEach((row, k) => {
      const own = `${this.signals[k].name} ${this.signals[k].unit}`.toLowerCase();
      row.hidden = !words.every((word) => own.includes(word));
    });
  }

  redraw(style = this.style): void {
    this.style = style;
    const width = this.place.clientWidth;
    if (!style || width < 1) return;
    for (const chart of this.all()) chart.redraw(style, width);
    this.draw(this.time);
  }

  draw(time: number): void {
    this.time = time;
    for (const chart of this.all()) chart.draw(time);
  }

  private all(): Chart[] {
    return [...this.charts.values(), ...this.phases];
  }
}
