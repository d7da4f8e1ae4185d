// The first script of a page that computes: the worker begins while the scripts of the scene are still read.
//
// The content of the page and the text of its worker lie in blocks of the page.

import type { FromWorker } from "./messages";
import type { Package } from "./package";

/** A worker at work, and what it has said before anybody listened. */
export interface Started {
  content: Package;
  worker: Worker;
  early: FromWorker[];
}

function block(id: string): string {
  return document.getElementById(id)!.textContent!;
}

const content = JSON.parse(block("content")) as Package;
const text = JSON.parse(block("worker")) as string;
const worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
const early: FromWorker[] = [];
worker.onmessage = (event: MessageEvent<FromWorker>) => early.push(event.data);
worker.postMessage({ kind: "open", content: { ...content, scene: null } }); // the worker draws nothing
Object.assign(globalThis, { hapsisStarted: { content, worker, early } satisfies Started });
