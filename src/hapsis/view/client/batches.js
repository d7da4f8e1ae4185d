// Shapes gathered by surface: all boxes are one draw call, all balls another.

class Batches {
  constructor(scene, array) {
    this.solids = new Map();     // name -> { surface, pattern, rows }
    this.lines = [];             // rows of a, b, color, body
    this.planes = [];            // { body, at, turn }
    this.spheres = [];           // { body, centre, radius } that enclose the shapes, for the bounds
    this.meshes = scene.meshes.map((m) => ({ vertices: array(m.vertices), triangles: array(m.triangles) }));
    scene.bodies.forEach((body, b) => {
      this.centres = []; // { centre, size } of its shapes, to place its name
      for (const shape of body.shapes) this.add(b, shape, shape.color || body.color);
      body.centre = this.middle();
    });
  }

  // the middle of one body's shapes, large ones counting more
  middle() {
    const weight = this.centres.reduce((sum, s) => sum + s.size, 0);
    const mean = (k) => this.centres.reduce((sum, s) => sum + s.centre[k] * s.size, 0) / weight;
    return weight > 0 ? [mean(0), mean(1), mean(2)] : [0, 0, 0];
  }

  add(body, shape, color) {
    const [w, x, y, z] = shape.quaternion;
    const turn = [x, y, z, w], at = shape.at;
    const shifted = (v) => placed([0, 0, 0], turn, 0, at, 0, v[0], v[1], v[2]);
    const solid = (name, make, pattern, scale, where = at) =>
      this.solid(name, make, pattern, [body, ...where, ...turn, ...scale, ...color]);
    const inside = (x, y, z) => this.corners(body, [-x, -y, -z], [x, y, z], shifted);
    const ball = (centre) => this.spheres.push({ body, centre, radius: r });
    const middle = (size) => this.centres.push({ centre: at, size });
    const { radius: r, length: l } = shape;
    switch (shape.type) {
      case "box":
        solid("box", boxSurface, 0, shape.size);
        inside(...shape.size.map((x) => x / 2));
        break;
      case "sphere":
        solid("sphere", sphereSurface, 2, [r, r, r]);
        ball(at);
        middle(r);
        break;
      case "cylinder":
        solid("cylinder", cylinderSurface, 1, [r, r, l]);
        inside(r, r, l / 2);
        break;
      case "capsule":
        solid("cylinder", cylinderSurface, 1, [r, r, l]);
        for (const side of [-l / 2, l / 2]) {
          solid("ball", sphereSurface, 1, [r, r, r], shifted([0, 0, side]));
          ball(shifted([0, 0, side]));
        }
        middle(r + l / 2);
        break;
      case "segment":
        this.line(body, [[0, 0, -l / 2], [0, 0, l / 2]].map(shifted), color);
        inside(0, 0, l / 2);
        break;
      case "line":
        this.line(body, shape.points.map(shifted), color);
        this.cloud(body, shape.points.flat(), shifted);
        break;
      case "plane":
        this.planes.push({ body, at, turn });
        break;
      case "mesh": {
        const mesh = this.meshes[shape.mesh];
        const make = () => meshSurface(mesh.vertices, mesh.triangles);
        solid("mesh " + shape.mesh, make, 0, [1, 1, 1]);
        this.cloud(body, mesh.vertices, shifted);
      }
    }
  }

  solid(name, make, pattern, row) {
    if (!this.solids.has(name)) this.solids.set(name, { surface: make(), pattern, rows: [] });
    this.solids.get(name).rows.push(row);
  }

  line(body, points, color) {
    for (let k = 1; k < points.length; k++)
      this.lines.push([...points[k - 1], ...points[k], ...color, body]);
  }

  // the box around a list of points
  cloud(body, points, shifted) {
    if (!points.length) return;
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity];
    for (let k = 0; k < points.length; k++) {
      low[k % 3] = Math.min(low[k % 3], points[k]);
      high[k % 3] = Math.max(high[k % 3], points[k]);
    }
    this.corners(body, low, high, shifted);
  }

  corners(body, low, high, shifted) {
    for (let c = 0; c < 8; c++) {
      const corner = [0, 1, 2].map((k) => ((c >> k) & 1 ? high[k] : low[k]));
      this.spheres.push({ body, centre: shifted(corner), radius: 0 });
    }
    const centre = shifted([0, 1, 2].map((k) => (low[k] + high[k]) / 2));
    const size = Math.hypot(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / 2;
    this.centres.push({ centre, size });
  }
}
