// Recordings leave the page as CSV with units in the head.

import type { Package } from "./package";

export function csv(content: Package, rows: Float64Array): string {
  const width = 1 + content.signals.length;
  const head = ["t [s]", ...content.signals.map(({ name, unit }) => (unit ? `${name} [${unit}]` : name))];
  const lines = [head.map(quoted).join(",")];
  for (let at = 0; at + width <= rows.length; at += width) lines.push(Array.from(rows.subarray(at, at + width)).join(","));
  return `${lines.join("\n")}\n`;
}

/** A field as CSV has it; no table program takes it for a formula. */
function quoted(text: string): string {
  const inert = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** Lets the browser save a recording. */
export function saved(content: Package, rows: Float64Array): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([csv(content, rows)], { type: "text/csv" }));
  link.download = `${content.name.replace(/[^A-Za-z0-9_-]+/g, "_") || "recording"}.csv`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
