// Flat parts cut from sheet: plates with rounded corners and bores, gears; and the thread of a screw.

import { BufferGeometry, Curve, ExtrudeGeometry, Path, Shape, TubeGeometry, Vector2, Vector3 } from "three";

type Point = [number, number];

const FLAT = 1e-5; // places are single precision: less than this is a straight line

/** The convex plate around circles of one radius at the points, with a bore at each. */
export function plate(points: Point[], radius: number, depth: number, bore: number): BufferGeometry {
  const corners = hull(points);
  const outline = new Shape();
  const count = corners.length;
  if (count === 1) outline.absarc(...corners[0], radius, 0, 2 * Math.PI, false);
  for (let k = 0; count > 1 && k < count; k++) {
    // the arc at a corner runs from the normal of the edge before it to that of the edge behind it
    const [a, b, c] = [corners[(k + count - 1) % count], corners[k], corners[(k + 1) % count]];
    const begin = Math.atan2(b[1] - a[1], b[0] - a[0]) - Math.PI / 2;
    const end = Math.atan2(c[1] - b[1], c[0] - b[0]) - Math.PI / 2;
    outline.absarc(b[0], b[1], radius, begin, end < begin - FLAT ? end + 2 * Math.PI : end, false);
  }
  outline.closePath();
  if (bore > 0) for (const point of points) outline.holes.push(circle(point, bore));
  return sheet(outline, depth, 0.1 * Math.min(depth, radius));
}

/** A sheet inside a closed line, its edges a little broken. */
export function outline(ring: Point[], depth: number): BufferGeometry {
  const width = Math.min(...[0, 1].map((axis) => Math.max(...ring.map((p) => p[axis])) - Math.min(...ring.map((p) => p[axis]))));
  const shape = new Shape(ring.map(([x, y]) => new Vector2(x, y)));
  return sheet(shape, depth, Math.min(0.06 * depth, 0.04 * width));
}

function circle([x, y]: Point, radius: number): Path {
  return new Path().absarc(x, y, radius, 0, 2 * Math.PI, true) as Path;
}

/** A sheet of that depth, centred, its edges broken by a bevel inside the outline. */
function sheet(outline: Shape, depth: number, bevel: number): BufferGeometry {
  const geometry = new ExtrudeGeometry(outline, {
    depth: depth - 2 * bevel,
    bevelSize: bevel,
    bevelOffset: -bevel,
    bevelThickness: bevel,
    bevelSegments: 2,
    curveSegments: 14,
  });
  return geometry.translate(0, 0, -depth / 2 + bevel);
}

/** The corners of the convex hull, anticlockwise (Andrew's monotone chain). */
export function hull(points: Point[]): Point[] {
  const size = Math.max(...points.map(([x, y]) => Math.hypot(x - points[0][0], y - points[0][1])), 1e-30);
  const column = ([x]: Point) => Math.round(x / (FLAT * size)); // points of an upright line are in one
  const sorted = [...points].sort((a, b) => column(a) - column(b) || a[1] - b[1]);
  const half = (order: Point[]): Point[] => {
    const chain: Point[] = [];
    for (const p of order) {
      while (chain.length > 1 && turn(chain[chain.length - 2], chain[chain.length - 1], p) <= FLAT * size * size) chain.pop();
      const last = chain[chain.length - 1];
      if (!last || Math.hypot(p[0] - last[0], p[1] - last[1]) > FLAT * size) chain.push(p);
    }
    return chain.slice(0, -1);
  };
  const corners = [...half(sorted), ...half([...sorted].reverse())];
  return corners.length ? corners : [sorted[0]];
}

function turn(a: Point, b: Point, c: Point): number {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** A spur gear whose pitch circle has that radius, with a bore and a mark. */
export function gear(radius: number, width: number, teeth: number): BufferGeometry {
  const outline = new Shape();
  const height = (2.25 * radius) / teeth;
  for (let k = 0; k < teeth; k++) {
    const profile: Point[] = [[-0.25, -1], [-0.17, 0], [-0.09, 1], [0.09, 1], [0.17, 0], [0.25, -1]];
    for (const [part, out] of profile) {
      const angle = (2 * Math.PI * (k + part)) / teeth;
      const r = radius + 0.9 * height * out;
      if (!k && part === -0.25) outline.moveTo(r * Math.cos(angle), r * Math.sin(angle));
      else outline.lineTo(r * Math.cos(angle), r * Math.sin(angle));
    }
  }
  outline.closePath();
  for (let k = 0; k < 4; k++) outline.holes.push(circle([0.55 * radius * Math.cos(k * 1.5708), 0.55 * radius * Math.sin(k * 1.5708)], (k ? 0.16 : 0.24) * radius));
  return sheet(outline, width, 0.04 * width);
}

class Helix extends Curve<Vector3> {
  constructor(
    private readonly radius: number,
    private readonly length: number,
    private readonly turns: number,
  ) {
    super();
  }

  override getPoint(t: number, target = new Vector3()): Vector3 {
    const angle = 2 * Math.PI * this.turns * t;
    return target.set(this.radius * Math.cos(angle), this.radius * Math.sin(angle), (t - 0.5) * this.length);
  }
}

/** A wire that winds about z. */
export function coil(radius: number, length: number, turns: number, wire: number): BufferGeometry {
  return new TubeGeometry(new Helix(radius, length, turns), Math.ceil(turns * 18), wire, 6);
}

/** The ridge of a screw; `pitch` is the length of one turn, negative for a left-hand thread. */
export function thread(radius: number, length: number, pitch: number): BufferGeometry {
  const least = length / 60;
  const turns = length / Math.max(Math.abs(pitch), least);
  return coil(0.86 * radius, length, pitch < 0 ? -turns : turns, 0.14 * radius);
}
