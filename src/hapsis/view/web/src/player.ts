// The start of a player: the scene and its arrays lie in blocks of the page.

import { unpacked } from "./player/film";
import { Player } from "./player/player";

const block = (id: string) => document.getElementById(id)!;
const player = new Player(JSON.parse(block("scene").textContent!), unpacked(block("arrays").textContent!));
block("arrays").remove();
Object.assign(window, { hapsis: player }); // for whoever looks with the browser's tools
