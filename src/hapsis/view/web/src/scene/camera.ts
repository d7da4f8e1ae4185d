// The camera: presets, fit, orbit by pointer and wheel; orthographic for planar mechanisms.

import { Box3, type Camera, OrthographicCamera, PerspectiveCamera, Ray, Raycaster, Vector2, Vector3 } from "three";
import type { SceneData } from "./data";

export type ViewName = "side" | "front" | "top" | "three-quarter";

const FIELD = 26; // degrees
const MARGIN = 1.18;
const FARTHEST = 4; // sizes of what was fitted first: what goes farther is followed
const EASE = 0.12; // of the way in a frame
const PRESETS: Record<ViewName, [number, number]> = {
  side: [0, 0],
  front: [90, 0],
  top: [0, 89.9],
  "three-quarter": [38, 20],
};

export class CameraMan {
  readonly target = new Vector3();
  private azimuth = 0; // degrees about `up`, from the side
  private elevation = 0;
  private height = 1; // m that are seen at the target
  private aspect = 1;
  private edges = { top: 0, bottom: 0 }; // px that other things cover
  /** Whether somebody turned, moved or zoomed since everything was brought into view. */
  touched = false;
  private reach = new Box3(); // what has been fitted
  private first = 0; // its size at the beginning
  private goal: { target: Vector3; height: number } | null = null;
  private dragging = 0; // 1: turns, 2: shifts
  private turns: boolean; // planar mechanisms only in the view of space: a drag beside a thin bar leaves the plane as it is
  private enabled = true;
  private readonly last = new Vector2();
  private readonly fingers = new Map<number, Vector2>();
  private readonly flat = new OrthographicCamera();
  private readonly deep = new PerspectiveCamera(FIELD);
  private readonly up: Vector3;
  private readonly toward: Vector3;
  private readonly right: Vector3;

  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly data: SceneData,
    private readonly changed: () => void,
  ) {
    this.up = new Vector3(...data.up).normalize();
    this.toward = new Vector3(...data.side).normalize();
    this.right = this.up.clone().cross(this.toward).normalize();
    this.turns = !data.planar;
    [this.azimuth, this.elevation] = PRESETS[data.planar ? "side" : "three-quarter"];
    canvas.addEventListener("pointerdown", (event) => this.press(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    for (const kind of ["pointerup", "pointercancel"] as const) canvas.addEventListener(kind, (event) => this.lift(event));
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
  }

  get camera(): Camera {
    return this.data.planar ? this.flat : this.deep;
  }

  /** Whether the pointer may turn the camera; what it has begun ends. */
  enable(on: boolean): void {
    this.enabled = on;
    this.dragging = 0;
  }

  preset(name: ViewName): void {
    this.turns = !this.data.planar || name === "three-quarter";
    [this.azimuth, this.elevation] = PRESETS[name];
  }

  resize(width: number, height: number): void {
    this.aspect = width / Math.max(height, 1);
    this.apply();
  }

  inset(top: number, bottom: number): void {
    this.edges = { top, bottom };
  }

  /** All of the box is seen, at the middle of what nothing covers. */
  fit(corners: Vector3[]): void {
    const { right, up, back } = this.axes();
    const seen = new Box3();
    for (const p of corners) seen.expandByPoint(new Vector3(p.dot(right), p.dot(up), p.dot(back)));
    if (seen.isEmpty()) return;
    const middle = seen.getCenter(new Vector3());
    const size = seen.getSize(new Vector3());
    this.target.set(0, 0, 0).addScaledVector(right, middle.x).addScaledVector(up, middle.y).addScaledVector(back, middle.z);
    const slope = this.data.planar ? 0 : Math.tan((FIELD * Math.PI) / 360);
    const pixels = Math.max(this.canvas.clientHeight, 1);
    const free = Math.max(0.5, 1 - (this.edges.top + this.edges.bottom) / pixels); // of the height
    this.height = Math.max((MARGIN * size.x) / this.aspect, (MARGIN * size.y) / free, 1e-6);
    if (slope) this.height = 2 * slope * this.distance(corners, right, up, back, slope / MARGIN, free);
    this.target.addScaledVector(up, ((this.edges.top - this.edges.bottom) / 2 / pixels) * this.height);
    this.touched = false;
    this.goal = null;
    this.reach.setFromPoints(corners);
    this.first = this.reach.getSize(new Vector3()).length();
    this.apply();
  }

  /** Goes back, without haste, as far as these corners need, unless somebody chose the view; whether it does so. */
  widen(corners: Vector3[]): boolean {
    const inside = (p: Vector3) => Math.max(Math.abs(p.x), Math.abs(p.y)) < 1;
    if (this.touched || corners.every((corner) => inside(corner.clone().project(this.camera)))) return false;
    const { first, height } = this;
    const target = this.target.clone();
    const present = new Box3().setFromPoints(corners);
    const wider = this.reach.clone().union(present);
    if (wider.equals(this.reach)) return false;
    if (wider.getSize(new Vector3()).length() > FARTHEST * first) {
      this.goal = null;
      this.target.copy(present.getCenter(new Vector3()));
      this.reach.copy(present);
      this.apply();
      return true;
    }
    const [a, b] = [wider.min, wider.max];
    this.fit([a.x, b.x].flatMap((x) => [a.y, b.y].flatMap((y) => [a.z, b.z].map((z) => new Vector3(x, y, z)))));
    this.first = first;
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return true;
    this.goal = { target: this.target.clone(), height: this.height };
    this.target.copy(target);
    this.height = height;
    this.apply();
    return true;
  }

  /** One frame of the way to where the camera goes by itself. */
  ease(): void {
    if (!this.goal) return;
    const { target, height } = this.goal;
    this.target.lerp(target, EASE);
    this.height += EASE * (height - this.height);
    if (Math.abs(height - this.height) < 1e-3 * height) this.goal = null;
    this.apply();
  }

  /** How far from the target all corners are inside the field of that slope, of whose height a part is free. */
  private distance(corners: Vector3[], right: Vector3, up: Vector3, back: Vector3, slope: number, free: number): number {
    const needed = corners.map((corner) => {
      const p = corner.clone().sub(this.target);
      return p.dot(back) + Math.max(Math.abs(p.dot(up)) / free, Math.abs(p.dot(right)) / this.aspect) / slope;
    });
    return needed.reduce((most, each) => Math.max(most, each), 1e-6);
  }

  /** A ray through a point of the canvas. */
  ray(x: number, y: number): Raycaster {
    const caster = new Raycaster();
    caster.setFromCamera(new Vector2((2 * x) / this.canvas.clientWidth - 1, 1 - (2 * y) / this.canvas.clientHeight), this.camera);
    return caster;
  }

  /** Where a ray meets the plane through a point that faces the camera. */
  inPlane(ray: Ray, through: Vector3): Vector3 {
    const { back } = this.axes();
    const slope = ray.direction.dot(back);
    const way = through.clone().sub(ray.origin).dot(back) / (Math.abs(slope) > 1e-9 ? slope : -1e-9);
    return ray.at(way, new Vector3());
  }

  /** Right, up on the screen and towards the viewer, in the world. */
  axes(): { right: Vector3; up: Vector3; back: Vector3 } {
    const [a, e] = [this.azimuth, this.elevation].map((x) => (x * Math.PI) / 180);
    const level = this.toward.clone().multiplyScalar(Math.cos(a)).addScaledVector(this.right, Math.sin(a));
    const back = level.multiplyScalar(Math.cos(e)).addScaledVector(this.up, Math.sin(e));
    const right = this.up.clone().cross(back).normalize();
    return { right, up: back.clone().cross(right), back };
  }

  onScreen(p: Vector3): [number, number, number] {
    const seen = p.clone().project(this.camera);
    return [((seen.x + 1) / 2) * this.canvas.clientWidth, ((1 - seen.y) / 2) * this.canvas.clientHeight, seen.z];
  }

  apply(): void {
    const { back, up } = this.axes();
    const reach = 40 * Math.max(this.height, this.data.size);
    const distance = this.data.planar ? 0.25 * reach : this.height / 2 / Math.tan((FIELD * Math.PI) / 360);
    for (const camera of [this.flat, this.deep]) {
      camera.position.copy(this.target).addScaledVector(back, distance);
      camera.up.copy(up);
      camera.lookAt(this.target);
      camera.near = 0.02 * distance;
      camera.far = distance + reach;
    }
    this.flat.top = this.height / 2;
    this.flat.bottom = -this.flat.top;
    this.flat.right = this.flat.top * this.aspect;
    this.flat.left = -this.flat.right;
    this.deep.aspect = this.aspect;
    this.flat.updateProjectionMatrix();
    this.deep.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
    this.changed();
  }

  private press(event: PointerEvent): void {
    this.fingers.set(event.pointerId, new Vector2(event.offsetX, event.offsetY));
    this.canvas.setPointerCapture(event.pointerId); // so that it is known where the pointer is let go
    this.last.set(event.offsetX, event.offsetY);
    this.dragging = event.button === 0 && !event.shiftKey && this.turns ? 1 : 2;
  }

  private lift(event: PointerEvent): void {
    this.fingers.delete(event.pointerId);
    this.dragging = 0;
  }

  private move(event: PointerEvent): void {
    const finger = this.fingers.get(event.pointerId);
    if (!this.enabled || !this.dragging || !finger) return;
    const [dx, dy] = [event.offsetX - finger.x, event.offsetY - finger.y];
    if (dx || dy) this.take();
    if (this.fingers.size > 1) this.pinch(event, finger);
    if (this.dragging === 2 || this.fingers.size > 1) this.shift(dx / this.fingers.size, dy / this.fingers.size);
    else {
      this.azimuth -= 0.35 * dx;
      this.elevation = Math.max(-89.9, Math.min(89.9, this.elevation + 0.35 * dy));
    }
    finger.set(event.offsetX, event.offsetY);
    this.apply();
  }

  /** From now on somebody chooses the view. */
  private take(): void {
    this.touched = true;
    this.goal = null;
  }

  private pinch(event: PointerEvent, finger: Vector2): void {
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)![1];
    const now = other.distanceTo(new Vector2(event.offsetX, event.offsetY));
    if (now > 0) this.height *= other.distanceTo(finger) / now;
  }

  private shift(dx: number, dy: number): void {
    const { right, up } = this.axes();
    const scale = this.height / Math.max(this.canvas.clientHeight, 1);
    this.target.addScaledVector(right, -dx * scale).addScaledVector(up, dy * scale);
  }

  /** The point under the pointer stays where it is. */
  private wheel(event: WheelEvent): void {
    event.preventDefault();
    this.take();
    const factor = Math.exp(0.0012 * Math.max(-300, Math.min(300, event.deltaY)));
    const before = this.inPlane(this.ray(event.offsetX, event.offsetY).ray, this.target);
    this.height *= factor;
    this.target.addScaledVector(before.sub(this.target), 1 - factor);
    this.apply();
  }
}
