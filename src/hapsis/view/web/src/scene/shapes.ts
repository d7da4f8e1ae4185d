// Shapes as triangles: what Python named becomes geometry, in the axes of its body.

import {
  BoxGeometry,
  BufferAttribute,
  BufferGeometry,
  CapsuleGeometry,
  Matrix4,
  Quaternion,
  SphereGeometry,
  TorusGeometry,
  Vector3,
} from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import { bush, motor, pin, pulley, rail, spiral, support, wheel } from "./machine_parts";
import { gear, outline, plate, thread } from "./outlines";
import type { Shape, Substance } from "./data";

export const ROUND = 36; // sides of a large circle
const SMALL = 14; // of pins and balls

export type Piece = [BufferGeometry, Substance];

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
    case "skin":
      return []; // see SkinMesh
    case "box":
      return [[box(shape.size), own]];
    case "sphere":
      return [[new SphereGeometry(shape.radius, 32, 18), own]];
    case "cylinder":
      return [[drum(shape.radius, shape.length, ROUND), own]];
    case "capsule":
      return [[upright(new CapsuleGeometry(shape.radius, shape.length, 6, 24)), own]];
    case "mesh":
      return [[meshes[shape.mesh].clone(), own]];
    case "plate":
      return [[plate(shape.points, shape.radius, shape.depth, shape.bore), own]];
    case "outline":
      return [[outline(shape.ring, shape.depth), own]];
    case "tube":
      return tube(shape.points.map((p) => new Vector3(...p)), shape.radius).map((g) => [g, own]);
    case "pin":
      return pin(shape.radius, shape.length).map((g) => [g, "metal"]);
    case "ball":
      return [
        [new SphereGeometry(shape.radius, SMALL, SMALL / 2), "metal"],
        [new TorusGeometry(0.9 * shape.radius, 0.38 * shape.radius, 8, SMALL), own],
      ];
    case "cross": {
      const arm = along(drum(shape.radius, shape.length), new Vector3(...shape.other));
      return [[drum(shape.radius, shape.length), "metal"], [arm, "metal"], [new SphereGeometry(1.5 * shape.radius, SMALL, SMALL / 2), "metal"]];
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
    case "line": // not of triangles
      return [];
    case "pulley":
      return pulley(shape.radius, shape.width, own);
    case "spiral":
      return [[spiral(shape.radius, shape.width, shape.turns), "metal"]];
    case "bush":
      return bush(shape.radius, shape.inner, shape.length);
    case "motor":
      return motor(shape.radius, shape.length);
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
  return new RoundedBoxGeometry(x, y, z, 2, Math.min(0.12 * least, 0.03 * Math.max(x, y, z)));
}

/** A cylinder along z with a small bevel, as turned on a lathe. */
export function drum(radius: number, length: number, round = SMALL): BufferGeometry {
  const bevel = Math.min(0.12 * radius, 0.2 * length);
  const [h, r] = [length / 2, radius];
  const outline = [
    [0, -h],
    [r - bevel, -h],
    [r, -h + bevel],
    [r, h - bevel],
    [r - bevel, h],
    [0, h],
  ];
  return lathe(outline, round);
}

/** The surface that an outline of (radius, height) sweeps about z: round about the axis, sharp at edges. */
export function lathe(outline: number[][], round = ROUND): BufferGeometry {
  const places: number[] = [];
  const normals: number[] = [];
  const circle = Array.from({ length: round + 1 }, (_, k) => [Math.cos((2 * Math.PI * k) / round), Math.sin((2 * Math.PI * k) / round)]);
  for (let k = 0; k + 1 < outline.length; k++) {
    const [[r, h], [s, g]] = [outline[k], outline[k + 1]];
    const size = Math.hypot(s - r, g - h) || 1;
    const [out, up] = [(g - h) / size, (r - s) / size];
    for (let c = 0; c < round; c++) {
      // the second triangle of a quadrilateral that ends in a point has no area
      const corners = [[r, h, c], [r, h, c + 1], [s, g, c + 1], [r, h, c], [s, g, c + 1], [s, g, c]];
      for (const [radius, height, turn] of corners) {
        const [x, y] = circle[turn];
        places.push(radius * x, radius * y, height);
        normals.push(out * x, out * y, up);
      }
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(new Float32Array(places), 3));
  geometry.setAttribute("normal", new BufferAttribute(new Float32Array(normals), 3));
  return geometry;
}

/** Round rods through points, with round ends. */
export function tube(points: Vector3[], radius: number): BufferGeometry[] {
  const caps = points.length > 4 ? 2 : 4; // those inside of an arc are hardly seen
  return points.slice(1).map((end, k) => {
    const way = end.clone().sub(points[k]);
    const rod = upright(new CapsuleGeometry(radius, way.length(), caps, SMALL));
    const middle = end.clone().add(points[k]).multiplyScalar(0.5);
    return along(rod, way).translate(middle.x, middle.y, middle.z);
  });
}
