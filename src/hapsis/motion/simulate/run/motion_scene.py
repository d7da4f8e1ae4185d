"""A motion as a scene for the player: bodies drawn, poses and arrows by time."""

from typing import Any

import hapsis.view as view
from hapsis.mechanics.model.model import Model
from hapsis.motion.analysis import pose_scene as scenes
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.system_history import Rows


def scene_of(kernels: Kernels, rows: Rows, model: Model | None = None) -> dict[str, Any]:
    """Bodies, their poses, arrows, and which way is up.

    model   what is drawn, where the system is only a part of it
    """
    system = kernels.system
    posed = scenes.scene_of(model or system.model, system.layout.split(rows.y)[0], kernels.parameters)
    return {**posed, "arrows": _arrows(kernels, rows)}


def _arrows(kernels: Kernels, rows: Rows) -> "list[view.Arrows]":
    """The forces that act at a point."""
    model = kernels.system.model
    f = kernels.system.arrows() if model.forces or model.contacts else None
    if f is None:
        return []
    return [view.Arrows(name, x[:, :3], x[:, 3:]) for name, x in kernels.rows(f, *rows).items()]
