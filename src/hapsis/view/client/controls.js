// Buttons, keys and the slider: what the reader does to the state of the page.

const byId = (id) => document.getElementById(id);

class Controls {
  // `page` has: state, seek(time), step(frames), fit(), look(a, e), toggled(name), retheme()
  constructor(page, motion) {
    Object.assign(this, { page, motion });
    this.toggles = [...document.querySelectorAll("[data-toggle]")];
    for (const button of this.toggles)
      button.addEventListener("click", () => this.toggle(button.dataset.toggle));
    byId("play").addEventListener("click", () => this.play(!page.state.playing));
    byId("back").addEventListener("click", () => this.step(-1));
    byId("forth").addEventListener("click", () => this.step(1));
    byId("fit").addEventListener("click", () => page.fit());
    byId("theme").addEventListener("click", () => this.theme());
    byId("keys").addEventListener("click", () => byId("help").showModal());
    byId("time").addEventListener("input", (event) => {
      const { first, last } = motion;
      page.seek(first + (event.target.value / 1e6) * (last - first));
    });
    byId("size").addEventListener("input", (event) => page.scaled(10 ** (event.target.value / 2)));
    this.fillSpeeds();
    // a click with the mouse must not leave the space key on the button
    document.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (button && event.detail > 0) button.blur();
    });
    document.addEventListener("keydown", (event) => this.key(event));
  }

  // 0.1 to 4 times, and more where the motion is very short or very long
  fillSpeeds() {
    const { motion, page } = this, duration = motion.last - motion.first;
    const speeds = [0.1, 0.25, 0.5, 1, 2, 4];
    while (duration > 0 && duration / speeds[0] < 4 && speeds.length < 20)
      speeds.unshift(+(speeds[0] / (speeds.length % 2 ? 2 : 5)).toPrecision(1));
    while (duration / speeds[speeds.length - 1] > 60 && speeds.length < 30)
      speeds.push(+(speeds[speeds.length - 1] * 2.5).toPrecision(1));
    const select = byId("speed");
    for (const speed of speeds) {
      const option = document.createElement("option");
      option.value = speed;
      option.textContent = speed + "\u00d7";
      select.append(option);
    }
    let chosen = 1;
    if (duration > 0 && duration < 1) chosen = speeds.filter((s) => duration / s >= 2).pop() || speeds[0];
    select.value = page.state.speed = chosen;
    select.addEventListener("change", () => { page.state.speed = +select.value; });
    this.speeds = speeds;
  }

  faster(by) {
    const select = byId("speed"), k = this.speeds.indexOf(+select.value) + by;
    if (k < 0 || k >= this.speeds.length) return;
    select.value = this.page.state.speed = this.speeds[k];
  }

  play(wanted) {
    const { state } = this.page, { first, last } = this.motion;
    state.playing = wanted && last > first;
    if (state.playing && state.time >= last) this.page.seek(first);
    document.body.classList.toggle("playing", state.playing);
    byId("play").setAttribute("aria-label", state.playing ? "Pause" : "Play");
    if (!state.playing) byId("rate").value = "";
    this.page.wake();
  }

  step(frames) {
    this.play(false);
    this.page.step(frames);
  }

  toggle(name) {
    const { state } = this.page, button = this.toggles.find((b) => b.dataset.toggle === name);
    if (button.hidden) return;
    state[name] = !state[name];
    this.show();
    this.page.toggled(name);
  }

  show() {
    for (const button of this.toggles)
      button.setAttribute("aria-pressed", String(this.page.state[button.dataset.toggle]));
  }

  theme() {
    const root = document.documentElement;
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    this.page.retheme();
  }

  key(event) {
    const { target } = event, help = byId("help");
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const typed = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const onButton = target.closest("button, summary, select");
    if ((typed === " " || typed === "Enter") && onButton) return;
    if (target.closest("select") || (target.id === "size" && typed.startsWith("Arrow"))) return;
    const views = { 1: [0, 0], 2: [Math.PI / 2, 0], 3: [0, 1.55], 0: [0.5, 0.3] };
    const letters = { n: "names", a: "forces", t: "trails", g: "grid", x: "axes", c: "follow", l: "loop" };
    const actions = {
      " ": () => this.play(!this.page.state.playing),
      ArrowLeft: () => this.step(event.shiftKey ? -10 : -1),
      ArrowRight: () => this.step(event.shiftKey ? 10 : 1),
      Home: () => this.page.seek(this.motion.first),
      End: () => this.page.seek(this.motion.last),
      "-": () => this.faster(-1),
      "+": () => this.faster(1),
      "=": () => this.faster(1),
      f: () => this.page.fit(),
      d: () => this.theme(),
      "?": () => help.showModal(),
    };
    if (letters[typed]) this.toggle(letters[typed]);
    else if (views[typed]) this.page.look(...views[typed]);
    else if (actions[typed]) actions[typed]();
    else return;
    event.preventDefault();
  }
}

