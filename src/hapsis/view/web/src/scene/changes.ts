// The data of a scene for other values of its parameters: every number moves along its slope.

import type { SceneData } from "./data";

type Node = Record<string | number, unknown>;

/** The data for these values, and the bodies whose shapes differ; -1 is the world. */
export function changed(data: SceneData, values: Map<string, number>): { data: SceneData; bodies: Set<number> } {
  const copy = structuredClone({ world: data.world, bodies: data.bodies, connections: data.connections });
  const bodies = new Set<number>();
  for (const { parameter, value, items } of data.changes ?? []) {
    const step = (values.get(parameter) ?? value) - value;
    for (const { path, slope } of items) {
      if (path[0] !== "connections") bodies.add(path[0] === "world" ? -1 : (path[1] as number));
      if (step) add(copy as unknown as Node, path, slope, step);
    }
  }
  return { data: { ...data, ...copy }, bodies };
}

function add(root: Node, path: (string | number)[], slope: number[], step: number): void {
  const owner = path.slice(0, -1).reduce((node, name) => node[name] as Node, root);
  const last = path[path.length - 1];
  const item = owner[last];
  if (typeof item === "number") owner[last] = item + slope[0] * step;
  else owner[last] = (item as number[]).map((x, k) => x + slope[k] * step);
}
