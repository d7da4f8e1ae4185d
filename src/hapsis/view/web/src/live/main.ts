// The last script of a page that computes: all is there.

import { Page } from "./page";
import type { Started } from "./start";

try {
  const page = new Page((globalThis as unknown as { hapsisStarted: Started }).hapsisStarted);
  Object.assign(window, { hapsis: page }); // for whoever looks with the browser's tools
} catch (problem) {
  const line = document.getElementById("trouble")!;
  line.textContent = `This browser cannot show the mechanism (${problem instanceof Error ? problem.message : problem}).`;
  line.hidden = false;
}
