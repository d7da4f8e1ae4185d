// The scene: a model as it looks, on a canvas. It knows bodies by number, poses and pixels, no mechanics.

import { Box3, type BufferGeometry, Color, Mesh, type Object3D, PCFShadowMap, Scene as Stage, Vector3, WebGLRenderer } from "three";
import { Arrow, type Pull } from "./scene/arrow";
import { BodyGroup, meshesOf } from "./scene/bodies";
import { changed } from "./scene/changes";
import { CameraMan, type ViewName } from "./scene/camera";
import { Connector } from "./scene/connections";
import type { End, SceneData, Vector } from "./scene/data";
import { Extras } from "./scene/extras";
import { Labels } from "./scene/labels";
import { Light } from "./scene/light";
import { PALETTES, type Theme } from "./scene/materials";
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
  private readonly renderer: WebGLRenderer;
  private readonly stage = new Stage();
  private readonly bodies: BodyGroup[];
  private world: BodyGroup;
  private readonly meshes: BufferGeometry[];
  private readonly values = new Map<string, number>(); // of parameters that were changed
  private poses: ArrayLike<number> = [];
  private connectors: Connector[] = []; // from the first poses on, whose lengths they have
  private readonly man: CameraMan;
  private light: Light;
  /** Forces, trails, axes and the grid; `refresh` shows what was changed in them. */
  readonly extras: Extras;
  private readonly labels: Labels;
  private readonly pull: Arrow;
  private readonly tempo: Tempo;
  private readonly watch: ResizeObserver;
  private chosen = -1;
  private named = false;
  private followed: number[] = [];
  private readonly followedAt = new Vector3();
  private readonly cut = new Section();
  private samples: ArrayLike<number>[] = []; // poses that the camera should see all of
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
    this.meshes = meshesOf(data);
    this.world = new BodyGroup(data.world, true, this.meshes, theme);
    this.bodies = data.bodies.map((body) => new BodyGroup(body, false, this.meshes, theme));
    this.light = new Light(data, theme);
    this.man = new CameraMan(canvas, data, () => (this.stale = true));
    this.labels = new Labels(canvas);
    this.pull = new Arrow(theme, data.size);
    this.extras = new Extras(data);
    this.stage.add(this.world.group, this.light.group, this.pull.group, this.extras.group);
    for (const { group } of this.bodies) this.stage.add(group);
    this.tempo = new Tempo((level) => this.lighten(level));
    this.watch = new ResizeObserver(() => this.resize());
    this.watch.observe(canvas);
    this.resize();
    requestAnimationFrame((time) => this.turn(time));
  }

  /** The poses of all bodies: for each its place and its axes by rows, twelve numbers. */
  update(poses: ArrayLike<number>): void {
    this.poses = poses;
    this.place(poses);
    if (!this.fitted) {
      this.connect(this.data);
      this.fit();
    }
    if (this.followed.length) this.chase();
    this.stale = true;
  }

  /** Poses at several moments: the camera then fits what all of them need. */
  reach(samples: ArrayLike<number>[]): void {
    this.samples = samples;
  }

  /** What was changed in the extras is shown. */
  refresh(): void {
    this.stale = true;
  }

  /** The same picture in light or dark. */
  dress(theme: Theme): void {
    this.theme = theme;
    this.stage.background = new Color(PALETTES[theme].paper);
    for (let k = -1; k < this.bodies.length; k++) this.renew(this.data, k);
    for (const { group } of this.connectors) this.stage.remove(group);
    this.connect(this.data);
    this.stage.remove(this.light.group);
    this.light = new Light(this.data, theme);
    this.stage.add(this.light.group);
    this.lighten(this.tempo.level);
    this.illuminate(this.corners());
    this.cut.apply(this.solids());
    this.update(this.poses);
  }

  /** Another value of a parameter: lengths and places that depend on it are drawn anew. */
  change(parameter: string, value: number): void {
    if (!this.data.changes?.some((each) => each.parameter === parameter)) return;
    this.values.set(parameter, value);
    const { data, bodies } = changed(this.data, this.values);
    for (const k of bodies) this.renew(data, k);
    for (const { group } of this.connectors) this.stage.remove(group);
    this.connect(data);
    this.cut.apply(this.solids());
    this.update(this.poses);
  }

  /** The body under a point of the canvas, and the point of it in the world. */
  pick(x: number, y: number): { body: number; point: Vector } | null {
    const ring = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [NEAR * Math.cos(k * 0.785), NEAR * Math.sin(k * 0.785)]);
    for (const [dx, dy] of [[0, 0], ...ring]) {
      const groups = this.bodies.map((body) => body.group as Object3D);
      const hits = this.man.ray(x + dx, y + dy).intersectObjects(groups, true)
        .filter(({ point }) => this.cut.keeps(point));
      const solid = hits.find(({ object }) => !((object as Mesh).material as { transparent: boolean }).transparent) ?? hits[0];
      if (!solid) continue;
      const body = groups.indexOf(solid.object.parent!);
      return { body, point: vector(solid.point) };
    }
    return null;
  }

  /** Lets one body glow and says its name; -1: none. */
  highlight(body: number): void {
    if (body === this.chosen) return;
    this.bodies[this.chosen]?.highlight(false);
    this.chosen = body;
    this.bodies[body]?.highlight(true);
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

  /** The camera sees all of the mechanism as it is now. */
  fit(): void {
    const corners = this.corners();
    if (!corners.length) return;
    this.illuminate(corners);
    this.man.fit(this.followed.length ? this.corners(false) : corners);
    this.fitted = true;
  }

  view(name: ViewName): void {
    this.man.preset(name);
    this.fit();
  }

  /** The camera moves along with a body, or with the middle of several; -1: with none. */
  follow(body: number | number[]): void {
    this.followed = (Array.isArray(body) ? body : [body]).filter((k) => k in this.bodies);
    this.followedAt.copy(this.middleOf(this.followed));
  }

  /** Leaves out what is in front of a plane through the middle, across the view at this moment; or nothing. */
  section(on: boolean): void {
    this.cut.on = on;
    this.cut.place(this.man.target, this.man.axes().back);
    this.cut.apply(this.solids());
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
    return vector(this.bodies[body].middle());
  }

  resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    if (!clientWidth || !clientHeight) return;
    this.renderer.setPixelRatio(this.tempo.level > 1 ? 1 : Math.min(devicePixelRatio, 2));
    this.renderer.setSize(clientWidth, clientHeight, false);
    this.man.resize(clientWidth, clientHeight);
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
    for (const body of [this.world, ...this.bodies]) body.dispose();
    this.renderer.dispose();
  }

  private renew(data: SceneData, k: number): void {
    const old = k < 0 ? this.world : this.bodies[k];
    const group = new BodyGroup(k < 0 ? data.world : data.bodies[k], k < 0, this.meshes, this.theme);
    this.stage.remove(old.group);
    old.dispose();
    this.stage.add(group.group);
    if (k < 0) this.world = group;
    else this.bodies[k] = group;
    if (k >= 0 && this.poses.length) group.place(this.poses, 12 * k);
    group.highlight(k >= 0 && k === this.chosen);
  }

  private connect(data: SceneData): void {
    const place = (end: End, target: Vector3) => this.placed(end, target);
    this.connectors = data.connections.map((each) => new Connector(each, place, this.theme));
    for (const { group } of this.connectors) this.stage.add(group);
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
    const shown = this.bodies.map((_, k) => k).filter((k) => this.named || k === this.chosen);
    const names = shown.map((k) => {
      const [x, y] = this.man.onScreen(this.bodies[k].middle());
      return { text: this.bodies[k].body.name, x, y };
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
    const now = this.middleOf(this.followed);
    const way = now.clone().sub(this.followedAt);
    this.man.target.add(way);
    this.light.move(way);
    this.cut.plane.translate(way);
    this.followedAt.copy(now);
    this.man.apply();
  }

  private middleOf(bodies: number[]): Vector3 {
    const sum = bodies.reduce((total, k) => total.add(this.bodies[k].middle()), new Vector3());
    return sum.divideScalar(bodies.length || 1);
  }

  private place(poses: ArrayLike<number>): void {
    this.bodies.forEach((body, k) => body.place(poses, 12 * k));
    for (const body of this.bodies) body.group.updateMatrixWorld();
    for (const connector of this.connectors) connector.update();
  }

  private solids(): Object3D[] {
    return [this.world, ...this.bodies, ...this.connectors].map(({ group }) => group);
  }

  /** Corners of all that is drawn, at all moments that the camera should see, or now. */
  private corners(always = true): Vector3[] {
    const now = () => [this.world, ...this.bodies, ...this.connectors].flatMap((item) => item.corners());
    if (!always || !this.samples.length) return now();
    const all = this.samples.flatMap((poses) => {
      this.place(poses);
      return now();
    });
    this.place(this.poses);
    return all;
  }

  private illuminate(corners: Vector3[]): void {
    const box = new Box3().setFromPoints(corners);
    const up = new Vector3(...this.data.up);
    const lowest = corners.reduce((least, corner) => Math.min(least, corner.dot(up)), Infinity);
    const [middle, radius] = [box.getCenter(new Vector3()), box.getSize(new Vector3()).length() / 2 || 1];
    this.light.place(middle, radius, lowest);
    this.extras.guides.place(middle, radius, this.data.floor ?? lowest, this.theme);
  }

  private placed(end: End, target: Vector3): Vector3 {
    target.set(...end.at);
    return end.body < 0 ? target : target.applyMatrix4(this.bodies[end.body].group.matrix);
  }
}

function vector(p: Vector3): Vector {
  return [p.x, p.y, p.z];
}
