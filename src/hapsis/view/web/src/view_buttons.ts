// Buttons about the picture, for every page with a scene: views, what the camera follows, section, picture, video.

import { plain } from "./plain";
import type { Scene, ViewName } from "./scene";

const VIEWS: [ViewName, string, string][] = [
  ["side", "Side", "From the side"],
  ["front", "Front", "From the front"],
  ["top", "Top", "From above"],
  ["three-quarter", "Space", "From the side, a little above"],
];
const RATE = 30; // pictures a second of a video

export interface Film {
  start(): void; // called when a video begins
  stop(): void;
}

export class ViewButtons {
  private readonly follower = document.createElement("select");
  private readonly cut: HTMLButtonElement;
  private readonly video: HTMLButtonElement;
  private recorder: MediaRecorder | null = null;

  /** `bodies` are the names of what can be followed; `film` hears when a video begins and ends. */
  constructor(
    place: Element,
    private readonly scene: Scene,
    private readonly canvas: HTMLCanvasElement,
    private readonly title: string,
    bodies: string[],
    private readonly film?: Film,
  ) {
    for (const [view, label, hint] of VIEWS) place.append(button(label, hint, () => scene.view(view)));
    this.follower.title = "What the camera follows";
    this.follower.setAttribute("aria-label", this.follower.title);
    this.follower.append(new Option("Stay", "none"), new Option("Follow all", "all"));
    bodies.forEach((name, k) => this.follower.append(new Option(`Follow ${plain(name)}`, String(k))));
    this.follower.onchange = () => this.follow();
    this.cut = button("Section", "Leaves out the front half, as it is seen now", () => this.section());
    this.cut.setAttribute("aria-pressed", "false");
    this.video = button("Video", "Records what is seen, as a WebM file", () => this.record());
    this.video.setAttribute("aria-pressed", "false");
    this.video.hidden = !canRecord(canvas);
    place.append(this.follower, this.cut, button("Picture", "Saves what is seen, as a PNG file", () => this.picture()), this.video);
  }

  /** The camera follows a body; "none" or "all" of them. */
  follow(body?: number | "none" | "all"): void {
    if (body !== undefined) this.follower.value = String(body);
    const { value } = this.follower;
    const every = Array.from({ length: this.follower.options.length - 2 }, (_, k) => k);
    this.scene.follow(value === "all" ? every : value === "none" ? -1 : Number(value));
  }

  get followed(): string {
    return this.follower.value;
  }

  section(): void {
    const on = this.cut.getAttribute("aria-pressed") !== "true";
    this.cut.setAttribute("aria-pressed", String(on));
    this.scene.section(on);
  }

  picture(): void {
    save(this.scene.picture(), this.title, "png");
  }

  /** Begins a video, or ends it and saves it. */
  record(): void {
    if (this.recorder) {
      this.recorder.stop();
      return;
    }
    const pieces: Blob[] = [];
    this.recorder = new MediaRecorder(this.canvas.captureStream(RATE), { mimeType: kind(), videoBitsPerSecond: 8e6 });
    this.recorder.ondataavailable = ({ data }) => pieces.push(data);
    this.recorder.onstop = () => {
      this.recorder = null;
      this.show();
      this.film?.stop();
      const address = URL.createObjectURL(new Blob(pieces, { type: "video/webm" }));
      save(address, this.title, "webm");
      setTimeout(() => URL.revokeObjectURL(address), 60_000);
    };
    this.recorder.start();
    this.show();
    this.film?.start();
    this.scene.refresh();
  }

  private show(): void {
    this.video.textContent = this.recorder ? "Stop" : "Video";
    this.video.setAttribute("aria-pressed", String(!!this.recorder));
  }
}

function kind(): string {
  return ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((each) => MediaRecorder.isTypeSupported(each)) ?? "";
}

function canRecord(canvas: HTMLCanvasElement): boolean {
  return "captureStream" in canvas && typeof MediaRecorder !== "undefined" && kind() !== "";
}

export function button(label: string, hint: string, act: () => void): HTMLButtonElement {
  const element = document.createElement("button");
  element.type = "button";
  element.textContent = label;
  element.title = hint;
  element.onclick = act;
  return element;
}

/** Lets the browser save what is at an address. */
export function save(address: string, title: string, ending: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = `${title.replace(/[^A-Za-z0-9_-]+/g, "_") || "motion"}.${ending}`;
  link.click();
}
