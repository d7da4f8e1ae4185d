// Things between two bodies: springs that coil, dampers that slide in themselves, rods and cords.

import { BufferGeometry, Group, type Material, Mesh, Quaternion, SphereGeometry, Vector3 } from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Connection, End } from "./data";
import { material, type Theme } from "./materials";
import { coil } from "./outlines";
import { drum, plain } from "./shapes";

const Z = new Vector3(0, 0, 1);

/** One connection, drawn along z between its ends. */
export class Connector {
  readonly group = new Group();
  private readonly stretched: Mesh[] = []; // their length is that of the connection
  private readonly fixed: { mesh: Mesh; end: number }[] = []; // held by one end
  private readonly from = new Vector3();
  private readonly to = new Vector3();
  private readonly length: number;

  constructor(
    private readonly content: Connection,
    private readonly place: (end: End, target: Vector3) => Vector3,
    theme: Theme,
  ) {
    this.ends();
    this.length = Math.max(this.from.distanceTo(this.to), 1e-9);
    const { kind, radius, turns } = content;
    const metal = material("metal", [0.8, 0.8, 0.8], theme, false);
    const paint = material("body", [0.5, 0.54, 0.6], theme, false);
    const dark = material("rubber", [0.2, 0.2, 0.2], theme, false);
    if (kind === "spring" || kind === "strut") this.stretch(spring(this.length, radius, turns, kind === "strut"), paint);
    if (kind === "strut" || kind === "damper") this.damper(kind === "strut" ? 0.52 * radius : radius, metal, dark);
    if (kind === "rod" || kind === "cord") this.stretch([drum(radius, this.length)], kind === "rod" ? metal : dark);
    if (kind !== "cord") this.eyes(kind === "rod" ? 1.7 * radius : 0.42 * radius, metal);
    this.group.traverse((item) => {
      item.castShadow = true;
      item.receiveShadow = true;
    });
    this.update();
  }

  update(): void {
    this.ends();
    const way = this.to.clone().sub(this.from);
    const length = Math.max(way.length(), 1e-9);
    this.group.position.copy(this.from).add(this.to).multiplyScalar(0.5);
    this.group.quaternion.copy(new Quaternion().setFromUnitVectors(Z, way.divideScalar(length)));
    for (const mesh of this.stretched) mesh.scale.z = length / this.length;
    for (const { mesh, end } of this.fixed) mesh.position.z = (end ? 0.5 : -0.5) * length;
  }

  /** Both ends in the world. */
  corners(): Vector3[] {
    return [this.from.clone(), this.to.clone()];
  }

  dispose(): void {
    for (const mesh of this.group.children as Mesh[]) {
      mesh.geometry.dispose();
      (mesh.material as Material).dispose();
    }
  }

  private ends(): void {
    this.place(this.content.ends[0], this.from);
    this.place(this.content.ends[1], this.to);
  }

  private stretch(geometries: BufferGeometry[], surface: Material): void {
    const mesh = new Mesh(mergeGeometries(geometries.map(plain)), surface);
    this.stretched.push(mesh);
    this.group.add(mesh);
  }

  private hold(geometry: BufferGeometry, surface: Material, end: number): void {
    const mesh = new Mesh(geometry, surface);
    this.fixed.push({ mesh, end });
    this.group.add(mesh);
  }

  /** A cylinder on the second end, and the piston's rod on the first. */
  private damper(radius: number, metal: Material, dark: Material): void {
    const [tube, rod] = [0.56 * this.length, 0.62 * this.length];
    this.hold(drum(radius, tube).translate(0, 0, -tube / 2), dark, 1);
    this.hold(drum(0.4 * radius, rod).translate(0, 0, rod / 2), metal, 0);
  }

  private eyes(radius: number, metal: Material): void {
    for (const end of [0, 1]) this.hold(new SphereGeometry(radius, 14, 8), metal, end);
  }
}

/** A coil with straight ends, or with two plates that hold it. */
function spring(length: number, radius: number, turns: number, plates: boolean): BufferGeometry[] {
  const wire = 0.15 * radius;
  const part = plates ? 0.74 : 0.78;
  const items: BufferGeometry[] = [coil(radius - wire, part * length, turns, wire)];
  const straight = ((1 - part) / 2) * length;
  for (const side of [-1, 1]) {
    const z = side * ((part * length) / 2);
    if (plates) items.push(drum(1.05 * radius, 0.025 * length).translate(0, 0, z));
    else {
      items.push(drum(wire, straight).translate(0, 0, z + (side * straight) / 2));
      items.push(drum(wire, radius - wire).rotateY(Math.PI / 2).translate((radius - wire) / 2, 0, z));
    }
  }
  return items;
}
