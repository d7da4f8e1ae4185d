// The finger of a page: the space bar, the keys 1 to 9 and a button press a point of the model.

import type { ToWorker } from "./messages";
import type { Press } from "./package";
import { Slider } from "./sliders";

export class PressKeys {
  readonly slider: Slider;
  private value: number; // force or speed
  private by = ""; // the key, or "pointer", that presses
  private readonly button = document.getElementById("press") as HTMLButtonElement;

  constructor(
    private readonly press: Press,
    private readonly say: (message: ToWorker) => void,
    private readonly begin: () => void, // a stroke
  ) {
    this.value = press.value;
    const change = (value: number) => {
      this.value = value;
      if (this.by === "pointer" || this.by === " ") this.say({ kind: "press", value });
    };
    const [name, unit] = press.depth ? ["Speed of the finger", "m/s"] : ["Force of the finger", "N"];
    this.slider = new Slider({ name, unit, value: press.value, low: press.depth ? press.softest : 0, high: press.most, change });
    this.button.hidden = false;
    this.button.addEventListener("pointerdown", (event) => {
      this.button.setPointerCapture(event.pointerId);
      this.down("pointer", this.value);
    });
    for (const kind of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
      this.button.addEventListener(kind, () => this.up("pointer"));
    }
    this.button.addEventListener("contextmenu", (event) => event.preventDefault()); // a long touch presses
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("keyup", (event) => this.up(event.key));
    window.addEventListener("blur", () => this.up(this.by));
  }

  /** The forces or speeds of the keys 1 to 9, each the same factor above the one before. */
  valueOf(digit: number): number {
    return this.press.most * (this.press.softest / this.press.most) ** ((9 - digit) / 8);
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input, select")) return;
    const own = target === this.button && (event.key === " " || event.key === "Enter");
    if (target.matches("button") && !own && event.key === " ") return; // that button is pressed
    const digit = /^[1-9]$/.test(event.key) ? Number(event.key) : 0;
    if (event.key !== " " && !digit && !own) return;
    event.preventDefault();
    if (!event.repeat) this.down(event.key, digit ? this.valueOf(digit) : this.value);
  }

  private down(by: string, value: number): void {
    if (!this.by) this.begin();
    this.by = by;
    this.button.classList.add("down");
    document.getElementById("hint")!.classList.add("gone");
    this.say({ kind: "press", value });
  }

  private up(by: string): void {
    if (!this.by || by !== this.by) return;
    this.by = "";
    this.button.classList.remove("down");
    this.say({ kind: "press", value: 0 });
  }
}
