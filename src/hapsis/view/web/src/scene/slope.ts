// The ground of a planar mechanism that walks or rolls on it: a strip, seen from the side, with marks at round distances.

import { BoxGeometry, Group, Mesh, MeshBasicMaterial, Quaternion, Vector3 } from "three";
import { roundStep } from "../steps";
import type { SceneData } from "./data";
import { PALETTES, type Theme } from "./materials";

const LONG = 40; // radii of what is seen
const THICK = 0.02; // of a radius
const MARKS = 80;

export class Slope {
  readonly group = new Group();
  private readonly at: Vector3;
  private readonly along: Vector3;
  private step = 1; // m between marks

  constructor(data: SceneData, theme: Theme) {
    const { at, normal } = data.slope!;
    this.at = new Vector3(...at);
    const up = new Vector3(...normal).normalize();
    const side = new Vector3(...data.side).normalize();
    this.along = up.clone().cross(side);
    const turned = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), up);
    const right = new Vector3(1, 0, 0).applyQuaternion(turned);
    this.group.quaternion.setFromUnitVectors(right, this.along).multiply(turned);
    const { ground, line } = PALETTES[theme];
    const strip = new Mesh(new BoxGeometry(LONG, 0.5, THICK), new MeshBasicMaterial({ color: ground }));
    strip.name = "strip";
    this.group.add(strip);
    for (let k = -MARKS; k <= MARKS; k++) {
      this.group.add(new Mesh(new BoxGeometry(THICK / 2, 0.5, 3 * THICK), new MeshBasicMaterial({ color: line })));
    }
  }

  /** The strip is about that place, as long as is seen. */
  place(middle: Vector3, radius: number): void {
    this.step = roundStep(radius / 4);
    this.group.children.forEach((child, k) => {
      const mark = child.name !== "strip";
      child.scale.setScalar(radius);
      child.position.set(mark ? (k - 1 - MARKS) * this.step : 0, 0, (mark ? -2.5 : -0.5) * THICK * radius);
    });
    this.move(middle);
  }

  /** The marks stay where they are on the ground, and the strip goes along with what is seen. */
  move(middle: Vector3): void {
    const way = Math.round(middle.clone().sub(this.at).dot(this.along) / this.step) * this.step;
    this.group.position.copy(this.at).addScaledVector(this.along, way);
  }
}
