// The hand as a spring and damper that suits what it holds, in each direction of space.
//
// What a force on the held point changes in one tick is measured: W, its speed per impulse, an inverse mass. Along each
// axis of W the hand has the spring that was asked for and the damper that lets its mass come to rest without swinging,
// both no stiffer than a force that is held for a tick can be without shaking (a tenth, and a half).

export type Matrix = Float64Array; // 3 x 3, by rows

export interface Gains {
  stiffness: Matrix; // N/m
  damping: Matrix; // N s/m
}

const SWEEPS = 12;
const ROTATIONS = [
  [0, 1],
  [0, 2],
  [1, 2],
] as const;

/** Springs and dampers for an inverse mass W in 1/kg, of a hand of this stiffness; no mass counts as more than `most`. */
export function gains(W: Matrix, stiffness: number, most: number, dt: number): Gains {
  const { values, axes } = eigen(W);
  const result = { stiffness: new Float64Array(9), damping: new Float64Array(9) };
  values.forEach((value, n) => {
    const mass = value * most > 1 ? 1 / value : most;
    const k = Math.min(stiffness, (0.1 * mass) / (dt * dt));
    const d = Math.min(2 * Math.sqrt(k * mass), (0.5 * mass) / dt);
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const share = axes[3 * i + n] * axes[3 * j + n];
        result.stiffness[3 * i + j] += k * share;
        result.damping[3 * i + j] += d * share;
      }
    }
  });
  return result;
}

/** The eigenvalues of the symmetric part of a matrix and its axes as columns, by Jacobi's rotations. */
export function eigen(W: Matrix): { values: number[]; axes: Matrix } {
  const a = Float64Array.from(W, (_, k) => (W[k] + W[3 * (k % 3) + Math.floor(k / 3)]) / 2);
  const axes = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const [p, q] of ROTATIONS) {
      const off = a[3 * p + q];
      if (off === 0) continue;
      const theta = (a[4 * q] - a[4 * p]) / (2 * off);
      const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
      const c = 1 / Math.hypot(t, 1);
      turn(a, p, q, c, t * c, 3, 1);
      turn(a, p, q, c, t * c, 1, 3);
      turn(axes, p, q, c, t * c, 3, 1);
    }
  }
  return { values: [a[0], a[4], a[8]], axes };
}

/** Turns the columns p and q (along 3, across 1), or the rows (along 1, across 3). */
function turn(a: Matrix, p: number, q: number, c: number, s: number, along: number, across: number): void {
  for (let k = 0; k < 3; k++) {
    const x = a[along * k + across * p];
    const y = a[along * k + across * q];
    a[along * k + across * p] = c * x - s * y;
    a[along * k + across * q] = s * x + c * y;
  }
}
