// The start of a page that computes: its content and the text of its worker lie in blocks of the page.

import { Page } from "./page";

function block(id: string): string {
  return document.getElementById(id)!.textContent!;
}

const text = JSON.parse(block("worker")) as string;
const worker = new Worker(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
const page = new Page(JSON.parse(block("content")), worker);
Object.assign(window, { hapsis: page }); // for whoever looks with the browser's tools
