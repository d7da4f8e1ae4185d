// Surfaces of unit size as { positions, normals, indices }; instances scale them.

function boxSurface() {
  const positions = [], normals = [], indices = [];
  for (let axis = 0; axis < 3; axis++) {
    for (const side of [-1, 1]) {
      const first = positions.length / 3;
      for (const [u, v] of [[-1, -1], [1, -1], [1, 1], [-1, 1]]) {
        const p = [0, 0, 0], n = [0, 0, 0];
        p[axis] = side / 2; p[(axis + 1) % 3] = (side * u) / 2; p[(axis + 2) % 3] = v / 2;
        n[axis] = side;
        positions.push(...p);
        normals.push(...n);
      }
      indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
    }
  }
  return surface(positions, normals, indices);
}

function sphereSurface(around = 36, along = 18) {
  const positions = [], indices = [];
  for (let i = 0; i <= along; i++) {
    for (let j = 0; j <= around; j++) {
      const a = (Math.PI * i) / along, b = (2 * Math.PI * j) / around;
      positions.push(Math.sin(a) * Math.cos(b), Math.sin(a) * Math.sin(b), Math.cos(a));
    }
  }
  quads(indices, around, along);
  return surface(positions, positions, indices);
}

// radius 1, from -1/2 to 1/2 along z, closed
function cylinderSurface(around = 64) {
  const positions = [], normals = [], indices = [];
  for (const z of [0.5, -0.5]) {
    for (let j = 0; j <= around; j++) {
      const b = (2 * Math.PI * j) / around;
      positions.push(Math.cos(b), Math.sin(b), z);
      normals.push(Math.cos(b), Math.sin(b), 0);
    }
  }
  quads(indices, around, 1);
  for (const z of [0.5, -0.5]) {
    const centre = positions.length / 3;
    positions.push(0, 0, z);
    normals.push(0, 0, Math.sign(z));
    for (let j = 0; j <= around; j++) {
      const b = (2 * Math.PI * j * Math.sign(z)) / around;
      positions.push(Math.cos(b), Math.sin(b), z);
      normals.push(0, 0, Math.sign(z));
      if (j) indices.push(centre, centre + j, centre + j + 1);
    }
  }
  return surface(positions, normals, indices);
}

// an arrow along z: x y on unit circles; z 0..1 along the shaft, 2..3 along the head
function arrowSurface(around = 20) {
  const positions = [], normals = [], indices = [];
  const ring = (radius, z, outward, along) => {
    for (let j = 0; j <= around; j++) {
      const b = (2 * Math.PI * j) / around;
      positions.push(radius * Math.cos(b), radius * Math.sin(b), z);
      normals.push(outward * Math.cos(b), outward * Math.sin(b), along);
    }
  };
  ring(1, 1, 1, 0); ring(1, 0, 1, 0);     // shaft
  ring(0, 0, 0, -1);                      // its foot
  ring(0, 3, 0.9, 0.42); ring(1, 2, 0.9, 0.42);   // head
  ring(0, 2, 0, -1);                      // under the head
  const row = around + 1;
  for (const [a, b] of [[0, 1], [1, 2], [3, 4], [4, 5]]) {
    for (let j = 0; j < around; j++) {
      const p = a * row + j, q = b * row + j;
      indices.push(p, q, q + 1, p, q + 1, p + 1);
    }
  }
  return surface(positions, normals, indices);
}

function quads(indices, around, along) {
  for (let i = 0; i < along; i++) {
    for (let j = 0; j < around; j++) {
      const a = i * (around + 1) + j, b = a + around + 1;
      indices.push(a, b, b + 1, a, b + 1, a + 1);
    }
  }
}

function surface(positions, normals, indices) {
  return {
    positions: new Float32Array(positions),
    normals: new Float32Array(normals),
    indices: new Uint32Array(indices),
  };
}

// Triangles with a normal for each corner: the mean of the faces around it that are nearly
// parallel to its own, so round parts look round and edges stay edges.
function meshSurface(vertices, triangles) {
  const faces = triangles.length / 3, corners = triangles.length;
  const face = new Float32Array(3 * faces);
  const count = new Uint32Array(vertices.length / 3 + 1);
  for (let f = 0; f < faces; f++) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[3 * f + k]);
    const u = [0, 1, 2].map((k) => vertices[b + k] - vertices[a + k]);
    const v = [0, 1, 2].map((k) => vertices[c + k] - vertices[a + k]);
    face.set(cross(u, v), 3 * f);
    for (let k = 0; k < 3; k++) count[triangles[3 * f + k] + 1]++;
  }
  for (let k = 1; k < count.length; k++) count[k] += count[k - 1];
  const around = new Uint32Array(corners), next = count.slice();
  for (let k = 0; k < corners; k++) around[next[triangles[k]]++] = Math.floor(k / 3);
  const positions = new Float32Array(3 * corners), normals = new Float32Array(3 * corners);
  for (let k = 0; k < corners; k++) {
    const vertex = triangles[k], own = 3 * Math.floor(k / 3);
    const size = Math.hypot(face[own], face[own + 1], face[own + 2]);
    let x = 0, y = 0, z = 0;
    for (let m = count[vertex]; m < count[vertex + 1]; m++) {
      const f = 3 * around[m];
      const other = Math.hypot(face[f], face[f + 1], face[f + 2]);
      const alike = face[f] * face[own] + face[f + 1] * face[own + 1] + face[f + 2] * face[own + 2];
      if (alike >= 0.75 * size * other) { x += face[f]; y += face[f + 1]; z += face[f + 2]; }
    }
    normals.set(normalized([x, y, z]), 3 * k);
    positions.set(vertices.subarray(3 * vertex, 3 * vertex + 3), 3 * k);
  }
  return { positions, normals, indices: Uint32Array.from({ length: corners }, (_, k) => k) };
}
