// The page: the motion in the scene, the time, and the charts; it draws when something has changed.

import type { Force } from "../scene";
import { Scene } from "../scene";
import { ViewButtons } from "../view_buttons";
import type { Style } from "./chart";
import { byId, Controls } from "./controls";
import type { Film, Numbers, Place } from "./film";
import { Motion } from "./motion";
import { readable } from "./numbers";
import { SignalPanel } from "./signal_panel";

const SAMPLES = 24; // moments of the motion that the camera sees all of
const FAR = 5; // sizes of the mechanism: a motion that goes farther is followed
const ARROW = 0.22; // sizes of the mechanism that a typical arrow is long
const LOST = "The graphics processor was taken away. Load the page again to see the motion.";
const MISSING = "This browser cannot draw in three dimensions: WebGL 2 is missing or switched off. Time, values and plots still work.";

export class Player {
  readonly state = { time: 0, playing: false, speed: 1, loop: true, names: false, forces: false, trails: false, grid: false, axes: false };
  readonly scene: Scene | null;
  readonly views: ViewButtons | null = null;
  readonly signals: SignalPanel;
  private readonly motion: Motion;
  private readonly canvas = byId<HTMLCanvasElement>("view");
  private readonly digits: number;
  private arrowScale: number;
  private traced = "";
  private dirty = true;
  private waiting = false;
  private before = 0;
  private wall = 0;
  private simulated = 0;

