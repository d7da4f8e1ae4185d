"""A long motion with fewer frames at equal intervals, interpolated between those that there are."""

from dataclasses import replace

import numpy as np

from hapsis.view.scene import Scene


def resampled(scene: Scene, budget: int) -> Scene:
    """A checked scene with at most `budget` frames; one within the budget comes back as it is.

    Positions and arrows are interpolated along straight lines, orientations along the shortest
    turn. Series are left alone: they have their own times, see `scene_data`.
    """
    old = scene.times
    if len(old) <= budget:
        return scene
    new = np.linspace(old[0], old[-1], budget)
    before = np.clip(np.searchsorted(old, new, side="right") - 1, 0, len(old) - 2)
    width = old[before + 1] - old[before]
    part = np.where(width > 0, (new - old[before]) / np.where(width > 0, width, 1), 0.0)
    part = np.clip(part, 0.0, 1.0)
    first, second = scene.poses[before], scene.poses[before + 1]
    share = part[:, None, None]
    moved = (1 - share) * first[:, :, :3] + share * second[:, :, :3]
    turned = between(first[:, :, 3:], second[:, :, 3:], share)
    arrows = [
        replace(a, points=_line(a.points, before, part), vectors=_line(a.vectors, before, part))
        for a in scene.arrows
    ]
    poses = np.concatenate([moved, turned], axis=2)
    skins = [
        replace(s, points=(1 - share) * s.points[before] + share * s.points[before + 1]) for s in scene.skins
    ]
    return replace(scene, times=new, poses=poses, arrows=arrows, skins=skins)


def between(first: np.ndarray, second: np.ndarray, part: np.ndarray) -> np.ndarray:
    """Unit quaternions between two, at constant rate along the shorter turn.

    sin((1-s) θ)/sin θ · a + sin(s θ)/sin θ · b,   cos θ = a·b
    """
    dot = np.sum(first * second, axis=-1, keepdims=True)
    second, dot = np.where(dot < 0, -second, second), np.abs(dot)
    angle = np.arccos(np.minimum(dot, 1.0))
    sine = np.sin(angle)
    near = sine < 1e-6  # nearly the same: a straight line is exact enough
    safe = np.where(near, 1.0, sine)
    a = np.where(near, 1 - part, np.sin((1 - part) * angle) / safe)
    b = np.where(near, part, np.sin(part * angle) / safe)
    mixed = a * first + b * second
    return mixed / np.linalg.norm(mixed, axis=-1, keepdims=True)


def _line(values: np.ndarray, before: np.ndarray, part: np.ndarray) -> np.ndarray:
    share = part[:, None]
    return (1 - share) * values[before] + share * values[before + 1]
