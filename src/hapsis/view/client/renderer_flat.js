// The flat part of the picture: the ground, planes, lines and trails.

Object.assign(Renderer.prototype, {
  drawPlanes(camera, theme) {
    const { gl } = this, u = this.use("plane", camera.matrix);
    gl.uniform4fv(u.u_fill, theme.fill);
    gl.uniform4fv(u.u_rule, theme.rule);
    gl.uniform1f(u.u_dark, theme.shade);
    gl.uniform1f(u.u_step, camera.gridStep);
    gl.bindVertexArray(this.squareArray);
    for (const plane of this.batches.planes) this.drawPlane(u, camera, plane, 4);
    if (!this.batches.planes.length) this.drawPlane(u, camera, camera.ground, 4);
  },

  // the patch of a plane around what the camera looks at
  drawPlane(u, camera, plane, times) {
    const { gl, motion } = this, q = plane.turn, p = plane.at, o = 8 * plane.body;
    let x = camera.middle[0], y = camera.middle[1], z = camera.middle[2];
    const out = this.scratch;
    if (plane.body >= 0) {
      const r = motion.poses;
      this.back(out, r[o + 4], r[o + 5], r[o + 6], r[o + 7], x - r[o], y - r[o + 1], z - r[o + 2]);
      x = out[0]; y = out[1]; z = out[2];
    }
    this.back(out, q[0], q[1], q[2], q[3], x - p[0], y - p[1], z - p[2]);
    gl.uniform2f(u.u_centre, out[0], out[1]);
    gl.uniform1f(u.u_size, times * camera.reach);
    gl.uniform1f(u.u_body, plane.body);
    gl.uniform3fv(u.u_at, p);
    gl.uniform4fv(u.u_turn, q);
    gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  },

  // a vector turned back by a quaternion
  back(out, qx, qy, qz, qw, x, y, z) {
    const tx = 2 * (z * qy - y * qz), ty = 2 * (x * qz - z * qx), tz = 2 * (y * qx - x * qy);
    out[0] = x - qw * tx + (qy * tz - qz * ty);
    out[1] = y - qw * ty + (qz * tx - qx * tz);
    out[2] = z - qw * tz + (qx * ty - qy * tx);
  },

  drawLines(camera, options) {
    const { gl } = this, u = this.use("line", camera.matrix);
    gl.uniform2f(u.u_window, this.canvas.width, this.canvas.height);
    gl.uniform1f(u.u_width, 2.4 * camera.ratio);
    gl.uniform1f(u.u_opacity, 1);
    gl.uniform1f(u.u_fade, 0);
    this.drawLineBatch(this.lines, this.lines.instances);
    if (options.axes) this.drawLineBatch(this.axes, 3);
    if (options.trails) this.drawTrails(u, camera);
  },

  drawLineBatch(batch, count) {
    if (!count) return;
    this.gl.bindVertexArray(batch.array);
    this.gl.drawArraysInstanced(this.gl.TRIANGLE_STRIP, 0, 4, count);
  },

  // the way each body has come, faint where it is long ago
  drawTrails(u, camera) {
    const { gl, motion } = this;
    if (!this.trails) this.makeTrails();
    gl.useProgram(this.programs.line.program);
    gl.uniform1f(u.u_width, 2 * camera.ratio);
    gl.uniform1f(u.u_opacity, 0.8);
    gl.depthMask(false); // a path that is run twice must not hide itself
    gl.bindVertexArray(this.trailArray);
    this.attribute(0, 2, 0, 0, this.corners);
    gl.vertexAttrib1f(4, -1);
    gl.uniform1f(u.u_fade, motion.frame);
    if (motion.frame > 0) {
      for (const trail of this.trails) {
        this.attribute(1, 3, 3, 0, trail.buffer, 1);
        this.attribute(2, 3, 3, 3, trail.buffer, 1);
        gl.vertexAttrib3f(3, trail.color[0], trail.color[1], trail.color[2]);
        gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, motion.frame);
      }
    }
    this.drawTips(u);
    gl.depthMask(true);
  },

  // from the last frame to where each body is now
  drawTips(u) {
    const { gl, motion, scene } = this, rows = this.tipRows, n = motion.moving.length;
    const out = this.scratch, q = this.turn || (this.turn = new Float32Array(4));
    for (let m = 0; m < n; m++) {
      const body = motion.moving[m], { trail, color } = scene.bodies[body];
      const a = 7 * (motion.frame * n + m), { table } = motion;
      q[0] = table[a + 4]; q[1] = table[a + 5]; q[2] = table[a + 6]; q[3] = table[a + 3];
      placed(out, q, 0, table, a, trail[0], trail[1], trail[2]);
      for (let k = 0; k < 3; k++) rows[10 * m + k] = out[k];
      motion.point(out, body, trail);
      for (let k = 0; k < 3; k++) { rows[10 * m + 3 + k] = out[k]; rows[10 * m + 6 + k] = color[k]; }
      rows[10 * m + 9] = -1;
    }
    gl.bindBuffer(gl.ARRAY_BUFFER, this.tips.buffer);
    gl.bufferSubData(gl.ARRAY_BUFFER, 0, rows);
    gl.uniform1f(u.u_fade, 0);
    this.drawLineBatch(this.tips, n);
  },
});
