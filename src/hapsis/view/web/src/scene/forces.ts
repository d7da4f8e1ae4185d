// Vectors that move: forces as arrows at their points; what is inside a body shows through, faintly.

import { ConeGeometry, GreaterDepth, Group, Mesh, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import type { Vector } from "./data";
import type { Label } from "./labels";
import { drum } from "./shapes";

export interface Force {
  name: string;
  color: Vector;
  point: ArrayLike<number>; // m, in the world
  vector: ArrayLike<number>; // in typical sizes of its unit
  text: string; // its size with the unit
}

const Z = new Vector3(0, 0, 1);

class ForceArrow {
  readonly group = new Group();
  private readonly shafts: Mesh[] = [];
  private readonly heads: Mesh[] = [];
  readonly tip = new Vector3();

  constructor(
    color: Vector,
    private readonly radius: number,
  ) {
    const shaft = drum(radius, 1, 12).translate(0, 0, 0.5);
    const head = new ConeGeometry(2.6 * radius, 7 * radius, 20).rotateX(Math.PI / 2).translate(0, 0, -3.5 * radius);
    for (const hidden of [true, false]) {
      const surface = new MeshBasicMaterial({ transparent: hidden, opacity: hidden ? 0.3 : 1, depthWrite: !hidden });
      surface.color.setRGB(...color, "srgb");
      if (hidden) surface.depthFunc = GreaterDepth;
      this.shafts.push(new Mesh(shaft, surface));
      this.heads.push(new Mesh(head, surface));
    }
    this.group.add(...this.shafts, ...this.heads);
  }

  show({ point, vector }: Force, scale: number, least: number): void {
    const way = new Vector3(vector[0], vector[1], vector[2]).multiplyScalar(scale);
    const length = way.length();
    this.group.visible = length > least;
    if (!this.group.visible) return;
    this.group.position.set(point[0], point[1], point[2]);
    this.tip.copy(this.group.position).add(way);
    this.group.quaternion.copy(new Quaternion().setFromUnitVectors(Z, way.divideScalar(length)));
    const part = Math.min(1, length / (10 * this.radius)); // a short arrow has a small head
    for (const head of this.heads) {
      head.scale.setScalar(part);
      head.position.z = length;
    }
    for (const shaft of this.shafts) shaft.scale.set(part, part, Math.max(length - 6.5 * this.radius * part, 1e-9));
  }
}

export class Forces {
  readonly group = new Group();
  private arrows: ForceArrow[] = [];
  private forces: Force[] = [];

  constructor(private readonly size: number) {}

  /** The forces of this moment, always the same ones; `scale` is the length of a typical one in m. */
  show(forces: Force[], scale: number): void {
    this.forces = forces;
    if (this.arrows.length !== forces.length) {
      this.arrows = forces.map(({ color }) => new ForceArrow(color, 0.0045 * this.size));
      this.group.clear();
      this.group.add(...this.arrows.map(({ group }) => group));
    }
    this.arrows.forEach((arrow, k) => arrow.show(forces[k], scale, 1e-4 * this.size));
  }

  /** Names and sizes beside the tips. */
  labels(onScreen: (p: Vector3) => [number, number, number]): Label[] {
    if (!this.group.visible) return [];
    return this.arrows.flatMap((arrow, k) => {
      if (!arrow.group.visible) return [];
      const [x, y] = onScreen(arrow.tip);
      return [{ text: `${this.forces[k].name} ${this.forces[k].text}`, x, y }];
    });
  }
}
