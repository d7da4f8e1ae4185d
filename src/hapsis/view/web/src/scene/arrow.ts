// The pull of a hand: an elastic line from what is held to the pointer, and its force as an arrow.

import { ConeGeometry, Group, Mesh, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3 } from "three";
import type { Vector } from "./data";
import { PALETTES, type Theme } from "./materials";
import { drum } from "./shapes";

export interface Pull {
  from: Vector; // the point that is held
  to: Vector; // the hand
  force: Vector; // N
  limit: number; // N
}

const Z = new Vector3(0, 0, 1);

export class Arrow {
  readonly group = new Group();
  private readonly line: Mesh;
  private readonly tip: Mesh;
  private readonly knob: Mesh;

  constructor(
    theme: Theme,
    private readonly size: number,
  ) {
    // over everything, so that no body hides it
    const paint = new MeshBasicMaterial({ color: PALETTES[theme].accent, depthTest: false, transparent: true });
    this.line = new Mesh(drum(0.004, 1), paint);
    this.tip = new Mesh(new ConeGeometry(0.014, 0.045, 20).rotateX(Math.PI / 2).translate(0, 0, -0.0225), paint);
    this.knob = new Mesh(new SphereGeometry(0.009, 20, 12), paint);
    this.group.add(this.line, this.tip, this.knob);
    this.group.visible = false;
    for (const item of this.group.children) item.renderOrder = 10;
  }

  show(pull: Pull | null): void {
    this.group.visible = !!pull;
    if (!pull) return;
    const way = new Vector3(...pull.to).sub(new Vector3(...pull.from));
    const length = way.length();
    const turn = new Quaternion().setFromUnitVectors(Z, length > 0 ? way.clone().divideScalar(length) : Z);
    const share = Math.min(1, Math.hypot(...pull.force) / pull.limit);
    const thick = this.size * (0.6 + share);
    this.knob.position.set(...pull.from);
    this.knob.scale.setScalar(this.size);
    this.line.position.copy(way).multiplyScalar(0.5).add(new Vector3(...pull.from));
    this.line.scale.set(thick, thick, Math.max(length, 1e-9));
    this.tip.position.set(...pull.to);
    this.tip.scale.setScalar(this.size * Math.min(1, length / (0.1 * this.size)));
    for (const item of [this.line, this.tip]) item.quaternion.copy(turn);
  }
}
