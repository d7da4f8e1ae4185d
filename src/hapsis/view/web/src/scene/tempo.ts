// How fast frames come: when they are slow, the scene gives up shadows first, then fine pixels.

const SLOW = 34; // ms
const FEW = 12; // frames in a row that were drawn

export class Tempo {
  level = 0;
  private times: number[] = [];
  private last = 0;
  private busy = false;

  constructor(private readonly lighten: (level: number) => void) {}

  /** Says that a picture was drawn in this frame. */
  drawn(): void {
    this.busy = true;
  }

  /** Called for every frame of the browser; only frames that follow each other count. */
  frame(time: number): void {
    if (this.busy && this.last) this.times.push(time - this.last);
    else this.times = [];
    this.last = time;
    this.busy = false;
    if (this.times.length < FEW) return;
    const typical = [...this.times].sort((a, b) => a - b)[FEW >> 1];
    this.times = [];
    if (typical > SLOW && this.level < 2) {
      this.level += 1;
      this.lighten(this.level);
    }
  }
}
