// The picture: a shadow pass from the sun, then solids, lines, arrows and the ground.

const SHADOW_SIZE = 2048;

class Renderer {
  constructor(canvas, scene, motion, batches, bounds) {
    const gl = canvas.getContext("webgl2", { alpha: true, antialias: true, powerPreference: "high-performance" });
    if (!gl) throw new Error("WebGL 2 is missing");
    Object.assign(this, { canvas, gl, scene, motion, batches, bounds });
    this.programs = {
      solid: this.program(SOLID_VERTEX, SOLID_FRAGMENT),
      depth: this.program(SOLID_VERTEX, DEPTH_FRAGMENT),
      arrow: this.program(ARROW_VERTEX, ARROW_FRAGMENT),
      line: this.program(LINE_VERTEX, LINE_FRAGMENT),
      plane: this.program(PLANE_VERTEX, PLANE_FRAGMENT),
    };
    this.poses = this.poseTexture();
    this.makeShadow();
    this.solids = [...batches.solids.values()].map((batch) => this.solidBatch(batch));
    this.corners = this.buffer(new Float32Array([0, -1, 1, -1, 0, 1, 1, 1]));
    this.square = this.buffer(new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]));
    this.squareArray = this.vertexArray(() => this.attribute(0, 2, 0, 0, this.square));
    this.lines = this.lineBatch(new Float32Array(batches.lines.flat()));
    const reach = 0.16 * bounds.moment;
    const axis = (k, color) => [0, 0, 0, ...[0, 1, 2].map((j) => (j === k ? reach : 0)), ...color, -1];
    this.axes = this.lineBatch(
      new Float32Array([axis(0, [0.85, 0.27, 0.25]), axis(1, [0.3, 0.62, 0.3]), axis(2, [0.25, 0.45, 0.88])].flat()));
    this.makeArrows();
    this.trails = null;
    this.fast = false; // plainer shadows, for slow machines
    this.light = new Float32Array(16);
    this.scratch = new Float32Array(16);
    this.lightView = new Float32Array(16);
    gl.enable(gl.DEPTH_TEST);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  }

  program(vertex, fragment) {
    const { gl } = this, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost())
      throw new Error("a shader was refused: " + gl.getProgramInfoLog(program));
    const uniforms = {};
    const count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
    for (let k = 0; k < count; k++) {
      const { name } = gl.getActiveUniform(program, k);
      uniforms[name] = gl.getUniformLocation(program, name);
    }
    return { program, uniforms };
  }

  buffer(data, usage = this.gl.STATIC_DRAW, target = this.gl.ARRAY_BUFFER) {
    const made = this.gl.createBuffer();
    this.gl.bindBuffer(target, made);
    this.gl.bufferData(target, data, usage);
    return made;
  }

  vertexArray(fill) {
    const made = this.gl.createVertexArray();
    this.gl.bindVertexArray(made);
    fill();
    this.gl.bindVertexArray(null);
    return made;
  }

  // one attribute; `row` counts floats from one vertex or instance to the next
  attribute(location, size, row, first, buffer, divisor = 0) {
    const { gl } = this;
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.enableVertexAttribArray(location);
    gl.vertexAttribPointer(location, size, gl.FLOAT, false, 4 * row, 4 * first);
    gl.vertexAttribDivisor(location, divisor);
  }

  solidBatch({ surface, pattern, rows }) {
    const { gl } = this, instances = this.buffer(new Float32Array(rows.flat()));
    const array = this.vertexArray(() => {
      this.surfaceAttributes(surface);
      let first = 0;
      [1, 3, 4, 3, 3].forEach((size, k) => {
        this.attribute(2 + k, size, 14, first, instances, 1);
        first += size;
      });
    });
    return { array, pattern, count: surface.indices.length, instances: rows.length, gl };
  }

  surfaceAttributes(surface) {
    this.attribute(0, 3, 0, 0, this.buffer(surface.positions));
    this.attribute(1, 3, 0, 0, this.buffer(surface.normals));
    this.buffer(surface.indices, this.gl.STATIC_DRAW, this.gl.ELEMENT_ARRAY_BUFFER);
  }

  lineBatch(rows) {
    const instances = this.buffer(rows);
    const array = this.vertexArray(() => {
      this.attribute(0, 2, 0, 0, this.corners);
      [[1, 3, 0], [2, 3, 3], [3, 3, 6], [4, 1, 9]].forEach(([location, size, first]) =>
        this.attribute(location, size, 10, first, instances, 1));
    });
    return { array, instances: rows.length / 10, buffer: instances };
  }

  makeArrows() {
    const { gl } = this, n = this.motion.arrows.length;
    this.arrowRows = new Float32Array(9 * Math.max(1, n));
    this.arrowBuffer = this.buffer(this.arrowRows, gl.DYNAMIC_DRAW);
    const surface = arrowSurface();
    this.arrowCount = surface.indices.length;
    this.arrowArray = this.vertexArray(() => {
      this.surfaceAttributes(surface);
      for (let k = 0; k < 3; k++) this.attribute(2 + k, 3, 9, 3 * k, this.arrowBuffer, 1);
    });
  }

  poseTexture() {
    const { gl } = this, texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA32F, 2048, this.motion.poses.length / 8192);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    return texture;
  }

  makeShadow() {
    const { gl } = this;
    this.shadow = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, this.shadow);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, SHADOW_SIZE, SHADOW_SIZE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_T, gl.CLAMP_TO_EDGE);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    this.framebuffer = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.shadow, 0);
    gl.drawBuffers([gl.NONE]);
    gl.readBuffer(gl.NONE);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  // the paths of all moving bodies, made when they are first wanted
  makeTrails() {
    const { motion, scene, gl } = this;
    this.trails = motion.moving.map((body, m) => {
      const buffer = this.buffer(motion.path(m, scene.bodies[body].trail));
      return { body, buffer, color: scene.bodies[body].color };
    });
    this.trailArray = gl.createVertexArray();
    this.tipRows = new Float32Array(10 * Math.max(1, this.trails.length));
    this.tips = this.lineBatch(this.tipRows);
  }

  use(name, camera) {
    const { gl } = this, { program, uniforms: u } = this.programs[name];
    gl.useProgram(program);
    gl.uniform1i(u.u_poses, 0);
    gl.uniformMatrix4fv(u.u_view, false, camera);
    if (u.u_shadow) {
      gl.uniform1i(u.u_shadow, 1);
      gl.uniformMatrix4fv(u.u_light, false, this.light);
      gl.uniform1f(u.u_texel, 1 / SHADOW_SIZE);
      gl.uniform1i(u.u_fast, this.fast ? 1 : 0);
    }
    return u;
  }

  // everything, as seen by a camera { matrix, eye, target }, with the options of the page
  draw(camera, options, theme) {
    const { gl, motion } = this;
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.poses);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 2048, motion.poses.length / 8192, gl.RGBA, gl.FLOAT, motion.poses);
    this.sun = camera.sun;
    this.drawShadow(camera);
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, this.shadow);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    this.drawSolids(camera);
    gl.enable(gl.BLEND);
    if (options.forces) this.drawArrows(camera, options.arrowScale);
    gl.depthMask(false);
    if (options.grid) this.drawPlanes(camera, theme);
    gl.depthMask(true);
    this.drawLines(camera, options);
    gl.disable(gl.BLEND);
    gl.bindVertexArray(null);
  }

  drawShadow(camera) {
    const { gl } = this, half = camera.reach, u = normalized(cross(camera.up, this.sun));
    const eye = camera.middle;
    seen(this.lightView, u, cross(this.sun, u), this.sun, eye);
    product(this.light, orthographic(this.scratch, half, 2.5 * half), this.lightView);
    this.lightSize = 2 * half;
    gl.bindTexture(gl.TEXTURE_2D, this.poses);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.framebuffer);
    gl.viewport(0, 0, SHADOW_SIZE, SHADOW_SIZE);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    this.use("depth", this.light);
    gl.enable(gl.POLYGON_OFFSET_FILL);
    gl.polygonOffset(2, 4);
    for (const batch of this.solids) this.drawBatch(batch);
    gl.disable(gl.POLYGON_OFFSET_FILL);
  }

  drawBatch(batch) {
    const { gl } = this;
    gl.bindVertexArray(batch.array);
    gl.drawElementsInstanced(gl.TRIANGLES, batch.count, gl.UNSIGNED_INT, 0, batch.instances);
  }

  shading(u, camera) {
    const { gl } = this;
    gl.uniform3fv(u.u_eye, camera.eye);
    gl.uniform3fv(u.u_sun, this.sun);
    gl.uniform3fv(u.u_up, camera.up);
  }

  drawSolids(camera) {
    const { gl } = this, u = this.use("solid", camera.matrix);
    this.shading(u, camera);
    gl.uniform1f(u.u_light_size, this.lightSize);
    for (const batch of this.solids) {
      gl.uniform1i(u.u_pattern, batch.pattern);
      this.drawBatch(batch);
    }
  }

  drawArrows(camera, scale) {
    const { gl, motion } = this, rows = this.arrowRows;
    let n = 0;
    for (const arrow of motion.arrows) {
      const size = Math.hypot(arrow.vector[0], arrow.vector[1], arrow.vector[2]) * scale;
      if (!(size > 1e-4 * this.bounds.moment)) continue;
      for (let k = 0; k < 3; k++) {
        rows[9 * n + k] = arrow.point[k];
        rows[9 * n + 3 + k] = arrow.vector[k] * scale;
        rows[9 * n + 6 + k] = arrow.color[k];
      }
      n++;
    }
    if (!n) return;
    gl.bindBuffer(gl.ARRAY_BUFFER, this.arrowBuffer);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, rows);
    const u = this.use("arrow", camera.matrix);
    this.shading(u, camera);
    gl.uniform1f(u.u_thickness, 0.008 * this.bounds.moment);
    gl.bindVertexArray(this.arrowArray);
    // what is inside a body shows through, faintly
    for (const hidden of [true, false]) {
      gl.uniform1f(u.u_opacity, hidden ? 0.3 : 1);
      gl.depthFunc(hidden ? gl.GREATER : gl.LESS);
      gl.depthMask(!hidden);
      gl.drawElementsInstanced(gl.TRIANGLES, this.arrowCount, gl.UNSIGNED_INT, 0, n);
    }
  }
}
