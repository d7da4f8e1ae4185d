// The trail of a phase plot: the last seconds in which something moved. What stands still adds nothing and loses nothing.

const LONGEST = 4; // s of motion
const STILL = 1e-4; // of the spread: less is no motion

export class Trail {
  readonly x: number[] = [];
  readonly y: number[] = [];
  private readonly steps: number[] = []; // s that each point stands for
  private length = 0; // s
  private time = NaN;
  private low = [Infinity, Infinity];
  private high = [-Infinity, -Infinity];

  add(time: number, x: number, y: number): void {
    const step = time > this.time ? time - this.time : 0;
    this.time = time;
    const last = this.x.length - 1;
    [x, y].forEach((value, k) => {
      this.low[k] = Math.min(this.low[k], value);
      this.high[k] = Math.max(this.high[k], value);
    });
    const still = (a: number, b: number, k: number) => Math.abs(a - b) <= STILL * (this.high[k] - this.low[k]);
    if (last >= 0 && still(x, this.x[last], 0) && still(y, this.y[last], 1)) return;
    this.x.push(x);
    this.y.push(y);
    this.steps.push(step);
    this.length += step;
    let gone = 0;
    while (this.length > LONGEST && gone < last) this.length -= this.steps[gone++];
    if (gone > 200) for (const each of [this.x, this.y, this.steps]) each.splice(0, gone);
    else for (let k = 0; k < gone; k++) this.length += this.steps[k]; // in large pieces
  }
}
