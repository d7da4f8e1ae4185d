// How many ticks are due: the motion keeps up with the clock, and where it cannot, it is slower instead of
// catching up in a burst.

const LONGEST = 0.1; // s of the clock that are caught up with at most

export class Pace {
  private last = -1; // s, when the clock was looked at
  private owed = 0; // ticks, with their fraction
  /** Seconds of the clock, and of these the seconds that the motion did not keep up with. */
  passed = 0;
  lost = 0;

  constructor(
    private readonly dt: number,
    public factor = 1,
  ) {}

  /** After a pause: what passed meanwhile is not owed. */
  rest(): void {
    this.last = -1;
    this.owed = 0;
  }

  /** The ticks that are due now. */
  due(now: number): number {
    if (this.last < 0) this.last = now;
    const passed = now - this.last;
    this.last = now;
    const kept = Math.min(passed, LONGEST);
    this.passed += passed;
    this.lost += passed - kept;
    this.owed += (kept * this.factor) / this.dt;
    const ticks = Math.floor(this.owed);
    this.owed -= ticks;
    return ticks;
  }

  /** Ticks that were due and could not be computed in time. */
  drop(ticks: number): void {
    this.lost += (ticks * this.dt) / this.factor;
  }
}
