// Light and ground: one soft key light with shadow, sky fill, a floor that fades into the paper.

import {
  BufferAttribute,
  CircleGeometry,
  Color,
  DirectionalLight,
  Group,
  HemisphereLight,
  Mesh,
  MeshBasicMaterial,
  Quaternion,
  RingGeometry,
  ShadowMaterial,
  Vector3,
} from "three";
import type { SceneData } from "./data";
import { PALETTES, type Theme } from "./materials";
import { Slope } from "./slope";

const MAP = 1024; // pixels of the shadow

export class Light {
  readonly group = new Group();
  private readonly key: DirectionalLight;
  private readonly floor = new Group();
  private shade: Mesh | null = null; // where shadows fall on the floor
  private readonly slope: Slope | null = null;
  private readonly up: Vector3;
  private readonly way: Vector3;

  constructor(
    private readonly data: SceneData,
    theme: Theme,
  ) {
    const palette = PALETTES[theme];
    this.up = new Vector3(...data.up).normalize();
    const toward = new Vector3(...data.side).normalize();
    const right = this.up.clone().cross(toward);
    const fill = new HemisphereLight(palette.sky, palette.earth, palette.fill);
    fill.position.copy(this.up);
    this.key = new DirectionalLight(0xfffaf2, palette.key);
    this.way = data.planar
      ? toward.clone().multiplyScalar(1.9).addScaledVector(this.up, 0.9).addScaledVector(right, -0.6)
      : toward.clone().multiplyScalar(0.75).addScaledVector(this.up, 1.35).addScaledVector(right, 0.1);
    this.shadow();
    this.group.add(fill, this.key, this.key.target);
    if (!data.planar) {
      this.makeFloor(theme);
      this.group.add(this.floor);
    } else if (data.slope) {
      this.slope = new Slope(data, theme);
      this.group.add(this.slope.group);
    }
  }

  /** Whether things cast shadows. */
  shadows(on: boolean): void {
    this.key.castShadow = on;
    if (this.shade) this.shade.visible = on;
  }

  /** The light follows what is seen; the floor is at that height along `up`. */
  place(middle: Vector3, radius: number, floor: number): void {
    this.key.target.position.copy(middle);
    this.key.position.copy(middle).addScaledVector(this.way, 2 * radius);
    this.key.target.updateMatrixWorld();
    const camera = this.key.shadow.camera;
    camera.left = camera.bottom = -1.25 * radius;
    camera.right = camera.top = 1.25 * radius;
    camera.near = 0.01 * radius;
    camera.far = 8 * radius;
    camera.updateProjectionMatrix();
    const across = middle.clone().addScaledVector(this.up, -middle.dot(this.up));
    this.floor.position.copy(across).addScaledVector(this.up, floor);
    this.floor.scale.setScalar(radius);
    this.slope?.place(middle, radius);
  }

  /** The light and the floor go along with a camera that follows. */
  move(way: Vector3): void {
    this.key.target.position.add(way);
    this.key.position.add(way);
    this.key.target.updateMatrixWorld();
    this.slope?.move(this.key.target.position);
    this.floor.position.add(way.clone().addScaledVector(this.up, -way.dot(this.up)));
  }

  private shadow(): void {
    this.key.castShadow = true;
    this.key.shadow.mapSize.set(MAP, MAP);
    this.key.shadow.radius = 5;
    // meshes may have thin double walls, which must not shade each other
    const thin = this.data.meshes.length > 0;
    this.key.shadow.bias = thin ? -0.004 : -0.0006;
    this.key.shadow.normalBias = thin ? 0 : 0.004 * this.data.size;
  }

  /** A disc of radius 1 about z, turned so that z is up; its edge is invisible. */
  private makeFloor(theme: Theme): void {
    const palette = PALETTES[theme];
    const ring = new RingGeometry(0, 5, 64, 8);
    const places = ring.attributes.position;
    const tint = new Color(palette.ground);
    const colors = new Float32Array(4 * places.count);
    for (let k = 0; k < places.count; k++) {
      const out = Math.min(1, Math.hypot(places.getX(k), places.getY(k)) / 5);
      colors.set([tint.r, tint.g, tint.b, 0.3 * (1 - out) * (1 - out)], 4 * k);
    }
    ring.setAttribute("color", new BufferAttribute(colors, 4));
    const soft = new MeshBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false });
    const dark = new ShadowMaterial({ opacity: palette.shadow, depthWrite: false });
    const shade = new Mesh(new CircleGeometry(3, 48).translate(0, 0, 0.0005), dark);
    shade.receiveShadow = true;
    this.shade = shade;
    const plane = new Mesh(ring, soft);
    plane.renderOrder = -2;
    shade.renderOrder = -1;
    this.floor.add(plane, shade);
    this.floor.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), this.up));
  }
}
