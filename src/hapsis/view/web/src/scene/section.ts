// A section: what is in front of a plane through the middle is not drawn, and not touched by the pointer.

import { DoubleSide, type Material, type Mesh, type Object3D, Plane, type Side, Vector3 } from "three";

export class Section {
  readonly plane = new Plane();
  on = false;
  private readonly sides = new Map<Material, Side>();

  /** The plane through a point, across the way to the viewer. */
  place(through: Vector3, back: Vector3): void {
    this.plane.setFromNormalAndCoplanarPoint(back.clone().negate().normalize(), through);
  }

  /** Cuts the surfaces of these groups, or leaves them whole. */
  apply(groups: Object3D[]): void {
    const add = (material: Material) => {
      if (!this.sides.has(material)) this.sides.set(material, material.side);
      material.clippingPlanes = this.on ? [this.plane] : null;
      material.side = this.on ? DoubleSide : this.sides.get(material)!; // one sees into what is cut
      material.needsUpdate = true;
    };
    for (const group of groups) {
      group.traverse((item) => {
        const surface = (item as Mesh).material;
        if (surface) (Array.isArray(surface) ? surface : [surface]).forEach(add);
      });
    }
  }

  /** Whether a point is drawn. */
  keeps(point: Vector3): boolean {
    return !this.on || this.plane.distanceToPoint(point) >= 0;
  }
}
