"""Poses as a scene for the player: bodies drawn, without any forces."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.mechanics.algebra.quaternions import quaternions
from hapsis.mechanics.formalisms.deferred_verbs import body_poses
from hapsis.mechanics.model.body_shapes import drawn_bodies, drawn_world
from hapsis.mechanics.model.model import Model
from hapsis.motion.analysis.assembly.loop_numbers import Array


def scene_of(model: Model, q: Array, parameters: Mapping[str, float]) -> dict[str, Any]:
    """Bodies, their poses for rows of q, and which way is up."""
    poses = np.zeros((len(q), 1, 7))
    poses[:, :, 3] = 1.0  # the world
    if model.bodies:
        f = body_poses(model)
        known = {n: x for n, x in parameters.items() if n in f.parameters}
        placed = compile(f)(np.ascontiguousarray(q), **({"p": known} if known else {}))
        moved = np.concatenate([placed.p, quaternions(placed.R)], axis=2)
        poses = np.concatenate([poses, moved], axis=1)
    gravity = np.array(model.gravity_vector)
    up = -gravity / np.linalg.norm(gravity) if gravity.any() else np.array([0.0, 0.0, 1.0])
    bodies = [drawn_world(model), *drawn_bodies(model)]
    drawn = drawing_at(model, q[0], parameters) if len(q) else None
    return {"bodies": bodies, "poses": poses, "arrows": [], "up": up, "drawing": drawn}


def drawing_at(model: Model, q: Array, parameters: Mapping[str, float]) -> dict[str, Any]:
    """The drawing of a model at these coordinates, with these values of its parameters."""
    from hapsis.mechanics.drawing.drawing import drawing  # only where a picture is drawn

    other = {n: float(x) for n, x in parameters.items() if n in model.parameters and model.parameters[n] != x}
    return drawing(model.replace(parameters={**model.parameters, **other}) if other else model, q)
