// The finger of a page: the space bar, the keys 1 to 9 and a button press a point of the model.

import type { ToWorker } from "./messages";
import type { Press } from "./package";
import { Slider } from "./sliders";

const SOFTEST = 1 / 40; // of the largest force, for the key 1

export class PressKeys {
  readonly slider: Slider;
  private force: number;
  private by = ""; // the key, or "pointer", that presses
  private readonly button = document.getElementById("press") as HTMLButtonElement;

  constructor(
    private readonly press: Press,
    private readonly say: (message: ToWorker) => void,
  ) {
    this.force = press.force;
    const change = (value: number) => {
      this.force = value;
      if (this.by === "pointer" || this.by === " ") this.say({ kind: "press", force: value });
    };
    this.slider = new Slider({ name: "Force of the finger", unit: "N", value: press.force, low: 0, high: press.most, change });
    this.button.hidden = false;
    this.button.addEventListener("pointerdown", (event) => {
      this.button.setPointerCapture(event.pointerId);
      this.down("pointer", this.force);
    });
    for (const kind of ["pointerup", "pointercancel", "lostpointercapture"] as const) {
      this.button.addEventListener(kind, () => this.up("pointer"));
    }
    this.button.addEventListener("contextmenu", (event) => event.preventDefault()); // a long touch presses
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("keyup", (event) => this.up(event.key));
    window.addEventListener("blur", () => this.up(this.by));
  }

  /** The forces of the keys 1 to 9, each the same factor above the one before. */
  forceOf(digit: number): number {
    return this.press.most * SOFTEST ** ((9 - digit) / 8);
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input, select")) return;
    const own = target === this.button && (event.key === " " || event.key === "Enter");
    if (target.matches("button") && !own && event.key === " ") return; // that button is pressed
    const digit = /^[1-9]$/.test(event.key) ? Number(event.key) : 0;
    if (event.key !== " " && !digit && !own) return;
    event.preventDefault();
    if (!event.repeat) this.down(event.key, digit ? this.forceOf(digit) : this.force);
  }

  private down(by: string, force: number): void {
    this.by = by;
    this.button.classList.add("down");
    document.getElementById("hint")!.classList.add("gone");
    this.say({ kind: "press", force });
  }

  private up(by: string): void {
    if (!this.by || by !== this.by) return;
    this.by = "";
    this.button.classList.remove("down");
    this.say({ kind: "press", force: 0 });
  }
}
