// Lines as wide as pixels are: shapes that are lines, trails, axes and grids.

import { Color, Quaternion as Turn, Vector3 } from "three";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import type { Quaternion, Vector } from "./data";

/** Segments from one point to the next, three numbers a point; a pair of points is a segment. */
export class Segments {
  readonly object: LineSegments2;
  private readonly surface: LineMaterial;

  constructor(places: ArrayLike<number>, width: number, color: Vector | null, colors?: ArrayLike<number>) {
    this.surface = new LineMaterial({ linewidth: width, vertexColors: !color });
    if (color) this.surface.color = new Color().setRGB(...color, "srgb");
    const geometry = new LineSegmentsGeometry().setPositions(Float32Array.from(places));
    if (colors) geometry.setColors(Float32Array.from(colors));
    this.object = new LineSegments2(geometry, this.surface);
  }

  /** Other points, as many as before. */
  move(places: Float32Array): void {
    const attribute = this.object.geometry.attributes.instanceStart as unknown as { data: { array: Float32Array; needsUpdate: boolean } };
    attribute.data.array.set(places);
    attribute.data.needsUpdate = true;
  }

  dispose(): void {
    this.object.geometry.dispose();
    this.surface.dispose();
  }
}

/** The pairs of points of a path. */
export function pairs(points: Vector[]): number[] {
  return points.slice(1).flatMap((point, k) => [...points[k], ...point]);
}

/** The points of a shape in the axes of its body. */
export function placed(points: Vector[], at: Vector, [w, x, y, z]: Quaternion): Vector[] {
  const turn = new Turn(x, y, z, w);
  return points.map((p) => new Vector3(...p).applyQuaternion(turn).add(new Vector3(...at)).toArray());
}