// Names and the little axes in the corner, drawn over the picture.
class Labels {
  constructor(canvas, scene, motion) {
    Object.assign(this, { canvas, scene, motion, pen: canvas.getContext("2d") });
    this.at = [0, 0, 0];
    this.world = [0, 0, 0];
  }

  draw(camera, state, style, width, height) {
    const { pen } = this, { azimuth, elevation, ratio } = camera;
    // without names only the corner axes are here, and they turn with the camera alone
    const key = `${azimuth} ${elevation} ${ratio} ${width} ${height} ${state.axes} ${style.ink}`;
    if (!state.names && key === this.drawn) return;
    this.drawn = state.names ? "" : key;
    pen.setTransform(camera.ratio, 0, 0, camera.ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    pen.font = style.font;
    pen.lineWidth = 3;
    pen.lineJoin = "round";
    pen.strokeStyle = style.halo;
    pen.textAlign = "center";
    if (state.names) this.drawNames(camera, style, width, height);
    if (state.forces && state.names) this.drawForces(camera, state, width, height);
    if (state.axes) this.drawAxes(camera, style, height);
  }

  drawNames(camera, style, width, height) {
    const { scene, motion, at, world } = this;
    for (let b = 0; b < scene.bodies.length; b++) {
      const body = scene.bodies[b];
      projected(at, camera.matrix, motion.point(world, b, body.centre), width, height);
      this.write(body.name, style.ink);
    }
  }

  drawForces(camera, state, width, height) {
    const { motion, at, world } = this;
    for (const arrow of motion.arrows) {
      const size = Math.hypot(arrow.vector[0], arrow.vector[1], arrow.vector[2]);
      if (!(size > 1e-6)) continue;
      for (let k = 0; k < 3; k++) world[k] = arrow.point[k] + arrow.vector[k] * state.arrowScale;
      projected(at, camera.matrix, world, width, height);
      this.write(`${arrow.name} ${readable(size * arrow.typical)} ${arrow.unit}`, arrow.ink);
    }
  }

  write(text, color) {
    if (!(this.at[2] > 0)) return;
    this.pen.fillStyle = color;
    this.pen.strokeText(text, this.at[0], this.at[1] - 8);
    this.pen.fillText(text, this.at[0], this.at[1] - 8);
  }

  // which way x, y and z point
  drawAxes(camera, style, height) {
    const { pen } = this, x = 40, y = height - 40;
    ["x", "y", "z"].forEach((name, k) => {
      const dx = 26 * camera.right[k], dy = -26 * camera.above[k];
      pen.strokeStyle = pen.fillStyle = ["#d94540", "#4a9e4a", "#4073e0"][k];
      pen.lineWidth = 2;
      stroke(pen, x, y, x + dx, y + dy);
      pen.fillText(name, x + 1.35 * dx, y + 1.35 * dy + 4);
    });
  }
}
