// What lies under the pointer, or near it: fingers are wide and bars are thin.

import type { Mesh, Object3D } from "three";
import type { CameraMan } from "./camera";
import type { Vector } from "./data";
import type { Mechanism } from "./mechanism";
import type { Section } from "./section";

const NEAR = 10; // px by which a pointer may miss a body

/** The body at a point of the canvas, else one within a few pixels, solid before glass; and the point of it in the world. */
export function pick(shown: Mechanism, man: CameraMan, cut: Section, x: number, y: number): { body: number; point: Vector } | null {
  const groups = shown.bodies.map((body) => body.group as Object3D);
  const ring = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => [NEAR * Math.cos(k * 0.785), NEAR * Math.sin(k * 0.785)]);
  for (const [dx, dy] of [[0, 0], ...ring]) {
    const hits = man.ray(x + dx, y + dy).intersectObjects(groups, true);
    const seen = hits.filter(({ point }) => cut.keeps(point));
    const solid = seen.find(({ object }) => !((object as Mesh).material as { transparent: boolean }).transparent) ?? seen[0];
    if (solid) return { body: groups.indexOf(solid.object.parent!), point: solid.point.toArray() };
  }
  return null;
}
