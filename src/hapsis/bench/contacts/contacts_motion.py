"""Where the parts of a scene are and how they move, for many samples at once.

Plain NumPy, from the scene's data alone: the same measure for every contender, and none of ours in it.
"""

from typing import Any, NamedTuple

import numpy as np

from hapsis.bench.contacts.contacts_scene import GRAVITY, Part, Scene


class Motion(NamedTuple):
    """Of one part, in world axes, a row per sample: origin p, axes R (columns), velocities w, v of it."""

    p: Any
    R: Any
    w: Any
    v: Any

    def at(self, point: Any) -> Any:
        """Where a point of the part is."""
        return self.p + self.R @ np.asarray(point)

    def speed(self, at: Any) -> Any:
        """The velocity of the part at places of the world."""
        return self.v + np.cross(self.w, at - self.p)


def motions(scene: Scene, q: Any, v: Any) -> dict[str, Motion]:
    """The motion of every part; q and v have one row per sample."""
    count, i, j = len(q), 0, 0
    world = Motion(
        np.zeros((count, 3)), np.tile(np.eye(3), (count, 1, 1)), np.zeros((count, 3)), np.zeros((count, 3))
    )
    known: dict[str, Motion] = {}
    for part in scene.parts:
        nq, nv = len(part.q), len(part.v)
        above = world if part.parent is None else known[part.parent]
        known[part.name] = _moved(part, above, q[:, i : i + nq], v[:, j : j + nv])
        i, j = i + nq, j + nv
    return known


def _moved(part: Part, above: Motion, q: Any, v: Any) -> Motion:
    p, R = above.at(part.place[:3, 3]), above.R @ part.place[:3, :3]
    w, u = above.w, above.speed(p)
    if part.kind == "free":
        turn = rotations(q[:, 3:])
        own = R @ turn
        return Motion(
            p + np.einsum("kij,kj->ki", R, q[:, :3]), own, w + _on(own, v[:, :3]), u + _on(own, v[:, 3:])
        )
    axis = np.asarray(part.axis, float) / np.linalg.norm(part.axis)
    if part.kind == "prismatic":
        way = R @ axis
        there = p + q * way
        return Motion(there, R, w, above.speed(there) + v * way)
    half = q / 2
    turn = rotations(np.hstack([np.cos(half), np.sin(half) * axis]))
    return Motion(p, R @ turn, w + v * (R @ axis), u)


def _on(R: Any, vectors: Any) -> Any:
    return np.einsum("kij,kj->ki", R, vectors)


def rotations(quaternions: Any) -> Any:
    """Rotation matrices of quaternions qw qx qy qz, normalised first."""
    w, x, y, z = (quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True)).T
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.moveaxis(np.array(rows), 2, 0)


def energy(scene: Scene, known: dict[str, Motion], q: Any) -> Any:
    """Kinetic and potential energy of each sample, springs included; what contacts store is not."""
    total, i = np.zeros(len(q)), 0
    for part in scene.parts:
        m = known[part.name]
        centre = m.at(part.centre)
        speed, spin = m.speed(centre), np.einsum("kji,kj->ki", m.R, m.w)
        total += 0.5 * part.mass * np.einsum("ki,ki->k", speed, speed) + part.mass * GRAVITY * centre[:, 2]
        total += 0.5 * np.einsum("ki,ij,kj->k", spin, np.asarray(part.inertia), spin)
        if part.kind != "free":
            total += 0.5 * part.stiffness * (q[:, i] - part.hold) ** 2
        i += len(part.q)
    return total
