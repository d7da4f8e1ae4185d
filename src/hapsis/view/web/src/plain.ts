// Names from models as text that reads as it is written.

/** The text with its control characters and the marks that turn the direction of reading as escapes. */
export function plain(text: string): string {
  const marks = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
  return text.replace(marks, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
