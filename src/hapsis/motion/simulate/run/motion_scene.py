"""A motion as a scene for the player: bodies drawn, poses and arrows by time."""

from typing import Any

import numpy as np

from hapsis import view
from hapsis.motion.analysis import pose_scene as scenes
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.system import Packed

Array = np.ndarray[Any, np.dtype[np.float64]]


def scene_of(packed: Packed, kernels: Kernels, t: Array, y: Array, u: Array) -> dict[str, Any]:
    """Bodies, their poses, arrows, and which way is up."""
    q = packed.layout.split(y)[0]
    posed = scenes.scene_of(packed.model, q, kernels.parameters)
    return {**posed, "arrows": _arrows(packed, kernels, t, y, u)}


def _arrows(packed: Packed, kernels: Kernels, t: Array, y: Array, u: Array) -> list[view.Arrows]:
    """The forces that act at a point."""
    if not (packed.model.forces or packed.model.contacts):
        return []
    f = packed.arrows()
    if f is None:
        return []
    found = kernels.rows(f, t, y, u)
    return [view.Arrows(name, x[:, :3], x[:, 3:]) for name, x in found.items()]
