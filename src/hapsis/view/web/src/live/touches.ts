// When contacts that sound are touched: looked at after every tick, so that the shortest touch is heard.

import type { Sound } from "./package";

const LEAST = 0.01; // m/s: slower touches make no sound

/** A contact that has just been touched, or a damper that has just begun or ended to touch. */
export interface Touch {
  sound: number; // its number
  kind: "struck" | "damped" | "free";
  time: number; // s, of the model
  speed: number; // m/s, of a contact that is struck
  damped: boolean; // whether its damper touches
}

export class Touches {
  private gaps: number[] = [];
  private speeds: (number | undefined)[] = []; // of the tick before, in which nothing was touched
  private dampers: number[] = [];
  private waiting: Touch[] = [];

  constructor(private readonly sounds: Sound[]) {}

  /** Nothing was touched before. */
  clear(): void {
    this.gaps = [];
    this.speeds = [];
    this.dampers = [];
    this.waiting = [];
  }

  /** Looks at the signals after a tick of dt seconds. */
  look(signal: (number: number) => number, time: number, dt: number): void {
    this.sounds.forEach((sound, k) => {
      const gap = signal(sound.gap);
      const damper = sound.damper < 0 ? Infinity : signal(sound.damper);
      const [before, held] = [this.gaps[k], this.dampers[k]];
      const damped = damper <= 0;
      const now = (before - gap) / dt;
      const speed = this.speeds[k] ?? now; // in the tick of the touch the contact brakes already
      if (before > 0 && gap <= 0 && speed >= LEAST) this.waiting.push({ sound: k, kind: "struck", time, speed, damped });
      if (held !== undefined && held <= 0 !== damped) {
        this.waiting.push({ sound: k, kind: damped ? "damped" : "free", time, speed: 0, damped });
      }
      this.gaps[k] = gap;
      this.speeds[k] = before > 0 && gap > 0 ? now : undefined;
      this.dampers[k] = damper;
    });
  }

  /** What was touched since this was asked the last time. */
  taken(): Touch[] {
    const { waiting } = this;
    if (waiting.length) this.waiting = [];
    return waiting;
  }
}
