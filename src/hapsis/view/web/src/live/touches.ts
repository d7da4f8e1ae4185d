// When contacts that sound are touched: each step tells of the first touch within it, however short that was.

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
  private dampers: boolean[] = [];
  private waiting: Touch[] = [];

  constructor(private readonly sounds: Sound[]) {}

  /** Nothing was touched before. */
  clear(): void {
    this.dampers = [];
    this.waiting = [];
  }

  /** Looks at the signals after a tick. */
  look(signal: (number: number) => number, now: number): void {
    this.sounds.forEach((sound, k) => {
      const [time, speed] = [signal(sound.time), signal(sound.speed)];
      const damped = sound.damper >= 0 && signal(sound.damper) <= 0;
      if (time >= 0 && speed >= LEAST) this.waiting.push({ sound: k, kind: "struck", time, speed, damped });
      if (this.dampers[k] !== undefined && this.dampers[k] !== damped) {
        this.waiting.push({ sound: k, kind: damped ? "damped" : "free", time: now, speed: 0, damped });
      }
      this.dampers[k] = damped;
    });
  }

  /** What was touched since this was asked the last time. */
  taken(): Touch[] {
    const { waiting } = this;
    if (waiting.length) this.waiting = [];
    return waiting;
  }
}
