// The scene: a model as it looks, on a canvas. It knows bodies by number, poses and pixels, no mechanics.

import { Box3, Color, type Mesh, type Object3D, PCFShadowMap, Scene as Stage, Vector3, WebGLRenderer } from "three";
import { Arrow, type Pull } from "./scene/arrow";
import { CameraMan, type ViewName } from "./scene/camera";
import type { SceneData, Vector } from "./scene/data";
import { Extras } from "./scene/extras";
import { Labels } from "./scene/labels";
import { Light } from "./scene/light";
import { PALETTES, type Theme } from "./scene/materials";
import { Mechanism } from "./scene/mechanism";
import { Section } from "./scene/section";
import { Tempo } from "./scene/tempo";

export type { SceneData, Vector } from "./scene/data";
export type { ViewName } from "./scene/camera";
export type { Force } from "./scene/forces";
export type { Path } from "./scene/trails";

const NEAR = 10; // px by which a pointer may miss a body

export class Scene {
  readonly size: number;
  /** When the first picture was drawn, ms since the page began; 0 before. */
  firstFrame = 0;
  /** Forces, trails, axes and the grid; `refresh` shows what was changed in them. */
  readonly extras: Extras;
  private readonly renderer: WebGLRenderer;
  private readonly stage = new Stage();
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
  private followed: number[] = [];
  private readonly followedAt = new Vector3();
  private fitted = false;
  private stale = true;
  private ended = false;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly data: SceneData,
    private theme: Theme = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
  ) {
    this.size = data.size;
    this.renderer = new WebGLRenderer({ canvas, antialias: true, powerPreference: "high-performance" });
    this.renderer.localClippingEnabled = true;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.stage.background = new Color(PALETTES[theme].paper);
    this.mechanism = new Mechanism(data, theme);
    this.light = new Light(data, theme);
    this.man = new CameraMan(canvas, data, () => (this.stale = true));
    this.labels = new Labels(canvas);
    this.pull = new Arrow(theme, data.size);
    this.extras = new Extras(data);
    this.stage.add(this.mechanism.group, this.light.group, this.pull.group, this.extras.group);
    this.tempo = new Tempo((level) => this.lighten(level));
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(canvas);
    this.resize();
    requestAnimationFrame((time) => this.turn(time));
  }

  /** The poses of all bodies: for each its place and its axes by rows, twelve numbers. */
  update(poses: ArrayLike<number>): void {
    this.mechanism.update(poses);
    if (!this.fitted) this.fit();
    if (this.followed.length) this.chase();
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
    this.stage.background = new Color(PALETTES[theme].paper);
    this.mechanism.dress(theme);
    this.stage.remove(this.light.group);
    this.light = new Light(this.data, theme);
    this.stage.add(this.light.group);
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
    const groups = this.mechanism.bodies.map((body) => body.group as Object3D);
    const ring = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [NEAR * Math.cos(k * 0.785), NEAR * Math.sin(k * 0.785)]);
    for (const [dx, dy] of [[0, 0], ...ring]) {
      const hits = this.man.ray(x + dx, y + dy).intersectObjects(groups, true);
      const seen = hits.filter(({ point }) => this.cut.keeps(point));
      const solid = seen.find(({ object }) => !((object as Mesh).material as { transparent: boolean }).transparent) ?? seen[0];
      if (solid) return { body: groups.indexOf(solid.object.parent!), point: vector(solid.point) };
    }
    return null;
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
    const corners = this.followed.length ? this.mechanism.corners() : this.mechanism.allCorners();
    if (!corners.length) return;
    this.illuminate();
    this.man.fit(corners);
    this.fitted = true;
  }

  view(name: ViewName): void {
    this.man.preset(name);
    this.fit();
  }

  /** The camera moves along with a body, or with the middle of several; -1: with none. */
  follow(body: number | number[]): void {
    this.followed = (Array.isArray(body) ? body : [body]).filter((k) => k in this.mechanism.bodies);
    this.followedAt.copy(this.mechanism.middle(this.followed));
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
    const { clientWidth, clientHeight } = this.canvas;
    if (!clientWidth || !clientHeight) return;
    this.renderer.setPixelRatio(this.tempo.level > 1 ? 1 : Math.min(devicePixelRatio, 2));
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.man.resize(clientWidth, clientHeight);
    if (this.fitted && !this.man.touched) this.fit();
    this.draw();
  }

  /** The picture as it is now, as the address of a PNG. */
  picture(): string {
    this.draw();
    return this.canvas.toDataURL("image/png");
  }

  dispose(): void {
    this.ended = true;
    this.watch.disconnect();
    this.labels.dispose();
    this.mechanism.dispose();
    this.renderer.dispose();
  }

  private renewed(): void {
    this.cut.apply(this.mechanism.solids);
    this.mechanism.bodies[this.chosen]?.highlight(true);
    this.update(this.mechanism.poses);
  }

  private turn(time: number): void {
    if (this.ended) return;
    if (this.stale) this.draw();
    this.tempo.frame(time);
    requestAnimationFrame((next) => this.turn(next));
  }

  private draw(): void {
    if (!this.fitted) return;
    this.stale = false;
    this.tempo.drawn();
    this.renderer.render(this.stage, this.man.camera);
    if (!this.firstFrame) this.firstFrame = performance.now();
    const { bodies } = this.mechanism;
    const names = bodies.filter((_, k) => this.named || k === this.chosen).map((body) => {
      const [x, y] = this.man.onScreen(body.middle());
      return { text: body.body.name, x, y };
    });
    this.labels.show([...names, ...this.extras.labels((p) => this.man.onScreen(p), this.named)]);
  }

  /** 1: no shadows; 2: no fine pixels either. */
  private lighten(level: number): void {
    this.renderer.shadowMap.enabled = level < 1;
    this.light.key.castShadow = level < 1;
    if (level > 1) this.resize();
    this.stale = true;
  }

  private chase(): void {
    const now = this.mechanism.middle(this.followed);
    const way = now.clone().sub(this.followedAt);
    this.man.target.add(way);
    this.light.move(way);
    this.cut.plane.translate(way);
    this.followedAt.copy(now);
    this.man.apply();
  }

  private illuminate(): void {
    const box = new Box3().setFromPoints(this.followed.length ? this.mechanism.corners() : this.mechanism.allCorners());
    const [middle, radius] = [box.getCenter(new Vector3()), box.getSize(new Vector3()).length() / 2 || 1];
    const floor = this.mechanism.floor();
    this.light.place(middle, radius, floor);
    this.extras.guides.place(middle, radius, floor, this.theme);
  }
}

function vector(p: Vector3): Vector {
  return [p.x, p.y, p.z];
}
