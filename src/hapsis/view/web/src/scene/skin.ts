// A surface whose corners move: a mesh that gets new places in every frame.

import { BufferAttribute, BufferGeometry, type Material, Mesh } from "three";
import type { Skin } from "./data";

export class SkinMesh {
  readonly mesh: Mesh;
  private readonly places: BufferAttribute;

  constructor(
    private readonly skin: Skin,
    surface: Material,
  ) {
    this.places = new BufferAttribute(new Float32Array(3 * skin.vertices.length), 3);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.places);
    geometry.setIndex(skin.triangles);
    this.mesh = new Mesh(geometry, surface);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = true;
    this.mesh.receiveShadow = true;
  }

  /** New places: three numbers of each vertex of the page, from `at` on. */
  place(poses: ArrayLike<number>, at: number): void {
    const { geometry } = this.mesh;
    const out = this.places.array;
    this.skin.vertices.forEach((vertex, k) => {
      for (let c = 0; c < 3; c++) out[3 * k + c] = poses[at + 3 * vertex + c];
    });
    this.places.needsUpdate = true;
    geometry.computeVertexNormals();
    geometry.boundingBox = null; // of the places before
    geometry.computeBoundingSphere(); // which the pointer asks for
  }
}
