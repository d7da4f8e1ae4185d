// The page: reads the scene, keeps the state, draws when something has changed.

function start() {
  const scene = JSON.parse(byId("scene").textContent);
  const array = unpackedArrays(byId("arrays").textContent);
  byId("arrays").remove();
  const motion = new Motion(scene, array);
  const batches = new Batches(scene, array);
  const bounds = boundsOf(motion, batches.spheres);
  const camera = new Camera(scene, bounds);
  const view = byId("view"), overlay = byId("labels");
  let renderer = null;
  const tell = (text) => { byId("message").textContent = text; byId("message").hidden = false; };
  try {
    renderer = new Renderer(view, scene, motion, batches, bounds);
  } catch (problem) {
    tell(problem.message === "WebGL 2 is missing"
      ? "This browser cannot draw in three dimensions: WebGL 2 is missing or switched off. Time, values and plots still work."
      : "The picture cannot be drawn: " + problem.message);
  }
  const arrowUnit = 0.3 * bounds.moment; // metres of an arrow of typical size
  const state = {
    time: motion.first, playing: false, speed: 1, loop: true, names: false, forces: false,
    trails: false, grid: true, axes: true, follow: camera.follows, arrowScale: arrowUnit,
  };
  const labels = new Labels(overlay, scene, motion);
  let style, theme, dirty = true, waiting = false, before = 0, shown = -1;
  const middle = [0, 0, 0], one = [0, 0, 0];

  const page = {
    state,
    wake,
    seek(time) {
      state.time = Math.max(motion.first, Math.min(motion.last, time));
      motion.seek(state.time);
      wake();
    },
    step(frames) {
      motion.find(state.time);
      const near = motion.part > 0.999 ? 1 : frames < 0 && motion.part > 0.001 ? 1 : 0;
      const k = Math.max(0, Math.min(motion.times.length - 1, motion.frame + near + frames));
      page.seek(motion.times[k]);
    },
    fit() { camera.fit(); wake(); },
    look(a, e) { camera.look(a, e); camera.fit(); wake(); },
    scaled(factor) { state.arrowScale = arrowUnit * factor; showScale(); wake(); },
    toggled(name) {
      if (name === "follow") { camera.follows = state.follow && motion.moving.length > 0; camera.fit(); }
      byId("scales").hidden = !state.forces;
      wake();
    },
    retheme() { readStyle(); resize(); },
  };
  const charts = new Charts(byId("charts"), scene, array, motion, (time) => { controls.play(false); page.seek(time); });
  const controls = new Controls(page, motion);

  function wake() {
    dirty = true;
    if (!waiting) { waiting = true; requestAnimationFrame(frame); }
  }

  function readStyle() {
    const css = getComputedStyle(document.documentElement), value = (n) => css.getPropertyValue(n).trim();
    const four = (n) => new Float32Array(value(n).split(" ").map(Number));
    style = {
      font: `12px ${getComputedStyle(document.body).fontFamily}`, ink: value("--ink"), quiet: value("--quiet"),
      paper: value("--paper"), grid: value("--grid"), accent: value("--accent"), halo: value("--halo"),
      lines: value("--lines").split(" "),
    };
    theme = { fill: four("--ground"), rule: four("--rule"), shade: Number(value("--shade")) };
    byId("chips").querySelectorAll("button").forEach((chip, k) => {
      chip.style.color = chip.getAttribute("aria-pressed") === "true" ? style.lines[k % style.lines.length] : "";
    });
  }

  function resize() {
    const stage = byId("stage"), ratio = Math.min(devicePixelRatio || 1, 3);
    const { clientWidth: width, clientHeight: height } = stage;
    labels.drawn = "";
    for (const canvas of [view, overlay]) {
      const fine = canvas === view && renderer && renderer.fast ? 0.7 * ratio : ratio;
      canvas.width = Math.max(1, Math.round(width * fine));
      canvas.height = Math.max(1, Math.round(height * fine));
    }
    camera.ratio = ratio;
    camera.aspect = width / Math.max(1, height);
    camera.free = Math.max(0.6, 1 - 90 / Math.max(1, height)); // beside title and buttons
    if (!camera.touched) camera.fit();
    if (scene.series.length) charts.redraw(byId("plots").clientWidth, ratio, style);
    wake();
  }

  // the mean of what moves, for a camera that follows
  function centre() {
    const n = motion.moving.length;
    middle.fill(0);
    for (const body of motion.moving) {
      motion.point(one, body, scene.bodies[body].centre);
      for (let k = 0; k < 3; k++) middle[k] += one[k] / n;
    }
    return middle;
  }

  // a machine that cannot keep up draws a coarser picture while it plays
  function refine(fast) {
    if (!renderer || renderer.fast === fast) return;
    renderer.fast = fast;
    resize();
  }

  let wall = 0, simulated = 0, slow = 0;
  function advance(now) {
    // a slow machine plays slower and says so; it does not jump
    const passed = Math.min(0.1, (now - before) / 1000), real = (now - before) / 1000;
    const from = state.time;
    let time = from + passed * state.speed;
    if (time >= motion.last) {
      if (state.loop) time = motion.first + ((time - motion.first) % (motion.last - motion.first));
      else { time = motion.last; controls.play(false); }
    }
    state.time = time;
    motion.seek(time);
    wall += real;
    slow = real > 0.05 ? slow + real : 0;
    if (slow > 0.6) refine(true);
    simulated += passed * state.speed;
    if (wall > 0.5) {
      byId("rate").value = `${+(simulated / wall).toPrecision(2)}\u00d7 real time`;
      wall = simulated = 0;
    }
  }

  function frame(now) {
    waiting = false;
    if (state.playing) { if (before) advance(now); before = now; }
    else { before = wall = simulated = slow = 0; refine(false); }
    if (!dirty && !state.playing) return;
    dirty = false;
    camera.update(centre());
    if (renderer && !lost) renderer.draw(camera, state, theme);
    labels.draw(camera, state, style, overlay.width / camera.ratio, overlay.height / camera.ratio);
    charts.draw(state.time);
    showTime();
    if (state.playing) { waiting = true; requestAnimationFrame(frame); }
  }

  const duration = motion.last - motion.first;
  const digits = Math.max(2, Math.min(7, 3 - Math.floor(Math.log10(duration || 1))));
  function showTime() {
    const part = duration > 0 ? Math.round(((state.time - motion.first) / duration) * 1e6) : 0;
    if (part === shown) return;
    shown = part;
    const slider = byId("time"), text = `${state.time.toFixed(digits)} s`;
    slider.value = part;
    slider.setAttribute("aria-valuetext", text);
    byId("clock").value = `${text} / ${motion.last.toFixed(digits)} s`;
  }

  function showScale() {
    const scales = new Map(scene.arrows.map((a) => [a.unit, a.typical / state.arrowScale]));
    byId("sizes").value = [...scales].map(([unit, v]) => `1 m = ${readable(v)} ${unit}`).join(", ");
  }

  let lost = false;
  view.addEventListener("webglcontextlost", (event) => {
    event.preventDefault();
    lost = true;
    tell("The graphics processor was taken away. Load the page again to see the motion.");
  });

  // chips to choose the series
  scene.series.forEach((series, k) => {
    const chip = document.createElement("button");
    chip.type = "button";
    chip.textContent = series.name;
    chip.setAttribute("aria-pressed", String(charts.series[k].chosen));
    chip.addEventListener("click", () => {
      charts.series[k].chosen = !charts.series[k].chosen;
      chip.setAttribute("aria-pressed", String(charts.series[k].chosen));
      page.retheme();
    });
    byId("chips").append(chip);
  });

  byId("title").textContent = scene.title;
  byId("notes").textContent = scene.notes;
  byId("about").hidden = !scene.notes;
  byId("plots").hidden = !scene.series.length;
  document.querySelector('[data-toggle="forces"]').hidden = !scene.arrows.length;
  for (const arrow of motion.arrows)
    arrow.ink = `rgb(${arrow.color.map((c) => Math.round(255 * c)).join(" ")})`;
  controls.show();
  showScale();
  readStyle();
  holdCamera(view, camera, wake);
  new ResizeObserver(resize).observe(byId("stage"));
  // also when pixels become finer: the page was zoomed or moved to another screen
  (function watch() {
    const here = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    here.addEventListener("change", () => { resize(); watch(); }, { once: true });
  })();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => page.retheme());
  resize();
  // "#t=1.5" opens the page at that time, at rest
  const asked = /[#&]t=([-+.\deE]+)/.exec(location.hash);
  if (asked) page.seek(Number(asked[1]) || 0);
  else if (!matchMedia("(prefers-reduced-motion: reduce)").matches) controls.play(true);
}

start();
