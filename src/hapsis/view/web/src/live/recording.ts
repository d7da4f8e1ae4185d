// Recordings leave the page as CSV with units in the head, or as the file that results are saved in.

import type { ToWorker } from "./messages";
import { columns, npz, type Recorded } from "./npz";
import type { Package } from "./package";

export class Recording {
  private readonly button = document.getElementById("record") as HTMLButtonElement;
  private readonly files = document.getElementById("files")!;
  private on = false;

  constructor(
    private readonly content: Package,
    private readonly say: (message: ToWorker) => void,
  ) {
    this.button.onclick = () => this.turn(!this.on);
  }

  /** Begins, or ends; the worker then gives what it has recorded. */
  turn(on: boolean): void {
    this.on = on;
    this.button.setAttribute("aria-pressed", String(on));
    this.button.textContent = on ? "Stop" : "Record";
    if (on) this.files.replaceChildren();
    this.say({ kind: "record", on });
  }

  /** Offers the recording as files. */
  offer(recorded: Recorded): void {
    const { name } = this.content;
    const stem = name.replace(/[^A-Za-z0-9_-]+/g, "_") || "recording";
    const kinds: [string, string, () => Blob][] = [
      ["CSV", `${stem}.csv`, () => new Blob([csv(this.content, recorded.rows)], { type: "text/csv" })],
      ["Result", `${stem}.npz`, () => new Blob([npz(this.content, recorded) as BlobPart], { type: "application/zip" })],
    ];
    const buttons = kinds.map(([label, file, make]) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.title = `Save the recording as ${file}`;
      button.onclick = () => saved(file, make());
      return button;
    });
    this.files.replaceChildren(...buttons);
  }
}

export function csv(content: Package, rows: Float64Array): string {
  const signals = columns(content);
  const width = 1 + signals.length;
  const head = ["t [s]", ...signals.map(({ name, unit }) => (unit ? `${name} [${unit}]` : name))];
  const lines = [head.map(quoted).join(",")];
  for (let at = 0; at + width <= rows.length; at += width) lines.push(Array.from(rows.subarray(at, at + width)).join(","));
  return `${lines.join("\n")}\n`;
}

/** A field as CSV has it; no table program takes it for a formula. */
function quoted(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** Lets the browser save a file. */
function saved(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
