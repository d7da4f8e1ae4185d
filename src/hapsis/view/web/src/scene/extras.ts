// What lies over the mechanism: forces, trails, axes and the grid.

import { Group, type Vector3 } from "three";
import type { SceneData } from "./data";
import { Forces } from "./forces";
import { Guides } from "./guides";
import type { Label } from "./labels";
import { Trails } from "./trails";

export class Extras {
  readonly group = new Group();
  readonly forces: Forces;
  readonly trails = new Trails();
  readonly guides: Guides;

  constructor(data: SceneData) {
    this.forces = new Forces(data.size);
    this.guides = new Guides(data);
    this.group.add(this.forces.group, this.trails.group, this.guides.axes, this.guides.grid);
  }

  labels(onScreen: (p: Vector3) => [number, number, number], named: boolean): Label[] {
    return [...this.guides.labels(onScreen), ...(named ? this.forces.labels(onScreen) : [])];
  }
}
