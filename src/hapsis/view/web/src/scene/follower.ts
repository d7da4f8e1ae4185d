// The camera moves along with bodies: light and section go with it.

import { Vector3 } from "three";
import type { CameraMan } from "./camera";
import type { Light } from "./light";
import type { Mechanism } from "./mechanism";
import type { Section } from "./section";

export class Follower {
  private bodies: number[] = [];
  private readonly at = new Vector3();

  constructor(
    private readonly mechanism: Mechanism,
    private readonly man: CameraMan,
    private readonly cut: Section,
  ) {}

  /** These bodies, or the one; numbers of no body: none. */
  follow(body: number | number[]): void {
    this.bodies = (Array.isArray(body) ? body : [body]).filter((k) => k in this.mechanism.bodies);
    this.at.copy(this.mechanism.middle(this.bodies));
  }

  get busy(): boolean {
    return this.bodies.length > 0;
  }

  /** As far as the middle of the bodies has moved. */
  chase(light: Light): void {
    if (!this.bodies.length) return;
    const now = this.mechanism.middle(this.bodies);
    const way = now.clone().sub(this.at);
    this.man.target.add(way);
    light.move(way);
    this.cut.plane.translate(way);
    this.at.copy(now);
    this.man.apply();
  }

  /** Corners of what the camera must see: of the present pose where it follows something, else of all samples. */
  corners(): Vector3[] {
    return this.bodies.length ? this.mechanism.corners() : this.mechanism.allCorners();
  }
}