  constructor(
    readonly film: Film,
    array: (place: Place) => Numbers,
  ) {
    this.motion = new Motion(film, array);
    const { first, last } = this.motion;
    this.digits = Math.max(2, Math.min(7, 3 - Math.floor(Math.log10(last - first || 1))));
    this.arrowScale = ARROW * film.drawing.size;
    this.state.time = first;
    this.words();
    this.scene = this.makeScene();
    this.signals = new SignalPanel(film, array, [first, last], (time) => {
      this.play(false);
      this.seek(time);
    });
    new Controls(this, this.motion);
    if (this.scene) {
      const film = { start: () => this.filmed(), stop: () => {} };
      this.views = new ViewButtons(byId("views"), this.scene, this.canvas, this.film.title, this.film.bodies.map(({ name }) => name), film);
      if (this.far()) this.views.follow("all");
      this.select();
    }
    this.scaleArrows(1);
    const watch = new ResizeObserver(() => this.resize());
    for (const id of ["charts", "stage"]) watch.observe(byId(id));
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.retheme());
    this.resize();
    this.begin();
  }

  /** "#t=1.5" opens the page at that time, at rest. */
  private begin(): void {
    const asked = /[#&]t=([-+.\deE]+)/.exec(location.hash);
    if (asked) this.seek(Number(asked[1]) || 0);
    else this.play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
    this.wake();
  }

  private words(): void {
    byId("title").textContent = this.film.title;
    byId("notes").textContent = this.film.notes;
    byId("about").hidden = !this.film.notes;
    document.querySelector<HTMLElement>('[data-toggle="forces"]')!.hidden = !this.film.arrows.length;
  }

  private makeScene(): Scene | null {
    try {
      const scene = new Scene(this.canvas, this.film.drawing, this.dark ? "dark" : "light");
      scene.reach(this.motion.samples(this.film.bodies.length > 200 ? 4 : SAMPLES));
      scene.update(this.motion.poses);
      this.canvas.addEventListener("webglcontextlost", () => this.tell(LOST));
      return scene;
    } catch (problem) {
      this.tell(/WebGL/.test(String(problem)) ? MISSING : `The picture cannot be drawn: ${problem}`);
      return null;
    }
  }

  private tell(text: string): void {
    byId("message").textContent = text;
    byId("message").hidden = false;
  }

  /** Whether the bodies go so far that one would see nothing of them. */
  private far(): boolean {
    const samples = this.motion.samples(SAMPLES);
    const reach = [0, 1, 2].map((axis) => {
      const all = samples.flatMap((poses) => this.motion.moving.map((body) => poses[12 * body + axis]));
      return all.reduce((a, b) => Math.max(a, b), -Infinity) - all.reduce((a, b) => Math.min(a, b), Infinity);
    });
    return Math.hypot(...reach) > FAR * this.film.drawing.size;
  }

  /** A click on a body without moving lets the camera follow it; again, or beside it, ends that. */
  private select(): void {
    let from: [number, number] | null = null;
    this.canvas.addEventListener("pointerdown", (event) => (from = [event.offsetX, event.offsetY]));
    this.canvas.addEventListener("pointerup", (event) => {
      if (!from || event.button !== 0 || Math.hypot(event.offsetX - from[0], event.offsetY - from[1]) > 3) return;
      const hit = this.scene!.pick(event.offsetX, event.offsetY);
      if (hit) this.views!.follow(this.views!.followed === String(hit.body) ? "none" : hit.body);
      this.scene!.highlight(hit && this.views!.followed === String(hit.body) ? hit.body : -1);
    });
    this.canvas.addEventListener("pointermove", (event) => {
      if (!event.buttons) this.scene!.highlight(this.scene!.pick(event.offsetX, event.offsetY)?.body ?? -1);
    });
  }

  seek(time: number): void {
    this.state.time = Math.max(this.motion.first, Math.min(this.motion.last, time));
    this.motion.seek(this.state.time);
    this.wake();
  }

  step(frames: number): void {
    this.play(false);
    const { motion } = this;
    motion.find(this.state.time);
    const near = motion.part > 0.999 || (frames < 0 && motion.part > 0.001) ? 1 : 0;
    this.seek(motion.times[Math.max(0, Math.min(motion.times.length - 1, motion.frame + near + frames))]);
  }

  play(wanted: boolean): void {
    const { first, last } = this.motion;
    this.state.playing = wanted && last > first;
    if (this.state.playing && this.state.time >= last) this.seek(first);
    document.body.classList.toggle("playing", this.state.playing);
    byId("play").setAttribute("aria-label", this.state.playing ? "Pause" : "Play");
    if (!this.state.playing) byId<HTMLOutputElement>("rate").value = "";
    this.wake();
  }

  /** A video begins at the start of the motion. */
  private filmed(): void {
    this.seek(this.motion.first);
    this.play(true);
  }

  scaleArrows(factor: number): void {
    this.arrowScale = ARROW * this.film.drawing.size * factor;
    const scales = new Map(this.film.arrows.map(({ unit, typical }) => [unit, typical / this.arrowScale]));
    byId<HTMLOutputElement>("sizes").value = [...scales].map(([unit, size]) => `1 m = ${readable(size)} ${unit}`).join(", ");
    this.wake();
  }

  /** What the toggles say. */
  dress(): void {
    byId("scales").hidden = !this.state.forces;
    this.wake();
  }

  get dark(): boolean {
    const { theme } = document.documentElement.dataset;
    return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  swapTheme(): void {
    document.documentElement.dataset.theme = this.dark ? "light" : "dark";
    this.retheme();
  }

  private retheme(): void {
    this.traced = "";
    this.scene?.dress(this.dark ? "dark" : "light");
    this.resize();
  }

  private resize(): void {
    const css = getComputedStyle(document.documentElement);
    const value = (name: string) => css.getPropertyValue(name).trim();
    const style: Style = {
      font: `12px ${getComputedStyle(document.body).fontFamily}`,
      ink: value("--ink"),
      quiet: value("--quiet"),
      grid: value("--grid"),
      accent: value("--mark"),
      lines: value("--lines").split(" "),
    };
    this.signals.redraw(style);
    const [stage, corner] = [byId("stage"), byId("corner")].map((item) => item.getBoundingClientRect());
    const above = corner.bottom - stage.top < stage.bottom - corner.top; // else the buttons are below
    this.scene?.inset(above ? corner.bottom - stage.top : 40, above ? 0 : stage.bottom - corner.top);
    this.wake();
  }

  wake(): void {
    this.dirty = true;
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame((now) => this.turn(now));
  }

  private turn(now: number): void {
    this.waiting = false;
    if (this.state.playing && this.before) this.advance((now - this.before) / 1000);
    this.before = this.state.playing ? now : 0;
    if (!this.state.playing) this.wall = this.simulated = 0;
    if (this.dirty || this.state.playing) this.draw();
    this.dirty = false;
    if (this.state.playing) this.wake();
  }

  private advance(real: number): void {
    const passed = Math.min(0.1, real); // a slow machine plays slower and says so; it does not jump
    const { first, last } = this.motion;
    let time = this.state.time + passed * this.state.speed;
    if (time >= last && this.state.loop) time = first + ((time - first) % (last - first));
    else if (time >= last) this.play(false);
    this.state.time = Math.min(time, last);
    this.motion.seek(this.state.time);
    this.wall += real;
    this.simulated += passed * this.state.speed;
    if (this.wall < 0.5) return;
    byId<HTMLOutputElement>("rate").value = `${Number((this.simulated / this.wall).toPrecision(2))}\u00d7 real time`;
    this.wall = this.simulated = 0;
  }

  private draw(): void {
    if (this.scene) this.show(this.scene);
    this.signals.draw(this.state.time);
    const { first, last } = this.motion;
    const slider = byId<HTMLInputElement>("time");
    const text = `${this.state.time.toFixed(this.digits)} s`;
    slider.value = String(last > first ? Math.round(((this.state.time - first) / (last - first)) * 1e6) : 0);
    slider.setAttribute("aria-valuetext", text);
    byId<HTMLOutputElement>("clock").value = `${text} / ${last.toFixed(this.digits)} s`;
  }

  private show(scene: Scene): void {
    const { extras } = scene;
    const { names, forces, trails, grid, axes } = this.state;
    scene.names(names);
    extras.forces.group.visible = forces;
    extras.trails.group.visible = trails;
    extras.guides.grid.visible = grid;
    extras.guides.axes.visible = axes;
    if (forces) extras.forces.show(this.motion.arrows.map((arrow) => this.force(arrow)), this.arrowScale);
    if (trails) this.trail(scene);
    scene.update(this.motion.poses);
  }

  private force({ name, color, point, vector, typical, unit }: Motion["arrows"][number]): Force {
    return { name, color, point, vector, text: `${readable(typical * Math.hypot(...vector))} ${unit}` };
  }

  private trail(scene: Scene): void {
    const { bodies } = this.film.drawing;
    const theme = this.dark ? "dark" : "light";
    if (this.traced !== theme) {
      const paths = this.motion.paths();
      scene.extras.trails.set(this.motion.moving.map((body, m) => ({ places: paths[m], color: bodies[body].color })), theme);
      this.traced = theme;
    }
    scene.extras.trails.show(this.motion.frame, (m) => {
      const body = this.motion.moving[m];
      return this.motion.point(body, this.film.bodies[body].trail);
    });
  }
}
