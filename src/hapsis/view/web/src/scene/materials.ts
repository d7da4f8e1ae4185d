// Colours and surfaces: matte bodies, metal pins, grey ground, glass that one can look through.

import { DoubleSide, FrontSide, type Material, MeshPhongMaterial } from "three";
import type { Substance, Vector } from "./data";

export type Theme = "light" | "dark";

export interface Palette {
  paper: number;
  ground: number;
  line: number; // hatching
  metal: number;
  rubber: number;
  accent: number;
  sky: number;
  earth: number;
  key: number; // strength of the key light
  fill: number;
  shadow: number; // opacity on the floor
}

export const PALETTES: Record<Theme, Palette> = {
  light: {
    paper: 0xf7f6f3,
    ground: 0xb9b7b0,
    line: 0x8b8983,
    metal: 0xc9ccd1,
    rubber: 0x3b3d41,
    accent: 0x1667b7,
    sky: 0xffffff,
    earth: 0xd8d2c8,
    key: 2.1,
    fill: 1.1,
    shadow: 0.2,
  },
  dark: {
    paper: 0x16181c,
    ground: 0x6a6c70,
    line: 0x85878c,
    metal: 0xaeb3ba,
    rubber: 0x45484e,
    accent: 0x6cb0f5,
    sky: 0xdfe6f0,
    earth: 0x4a4742,
    key: 1.9,
    fill: 1.35,
    shadow: 0.5,
  },
};

export const HIGHLIGHT = 0.16; // of its own colour, glowing

/** The surface of a shape of a body with that colour; a mesh may be open and is seen from both sides.

All are of one kind: a page makes few shaders, and shows its first picture soon. */
export function material(of: Substance, color: Vector, theme: Theme, own: boolean, open = false): Material {
  const palette = PALETTES[theme];
  if (of === "metal") {
    const surface = new MeshPhongMaterial({ color: palette.metal, specular: 0x555555, shininess: 40 });
    if (own) surface.color.setRGB(...color, "srgb");
    return surface;
  }
  const surface = new MeshPhongMaterial({ specular: open ? 0x181818 : 0x000000, shininess: 30 });
  if (of === "rubber") surface.color.set(palette.rubber);
  else if (of === "ground" && !own) surface.color.set(palette.ground);
  else {
    surface.color.setRGB(...color, "srgb");
    if (theme === "dark") surface.color.multiplyScalar(0.9);
    surface.side = open ? DoubleSide : FrontSide;
  }
  if (of === "glass") {
    surface.transparent = true;
    surface.opacity = 0.24;
    surface.depthWrite = false;
    surface.side = FrontSide;
  }
  return surface;
}
