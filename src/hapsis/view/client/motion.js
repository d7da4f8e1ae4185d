// The motion: arrays out of the page, and the pose of every body at any moment.

function unpackedArrays(text) {
  let bytes;
  if (Uint8Array.fromBase64) {
    bytes = Uint8Array.fromBase64(text);
  } else {
    const raw = atob(text);
    bytes = new Uint8Array(raw.length);
    for (let k = 0; k < raw.length; k++) bytes[k] = raw.charCodeAt(k);
  }
  const kinds = { f4: Float32Array, f8: Float64Array, u4: Uint32Array };
  return (place) => new kinds[place.kind](bytes.buffer, bytes.byteOffset + place.at, place.count);
}

class Motion {
  constructor(scene, array) {
    this.times = array(scene.times);
    this.table = array(scene.moving);
    this.count = scene.bodies.length;
    this.moving = [];
    const still = array(scene.still);
    // per body eight numbers, as the shaders want them: x y z -, qx qy qz qw
    this.poses = new Float32Array(8 * 1024 * Math.max(1, Math.ceil(this.count / 1024)));
    let s = 0;
    scene.bodies.forEach((body, b) => {
      if (!body.still) { this.moving.push(b); return; }
      const o = 8 * b, p = 7 * s++;
      this.poses.set(still.subarray(p, p + 3), o);
      this.poses.set([still[p + 4], still[p + 5], still[p + 6], still[p + 3]], o + 4);
    });
    this.arrows = scene.arrows.map((a) => ({
      ...a, points: array(a.points), vectors: array(a.vectors),
      point: new Float32Array(3), vector: new Float32Array(3),
    }));
    this.first = this.times[0];
    this.last = this.times[this.times.length - 1];
    this.frame = 0;
    this.part = 0;
    this.seek(this.first);
  }

  // the last frame at or before a time, and the part of the way to the next one
  find(time) {
    let low = 0, high = this.times.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.times[middle] <= time) low = middle; else high = middle;
    }
    const width = this.times[high] - this.times[low];
    const part = width > 0 ? (time - this.times[low]) / width : 0;
    this.frame = low;
    this.part = Math.min(1, Math.max(0, part));
  }

  // fills `poses` and the arrows; allocates nothing
  seek(time) {
    this.find(time);
    const next = Math.min(this.frame + 1, this.times.length - 1);
    const n = this.moving.length, { table, poses, part } = this;
    for (let m = 0; m < n; m++) {
      const a = 7 * (this.frame * n + m), b = 7 * (next * n + m), o = 8 * this.moving[m];
      for (let k = 0; k < 3; k++) poses[o + k] = table[a + k] + part * (table[b + k] - table[a + k]);
      turned(poses, o + 4, table, a + 3, b + 3, part);
    }
    for (const arrow of this.arrows) {
      for (let k = 0; k < 3; k++) {
        const a = 3 * this.frame + k, b = 3 * next + k;
        arrow.point[k] = arrow.points[a] + part * (arrow.points[b] - arrow.points[a]);
        arrow.vector[k] = arrow.vectors[a] + part * (arrow.vectors[b] - arrow.vectors[a]);
      }
    }
  }

  // a point of a body in the world, now
  point(out, body, p) {
    return placed(out, this.poses, 8 * body + 4, this.poses, 8 * body, p[0], p[1], p[2]);
  }

  // the path of a point of the m-th moving body through all frames
  path(m, p) {
    const frames = this.times.length, n = this.moving.length, { table } = this;
    const path = new Float32Array(3 * frames), q = [0, 0, 0, 1], out = [0, 0, 0];
    for (let f = 0; f < frames; f++) {
      const a = 7 * (f * n + m);
      q[0] = table[a + 4]; q[1] = table[a + 5]; q[2] = table[a + 6]; q[3] = table[a + 3];
      path.set(placed(out, q, 0, table, a, p[0], p[1], p[2]), 3 * f);
    }
    return path;
  }
}

// Directions spread evenly over a ball.
function directions(count) {
  return Array.from({ length: count }, (_, k) => {
    const z = 1 - (2 * k + 1) / count, r = Math.sqrt(1 - z * z), a = 2.399963 * k;
    return [r * Math.cos(a), r * Math.sin(a), z];
  });
}

// The space the shapes fill: over the whole motion, and how much of it at any one moment.
// `cloud` holds the balls that reach farthest, each in some direction.
function boundsOf(motion, spheres) {
  if (!spheres.length)
    return { low: [-1, -1, -1], high: [1, 1, 1], radius: 1.7, moment: 1.7, cloud: [[0, 0, 0, 1]] };
  const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
  const ways = directions(80), farthest = new Float64Array(ways.length).fill(-Infinity), cloud = [];
  const frames = motion.times.length, p = [0, 0, 0];
  const samples = Math.min(frames, Math.max(8, Math.min(100, Math.floor(200000 / spheres.length))));
  let moment = 0;
  for (let s = 0; s < samples; s++) {
    motion.seek(motion.times[Math.round((s * (frames - 1)) / Math.max(1, samples - 1))]);
    const a = [Infinity, Infinity, Infinity], b = [-Infinity, -Infinity, -Infinity];
    for (const { body, centre, radius } of spheres) {
      motion.point(p, body, centre);
      for (let k = 0; k < 3; k++) {
        a[k] = Math.min(a[k], p[k] - radius);
        b[k] = Math.max(b[k], p[k] + radius);
      }
      for (let w = 0; w < ways.length; w++) {
        const reach = dot(p, ways[w]) + radius;
        if (reach > farthest[w]) { farthest[w] = reach; cloud[w] = [...p, radius]; }
      }
    }
    for (let k = 0; k < 3; k++) { low[k] = Math.min(low[k], a[k]); high[k] = Math.max(high[k], b[k]); }
    moment = Math.max(moment, Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) / 2);
  }
  motion.seek(motion.first);
  const radius = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / 2;
  return { low, high, radius: Math.max(radius, 1e-6), moment: Math.max(moment, 1e-6), cloud };
}
