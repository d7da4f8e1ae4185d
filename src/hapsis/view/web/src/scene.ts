// The scene: a model as it looks, on a canvas. It knows bodies by number, poses and pixels, no mechanics.

import { Box3, Vector3 } from "three";
import { plain } from "./plain";
import { Arrow, type Pull } from "./scene/arrow";
import { CameraMan, type ViewName } from "./scene/camera";
import type { SceneData, Vector } from "./scene/data";
import { Easel } from "./scene/easel";
import { Extras } from "./scene/extras";
import { Follower } from "./scene/follower";
import { Labels } from "./scene/labels";
import { Light } from "./scene/light";
import type { Theme } from "./scene/materials";
import { Mechanism } from "./scene/mechanism";
import { pick } from "./scene/pick";
import { Section } from "./scene/section";
import { FINEST, Tempo } from "./scene/tempo";

export type { SceneData, Vector } from "./scene/data";
export type { ViewName } from "./scene/camera";
export type { Force } from "./scene/forces";
export type { Path } from "./scene/trails";

export class Scene {
  readonly size: number;
  /** Forces, trails, axes and the grid; `refresh` shows what was changed in them. */
  readonly extras: Extras;
  private readonly easel: Easel;
  private readonly mechanism: Mechanism;
  private readonly man: CameraMan;
  private light: Light;
  private readonly labels: Labels;
  private readonly pull: Arrow;
  private readonly tempo: Tempo;
  private readonly watch: ResizeObserver;
  private readonly cut = new Section();
  private chosen = -1;
  private named = false;
  private readonly follower: Follower;
  private fitted = false;
  private stale = true;
  private ended = false;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly data: SceneData,
    private theme: Theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
  ) {
    this.size = data.size;
    this.easel = new Easel(canvas, theme);
    this.mechanism = new Mechanism(data, theme);
    this.light = new Light(data, theme);
    this.man = new CameraMan(canvas, data, () => (this.stale = true));
    this.follower = new Follower(this.mechanism, this.man, this.cut);
    this.labels = new Labels(canvas, data.notices);
    this.pull = new Arrow(theme, data.size);
    this.extras = new Extras(data);
    this.easel.stage.add(this.mechanism.group, this.light.group, this.pull.group, this.extras.group);
    this.tempo = new Tempo((level) => this.lighten(level));
    this.lighten(this.tempo.level);
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(canvas);
    this.resize();
    requestAnimationFrame((time) => this.turn(time));
  }

  /** When the first picture was drawn, ms since the page began; 0 before. */
  get firstFrame(): number {
    return this.easel.first;
  }

  /** The poses of all bodies: for each its place and its axes by rows, twelve numbers. */
  update(poses: ArrayLike<number>): void {
    this.mechanism.update(poses);
    if (!this.fitted) this.fit();
    this.follower.chase(this.light);
    this.stale = true;
  }

  /** Poses at several moments: the camera then fits what all of them need. */
  reach(samples: ArrayLike<number>[]): void {
    this.mechanism.samples = samples;
  }

  /** Pixels at the edges of the canvas that other things cover: the camera fits the rest. */
  inset(top: number, bottom: number): void {
    this.man.inset(top, bottom);
    if (this.fitted && !this.man.touched) this.fit();
  }

  /** What was changed in the extras is shown. */
  refresh(): void {
    this.stale = true;
  }

  /** The same picture in light or dark. */
  dress(theme: Theme): void {
    this.theme = theme;
    this.easel.dress(theme);
    this.mechanism.dress(theme);
    this.easel.stage.remove(this.light.group);
    this.light = new Light(this.data, theme);
    this.easel.stage.add(this.light.group);
    this.lighten(this.tempo.level);
    this.illuminate();
    this.renewed();
  }

  /** Another value of a parameter: lengths and places that depend on it are drawn anew. */
  change(parameter: string, value: number): void {
    if (this.mechanism.change(parameter, value)) this.renewed();
  }

  /** The body under a point of the canvas, and the point of it in the world. */
  pick(x: number, y: number): { body: number; point: Vector } | null {
    return pick(this.mechanism, this.man, this.cut, x, y);
  }

  /** Lets one body glow and says its name; -1: none. */
  highlight(body: number): void {
    if (body === this.chosen) return;
    this.mechanism.bodies[this.chosen]?.highlight(false);
    this.chosen = body;
    this.mechanism.bodies[body]?.highlight(true);
    this.canvas.classList.toggle("near", body >= 0);
    this.stale = true;
  }

  /** The names of all bodies, or only of the one that is highlighted. */
  names(all: boolean): void {
    this.named = all;
    this.stale = true;
  }

  /** The pull of a hand, from the point that is held to the pointer; null: none. */
  arrow(pull: Pull | null): void {
    this.pull.show(pull);
    this.stale = true;
  }

  /** The camera sees all of the mechanism as it is now, or in all samples of its motion. */
  fit(): void {
    const corners = this.follower.corners();
    if (!corners.length) return;
    this.illuminate();
    this.man.fit(corners);
    this.fitted = true;
  }

  /** The camera goes back where the motion needs it: for motions whose future nobody knows. */
  keepInView(): void {
    if (this.fitted && !this.follower.busy && this.man.widen(this.mechanism.corners())) this.illuminate();
  }

  view(name: ViewName): void {
    this.man.preset(name);
    this.fit();
  }

  /** The camera moves along with a body, or with the middle of several; -1: with none. */
  follow(body: number | number[]): void {
    this.follower.follow(body);
  }

  /** Leaves out what is in front of a plane through the middle, across the view at this moment; or nothing. */
  section(on: boolean): void {
    this.cut.on = on;
    this.cut.place(this.man.target, this.man.axes().back);
    this.cut.apply(this.mechanism.solids);
    this.stale = true;
  }

  /** Whether the pointer may turn the camera. */
  camera(on: boolean): void {
    this.man.enable(on);
  }

  onScreen(point: Vector): [number, number] {
    const [x, y] = this.man.onScreen(new Vector3(...point));
    return [x, y];
  }

  /** The point under the pointer, in the plane through another one that faces the viewer. */
  inPlane(x: number, y: number, through: Vector): Vector {
    return vector(this.man.inPlane(this.man.ray(x, y).ray, new Vector3(...through)));
  }

  /** A point so far to the right and up on the screen from another one. */
  beside(point: Vector, right: number, up: number): Vector {
    const axes = this.man.axes();
    return vector(new Vector3(...point).addScaledVector(axes.right, right).addScaledVector(axes.up, up));
  }

  middle(body: number): Vector {
    return vector(this.mechanism.middle([body]));
  }

  resize(): void {
    const size = this.easel.resize();
    if (!size) return;
    this.man.resize(...size);
    if (this.fitted && !this.man.touched) this.fit();
    this.draw();
  }

  /** The picture as it is now, with shadows, as the address of a PNG. */
  picture(): string {
    this.lighten(FINEST);
    this.draw();
    const address = this.canvas.toDataURL("image/png");
    this.lighten(this.tempo.level);
    return address;
  }

  /** Shadows and fine pixels from now on, however slow frames are. */
  finest(): void {
    this.tempo.hold(FINEST);
  }

  dispose(): void {
    this.ended = true;
    this.watch.disconnect();
    this.labels.dispose();
    this.mechanism.dispose();
    this.easel.dispose();
  }

  private renewed(): void {
    this.cut.apply(this.mechanism.solids);
    this.mechanism.bodies[this.chosen]?.highlight(true);
    this.update(this.mechanism.poses);
  }

  private turn(time: number): void {
    if (this.ended) return;
    this.man.ease();
    if (this.stale || (this.fitted && this.tempo.trying)) this.draw();
    this.tempo.frame(time);
    requestAnimationFrame((next) => this.turn(next));
  }

  private draw(): void {
    if (!this.fitted) return;
    this.stale = false;
    this.tempo.drawn();
    this.easel.render(this.man.camera);
    const { bodies } = this.mechanism;
    const names = bodies.filter((_, k) => this.named || k === this.chosen).map((body) => {
      const [x, y] = this.man.onScreen(body.middle());
      return { text: plain(body.body.name), x, y };
    });
    this.labels.show([...names, ...this.extras.labels((p) => this.man.onScreen(p), this.named)]);
  }

  private lighten(level: number): void {
    this.light.shadows(level === FINEST);
    this.easel.lighten(level);
    this.stale = true;
  }

  private illuminate(): void {
    const box = new Box3().setFromPoints(this.follower.corners());
    const [middle, radius] = [box.getCenter(new Vector3()), box.getSize(new Vector3()).length() / 2 || 1];
    const floor = this.mechanism.floor();
    this.light.place(middle, radius, floor);
    this.extras.guides.place(middle, radius, floor, this.theme);
  }
}

function vector(p: Vector3): Vector {
  return [p.x, p.y, p.z];
}
