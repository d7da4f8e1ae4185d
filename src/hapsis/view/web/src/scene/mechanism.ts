// The mechanism on the stage: the world, the bodies, and what is between them, at given poses.

import { Box3, type BufferGeometry, Group, type Object3D, Vector3 } from "three";
import { BodyGroup, meshesOf } from "./bodies";
import { changed } from "./changes";
import { Connector } from "./connections";
import type { End, SceneData } from "./data";
import type { Theme } from "./materials";

const LOW = 0.15; // of the height of a mechanism: what stands still lower than this is its base

export class Mechanism {
  readonly group = new Group();
  poses: ArrayLike<number> = [];
  /** Poses at several moments that the camera should see all of. */
  samples: ArrayLike<number>[] = [];
  readonly bodies: BodyGroup[];
  private world: BodyGroup;
  private connectors: Connector[] = []; // from the first poses on, whose lengths they have
  private readonly meshes: BufferGeometry[];
  private readonly values = new Map<string, number>(); // of parameters that were changed

  constructor(
    private readonly data: SceneData,
    private theme: Theme,
  ) {
    this.meshes = meshesOf(data);
    this.world = new BodyGroup(data.world, true, this.meshes, theme);
    this.bodies = data.bodies.map((body) => new BodyGroup(body, false, this.meshes, theme));
    this.group.add(this.world.group, ...this.bodies.map(({ group }) => group));
  }

  /** Places everything; the first time, connections get their lengths. */
  update(poses: ArrayLike<number>): void {
    const first = !this.poses.length;
    this.poses = poses;
    this.place(poses);
    if (first) this.connect(this.data);
  }

  /** Another value of a parameter; false where nothing depends on it. */
  change(parameter: string, value: number): boolean {
    if (!this.data.changes?.some((each) => each.parameter === parameter)) return false;
    this.values.set(parameter, value);
    const { data, bodies } = changed(this.data, this.values);
    for (const k of bodies) this.renew(data, k);
    this.connect(data);
    return true;
  }

  dress(theme: Theme): void {
    this.theme = theme;
    const { data } = changed(this.data, this.values);
    for (let k = -1; k < this.bodies.length; k++) this.renew(data, k);
    this.connect(data);
  }

  get solids(): Object3D[] {
    return [this.world, ...this.bodies, ...this.connectors].map(({ group }) => group);
  }

  middle(bodies: number[]): Vector3 {
    const sum = bodies.reduce((total, k) => total.add(this.bodies[k].middle()), new Vector3());
    return sum.divideScalar(bodies.length || 1);
  }

  /** Corners of all that is drawn now. */
  corners(): Vector3[] {
    return [this.world, ...this.bodies, ...this.connectors].flatMap((item) => item.corners());
  }

  /** The same at all moments that the camera should see. */
  allCorners(): Vector3[] {
    return this.samples.length ? this.sampled(() => this.corners()).flat() : this.corners();
  }

  /** The height of the floor along `up`: that of a base, else below all of the motion. */
  floor(): number {
    if (this.data.floor !== null) return this.data.floor;
    const up = new Vector3(...this.data.up);
    const lowest = (corners: Vector3[]) => corners.reduce((least, corner) => Math.min(least, corner.dot(up)), Infinity);
    const all = lowest(this.allCorners());
    if (!this.samples.length) return all;
    const still = [this.world, ...this.bodies.filter((_, k) => this.isStill(k))];
    const [start] = this.sampled(() => ({ base: lowest(still.flatMap((body) => body.corners())), all: this.corners() }));
    const box = new Box3().setFromPoints(start.all.map((p) => new Vector3(p.dot(up), 0, 0)));
    return start.base - box.min.x < LOW * (box.max.x - box.min.x) ? box.min.x : all;
  }

  dispose(): void {
    for (const item of [this.world, ...this.bodies, ...this.connectors]) item.dispose();
  }

  private isStill(body: number): boolean {
    const own = (poses: ArrayLike<number>) => Array.from({ length: 12 }, (_, k) => poses[12 * body + k]).join();
    return this.samples.every((poses) => own(poses) === own(this.samples[0]));
  }

  private sampled<T>(look: () => T): T[] {
    const all = this.samples.map((poses) => {
      this.place(poses);
      return look();
    });
    this.place(this.poses);
    return all;
  }

  private place(poses: ArrayLike<number>): void {
    this.bodies.forEach((body, k) => body.place(poses, 12 * k, 12 * this.bodies.length));
    for (const body of this.bodies) body.group.updateMatrixWorld();
    for (const connector of this.connectors) connector.update();
  }

  private renew(data: SceneData, k: number): void {
    const old = k < 0 ? this.world : this.bodies[k];
    const body = new BodyGroup(k < 0 ? data.world : data.bodies[k], k < 0, this.meshes, this.theme);
    this.group.remove(old.group);
    old.dispose();
    this.group.add(body.group);
    if (k < 0) this.world = body;
    else this.bodies[k] = body;
    if (k >= 0 && this.poses.length) body.place(this.poses, 12 * k, 12 * this.bodies.length);
    if (k >= 0) body.group.updateMatrixWorld();
  }

  private connect(data: SceneData): void {
    for (const connector of this.connectors) {
      this.group.remove(connector.group);
      connector.dispose();
    }
    this.connectors = data.connections.map((each) => new Connector(each, (end, target) => this.placed(end, target), this.theme));
    for (const { group } of this.connectors) this.group.add(group);
  }

  private placed(end: End, target: Vector3): Vector3 {
    target.set(...end.at);
    return end.body < 0 ? target : target.applyMatrix4(this.bodies[end.body].group.matrix);
  }
}
