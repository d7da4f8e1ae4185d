// Vectors, quaternions (x y z w) and matrices (by columns); results go into arrays that exist.

const cross = (a, b) => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const normalized = (a) => {
  const n = Math.hypot(a[0], a[1], a[2]) || 1;
  return [a[0] / n, a[1] / n, a[2] / n];
};

// v turned by the quaternion at q[o], plus the point at p[k]: out = p + R v
function placed(out, q, o, p, k, x, y, z) {
  const qx = q[o], qy = q[o + 1], qz = q[o + 2], qw = q[o + 3];
  const tx = 2 * (qy * z - qz * y), ty = 2 * (qz * x - qx * z), tz = 2 * (qx * y - qy * x);
  out[0] = p[k] + x + qw * tx + qy * tz - qz * ty;
  out[1] = p[k + 1] + y + qw * ty + qz * tx - qx * tz;
  out[2] = p[k + 2] + z + qw * tz + qx * ty - qy * tx;
  return out;
}

// the turn between two quaternions w x y z of a table, written as x y z w
function turned(out, o, table, a, b, part) {
  const aw = table[a], ax = table[a + 1], ay = table[a + 2], az = table[a + 3];
  let bw = table[b], bx = table[b + 1], by = table[b + 2], bz = table[b + 3];
  let cosine = aw * bw + ax * bx + ay * by + az * bz;
  if (cosine < 0) { cosine = -cosine; bw = -bw; bx = -bx; by = -by; bz = -bz; }
  let s = 1 - part, r = part;
  if (cosine < 0.9995) {
    const angle = Math.acos(cosine), sine = Math.sin(angle);
    s = Math.sin(s * angle) / sine;
    r = Math.sin(r * angle) / sine;
  }
  const x = s * ax + r * bx, y = s * ay + r * by, z = s * az + r * bz, w = s * aw + r * bw;
  const n = 1 / Math.hypot(x, y, z, w);
  out[o] = x * n; out[o + 1] = y * n; out[o + 2] = z * n; out[o + 3] = w * n;
}

function product(out, a, b) {
  for (let c = 0; c < 16; c += 4) {
    const b0 = b[c], b1 = b[c + 1], b2 = b[c + 2], b3 = b[c + 3];
    for (let r = 0; r < 4; r++)
      out[c + r] = a[r] * b0 + a[4 + r] * b1 + a[8 + r] * b2 + a[12 + r] * b3;
  }
  return out;
}

function perspective(out, tangent, aspect, near, far) {
  out.fill(0);
  out[0] = 1 / (tangent * aspect);
  out[5] = 1 / tangent;
  out[10] = (near + far) / (near - far);
  out[11] = -1;
  out[14] = (2 * near * far) / (near - far);
  return out;
}

function orthographic(out, half, depth) {
  out.fill(0);
  out[0] = out[5] = 1 / half;
  out[10] = -1 / depth;
  out[15] = 1;
  return out;
}

// from the world to axes right, up, back at an eye
function seen(out, right, up, back, eye) {
  for (let k = 0; k < 3; k++) {
    out[4 * k] = right[k];
    out[4 * k + 1] = up[k];
    out[4 * k + 2] = back[k];
    out[4 * k + 3] = 0;
  }
  out[12] = -dot(right, eye); out[13] = -dot(up, eye); out[14] = -dot(back, eye); out[15] = 1;
  return out;
}

// where a point appears: x, y in pixels of a window, and its depth w (behind the eye: negative)
function projected(out, matrix, p, width, height) {
  const x = matrix[0] * p[0] + matrix[4] * p[1] + matrix[8] * p[2] + matrix[12];
  const y = matrix[1] * p[0] + matrix[5] * p[1] + matrix[9] * p[2] + matrix[13];
  const w = matrix[3] * p[0] + matrix[7] * p[1] + matrix[11] * p[2] + matrix[15];
  out[0] = (0.5 + (0.5 * x) / w) * width;
  out[1] = (0.5 - (0.5 * y) / w) * height;
  out[2] = w;
  return out;
}

// the smallest 1, 2 or 5 times a power of ten that is not below `least`
function niceStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  for (const m of [1, 2, 5]) if (m * power >= least * (1 - 1e-9)) return m * power;
  return 10 * power;
}
