// The page: the scene, the pointer that holds bodies, the keys, the curves and the sliders.

import { Curves } from "./curve_panel";
import { Grip } from "./grip";
import type { Frame, FromWorker, ToWorker } from "./messages";
import type { Package } from "./package";
import { Scene } from "../scene";
import { ViewButtons } from "../view_buttons";
import { Gamepads } from "./gamepad";
import { PressKeys } from "./press_keys";
import { Recording } from "./recording";
import { shortNumber, Slider } from "./sliders";
import type { Started } from "./start";
import { Strings } from "./strings";

function element<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

export class Page {
  private readonly scene: Scene;
  private readonly grip: Grip;
  readonly gamepads: Gamepads;
  private readonly curves: Curves;
  private readonly sliders: Slider[] = [];
  private frame: Frame | null = null;
  /** When the worker made the first tick, ms since the page began; 0 before. */
  firstTick = 0;
  private playing = true;
  private readonly recording: Recording;
  /** The sounds of the page, and the keys of its finger, for whoever looks with the browser's tools. */
  readonly strings: Strings;
  readonly pressKeys: PressKeys | null;
  /** What the worker said last, for whoever looks with the browser's tools. */
  get now(): Frame | null {
    return this.frame;
  }

  readonly content: Package;
  private readonly worker: Worker;

  constructor({ content, worker, early }: Started) {
    this.content = content;
    this.worker = worker;
    const canvas = element<HTMLCanvasElement>("scene");
    this.scene = new Scene(canvas, content.scene);
    this.grip = new Grip(canvas, this.scene, content, (message) => this.say(message));
    this.gamepads = new Gamepads(this.grip);
    this.curves = new Curves(content);
    this.recording = new Recording(content, (message) => this.say(message));
    this.strings = new Strings(content);
    this.pressKeys = content.press && new PressKeys(content.press, (message) => this.say(message), () => this.curves.stroke());
    element("name").textContent = content.name;
    element("facts").textContent = content.facts;
    if (content.press) element("hint").textContent = "Hold the space bar, or a key from 1 (soft) to 9 (hard)";
    else if (!content.grab) element("hint").textContent = "";
    this.buttons();
    this.views(canvas);
    this.makeSliders();
    document.addEventListener("keydown", (event) => this.key(event));
    worker.onmessage = (event: MessageEvent<FromWorker>) => this.hear(event.data);
    for (const message of early) this.hear(message);
    this.watch(canvas);
  }

  /** A page that nobody sees does not compute: another tab, or a frame out of sight. */
  private watch(canvas: HTMLElement): void {
    let inView = true;
    const tell = () => this.say({ kind: "seen", on: inView && document.visibilityState === "visible" });
    new IntersectionObserver(([entry]) => {
      inView = entry.isIntersecting;
      tell();
    }).observe(canvas);
    document.addEventListener("visibilitychange", tell);
  }

