// A gamepad as a hand: the shoulder buttons choose a body, the first button holds it or lets it go, a stick pulls it.

import type { Grip } from "./grip";

const DEAD = 0.12; // of a stick that lies in the middle
const SPEED = 0.6; // sizes of the scene in a second, at the end of the stick
const HOLD = 0;
const BEFORE = 4;
const NEXT = 5;

export class Gamepads {
  private pressed = new Set<string>();
  private last = 0;

  constructor(private readonly grip: Grip) {
    window.addEventListener("gamepadconnected", () => {
      if (!this.last) requestAnimationFrame((time) => this.look((this.last = time)));
    });
  }

  private look(time: number): void {
    const passed = Math.min(0.1, (time - this.last) / 1000);
    this.last = time;
    const pads = navigator.getGamepads().filter((pad) => pad !== null);
    if (!pads.length) {
      this.last = 0; // until one is connected again
      return;
    }
    for (const pad of pads) this.take(pad, passed);
    requestAnimationFrame((next) => this.look(next));
  }

  /** What a gamepad says now, so many seconds after it was looked at before. */
  take(pad: Pick<Gamepad, "index" | "buttons" | "axes">, passed: number): void {
    for (const [button, act] of [
      [HOLD, () => this.grip.turn()],
      [BEFORE, () => this.grip.choose(-1)],
      [NEXT, () => this.grip.choose(1)],
    ] as const) {
      const name = `${pad.index} ${button}`;
      const down = !!pad.buttons[button]?.pressed;
      if (down && !this.pressed.has(name)) act();
      if (down) this.pressed.add(name);
      else this.pressed.delete(name);
    }
    const [right, down] = [pad.axes[0] ?? 0, pad.axes[1] ?? 0];
    if (Math.hypot(right, down) > DEAD) this.grip.nudge(SPEED * passed * right, -SPEED * passed * down);
  }
}
