// The cursor of each plot: a line at the pointer, a dot on each curve, the values beside it.
"use strict";
const readings = [JSON.parse(document.getElementById("readings").textContent)].flat();
document.querySelectorAll("svg.hapsis-plot").forEach((svg, number) => {
  const data = readings[number];
  const place = (axis, v) =>
    axis.logarithmic
      ? Math.log(v / axis.low) / Math.log(axis.high / axis.low)
      : (v / 2 - axis.low / 2) / (axis.high / 2 - axis.low / 2);
  const element = (name, attributes, parent) => {
    const made = document.createElementNS(svg.namespaceURI, name);
    for (const key in attributes) made.setAttribute(key, attributes[key]);
    parent.appendChild(made);
    return made;
  };
  const written = (v, digits = 6) => {
    const size = Math.abs(v);
    const text = size && (size >= 1e6 || size < 1e-4) ? v.toExponential(digits - 2) : String(+v.toPrecision(digits));
    return text.replace(/-/g, "\u2212");
  };

  // the points of each curve in the units of the picture
  for (const panel of data.panels) {
    for (const line of panel.series) {
      line.px = line.x.map((v) => data.left + place(data.x, v) * data.width);
      line.py = line.y.map((v) => panel.top + (1 - place(panel.y, v)) * panel.height);
      line.sorted = line.px.every((v, k) => !k || v >= line.px[k - 1]);
    }
  }

  // the point of a curve nearest to the pointer: along x, or in the plane when x turns back
  const nearest = (line, x, y) => {
    const n = line.px.length;
    if (!n) return -1;
    if (!line.sorted) {
      let best = 0, least = Infinity;
      for (let k = 0; k < n; k++) {
        const d = (line.px[k] - x) ** 2 + (line.py[k] - y) ** 2;
        if (d < least) { least = d; best = k; }
      }
      return best;
    }
    let low = 0, high = n - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (line.px[middle] <= x) low = middle; else high = middle;
    }
    return x - line.px[low] < line.px[high] - x ? low : high;
  };

  const layer = element("g", { class: "reading" }, svg);
  const box = (rows, x, top, right) => {
    const group = element("g", {}, layer);
    const frame = element("rect", { class: "box", rx: 4 }, group);
    let width = 0;
    rows.forEach((row, k) => {
      if (row.class) element("circle", { class: "dot " + row.class, r: 3.5, cx: 12, cy: 14 + 17 * k }, group);
      const text = element("text", { x: 21, y: 18 + 17 * k }, group);
      text.textContent = row.text;
      width = Math.max(width, text.getComputedTextLength());
    });
    width += 30;
    frame.setAttribute("width", width);
    frame.setAttribute("height", 17 * rows.length + 9);
    const left = x + 12 + width > right ? x - 12 - width : x + 12;
    group.setAttribute("transform", `translate(${left} ${top})`);
  };

  const show = (event) => {
    const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    layer.replaceChildren();
    const right = data.left + data.width;
    if (p.x < data.left || p.x > right) return;
    const bottom = data.panels[data.panels.length - 1];
    const top = data.panels[0].top;
    element("path", { class: "cursor", d: `M${p.x} ${top}V${bottom.top + bottom.height}` }, layer);
    for (const panel of data.panels) {
      const rows = [];
      for (const line of panel.series.slice(0, 12)) {
        const k = nearest(line, p.x, p.y);
        if (k < 0) continue;
        element("circle", { class: "dot " + line.class, r: 3.2, cx: line.px[k], cy: line.py[k] }, layer);
        const x = line.sorted ? "" : ` at ${written(line.x[k])}`;
        rows.push({ class: line.class, text: `${line.name}  ${written(line.y[k], panel.digits)}${x}`, x: line.x[k] });
      }
      if (!rows.length) continue;
      if (panel === data.panels[0] && panel.series[0].sorted)
        rows.unshift({ text: `${data.xlabel || "x"}  ${written(rows[0].x)}` });
      box(rows, p.x, panel.top + 6, right);
    }
  };
  svg.addEventListener("pointermove", show);
  svg.addEventListener("pointerdown", show);
  svg.addEventListener("pointerleave", () => layer.replaceChildren());
});
