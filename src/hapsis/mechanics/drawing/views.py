"""Which way is up, from where a mechanism is seen, and whether it moves in a plane."""

import numpy as np

from hapsis.mechanics.drawing.placement import Array
from hapsis.mechanics.drawing.sketch import Sketch
from hapsis.mechanics.model.model import Model


def directions(model: Model, sketch: Sketch) -> tuple[Array, Array, bool]:
    """Up, towards the viewer of the side view, and whether the motion is in the plane across it."""
    gravity = np.array(model.gravity)
    up = -gravity / np.linalg.norm(gravity) if gravity.any() else np.array([0.0, 0.0, 1.0])
    normal = plane_normal(model, sketch)
    if normal is None:
        right = np.array([1.0, 0.0, 0.0]) if abs(up[0]) < 0.9 else np.array([0.0, 1.0, 0.0])
        side = np.cross(right, up)
        return up, side / np.linalg.norm(side), False
    if abs(np.dot(normal, up)) > 0.3:
        # the plane lies flat: it is shown upright, its y or z axis upwards
        axes = sorted(np.eye(3), key=lambda axis: abs(np.dot(axis, normal)))
        up = max(axes[:2], key=lambda axis: tuple(axis[::-1]))
    up = up - np.dot(up, normal) * normal
    up /= np.linalg.norm(up)
    right = np.cross(up, normal)
    main = right[np.argmax(np.abs(right))]
    return up, normal if main > 0 else -normal, True


def plane_normal(model: Model, sketch: Sketch) -> Array | None:
    """The direction about which everything turns; None where the motion is spatial."""
    closing = {joint.name for joint in model.cuts}
    mates = [m for m in sketch.parts.mates if not all(j.name in closing for j in m.joints)]
    turns = [axis for m in mates for kind, axis in m.motions if kind == "R"]
    if not turns or any(kind not in "RP" for m in mates for kind, _ in m.motions):
        return None
    normal = turns[0]
    slides = [axis for m in mates for kind, axis in m.motions if kind == "P"]
    flat = all(abs(np.dot(normal, axis)) > 1 - 1e-6 for axis in turns)
    across = all(abs(np.dot(normal, axis)) < 1e-3 for axis in slides)
    return normal if flat and across else None
