"""What a run says of particles and shapes of bodies: that one went through the other, or fits between."""

from typing import Any

import numpy as np

from hapsis.motion.particles.scenes.anchor import WORLD
from hapsis.motion.particles.scenes.scene_model import SceneModel
from hapsis.motion.particles.scenes.scene_shapes import Shape, scene_shapes
from hapsis.motion.solvers.particles.bodies.model_memory import LAW
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory

Array = np.ndarray[Any, Any]


def body_faults(scene: Any, memory: ParticleMemory, model: SceneModel | None) -> tuple[str, str]:
    """Status and message of a run in which particles went through shapes, or may have done so unseen."""
    m = memory.model
    if m.passed_piece >= 0:
        shape = scene_shapes(scene, model)[int(m.passed_piece)]
        particle = scene.particle_name(int(m.passed_particle))
        return "contact too deep", (
            f'"{particle}" went through {named(shape)}, which "{shape.contact.name[:60]}" is too soft to '
            "keep out: give more stiffness"
        )
    if m.skipped:
        return "contacts unseen", (
            f"in {int(m.skipped)} steps particles moved too far to see shapes of bodies: use shorter steps"
        )
    return "", ""


def body_warnings(scene: Any, memory: ParticleMemory, model: SceneModel | None) -> list[str]:
    """A warning where a shape fits between the particles of facets, which do not touch it."""
    m = memory.model
    warnings: dict[tuple[str, str], str] = {}
    count = int(m.piece_count)
    if not count:
        return []
    touches = np.array(m.touches[: count * scene.count]).reshape(count, scene.count)
    shapes = scene_shapes(scene, model)
    for name, each in scene.objects.items():
        if not len(each.facets):
            continue
        corners = each.points[each.facets]
        gaps = widths(corners)
        for k, shape in enumerate(shapes):
            half = narrow(shape, np.array(m.piece_size[3 * k : 3 * k + 3]))
            fits = gaps > half + float(m.piece_law[LAW * k + 5])
            # facets whose corners may not touch the shape, as those of a pad on it, are not in its way
            fits &= touches[k, scene.first[name] + each.facets].all(axis=1)
            if fits.any() and (name, shape.contact.name) not in warnings:
                warnings[name, shape.contact.name] = (
                    f'{named(shape)} fits between particles of "{name[:60]}", {2.0 * gaps[fits].max():.3g} m '
                    "apart, and facets touch no shapes of bodies: give the object more cells"
                )
    return list(warnings.values())


def named(shape: Shape) -> str:
    """A shape in a message."""
    owner = "the world" if shape.body == WORLD else f'"{shape.body[:60]}"'
    return f"the {shape.piece.kind} of {owner}"


def narrow(shape: Shape, size: Array) -> float:
    """The radius of the thinnest round tunnel through which a shape can pass, m."""
    match shape.piece.kind:
        case "sphere" | "capsule" | "cylinder":
            return float(size[0])
        case "box":
            return float(np.linalg.norm(np.sort(0.5 * size)[:2]))
        case _:
            return np.inf


def widths(corners: Array) -> Array:
    """How far from all corners a point of each triangle can be, m.

    The radius of the circle through the corners; where its centre is outside of the triangle, the larger of
    a / (2 cos B) and b / (2 cos A), with the sides a and b at the obtuse angle.
    """
    sides = np.linalg.norm(np.roll(corners, -1, axis=1) - np.roll(corners, 1, axis=1), axis=2)
    a, b, c = np.sort(sides, axis=1).T
    cosines = np.stack([(b**2 + c**2 - a**2) / (2 * b * c), (a**2 + c**2 - b**2) / (2 * a * c)])
    beside = np.maximum(b / (2.0 * cosines[0]), a / (2.0 * cosines[1]))
    cross = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    around = a * b * c / np.maximum(2.0 * cross, 1e-300)
    return np.where(a**2 + b**2 < c**2, beside, around)
