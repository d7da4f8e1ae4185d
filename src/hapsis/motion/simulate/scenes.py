"""A motion as a scene for the player: bodies drawn, poses and arrows by time."""

from typing import Any

import numpy as np

from hapsis import view
from hapsis.mechanics.algebra.quaternions import quaternions
from hapsis.mechanics.formalisms.placements import placements
from hapsis.mechanics.model.drawn import drawn, drawn_world
from hapsis.motion.simulate.kernels import Kernels
from hapsis.motion.simulate.packing import Packed

Array = np.ndarray[Any, np.dtype[np.float64]]


def scene_of(packed: Packed, kernels: Kernels, t: Array, y: Array, u: Array) -> dict[str, Any]:
    """Bodies, their poses, arrows, and which way is up."""
    model = packed.model
    q = np.ascontiguousarray(packed.layout.split(y)[0])
    poses = np.zeros((len(t), 1, 7))
    poses[:, :, 3] = 1.0  # the world
    if model.bodies:
        found = kernels.placed(placements(model), q)
        moved = np.concatenate([found["p"], quaternions(found["R"])], axis=2)
        poses = np.concatenate([poses, moved], axis=1)
    bodies = [drawn_world(model), *drawn(model)]
    gravity = np.array(model.gravity)
    up = -gravity / np.linalg.norm(gravity) if gravity.any() else np.array([0.0, 0.0, 1.0])
    return {"bodies": bodies, "poses": poses, "arrows": _arrows(packed, kernels, t, y, u), "up": up}


def _arrows(packed: Packed, kernels: Kernels, t: Array, y: Array, u: Array) -> list[view.Arrows]:
    """The forces that act at a point."""
    if not (packed.model.forces or packed.model.contacts):
        return []
    f = packed.arrows()
    if f is None:
        return []
    found = kernels.rows(f, t, y, u)
    return [view.Arrows(name, x[:, :3], x[:, 3:]) for name, x in found.items()]
