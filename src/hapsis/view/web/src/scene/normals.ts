// Normals of a mesh: round where it is nearly flat, sharp at edges.

import { BufferAttribute, BufferGeometry } from "three";

const SHARP = Math.cos(0.62); // of the angle between two triangles whose edge stays an edge

/** The triangles one by one; at each corner the mean normal of those around it that are not across an edge. */
export function creased(places: Float32Array, corners: Uint16Array | Uint32Array): BufferGeometry {
  const count = corners.length / 3;
  const faces = faceNormals(places, corners);
  const { starts, members } = around(corners, places.length / 3);
  const out = new Float32Array(3 * corners.length);
  const normals = new Float32Array(3 * corners.length);
  for (let f = 0; f < count; f++) {
    const [x, y, z, size] = [faces[4 * f], faces[4 * f + 1], faces[4 * f + 2], faces[4 * f + 3]];
    for (let k = 0; k < 3; k++) {
      const vertex = corners[3 * f + k];
      let [a, b, c] = [x * size, y * size, z * size];
      for (let m = starts[vertex]; m < starts[vertex + 1]; m++) {
        const g = 4 * members[m];
        if (g === 4 * f || x * faces[g] + y * faces[g + 1] + z * faces[g + 2] < SHARP) continue;
        a += faces[g] * faces[g + 3];
        b += faces[g + 1] * faces[g + 3];
        c += faces[g + 2] * faces[g + 3];
      }
      const length = Math.hypot(a, b, c) || 1;
      const at = 3 * (3 * f + k);
      normals[at] = a / length;
      normals[at + 1] = b / length;
      normals[at + 2] = c / length;
      for (let axis = 0; axis < 3; axis++) out[at + axis] = places[3 * vertex + axis];
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(out, 3));
  geometry.setAttribute("normal", new BufferAttribute(normals, 3));
  return geometry;
}

/** Unit normal and twice the area of each triangle. */
function faceNormals(p: Float32Array, corners: Uint16Array | Uint32Array): Float32Array {
  const faces = new Float32Array((4 * corners.length) / 3);
  for (let f = 0; f < corners.length / 3; f++) {
    const [i, j, k] = [3 * corners[3 * f], 3 * corners[3 * f + 1], 3 * corners[3 * f + 2]];
    const [ax, ay, az] = [p[j] - p[i], p[j + 1] - p[i + 1], p[j + 2] - p[i + 2]];
    const [bx, by, bz] = [p[k] - p[i], p[k + 1] - p[i + 1], p[k + 2] - p[i + 2]];
    const [x, y, z] = [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx];
    const size = Math.sqrt(x * x + y * y + z * z) || 1e-30;
    faces.set([x / size, y / size, z / size, size], 4 * f);
  }
  return faces;
}

/** The triangles around each vertex: those of vertex v are members[starts[v]] to members[starts[v + 1] - 1]. */
function around(corners: Uint16Array | Uint32Array, count: number): { starts: Uint32Array; members: Uint32Array } {
  const starts = new Uint32Array(count + 1);
  for (const vertex of corners) starts[vertex + 1] += 1;
  for (let v = 0; v < count; v++) starts[v + 1] += starts[v];
  const next = starts.slice();
  const members = new Uint32Array(corners.length);
  corners.forEach((vertex, c) => (members[next[vertex]++] = Math.floor(c / 3)));
  return { starts, members };
}
