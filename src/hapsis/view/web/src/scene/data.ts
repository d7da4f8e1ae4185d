// What Python writes about the look of a model: shapes in body axes, and things between two bodies.

export type Vector = [number, number, number];
export type Quaternion = [number, number, number, number]; // w x y z

export type Substance = "body" | "metal" | "ground" | "glass" | "rubber";

interface Common {
  at: Vector;
  q: Quaternion;
  of?: Substance; // "body" unless it is said
  color?: Vector; // its own, instead of that of the body
}

/** A surface whose corners move: `vertices` are numbers of those that come behind the poses of all bodies. */
export interface Skin {
  kind: "skin";
  vertices: number[];
  triangles: number[]; // of places in `vertices`
}

export type Shape = Common &
  (
    | Skin
    | { kind: "box"; size: Vector }
    | { kind: "sphere"; radius: number }
    | { kind: "cylinder"; radius: number; length: number } // along z, as all that follow
    | { kind: "capsule"; radius: number; length: number }
    | { kind: "mesh"; mesh: number }
    | { kind: "line"; points: Vector[] } // as wide as pixels are
    | { kind: "plate"; points: [number, number][]; radius: number; depth: number; bore: number }
    | { kind: "outline"; ring: [number, number][]; depth: number } // a sheet in the plane z = 0, centred
    | { kind: "tube"; points: Vector[]; radius: number }
    | { kind: "pin"; radius: number; length: number }
    | { kind: "ball"; radius: number }
    | { kind: "cross"; radius: number; length: number; other: Vector } // arms along z and along `other`
    | { kind: "thread"; radius: number; length: number; pitch: number }
    | { kind: "gear"; radius: number; width: number; teeth: number }
    | { kind: "wheel"; radius: number; width: number; tyre: boolean }
    | { kind: "pulley"; radius: number; width: number }
    | { kind: "spiral"; radius: number; width: number; turns: number }
    | { kind: "bush"; radius: number; inner: number; length: number }
    | { kind: "motor"; radius: number; length: number } // its shaft towards +z
    | { kind: "rail"; length: number; gap: number; depth: number; sides: 1 | 2 } // along x, the gap along y
    | { kind: "support"; size: number; depth: number } // its pin at the origin, its foot along -y
  );

export interface Body {
  name: string;
  color: Vector;
  shapes: Shape[];
}

export interface End {
  body: number; // -1: the world
  at: Vector;
}

export interface Connection {
  kind: "spring" | "damper" | "strut" | "rod" | "cord";
  name: string;
  ends: [End, End];
  radius: number;
  turns: number;
}

/** Triangles: base64 of whole numbers of two bytes, little-endian; corners of four bytes where it is wide. */
export interface MeshData {
  low: Vector;
  span: Vector; // a vertex is low + span * number / 65535
  wide: boolean;
  vertices: string;
  triangles: string;
}

/** A parameter and what it moves: lists of numbers, or numbers, at paths of the data, and their slopes. */
export interface Change {
  parameter: string;
  value: number; // for which the data are
  items: { path: (string | number)[]; slope: number[] }[];
}

export interface SceneData {
  up: Vector;
  /** Towards the viewer of the side view; of a planar mechanism, the normal of its plane. */
  side: Vector;
  planar: boolean;
  size: number; // m, of the whole mechanism at its start
  slope?: { at: Vector; normal: Vector } | null; // the ground of a planar mechanism
  floor: number | null; // height of the ground along `up`; null: where the mechanism is lowest
  world: Body;
  bodies: Body[];
  connections: Connection[];
  meshes: MeshData[];
  notices: string[];
  changes?: Change[];
}
