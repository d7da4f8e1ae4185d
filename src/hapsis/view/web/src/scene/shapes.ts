// Shapes as triangles: what Python named becomes geometry, in the axes of its body.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  LatheGeometry,
  Matrix4,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector2,
  Vector3,
} from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import { gear, plate, thread } from "./outlines";
import type { Shape, Substance } from "./data";

const ROUND = 48; // sides of a circle

export interface Part {
  geometry: BufferGeometry;
  of: Substance;
}

/** The parts of a shape, each of one substance; `meshes` are those of the page, already read. */
export function parts(shape: Shape, meshes: BufferGeometry[]): Part[] {
  const own = shape.of ?? "body";
  const placed = (items: [BufferGeometry, Substance][]): Part[] => {
    const [w, x, y, z] = shape.q;
    const place = new Matrix4().compose(new Vector3(...shape.at), new Quaternion(x, y, z, w), new Vector3(1, 1, 1));
    return items.map(([geometry, of]) => ({ geometry: plain(geometry).applyMatrix4(place), of }));
  };
  return placed(build(shape, own, meshes));
}

function build(shape: Shape, own: Substance, meshes: BufferGeometry[]): [BufferGeometry, Substance][] {
  switch (shape.kind) {
    case "box":
      return [[box(shape.size), own]];
    case "sphere":
      return [[new SphereGeometry(shape.radius, ROUND, ROUND / 2), own]];
    case "cylinder":
      return [[drum(shape.radius, shape.length), own]];
    case "capsule":
      return [[upright(new CapsuleGeometry(shape.radius, shape.length, 8, ROUND / 2)), own]];
    case "mesh":
      return [[meshes[shape.mesh].clone(), own]];
    case "plate":
      return [[plate(shape.points, shape.radius, shape.depth, shape.bore), own]];
    case "tube":
      return tube(shape.points.map((p) => new Vector3(...p)), shape.radius).map((g) => [g, own]);
    case "pin":
      return pin(shape.radius, shape.length).map((g) => [g, "metal"]);
    case "ball":
      return [
        [new SphereGeometry(shape.radius, ROUND, ROUND / 2), "metal"],
        [new TorusGeometry(0.9 * shape.radius, 0.38 * shape.radius, 10, ROUND), own],
      ];
    case "cross": {
      const arm = along(drum(shape.radius, shape.length), new Vector3(...shape.other));
      return [[drum(shape.radius, shape.length), "metal"], [arm, "metal"], [new SphereGeometry(1.5 * shape.radius, 20, 12), "metal"]];
    }
    case "thread":
      return [[drum(0.86 * shape.radius, shape.length), "metal"], [thread(shape.radius, shape.length, shape.pitch), "metal"]];
    case "gear":
      return [[gear(shape.radius, shape.width, shape.teeth), own]];
    case "wheel":
      return wheel(shape.radius, shape.width, shape.tyre, own);
    case "rail":
      return rail(shape.length, shape.gap, shape.depth, shape.sides);
    case "support":
      return support(shape.size, shape.depth);
    case "plane":
      return [];
  }
}

/** A geometry without index, with places and normals only, so that several can be one. */
export function plain(geometry: BufferGeometry): BufferGeometry {
  const flat = geometry.index ? geometry.toNonIndexed() : geometry;
  for (const name of Object.keys(flat.attributes)) {
    if (name !== "position" && name !== "normal") flat.deleteAttribute(name);
  }
  return flat;
}

function upright(geometry: BufferGeometry): BufferGeometry {
  return geometry.rotateX(Math.PI / 2); // three's cylinders lie along y
}

export function along(geometry: BufferGeometry, direction: Vector3): BufferGeometry {
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), direction.clone().normalize());
  return geometry.applyQuaternion(turn);
}

function box([x, y, z]: number[]): BufferGeometry {
  const least = Math.min(x, y, z);
  if (!(least > 0)) return new BoxGeometry(x, y, z);
  return new RoundedBoxGeometry(x, y, z, 3, Math.min(0.12 * least, 0.03 * Math.max(x, y, z)));
}

/** A cylinder along z with a small bevel, as turned on a lathe. */
export function drum(radius: number, length: number, hole = 0): BufferGeometry {
  const bevel = Math.min(0.12 * radius, 0.2 * length);
  const [h, r] = [length / 2, radius];
  const outline = [
    [hole, -h],
    [r - bevel, -h],
    [r, -h + bevel],
    [r, h - bevel],
    [r - bevel, h],
    [hole, h],
    ...(hole ? [[hole, -h]] : []),
  ];
  return lathe(outline);
}

/** The surface that an outline of (radius, height) sweeps about z; every edge is sharp. */
export function lathe(outline: number[][]): BufferGeometry {
  const rings: number[] = [];
  for (let k = 0; k + 1 < outline.length; k++) {
    const pair = [outline[k], outline[k + 1]].map(([r, h]) => new Vector2(Math.max(r, 1e-9), h));
    const piece = plain(new LatheGeometry(pair, ROUND));
    rings.push(...(piece.attributes.position.array as unknown as number[]));
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(rings), 3));
  upright(geometry);
  smooth(geometry, outline);
  return geometry;
}

/** Normals across the outline, and along circles: round about the axis, sharp at edges. */
function smooth(geometry: BufferGeometry, outline: number[][]): void {
  const places = geometry.attributes.position;
  const normals = new Float32Array(places.count * 3);
  const each = places.count / (outline.length - 1);
  for (let v = 0; v < places.count; v++) {
    const k = Math.floor(v / each);
    const [dr, dh] = [outline[k + 1][0] - outline[k][0], outline[k + 1][1] - outline[k][1]];
    const size = Math.hypot(dr, dh) || 1;
    const [x, y] = [places.getX(v), places.getY(v)];
    const r = Math.hypot(x, y) || 1;
    normals.set([(dh / size) * (x / r), (dh / size) * (y / r), -dr / size], 3 * v);
  }
  geometry.setAttribute("normal", new BufferAttribute(normals, 3));
  orient(geometry);
}

