// Buttons, keys and the slider: what the reader does to the state of the page.

import type { ViewName } from "../scene";
import type { Motion } from "./motion";
import type { Player } from "./player";

export type Toggle = "names" | "forces" | "trails" | "grid" | "axes" | "loop";

const LETTERS: Record<string, Toggle> = { n: "names", a: "forces", t: "trails", g: "grid", x: "axes", l: "loop" };
const VIEWS: Record<string, ViewName> = { 1: "side", 2: "front", 3: "top", 0: "three-quarter" };

export function byId<T extends HTMLElement>(id: string): T {
  return document.getElementById(id) as T;
}

export class Controls {
  private readonly toggles = [...document.querySelectorAll<HTMLElement>("[data-toggle]")];
  private readonly speeds: number[];
  private readonly help = byId<HTMLDialogElement>("help");

  constructor(
    private readonly page: Player,
    private readonly motion: Motion,
  ) {
    for (const button of this.toggles) button.onclick = () => this.toggle(button.dataset.toggle as Toggle);
    byId("play").onclick = () => page.play(!page.state.playing);
    byId("back").onclick = () => page.step(-1);
    byId("forth").onclick = () => page.step(1);
    byId("fit").onclick = () => page.scene?.fit();
    byId("theme").onclick = () => page.swapTheme();
    byId("keys").onclick = () => this.help.showModal();
    const { first, last } = motion;
    byId<HTMLInputElement>("time").oninput = (event) => page.seek(first + (Number((event.target as HTMLInputElement).value) / 1e6) * (last - first));
    byId<HTMLInputElement>("size").oninput = (event) => page.scaleArrows(10 ** (Number((event.target as HTMLInputElement).value) / 2));
    this.speeds = this.fillSpeeds();
    // a click with the mouse must not leave the space key on the button
    document.addEventListener("click", (event) => {
      const button = (event.target as HTMLElement).closest("button");
      if (button && event.detail > 0) button.blur();
    });
    document.addEventListener("keydown", (event) => this.key(event));
    this.show();
  }

  /** 0.1 to 4 times, and more where the motion is very short or very long. */
  private fillSpeeds(): number[] {
    const duration = this.motion.last - this.motion.first;
    const speeds = [0.1, 0.25, 0.5, 1, 2, 4];
    while (duration > 0 && duration / speeds[0] < 4 && speeds.length < 20) {
      speeds.unshift(Number((speeds[0] / (speeds.length % 2 ? 2 : 5)).toPrecision(1)));
    }
    while (duration / speeds[speeds.length - 1] > 60 && speeds.length < 30) {
      speeds.push(Number((speeds[speeds.length - 1] * 2.5).toPrecision(1)));
    }
    const select = byId<HTMLSelectElement>("speed");
    for (const speed of speeds) select.append(new Option(`${speed}\u00d7`, String(speed)));
    const slow = duration > 0 && duration < 1;
    this.page.state.speed = slow ? (speeds.filter((s) => duration / s >= 2).pop() ?? speeds[0]) : 1;
    select.value = String(this.page.state.speed);
    select.onchange = () => (this.page.state.speed = Number(select.value));
    return speeds;
  }

  private faster(by: number): void {
    const select = byId<HTMLSelectElement>("speed");
    const k = this.speeds.indexOf(Number(select.value)) + by;
    if (k < 0 || k >= this.speeds.length) return;
    this.page.state.speed = this.speeds[k];
    select.value = String(this.speeds[k]);
  }

  toggle(name: Toggle): void {
    const button = this.toggles.find(({ dataset }) => dataset.toggle === name)!;
    if (button.hidden) return;
    this.page.state[name] = !this.page.state[name];
    this.show();
    this.page.dress();
  }

  private show(): void {
    for (const button of this.toggles) button.setAttribute("aria-pressed", String(this.page.state[button.dataset.toggle as Toggle]));
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    if (target.matches("input[type=search], select") || (target.id === "size" && event.key.startsWith("Arrow"))) return;
    const typed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if ((typed === " " || typed === "Enter") && target.closest("button, summary")) return;
    const { page, motion } = this;
    const actions: Record<string, () => void> = {
      " ": () => page.play(!page.state.playing),
      ArrowLeft: () => page.step(event.shiftKey ? -10 : -1),
      ArrowRight: () => page.step(event.shiftKey ? 10 : 1),
      Home: () => page.seek(motion.first),
      End: () => page.seek(motion.last),
      "-": () => this.faster(-1),
      "+": () => this.faster(1),
      "=": () => this.faster(1),
      f: () => page.scene?.fit(),
      c: () => page.views?.follow(page.views.followed === "none" ? "all" : "none"),
      s: () => page.views?.section(),
      d: () => page.swapTheme(),
      "/": () => byId("find").focus(),
      "?": () => this.help.showModal(),
    };
    if (LETTERS[typed]) this.toggle(LETTERS[typed]);
    else if (VIEWS[typed]) page.scene?.view(VIEWS[typed]);
    else if (actions[typed]) actions[typed]();
    else return;
    event.preventDefault();
  }
}
