// Sliders: a name, a value with its unit that can be typed, a range. A double click gives the first value back.

import { plain } from "../plain";
import { suited, type Shown } from "./units";

export interface SliderOptions {
  name: string;
  label?: string; // in words
  unit: string;
  value: number;
  low: number;
  high: number;
  change(value: number): void;
}

/** Four digits, without a long tail of zeros. */
export function shortNumber(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e5 || size < 1e-3)) return value.toExponential(2);
  return String(Number(value.toPrecision(4)));
}

export class Slider {
  readonly element: HTMLElement;
  private readonly range: HTMLInputElement;
  private readonly field: HTMLInputElement;
  private readonly shown: Shown;

  constructor(private readonly options: SliderOptions) {
    const { value, low, high } = options;
    const name = capital(plain(options.label ?? options.name));
    this.shown = suited(options.unit, Math.max(Math.abs(low), Math.abs(high)));
    const { unit, factor } = this.shown;
    this.element = document.createElement("div");
    this.element.className = "slider";
    const label = document.createElement("label");
    label.textContent = name;
    this.range = document.createElement("input");
    this.range.type = "range";
    this.range.min = String(low);
    this.range.max = String(high);
    this.range.step = "any";
    this.range.setAttribute("aria-label", unit ? `${name}, ${unit}` : name);
    this.field = document.createElement("input");
    this.field.type = "text";
    this.field.inputMode = "decimal";
    this.field.setAttribute("aria-label", `${name}, value`);
    const unitText = document.createElement("span");
    unitText.className = "unit";
    unitText.textContent = unit;
    this.element.append(label, this.range, this.field, unitText);
    this.show(value);
    this.range.addEventListener("input", () => this.take(Number(this.range.value)));
    this.range.addEventListener("dblclick", () => this.take(value));
    this.range.addEventListener("keydown", (event) => this.nudge(event));
    this.field.addEventListener("change", () => {
      const typed = Number(this.field.value.replace(",", "."));
      this.take(Number.isFinite(typed) ? typed / factor : this.options.value);
    });
  }

  get name(): string {
    return this.options.name;
  }

  get value(): number {
    return Number(this.range.value);
  }

  show(value: number): void {
    this.range.value = String(value);
    this.field.value = shortNumber(value * this.shown.factor);
  }

  take(value: number): void {
    const { low, high, change } = this.options;
    const kept = Math.min(high, Math.max(low, value));
    this.show(kept);
    change(kept);
  }

  reset(): void {
    this.take(this.options.value);
  }

  /** Arrow keys are fine, with Shift ten times as much. */
  private nudge(event: KeyboardEvent): void {
    const directions: Record<string, number> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };
    const direction = directions[event.key];
    if (!direction) return;
    event.preventDefault();
    const { low, high } = this.options;
    this.take(this.value + ((direction * (high - low)) / 200) * (event.shiftKey ? 10 : 1));
  }
}

/** Words with a capital letter; names of facts, such as "slider.mass", stay as they are. */
function capital(text: string): string {
  return text.includes(" ") ? `${text[0].toUpperCase()}${text.slice(1)}` : text;
}
