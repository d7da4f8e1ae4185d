// Plots below the picture, linked to its time: those of one unit share a chart.

const CHART = { left: 62, right: 16, top: 22, height: 92, gap: 8 };

class Charts {
  constructor(canvas, scene, array, range, seek) {
    Object.assign(this, { canvas, range, ratio: 1, width: 600 });
    this.context = canvas.getContext("2d");
    this.still = document.createElement("canvas"); // all but the cursor
    this.series = scene.series.map((s, k) => ({
      ...s, times: array(s.times), values: array(s.values), index: k, chosen: k < 3,
    }));
    this.charts = [];
    let held = false;
    const follow = (event) => {
      const x = (event.offsetX - CHART.left) / (this.width - CHART.left - CHART.right);
      seek(range.first + Math.max(0, Math.min(1, x)) * (range.last - range.first));
    };
    canvas.addEventListener("pointerdown", (event) => {
      held = true;
      canvas.setPointerCapture(event.pointerId);
      follow(event);
    });
    canvas.addEventListener("pointermove", (event) => held && follow(event));
    for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => (held = false));
  }

  // chosen series gathered into charts, and the range of each
  arrange() {
    const groups = new Map();
    for (const s of this.series.filter((one) => one.chosen)) {
      const key = s.unit ? "unit " + s.unit : "name " + s.index;
      if (!groups.has(key)) groups.set(key, { unit: s.unit, series: [] });
      groups.get(key).series.push(s);
    }
    this.charts = [...groups.values()];
    for (const chart of this.charts) {
      let low = Infinity, high = -Infinity;
      for (const s of chart.series) {
        for (const v of s.values) {
          if (Number.isFinite(v)) { low = Math.min(low, v); high = Math.max(high, v); }
        }
      }
      if (!(low <= high)) { low = 0; high = 1; }
      const size = Math.max(Math.abs(low), Math.abs(high));
      const room = high - low > 1e-12 * size ? 0.08 * (high - low) : 0.1 * size || 1;
      Object.assign(chart, { low: low - room, high: high + room });
    }
  }

  get wanted() {
    return this.charts.length * (CHART.top + CHART.height + CHART.gap) + 20;
  }

  x(time) {
    const { first, last } = this.range, inside = this.width - CHART.left - CHART.right;
    return CHART.left + (last > first ? (time - first) / (last - first) : 0) * inside;
  }

  top(k) {
    return k * (CHART.top + CHART.height + CHART.gap) + CHART.top;
  }

  y(chart, k, value) {
    const half = chart.high / 2 - chart.low / 2;
    return this.top(k) + CHART.height * (1 - (value / 2 - chart.low / 2) / half);
  }

  // the part that does not change with time
  redraw(width, ratio, style) {
    Object.assign(this, { width, ratio, style });
    this.arrange();
    const height = this.wanted;
    for (const canvas of [this.canvas, this.still]) {
      canvas.width = Math.round(width * ratio);
      canvas.height = Math.round(height * ratio);
    }
    this.canvas.style.height = height + "px";
    const pen = this.still.getContext("2d");
    pen.scale(ratio, ratio);
    pen.font = style.font;
    this.charts.forEach((chart, k) => this.drawChart(pen, chart, k));
    pen.fillStyle = style.quiet;
    pen.textAlign = "center";
    const { first, last } = this.range;
    if (this.charts.length) {
      for (const [t, label] of ticks(first, last, Math.max(2, width / 110)))
        pen.fillText(label, this.x(t), height - 6);
    }
  }

  drawChart(pen, chart, k) {
    const { style } = this, top = this.top(k), right = this.width - CHART.right;
    pen.fillStyle = style.paper;
    pen.fillRect(CHART.left, top, right - CHART.left, CHART.height);
    pen.strokeStyle = style.grid;
    pen.fillStyle = style.quiet;
    pen.lineWidth = 1;
    pen.textAlign = "right";
    for (const [v, label] of ticks(chart.low, chart.high, 4.5)) {
      const y = this.y(chart, k, v);
      stroke(pen, CHART.left, y, right, y);
      pen.fillText(label, CHART.left - 8, y + 4);
    }
    for (const [t] of ticks(this.range.first, this.range.last, Math.max(2, this.width / 110)))
      stroke(pen, this.x(t), top, this.x(t), top + CHART.height);
    pen.textAlign = "left";
    let x = CHART.left;
    for (const s of chart.series) {
      pen.fillStyle = pen.strokeStyle = style.lines[s.index % style.lines.length];
      pen.lineWidth = 1.6;
      pen.lineJoin = "round";
      this.drawLine(pen, chart, k, s);
      pen.fillRect(x, top - 10, 14, 3);
      const text = s.name + (s.unit ? `, ${s.unit}` : "");
      pen.fillStyle = style.ink;
      pen.fillText(text, x + 20, top - 5);
      s.reading = { x: x + 26 + pen.measureText(text).width, y: top - 5 };
      x = s.reading.x + 90;
    }
  }

  drawLine(pen, chart, k, s) {
    pen.beginPath();
    let pending = false;
    for (let i = 0; i < s.times.length; i++) {
      if (!Number.isFinite(s.values[i])) { pending = false; continue; }
      const x = this.x(s.times[i]), y = this.y(chart, k, s.values[i]);
      if (pending) pen.lineTo(x, y); else pen.moveTo(x, y);
      const alone = !pending && !Number.isFinite(s.values[i + 1]);
      if (alone) pen.fillRect(x - 2, y - 2, 4, 4);
      pending = true;
    }
    pen.stroke();
  }

  // the cursor and the values at it
  draw(time) {
    if (!this.charts.length) return;
    const pen = this.context, { ratio, style } = this;
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.clearRect(0, 0, this.canvas.width, this.canvas.height);
    pen.drawImage(this.still, 0, 0);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    const x = this.x(time);
    pen.strokeStyle = style.accent;
    pen.lineWidth = 1.4;
    stroke(pen, x, this.top(0) - 4, x, this.top(this.charts.length - 1) + CHART.height);
    pen.font = style.font;
    pen.textAlign = "left";
    for (let k = 0; k < this.charts.length; k++) {
      for (const s of this.charts[k].series) {
        const value = valueAt(s, time);
        if (!Number.isFinite(value)) continue;
        pen.fillStyle = style.lines[s.index % style.lines.length];
        pen.beginPath();
        pen.arc(x, this.y(this.charts[k], k, value), 3.2, 0, 7);
        pen.fill();
        pen.fillStyle = style.quiet;
        pen.fillText(readable(value), s.reading.x, s.reading.y);
      }
    }
  }
}