  say(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  private hear(message: FromWorker): void {
    if (message.kind === "frame") this.show(message);
    else if (message.kind === "touch") this.strings.hear(message.touch);
    else if (message.kind === "failed") this.trouble(`This page cannot compute here: ${message.reason}`);
    else if (message.kind === "recording") this.recording.offer(message.recorded);
  }

  /** The last value of a signal, or of the time, "t". */
  last(name: string): number {
    if (name === "t") return this.frame?.time ?? 0;
    return this.curves.last(this.content.signals.findIndex((signal) => signal.name === name));
  }

  get ticks(): number {
    return this.frame?.ticks ?? 0;
  }

  /** Where the middle of a body is on the screen. */
  whereIs(body: string): [number, number] {
    const index = this.content.handles.findIndex((handle) => handle.body === body);
    return this.scene.onScreen(this.scene.middle(index));
  }

  slider(name: string): Slider | undefined {
    return this.sliders.find((slider) => slider.name === name);
  }

  private show(frame: Frame): void {
    this.frame = frame;
    if (!this.firstTick && frame.began) this.firstTick = frame.began - performance.timeOrigin;
    this.scene.update(frame.poses);
    this.follow?.();
    this.follow = null;
    if (!frame.hand) this.scene.keepInView(); // not while the pointer holds something
    this.grip.show(frame.hand, frame.finger);
    this.curves.add(frame.rows);
    this.trouble(frame.trouble && `${sentence(frame.trouble)} Reset starts again.`);
    this.setPlaying(frame.playing);
    const slow = frame.playing && !frame.trouble && frame.factor < 0.99 * Number(element<HTMLSelectElement>("speed").value);
    const badge = [
      `${shortNumber(frame.time)} s`,
      `${shortNumber(1 / this.content.dt)} Hz`,
      `${shortNumber(frame.cost * 1e6)} µs a tick`,
      ...(slow ? [`${Math.round(100 * frame.factor)} % of real time`] : []),
      ...(frame.recorded ? [`${Math.round(frame.recorded)} rows`] : []),
    ];
    element("badge").textContent = badge.join(" · ");
  }

  private trouble(text: string): void {
    const line = element("trouble");
    if (line.textContent !== text) line.textContent = text;
    line.hidden = !text;
  }

  private setPlaying(on: boolean): void {
    if (this.playing === on) return;
    this.playing = on;
    element("play").textContent = on ? "Pause" : "Play";
  }

  private buttons(): void {
    element("play").onclick = () => this.say({ kind: "play", on: !this.playing });
    element("once").onclick = () => this.say({ kind: "once" });
    element("reset").onclick = () => this.reset();
    element<HTMLSelectElement>("speed").onchange = (event) =>
      this.say({ kind: "speed", factor: Number((event.target as HTMLSelectElement).value) });
  }

  /** Once, as soon as poses are known: the camera goes along with the bodies. */
  private follow: (() => void) | null = null;

  private views(canvas: HTMLCanvasElement): void {
    const { name, scene, follow } = this.content;
    const bodies = scene.bodies.map((body) => body.name);
    const buttons = new ViewButtons(document.querySelector(".views")!, this.scene, canvas, name, bodies);
    this.scene.inset(48, 60); // below the title and above the bar
    if (follow) {
      this.follow = () => {
        buttons.follow("all");
        this.scene.fit();
      };
    }
  }

  private makeSliders(): void {
    const panel = element("sliders");
    const groups = new Map<string, HTMLElement>();
    const add = (group: string, slider: Slider) => {
      let section = groups.get(group);
      if (!section) {
        section = document.createElement("section");
        const head = document.createElement("h2");
        head.textContent = group;
        section.append(head);
        (group === "Finger" ? element("finger") : panel).append(section);
        groups.set(group, section);
      }
      section.append(slider.element);
      this.sliders.push(slider);
    };
    if (this.pressKeys) add("Finger", this.pressKeys.slider);
    for (const input of this.content.inputs) {
      const change = (value: number) => this.say({ kind: "input", port: input.port, value });
      add("Drives and efforts", new Slider({ ...input, change }));
    }
    for (const parameter of this.content.parameters) {
      const change = (value: number) => {
        this.say({ kind: "parameter", place: parameter.place, value });
        this.scene.change(parameter.name, value);
      };
      add(parameter.group, new Slider({ ...parameter, change }));
    }
  }

  private reset(): void {
    this.curves.clear();
    this.strings.stop();
    this.say({ kind: "reset", parameters: false });
  }

  /** Space plays and pauses, P where space presses; the full stop makes one step, R resets; fields keep their own keys. */
  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || target.matches("input, select")) return;
    const space = this.content.press ? event.key === "p" || event.key === "P" : event.key === " " && !target.matches("button");
    if (space) {
      event.preventDefault();
      this.say({ kind: "play", on: !this.playing });
    } else if (event.key === ".") this.say({ kind: "once" });
    else if (event.key === "r" || event.key === "R") this.reset();
  }
}

function sentence(text: string): string {
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}
