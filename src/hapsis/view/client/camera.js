// The camera: turns about what it looks at, and the hand that moves it.

const TANGENT = Math.tan((17 * Math.PI) / 180); // half the vertical angle of view

class Camera {
  constructor(scene, bounds) {
    this.up = normalized(scene.up);
    const helper = Math.abs(this.up[0]) < 0.9 ? [1, 0, 0] : [0, 1, 0];
    this.side = normalized(cross(cross(this.up, helper), this.up)); // x, where z is up
    this.depth = cross(this.up, this.side);
    this.bounds = bounds;
    this.ratio = 1;
    this.aspect = 1.6;
    this.free = 1; // the part of the height that `fit` may use
    this.matrix = new Float32Array(16);
    this.view = new Float32Array(16);
    this.lens = new Float32Array(16);
    this.shift = [0, 0, 0]; // of the target, when it follows the bodies
    this.follows = bounds.radius > 3 * bounds.moment;
    this.sun = normalized([0, 1, 2].map((k) =>
      0.75 * this.up[k] - 0.35 * this.side[k] - 0.5 * this.depth[k]));
    this.placeGround();
    this.look(0.5, 0.3);
    this.fit();
  }

  // the ground lies at zero, or lower where something goes below
  placeGround() {
    const { low, high } = this.bounds;
    let lowest = 0;
    for (let k = 0; k < 3; k++) lowest += Math.min(this.up[k] * low[k], this.up[k] * high[k]);
    const height = lowest < -1e-3 * this.bounds.radius ? lowest - 0.04 * this.bounds.moment : 0;
    // the turn that takes z to up
    const u = this.up, half = Math.sqrt(Math.max(0, (1 + u[2]) / 2));
    const turn = half > 1e-6 ? [-u[1] / (2 * half), u[0] / (2 * half), 0, half] : [1, 0, 0, 0];
    this.ground = { body: -1, at: u.map((x) => x * height), turn };
    this.height = height;
  }

  look(azimuth, elevation) {
    this.azimuth = azimuth;
    this.elevation = Math.max(-1.55, Math.min(1.55, elevation));
  }

  axes() {
    const ca = Math.cos(this.azimuth), sa = Math.sin(this.azimuth);
    const ce = Math.cos(this.elevation), se = Math.sin(this.elevation);
    const level = [0, 1, 2].map((k) => sa * this.side[k] - ca * this.depth[k]);
    const back = [0, 1, 2].map((k) => ce * level[k] + se * this.up[k]);
    const right = [0, 1, 2].map((k) => ca * this.side[k] + sa * this.depth[k]);
    return { back, right, above: cross(back, right) };
  }

  // all that moves into view, as near as it fits: balls around shapes at sampled moments
  fit() {
    const { low, high, moment, cloud } = this.bounds, { back, right, above } = this.axes();
    this.target = this.follows ? [0, 0, 0] : [0, 1, 2].map((k) => (low[k] + high[k]) / 2);
    this.distance = (1.05 * moment) / Math.min(1, this.aspect) / TANGENT;
    this.touched = false;
    if (this.follows) return;
    const wide = TANGENT * this.aspect;
    for (let round = 0; round < 8; round++) {
      // the window that all balls need, as tangents to the right, left, top and bottom
      const window = [-Infinity, -Infinity, -Infinity, -Infinity];
      for (const ball of cloud) {
        const p = [0, 1, 2].map((k) => ball[k] - this.target[k]);
        const far = Math.max(this.distance - dot(p, back), 0.02 * this.distance), r = ball[3] * 1.1;
        const x = dot(p, right), y = dot(p, above);
        [x + r, r - x, y + r, r - y].forEach((v, k) => (window[k] = Math.max(window[k], v / far)));
      }
      const dx = ((window[0] - window[1]) / 2) * this.distance, dy = ((window[2] - window[3]) / 2) * this.distance;
      for (let k = 0; k < 3; k++) this.target[k] += dx * right[k] + dy * above[k];
      this.distance *= 1.04 * Math.max((window[0] + window[1]) / (2 * wide), (window[2] + window[3]) / (2 * TANGENT * this.free));
    }
  }

  // numbers for one picture
  update(centre) {
    if (this.follows) for (let k = 0; k < 3; k++) this.shift[k] = centre[k];
    else this.shift.fill(0);
    const { back, right, above } = this.axes(), middle = this.target.map((x, k) => x + this.shift[k]);
    this.eye = middle.map((x, k) => x + back[k] * this.distance);
    this.middle = middle;
    this.right = right; this.above = above;
    // what the shadow and the ground cover: the motion, or what is in sight of it
    const whole = this.follows ? this.bounds.moment : this.bounds.radius;
    this.reach = Math.min(1.5 * whole, Math.max(1.3 * this.distance, 0.2 * whole));
    this.gridStep = niceStep((this.follows ? this.bounds.moment : whole) / 12);
    const far = this.distance + 8 * this.reach;
    perspective(this.lens, TANGENT, this.aspect, Math.max(this.distance / 200, far * 1e-5), far);
    product(this.matrix, this.lens, seen(this.view, right, above, back, this.eye));
  }

  turn(dx, dy) {
    this.look(this.azimuth - 0.007 * dx, this.elevation + 0.007 * dy);
    this.touched = true;
  }

  pan(dx, dy, height) {
    const size = (2 * TANGENT * this.distance) / height, { right, above } = this.axes();
    for (let k = 0; k < 3; k++) this.target[k] += size * (dy * above[k] - dx * right[k]);
    this.touched = true;
  }

  zoom(factor) {
    const { radius, moment } = this.bounds;
    this.distance = Math.min(60 * radius, Math.max(0.02 * moment, this.distance * factor));
    this.touched = true;
  }
}

// drag turns, right or shift drag moves, the wheel and two fingers zoom
function holdCamera(canvas, camera, changed) {
  const fingers = new Map();
  const spread = () => {
    const [a, b] = [...fingers.values()];
    return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, size: Math.hypot(a.x - b.x, a.y - b.y) || 1 };
  };
  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
  });
  canvas.addEventListener("pointermove", (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    const before = fingers.size === 2 ? spread() : null;
    const dx = event.clientX - finger.x, dy = event.clientY - finger.y;
    finger.x = event.clientX; finger.y = event.clientY;
    if (before) {
      const after = spread();
      camera.zoom(before.size / after.size);
      camera.pan(after.x - before.x, after.y - before.y, canvas.clientHeight);
    } else if (event.buttons & 2 || event.buttons & 4 || event.shiftKey) {
      camera.pan(dx, dy, canvas.clientHeight);
    } else {
      camera.turn(dx, dy);
    }
    changed();
  });
  for (const name of ["pointerup", "pointercancel"])
    canvas.addEventListener(name, (event) => fingers.delete(event.pointerId));
  canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 100 : 1);
    camera.zoom(Math.exp(0.0012 * Math.max(-300, Math.min(300, pixels))));
    changed();
  }, { passive: false });
}
