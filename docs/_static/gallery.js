// The gallery: pictures become live pages while they are seen, and pictures again when they are not.
//
// A live page holds a picture in WebGL and a worker that computes, so only a few run at once. A sheet over each page
// leaves the wheel and the fingers to the text until the reader clicks; it comes back when the pointer leaves.

(() => {
  const MOST = 3; // pages that run at once
  const DELAY = 300; // ms that a picture is seen before it comes to life
  const names = document.currentScript.dataset.pages.split(" ");
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const running = []; // the last one to be started is the last

  function made(kind, parent, more) {
    const element = Object.assign(document.createElement(kind), more);
    parent.append(element);
    return element;
  }

  class Figure {
    constructor(image, name) {
      this.address = `gallery/${name}.html`;
      this.title = image.alt;
      this.frame = null;
      this.timer = 0;
      this.box = document.createElement("figure");
      this.box.className = "live";
      image.replaceWith(this.box);
      this.screen = made("div", this.box, { className: "screen" });
      this.screen.append(image);
      this.sheet = made("button", this.screen, { type: "button", className: "sheet" });
      const caption = made("figcaption", this.box, {});
      made("a", caption, { href: this.address, textContent: "Alone, with sliders and curves" });
      this.sheet.onclick = () => this.take();
      this.box.onpointerleave = () => this.leave();
      this.say();
    }

    say() {
      this.sheet.textContent = this.frame ? "Click to grab" : "Click to start";
      this.sheet.setAttribute("aria-label", `${this.title}: ${this.sheet.textContent.toLowerCase()}`);
    }

    start() {
      clearTimeout(this.timer);
      if (this.frame) return;
      while (running.length >= MOST) running[0].stop();
      running.push(this);
      this.frame = made("iframe", this.screen, { title: this.title, src: `${this.address}#stage` });
      this.screen.append(this.sheet);
      this.frame.onload = () => this.frame?.classList.add("ready");
      this.say();
    }

    stop() {
      clearTimeout(this.timer);
      if (!this.frame) return;
      running.splice(running.indexOf(this), 1);
      this.frame.remove();
      this.frame = null;
      this.leave();
      this.say();
    }

    /** The reader wants to touch it: the pointer goes to the page from now on. */
    take() {
      this.start();
      this.sheet.hidden = true;
      this.frame.focus();
    }

    leave() {
      this.sheet.hidden = false;
    }

    seen(part) {
      clearTimeout(this.timer);
      if (part === 0) this.stop();
      else if (part > 0.6 && !still) this.timer = setTimeout(() => this.start(), DELAY);
    }
  }

  document.addEventListener("DOMContentLoaded", () => {
    const figures = new Map();
    const eye = new IntersectionObserver(
      (entries) => entries.forEach((entry) => figures.get(entry.target)?.seen(entry.intersectionRatio)),
      { threshold: [0, 0.61] },
    );
    for (const image of document.querySelectorAll("article img")) {
      const name = image.getAttribute("src").match(/([^/]+)\.png$/)?.[1];
      if (!names.includes(name)) continue;
      const figure = new Figure(image, name);
      figures.set(figure.box, figure);
      eye.observe(figure.box);
    }
  });
})();
