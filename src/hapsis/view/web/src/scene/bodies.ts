// Bodies as groups of meshes, one for each colour; meshes of the page are read here.

import { type BufferGeometry, Color, Group, type Material, Mesh, type MeshPhongMaterial, Vector3 } from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import type { Body, SceneData, Shape, Substance, Vector } from "./data";
import { pairs, placed, Segments } from "./lines";
import { HIGHLIGHT, material, type Theme } from "./materials";
import { creased } from "./normals";
import { parts } from "./shapes";
import { SkinMesh } from "./skin";
import { bytesOf } from "../bytes";

const EDGE: Vector = [0.3, 0.25, 0.2]; // the colour of the edges of sheets

/** The meshes of the page as geometry, round where they are round. */
export function meshesOf(data: SceneData): BufferGeometry[] {
  return data.meshes.map(({ low, span, wide, vertices, triangles }) => {
    const steps = new Uint16Array(bytesOf(vertices).buffer);
    const places = Float32Array.from(steps, (step, k) => low[k % 3] + (span[k % 3] * step) / 65535);
    const corners = bytesOf(triangles).buffer;
    return creased(places, wide ? new Uint32Array(corners) : new Uint16Array(corners));
  });
}

/** The edges of the two faces of a sheet, so that parts of one colour are told apart. */
function edgesOf(shape: Shape & { kind: "outline" }): number[] {
  return [-0.5, 0.5].flatMap((side) => {
    const face = shape.ring.map(([x, y]): Vector => [x, y, side * shape.depth]);
    return pairs(placed([...face, face[0]], shape.at, shape.q));
  });
}

const ROOM = 0.3; // of a surface that deforms: it needs room around it

/** A box with room around it. */
function widen(min: Vector3, max: Vector3): void {
  const more = max.clone().sub(min).multiplyScalar(ROOM);
  min.sub(more);
  max.add(more);
}

export class BodyGroup {
  readonly group = new Group();
  private readonly surfaces: Material[] = [];
  private readonly skins: SkinMesh[] = [];

  constructor(
    readonly body: Body,
    still: boolean,
    meshes: BufferGeometry[],
    theme: Theme,
  ) {
    this.group.matrixAutoUpdate = false;
    const sorted = new Map<string, { of: Substance; color: number[]; own: boolean; open: boolean; items: BufferGeometry[] }>();
    for (const shape of body.shapes) {
      if (shape.kind === "skin") continue;
      for (const { geometry, of } of parts(shape, meshes)) {
        const substance = still && of === "body" ? "ground" : of;
        const color = shape.color ?? body.color;
        const open = shape.kind === "mesh";
        const plain = (substance === "metal" && !shape.color) || substance === "rubber";
        const key = `${substance} ${plain ? "" : color} ${open}`;
        if (!sorted.has(key)) sorted.set(key, { of: substance, color, own: open || !!shape.color, open, items: [] });
        sorted.get(key)!.items.push(geometry);
      }
    }
    for (const { of, color, own, open, items } of sorted.values()) {
      const surface = material(of, color as [number, number, number], theme, own, open);
      const mesh = new Mesh(mergeGeometries(items), surface);
      mesh.castShadow = of !== "glass";
      mesh.receiveShadow = of !== "glass";
      this.surfaces.push(surface);
      this.group.add(mesh);
    }
    for (const shape of body.shapes) {
      if (shape.kind !== "skin") continue;
      const surface = material("body", (shape.color ?? body.color) as [number, number, number], theme, false, true);
      const skin = new SkinMesh(shape, surface);
      this.skins.push(skin);
      this.surfaces.push(surface);
      this.group.add(skin.mesh);
    }
    for (const shape of body.shapes) {
      if (shape.kind !== "line") continue;
      const line = new Segments(pairs(placed(shape.points, shape.at, shape.q)), 2.4, shape.color ?? body.color);
      this.group.add(line.object);
    }
    const edges = body.shapes.flatMap((shape) => (shape.kind === "outline" ? edgesOf(shape) : []));
    if (edges.length) this.group.add(new Segments(edges, 1.1, EDGE).object);
  }

  highlight(on: boolean): void {
    for (const surface of this.surfaces as MeshPhongMaterial[]) {
      surface.emissive?.copy(on ? surface.color : new Color(0)).multiplyScalar(HIGHLIGHT);
    }
  }

  /** Its pose from `at` on; the places of all vertices of skins begin at `vertices`. */
  place(poses: ArrayLike<number>, at: number, vertices: number): void {
    for (const skin of this.skins) skin.place(poses, vertices);
    const R = (k: number) => poses[at + 3 + k];
    this.group.matrix.set(R(0), R(1), R(2), poses[at], R(3), R(4), R(5), poses[at + 1], R(6), R(7), R(8), poses[at + 2], 0, 0, 0, 1);
    this.group.matrixWorldNeedsUpdate = true;
  }

  /** The corners of the boxes around its parts, in the world. */
  corners(): Vector3[] {
    this.group.updateMatrixWorld();
    const all: Vector3[] = [];
    for (const mesh of this.group.children as Mesh[]) {
      const { geometry } = mesh;
      if (!geometry.boundingBox) geometry.computeBoundingBox();
      const { min, max } = geometry.boundingBox!.clone();
      if (this.skins.length) widen(min, max);
      for (let k = 0; k < 8; k++) {
        const corner = new Vector3(k & 1 ? max.x : min.x, k & 2 ? max.y : min.y, k & 4 ? max.z : min.z);
        all.push(corner.applyMatrix4(mesh.matrixWorld));
      }
    }
    return all;
  }

  /** The middle of what is drawn of it, in the world. */
  middle(): Vector3 {
    const corners = this.corners();
    const sum = corners.reduce((total, corner) => total.add(corner), new Vector3());
    return corners.length ? sum.divideScalar(corners.length) : sum.setFromMatrixPosition(this.group.matrix);
  }

  dispose(): void {
    for (const mesh of this.group.children as Mesh[]) mesh.geometry.dispose();
    for (const surface of this.surfaces) surface.dispose();
  }
}

