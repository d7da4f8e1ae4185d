// Sounds of a page: strings that ring when they are struck, until their dampers fall.
//
// Browsers let a page sound after a person has touched it: the first key or press opens the sound.

import { plain } from "../plain";
import type { Package } from "./package";
import { shortNumber } from "./sliders";
import { brightness, loudness, tone } from "./tone";
import type { Touch } from "./touches";

const SECONDS = 6; // of a tone
const STEPS = 10; // of brightness
const DAMPED = 0.07; // s in which a damper takes a tone away
const KEPT = 200; // touches that the page remembers

export interface Played {
  contact: string;
  note: string;
  speed: number; // m/s
  loudness: number; // 0 to 1
  time: number; // s, of the model
  kind: Touch["kind"];
}

interface Voice {
  source: AudioBufferSourceNode;
  gain: GainNode;
}

export class Strings {
  /** What has sounded, the last at the end. */
  readonly played: Played[] = [];
  /** Tones that were begun in this page. */
  started = 0;
  private context: AudioContext | null = null;
  private out: GainNode | null = null;
  private muted = false;
  private readonly voices = new Map<number, Voice>();
  private readonly tones = new Map<string, AudioBuffer>();
  private readonly button = document.getElementById("mute") as HTMLButtonElement;
  private readonly line = document.getElementById("struck")!;

  constructor(private readonly content: Package) {
    if (!content.sounds.length) return;
    this.button.hidden = false;
    this.button.onclick = () => this.mute(!this.muted);
    for (const kind of ["pointerdown", "keydown", "touchend"] as const) {
      document.addEventListener(kind, () => this.open(), { capture: true });
    }
  }

  mute(on: boolean): void {
    this.muted = on;
    this.button.setAttribute("aria-pressed", String(on));
    if (this.out && this.context) this.out.gain.setTargetAtTime(on ? 0 : 1, this.context.currentTime, 0.01);
  }

  hear(touch: Touch): void {
    const { contact, note } = this.content.sounds[touch.sound];
    const { kind, speed, time } = touch;
    const played = { contact, note, speed, loudness: loudness(speed), time, kind };
    this.played.push(played);
    if (this.played.length > KEPT) this.played.shift();
    if (kind === "struck") {
      this.line.textContent = `${plain(note)}, ${shortNumber(Number(speed.toPrecision(3)))} m/s`;
      this.strike(touch);
    } else if (kind === "damped") this.damp(touch.sound);
    document.dispatchEvent(new CustomEvent(kind === "struck" ? "sound" : kind, { detail: played }));
  }

  /** All is silent. */
  stop(): void {
    for (const sound of [...this.voices.keys()]) this.damp(sound);
  }

  private open(): void {
    if (!this.context) {
      if (typeof AudioContext === "undefined") return;
      this.context = new AudioContext();
      this.out = new GainNode(this.context, { gain: this.muted ? 0 : 1 });
      this.out.connect(new DynamicsCompressorNode(this.context, { threshold: -12, ratio: 6 })).connect(this.context.destination);
    }
    if (this.context.state === "suspended") void this.context.resume();
  }

  private strike(touch: Touch): void {
    const { context, out } = this;
    if (!context || !out) return; // nobody has touched the page yet
    this.fade(touch.sound, 0.02);
    const source = new AudioBufferSourceNode(context, { buffer: this.buffer(touch) });
    const gain = new GainNode(context, { gain: 0.8 * loudness(touch.speed) });
    source.connect(gain).connect(out);
    source.start();
    this.started += 1;
    const voice = { source, gain };
    this.voices.set(touch.sound, voice);
    source.onended = () => {
      gain.disconnect();
      if (this.voices.get(touch.sound) === voice) this.voices.delete(touch.sound);
    };
    if (touch.damped) this.damp(touch.sound);
  }

  private damp(sound: number): void {
    this.fade(sound, DAMPED);
  }

  /** Takes a tone away within about so many seconds. */
  private fade(sound: number, seconds: number): void {
    const voice = this.voices.get(sound);
    if (!voice || !this.context) return;
    this.voices.delete(sound);
    voice.gain.gain.setTargetAtTime(0, this.context.currentTime, seconds);
    voice.source.stop(this.context.currentTime + 8 * seconds);
  }

  /** The tone of a touch; a few brightnesses of each note are made, and kept. */
  private buffer({ sound, speed }: Touch): AudioBuffer {
    const { frequency } = this.content.sounds[sound];
    const step = Math.min(STEPS, Math.ceil(STEPS * loudness(speed)));
    const key = `${frequency} ${step}`;
    let buffer = this.tones.get(key);
    if (!buffer) {
      const { sampleRate } = this.context!;
      const samples = tone(frequency, brightness(7 * (step / STEPS) ** 1.25), sampleRate, SECONDS);
      buffer = new AudioBuffer({ length: samples.length, sampleRate });
      buffer.copyToChannel(samples as Float32Array<ArrayBuffer>, 0);
      this.tones.set(key, buffer);
    }
    return buffer;
  }
}
