// The hand of the page: a pointer, the keys or a gamepad hold a body and pull it.

import type { Frame, ToWorker } from "./messages";
import type { Package } from "./package";
import type { Scene } from "../scene";
import { plain } from "../plain";
import { shortNumber } from "./sliders";
import type { Vector } from "./module";

const NUDGE = 0.02; // of the size of the scene, for one key
const ARROWS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
};

export class Grip {
  private through: Vector | null = null; // the point that was taken; the pointer moves in a plane through it
  private pointer = -1; // the finger or mouse that holds it
  private goal: Vector = [0, 0, 0];
  private chosen = -1; // by the keys
  private readonly label = document.getElementById("hand")!;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly scene: Scene,
    private readonly content: Package,
    private readonly say: (message: ToWorker) => void,
  ) {
    if (!content.grab) return;
    canvas.addEventListener("pointerdown", (event) => this.take(event));
    canvas.addEventListener("pointermove", (event) => this.follow(event));
    for (const kind of ["pointerup", "pointercancel"] as const) {
      canvas.addEventListener(kind, (event) => {
        if (event.pointerId === this.pointer) this.release();
      });
    }
    canvas.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("blur", () => this.release());
  }

  /** The force as an arrow with its number, or nothing; that of a finger where no hand holds anything. */
  show(held: Frame["hand"], finger: Frame["finger"]): void {
    this.canvas.classList.toggle("held", !!held);
    const hand = held ?? (finger && this.pushed(finger));
    this.label.hidden = !hand;
    if (!hand) {
      this.scene.arrow(null);
      return;
    }
    const size = Math.hypot(...hand.force);
    this.scene.arrow({ from: hand.at, to: hand.target, force: hand.force, limit: this.content.coupling.limit });
    const [x, y] = this.scene.onScreen(hand.target);
    this.label.style.left = `${x}px`;
    this.label.style.top = `${y}px`;
    this.label.textContent = `${shortNumber(size)} N`;
    this.label.dataset.force = String(size);
  }

  /** The push of a finger: an arrow that ends where it presses. */
  private pushed({ at, force }: NonNullable<Frame["finger"]>): { at: Vector; target: Vector; force: Vector } {
    const share = (0.12 * this.content.size) / this.content.press!.limit ** 0.5;
    const size = Math.hypot(...force);
    const long = size > 0 ? share / size ** 0.5 : 0; // so that soft pushes are seen, too
    return { at: at.map((x, k) => x - long * force[k]) as Vector, target: at, force };
  }

  /** Another body is chosen: the next one, or the one before. */
  choose(step: 1 | -1): void {
    const count = this.content.handles.length;
    this.release();
    this.chosen = this.chosen < 0 ? (step > 0 ? 0 : count - 1) : (this.chosen + step + count) % count;
    this.scene.highlight(this.chosen);
    this.canvas.setAttribute("aria-description", `chosen: ${plain(this.content.handles[this.chosen].body)}`);
  }

  /** Holds the chosen body, or lets it go. */
  turn(): void {
    if (this.through) this.release();
    else if (this.chosen >= 0) this.hold(this.chosen, this.scene.middle(this.chosen));
  }

  /** Pulls what is held to the right and up on the screen, by so many sizes of the scene. */
  nudge(right: number, up: number): void {
    if (!this.through) return;
    this.goal = this.scene.beside(this.goal, right * this.scene.size, up * this.scene.size);
    this.say({ kind: "move", goal: this.goal });
  }

  release(): void {
    if (!this.through) return;
    this.through = null;
    this.pointer = -1;
    this.scene.camera(true);
    this.say({ kind: "release" });
  }

  private take(event: PointerEvent): void {
    if (this.through) return event.stopImmediatePropagation(); // a second finger changes nothing
    if (event.button !== 0) return;
    const hit = this.scene.pick(event.offsetX, event.offsetY);
    if (!hit) return; // the camera turns
    event.stopImmediatePropagation();
    this.pointer = event.pointerId;
    this.canvas.setPointerCapture(event.pointerId);
    this.hold(hit.body, hit.point);
  }

  private hold(body: number, point: Vector): void {
    this.through = point;
    this.goal = [...point];
    this.scene.camera(false);
    this.say({ kind: "grab", body, point });
    document.getElementById("hint")!.classList.add("gone");
  }

  private follow(event: PointerEvent): void {
    if (!this.through) {
      const hit = event.buttons ? null : this.scene.pick(event.offsetX, event.offsetY);
      this.scene.highlight(hit ? hit.body : -1);
    } else if (event.pointerId === this.pointer) {
      this.goal = this.scene.inPlane(event.offsetX, event.offsetY, this.through);
      this.say({ kind: "move", goal: this.goal });
    }
  }

  /** [ and ] choose a body, Enter holds it or lets it go, the arrows pull it. */
  private key(event: KeyboardEvent): void {
    if (event.key === "]") this.choose(1);
    else if (event.key === "[") this.choose(-1);
    else if (event.key === "Enter") this.turn();
    else if (event.key === "Escape") this.release();
    else if (ARROWS[event.key] && this.through) {
      const [right, up] = ARROWS[event.key];
      const step = NUDGE * (event.shiftKey ? 5 : 1);
      this.nudge(right * step, up * step);
    } else return;
    event.preventDefault();
  }
}