function stroke(pen, x0, y0, x1, y1) {
  pen.beginPath();
  pen.moveTo(x0, y0);
  pen.lineTo(x1, y1);
  pen.stroke();
}

function valueAt(s, time) {
  const n = s.times.length;
  if (!n || time < s.times[0]) return NaN;
  let low = 0, high = n - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (s.times[middle] <= time) low = middle; else high = middle;
  }
  const a = s.values[low], b = s.values[high];
  const width = s.times[high] - s.times[low];
  if (!Number.isFinite(b)) return time <= s.times[low] ? a : high === n - 1 && width === 0 ? a : NaN;
  return width > 0 ? a + ((b - a) * (time - s.times[low])) / width : b;
}

// [value, label] at 1-2-5 steps; where labels would be long, all but the first are differences
function ticks(low, high, count) {
  if (!(high > low)) return [[low, readable(low)]];
  const step = niceStep(high / count - low / count), found = [];
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const size = Math.max(Math.abs(low), Math.abs(high)), first = Math.ceil(low / step - 1e-9);
  for (let k = first; k <= high / step + 1e-9 && found.length < 50; k++) {
    let text = compact(k * step);
    if (size < 1e5 && digits < 4) text = (k * step).toFixed(digits).replace("-", "\u2212");
    else if (size / step > 1e3 && k > first) text = "+" + compact((k - first) * step);
    found.push([k * step, text]);
  }
  return found;
}

// few characters, for ticks
function compact(v) {
  const size = Math.abs(v), round = +v.toPrecision(4);
  const text = size && (size >= 1e5 || size < 1e-3) ? round.toExponential() : String(round);
  return text.replace("+", "").replace(/-/g, "\u2212");
}

// four digits, for values that change: the length stays
function readable(v) {
  const size = Math.abs(v);
  if (!size) return "0";
  const text = size >= 1e5 || size < 1e-3 ? v.toExponential(2) : v.toPrecision(4);
  return text.replace("+", "").replace(/-/g, "\u2212");
}