/** Triangles turned so that they face the way of their normals. */
function orient(geometry: BufferGeometry): void {
  const places = geometry.attributes.position;
  const normals = geometry.attributes.normal;
  const [a, b, c, n] = [new Vector3(), new Vector3(), new Vector3(), new Vector3()];
  for (let v = 0; v + 2 < places.count; v += 3) {
    a.fromBufferAttribute(places, v);
    b.fromBufferAttribute(places, v + 1);
    c.fromBufferAttribute(places, v + 2);
    n.fromBufferAttribute(normals, v).add(new Vector3().fromBufferAttribute(normals, v + 2));
    if (b.clone().sub(a).cross(c.clone().sub(a)).dot(n) >= 0) continue;
    for (const attribute of [places, normals]) {
      const first = new Vector3().fromBufferAttribute(attribute, v + 1);
      const second = new Vector3().fromBufferAttribute(attribute, v + 2);
      attribute.setXYZ(v + 1, second.x, second.y, second.z);
      attribute.setXYZ(v + 2, first.x, first.y, first.z);
    }
  }
}

/** Round rods through points, with round ends. */
export function tube(points: Vector3[], radius: number): BufferGeometry[] {
  return points.slice(1).map((end, k) => {
    const way = end.clone().sub(points[k]);
    const rod = upright(new CapsuleGeometry(radius, way.length(), 6, 20));
    const middle = end.clone().add(points[k]).multiplyScalar(0.5);
    return along(rod, way).translate(middle.x, middle.y, middle.z);
  });
}

function pin(radius: number, length: number): BufferGeometry[] {
  const cap = 0.45 * radius;
  const ends = [-1, 1].map((side) => drum(1.45 * radius, cap).translate(0, 0, (side * (length + cap)) / 2));
  return [drum(radius, length), ...ends];
}

/** A tyre on a rim with five holes' worth of spokes; the mark is one spoke in the colour of the body. */
function wheel(radius: number, width: number, tyre: boolean, own: Substance): [BufferGeometry, Substance][] {
  const inner = tyre ? 0.68 * radius : 0.84 * radius;
  const [w, b] = [width / 2, Math.min(0.28 * width, 0.2 * radius)];
  const ring = lathe([
    [inner, -0.8 * w],
    [radius - b, -w],
    [radius - 0.3 * b, -w + 0.3 * b],
    [radius, -w + b],
    [radius, w - b],
    [radius - 0.3 * b, w - 0.3 * b],
    [radius - b, w],
    [inner, 0.8 * w],
    [inner, -0.8 * w],
  ]);
  const spokes: [BufferGeometry, Substance][] = [];
  const count = 5;
  for (let k = 0; k < count; k++) {
    const bar = new RoundedBoxGeometry(inner * 0.98, 0.16 * radius, 0.34 * width, 2, 0.02 * radius);
    bar.translate(inner * 0.5, 0, 0).rotateZ((2 * Math.PI * k) / count);
    spokes.push([bar, k ? "metal" : own]);
  }
  const rim = lathe([[inner * 0.93, -0.78 * w], [inner, -0.78 * w], [inner, 0.78 * w], [inner * 0.93, 0.78 * w], [inner * 0.93, -0.78 * w]]);
  return [[ring, tyre ? "rubber" : own], [rim, tyre ? "metal" : own], ...spokes, [drum(0.17 * radius, 0.6 * width), "metal"]];
}

/** Two straight guides, or only the lower one, with hatching on their outer sides. */
function rail(length: number, gap: number, depth: number, sides: number): [BufferGeometry, Substance][] {
  const bar = 0.018 * length;
  const items: [BufferGeometry, Substance][] = [];
  for (const side of [-1, 1].slice(0, sides)) {
    const y = side * (gap / 2 + bar / 2);
    items.push([new RoundedBoxGeometry(length, bar, depth, 2, 0.2 * bar).translate(0, y, 0), "ground"]);
    items.push(...hatching(length, 2.4 * bar, depth, y + (side * bar) / 2, side));
  }
  return items;
}

/** Slanted strokes along x, from the height y outwards. */
function hatching(length: number, size: number, depth: number, y: number, side: number): [BufferGeometry, Substance][] {
  const count = Math.max(4, Math.round(length / (0.75 * size)));
  const items: [BufferGeometry, Substance][] = [];
  for (let k = 0; k < count; k++) {
    const stroke = new BoxGeometry(1.25 * size, 0.11 * size, 0.06 * depth);
    stroke.rotateZ((side * Math.PI) / 4).translate(((k + 0.5) / count - 0.5) * length, y + side * 0.44 * size, -0.4 * depth);
    items.push([stroke, "ground"]);
  }
  return items;
}

/** A bearing block with a foot and hatching below it. */
function support(size: number, depth: number): [BufferGeometry, Substance][] {
  const block = plate([[0, 0], [-0.9 * size, -1.75 * size], [0.9 * size, -1.75 * size]], 0.62 * size, depth, 0);
  const foot = new RoundedBoxGeometry(5 * size, 0.3 * size, 1.15 * depth, 2, 0.08 * size).translate(0, -2.45 * size, 0);
  return [[block, "ground"], [foot, "ground"], ...hatching(5 * size, 0.9 * size, depth, -2.6 * size, -1)];
}
