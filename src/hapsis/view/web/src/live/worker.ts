// The worker: it ticks at the fixed rate of the step, apart from the page, and sends what is seen.

import type { Frame, FromWorker, ToWorker } from "./messages";
import type { Package } from "./package";
import { columns, npz } from "./npz";
import { Pace } from "./pace";
import { Simulation } from "./simulation";

const FRAME = 1 / 60; // s between two frames
const ROW = 0.004; // s between two rows of signals
const FINE = 0.0005; // the same while a finger moves, whose stroke takes some 20 ms
const MOST = 0.03; // s of computing between two messages
const KEPT = 4_000_000; // numbers of a recording

export class Host {
  private simulation: Simulation | null = null;
  private opened: Promise<void> = Promise.resolve();
  private pace!: Pace;
  private playing = true;
  private seen = true;
  private rows: number[] = [];
  private record: number[] | null = null;
  private widest = 0; // gap of the recording
  private lastRow = -Infinity;
  private lastFrame = -Infinity;
  private cost = 0;
  private began = 0;

  constructor(
    private readonly send: (message: FromWorker, transfer?: Transferable[]) => void,
    private readonly now: () => number, // s
  ) {}

  async take(message: ToWorker): Promise<void> {
    if (message.kind === "open") {
      this.opened = this.open(message.content);
      return this.opened;
    }
    await this.opened; // what is said meanwhile waits
    const { simulation } = this;
    if (!simulation) return;
    if (message.kind === "play") {
      this.playing = message.on;
      this.pace.rest();
    } else if (message.kind === "seen") {
      this.seen = message.on;
      this.pace.rest();
    } else if (message.kind === "once") {
      this.playing = false;
      this.tick();
      this.tell();
      this.frame();
    } else if (message.kind === "reset") {
      simulation.reset(message.parameters);
      if (this.record) this.turnRecording(true); // times only rise: it begins again
      this.pace.rest();
      this.rows = [];
      this.lastRow = -Infinity;
      this.frame();
    } else if (message.kind === "speed") {
      this.pace.factor = message.factor;
    } else if (message.kind === "parameter") {
      simulation.set(message.place, message.value);
    } else if (message.kind === "input") {
      simulation.give(message.port, message.value);
    } else if (message.kind === "grab") {
      simulation.grab(message.body, message.point);
    } else if (message.kind === "move") {
      simulation.move(message.goal);
    } else if (message.kind === "release") {
      simulation.release();
    } else if (message.kind === "press") {
      simulation.finger?.ask(message.value);
    } else if (message.kind === "record") {
      this.turnRecording(message.on);
    }
  }

  private async open(content: Package): Promise<void> {
    try {
      this.simulation = await Simulation.create(content);
    } catch (problem) {
      this.send({ kind: "failed", reason: String(problem) });
      return;
    }
    this.pace = new Pace(content.dt);
    this.send({ kind: "ready" });
    this.frame();
  }

  private turnRecording(on: boolean): void {
    if (on) {
      this.record = [];
      this.widest = 0;
    } else if (this.record) {
      const rows = Float64Array.from(this.record);
      const full = this.record.length >= KEPT;
      this.record = null;
      const { trouble, content, p } = this.simulation!;
      const parameters = Object.fromEntries(content.parameters.map(({ name, place }) => [name, p[place]]));
      this.send({ kind: "recording", recorded: { rows, parameters, gap: this.widest, full, trouble } }, [rows.buffer]);
    }
  }

  /** Computes the ticks that are due, and sends a frame when it is time. */
  run(): void {
    if (!this.simulation || !this.seen) return;
    const begin = this.now();
    if (this.playing && !this.simulation.trouble) {
      const due = this.pace.due(begin);
      let done = 0;
      while (done < due && (done % 8 || this.now() - begin < MOST)) {
        this.tick();
        done += 1;
      }
      if (done < due) this.pace.drop(due - done);
      this.tell();
      if (done) this.cost += 0.1 * ((this.now() - begin) / done - this.cost);
    }
    if (begin - this.lastFrame >= FRAME) this.frame();
  }

  /** Says what was touched. */
  private tell(): void {
    for (const touch of this.simulation!.touches?.taken() ?? []) this.send({ kind: "touch", touch });
  }

  private tick(): void {
    const simulation = this.simulation!;
    simulation.tick();
    this.began ||= performance.timeOrigin + performance.now();
    if (simulation.trouble) return;
    const time = simulation.time;
    if (this.record && this.record.length < KEPT) this.record.push(time, ...simulation.record());
    if (time - this.lastRow >= (simulation.finger?.moves ? FINE : ROW) - 1e-12) {
      this.lastRow = time;
      this.rows.push(time, ...simulation.signals());
    }
  }

  private frame(): void {
    const simulation = this.simulation!;
    const { pace } = this;
    this.lastFrame = this.now();
    const gap = simulation.check();
    this.widest = Math.max(this.widest, gap);
    simulation.look();
    const poses = simulation.poses();
    const rows = Float64Array.from(this.rows);
    this.rows = [];
    const { held } = simulation;
    const width = 1 + columns(simulation.content).length;
    const frame: Frame = {
      kind: "frame",
      time: simulation.time,
      began: this.began,
      ticks: simulation.ticks,
      poses,
      rows,
      hand: held,
      finger: simulation.finger?.presses ? { at: simulation.finger.at, force: simulation.finger.vector } : null,
      gap,
      trouble: simulation.trouble,
      playing: this.playing,
      cost: this.cost,
      factor: pace.passed > 0 ? (pace.factor * (pace.passed - pace.lost)) / pace.passed : pace.factor,
      recorded: this.record ? this.record.length / width : 0,
    };
    if (pace.passed > 1) {
      pace.passed = 0;
      pace.lost = 0;
    }
    this.send(frame, [poses.buffer, rows.buffer]);
  }
}

const scope = globalThis as unknown as {
  WorkerGlobalScope?: unknown;
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
};

if (scope.WorkerGlobalScope) {
  const host = new Host(
    (message, transfer) => scope.postMessage(message, transfer ?? []),
    () => performance.now() / 1000,
  );
  scope.onmessage = (event) => void host.take(event.data);
  setInterval(() => host.run(), 4);
}
Object.assign(globalThis, { hapsis: { Host, Simulation, npz } }); // for tests, which run this file without a browser
