// How fast frames come. A scene begins plain; when frames are fast it gets fine pixels, then shadows.

export const PLAIN = 2; // no shadows, one pixel for each of the page
export const FINEST = 0; // shadows and fine pixels
const FAST = 22; // ms; slower than this nothing is added
const SLOW = 34; // ms; slower than this something is given up
const FEW = 8; // frames in a row that were drawn

export class Tempo {
  level = PLAIN;
  private best = FINEST; // what was too slow once is not tried again
  private times: number[] = [];
  private last = 0;
  private busy = false;
  private held = false;
  private trial = FEW + 2; // frames that are drawn although nothing moved, to know how long they take

  constructor(private readonly dress: (level: number) => void) {}

  /** Whether a frame should be drawn only to know how long it takes. */
  get trying(): boolean {
    return this.trial > 0;
  }

  /** This level from now on. */
  hold(level: number): void {
    this.held = true;
    this.change(level);
  }

  /** Says that a picture was drawn in this frame. */
  drawn(): void {
    this.busy = true;
    this.trial -= 1;
  }

  /** Called for every frame of the browser; only frames that follow each other count. */
  frame(time: number): void {
    if (this.busy && this.last) this.times.push(time - this.last);
    else this.times = [];
    this.last = time;
    this.busy = false;
    if (this.held || this.times.length < FEW) return;
    const typical = [...this.times].sort((a, b) => a - b)[FEW >> 1];
    this.times = [];
    if (typical > SLOW && this.level < PLAIN) {
      this.best = this.level + 1;
      this.change(this.level + 1);
    } else if (typical < FAST && this.level > this.best) this.change(this.level - 1);
  }

  private change(level: number): void {
    this.level = level;
    this.last = 0; // the next frame makes its shaders
    this.trial = FEW + 2;
    this.dress(level);
  }
}
