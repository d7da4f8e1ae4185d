// Names beside bodies, those that would lie on others left out; and one line of what could not be drawn.

const HEIGHT = 18; // px
const WIDTH = 7; // px of a letter
const HALO = Array(3).fill("0 0 3px var(--ground, Canvas)").join(", "); // readable over any body

export interface Label {
  text: string;
  x: number;
  y: number;
}

/** The labels that fit, first come first placed: no two overlap, none leaves the picture. */
export function spread(labels: Label[], width: number, height: number): Label[] {
  const taken: [number, number, number, number][] = [];
  return labels.filter(({ text, x, y }) => {
    const half = (WIDTH * text.length) / 2 + 4;
    const box: [number, number, number, number] = [x - half, y - HEIGHT, x + half, y];
    if (box[0] < 0 || box[1] < 0 || box[2] > width || box[3] > height) return false;
    if (taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3])) return false;
    taken.push(box);
    return true;
  });
}

/** A layer of texts over a canvas; the pointer passes through it. */
export class Labels {
  private readonly layer = document.createElement("div");
  private readonly notice = document.createElement("div");
  private readonly items: HTMLElement[] = [];

  constructor(canvas: HTMLCanvasElement, notices: string[]) {
    this.layer.className = "labels";
    Object.assign(this.layer.style, { position: "absolute", inset: "0", pointerEvents: "none", overflow: "hidden" });
    this.layer.setAttribute("aria-hidden", "true");
    canvas.after(this.layer);
    if (notices.length) canvas.after(this.notice);
    this.notice.className = "notice";
    this.notice.setAttribute("role", "status");
    Object.assign(this.notice.style, {
      position: "absolute",
      inset: "auto 12px 8px",
      font: "12px system-ui, sans-serif",
      opacity: "0.75",
      overflowWrap: "anywhere",
      pointerEvents: "none",
    });
    this.notice.textContent = notices.join("; ");
  }

  show(labels: Label[]): void {
    const kept = spread(labels, this.layer.clientWidth, this.layer.clientHeight);
    while (this.items.length < kept.length) {
      const item = document.createElement("span");
      Object.assign(item.style, { position: "absolute", font: "12px system-ui, sans-serif", whiteSpace: "nowrap", textShadow: HALO });
      this.layer.append(item);
      this.items.push(item);
    }
    this.items.forEach((item, k) => {
      item.hidden = k >= kept.length;
      if (item.hidden) return;
      item.textContent = kept[k].text;
      item.style.transform = `translate(${Math.round(kept[k].x)}px, ${Math.round(kept[k].y - HEIGHT)}px) translateX(-50%)`;
    });
  }

  dispose(): void {
    this.layer.remove();
    this.notice.remove();
  }
}
