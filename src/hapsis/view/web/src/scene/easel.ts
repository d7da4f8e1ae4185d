// The renderer of a scene on its canvas, plain or with shadows and fine pixels.

import { type Camera, Color, PCFShadowMap, Scene as Stage, WebGLRenderer } from "three";
import { PALETTES, type Theme } from "./materials";
import { FINEST, PLAIN } from "./tempo";

export class Easel {
  readonly stage = new Stage();
  /** When the first picture was drawn, ms since the page began; 0 before. */
  first = 0;
  private readonly renderer: WebGLRenderer;
  private level = PLAIN;

  constructor(
    readonly canvas: HTMLCanvasElement,
    theme: Theme,
  ) {
    // smooth edges come from more pixels, where frames are fast: multisampling would cost slow machines their first second
    this.renderer = new WebGLRenderer({ canvas, antialias: false, powerPreference: "high-performance" });
    this.renderer.localClippingEnabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.dress(theme);
  }

  dress(theme: Theme): void {
    this.stage.background = new Color(PALETTES[theme].paper);
  }

  /** Shadows at the finest level only, fine pixels above the plain one. */
  lighten(level: number): void {
    this.level = level;
    this.renderer.shadowMap.enabled = level === FINEST;
    this.resize();
  }

  /** As large as the canvas is on the page; its width and height, or null while it is not seen. */
  resize(): [number, number] | null {
    const { clientWidth, clientHeight } = this.canvas;
    if (!clientWidth || !clientHeight) return null;
    this.renderer.setPixelRatio(this.level === PLAIN ? 1 : fine());
    this.renderer.setSize(clientWidth, clientHeight, false);
    return [clientWidth, clientHeight];
  }

  render(camera: Camera): void {
    this.renderer.render(this.stage, camera);
    if (!this.first) this.first = performance.now();
  }

  dispose(): void {
    this.renderer.dispose();
  }
}

/** Pixels for each of the page that make edges smooth. */
function fine(): number {
  return devicePixelRatio < 1.5 ? 2 : Math.min(1.5 * devicePixelRatio, 3);
}
