"""Implicit runs of scenes: what they take, their memory, what they report."""

from typing import Any

import numpy as np

from hapsis.errors import SolveError
from hapsis.motion.particles.scene import Scene
from hapsis.motion.solvers.particles.implicit_blocks import ImplicitMemory
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory

MUCH = 0.05  # of the energy exchanged: steps that take more are too long to keep it


def check_implicit(scene: Scene) -> None:
    """An error for what implicit steps do not know, by its name."""
    unknown: dict[str, Any] = {"Touch": scene.touches, "Medium": scene.media, "hand": scene.hands}
    unknown["BodyContact"] = scene.body_contacts
    unknown["Floor with a bedding"] = [name for name, each in scene.floors.items() if each.bedding > 0.0]
    remedy = 'leave it out, or use method="energy"'
    for kind, names in unknown.items():
        if names:
            raise SolveError(
                f'the method "implicit" does not know a {kind}, "{next(iter(names))[:60]}"', remedy=remedy
            )
    if scene.model is not None:
        raise SolveError('the method "implicit" does not know scenes with a Model', remedy=remedy)
    if scene.step.alpha is not None or scene.step.beta is not None:
        raise SolveError('the method "implicit" has no alpha and beta', remedy="leave them out of EnergyStep")


def implicit_memory(scene: Scene, memory: ParticleMemory) -> ImplicitMemory:
    """What implicit steps need besides the memory of the scene."""
    it = ImplicitMemory(scene=memory, size=3 * scene.count)
    points = scene.points
    extent = float(np.linalg.norm(np.ptp(points, axis=0))) + float(np.abs(points).max())
    it.extent = extent or 1.0
    pairs = [scene.table(kind)[0].ends[:, :2] for kind in ("springs", "torsions", "joints")]
    pairs += [np.column_stack([np.repeat(e[:, :1], e.shape[1] - 1, axis=1).ravel(), e[:, 1:].ravel()])
              for _, e, _ in scene.cells.groups()]
    ends = np.concatenate(pairs).astype(int)
    lengths = np.linalg.norm(points[ends[:, 0]] - points[ends[:, 1]], axis=1)
    lengths = lengths[lengths > 1e-6 * it.extent]
    it.fine = float(lengths.min()) if len(lengths) else it.extent
    return it


def implicit_report(it: ImplicitMemory) -> dict[str, Any]:
    """Numbers of an implicit run."""
    return {
        "lost_by_steps": float(it.lost_by_steps),
        "newton_rounds": int(it.rounds),
        "products": int(it.products),
    }


def implicit_warnings(it: ImplicitMemory, exchanged: float) -> list[str]:
    """A warning where steps took much of the energy."""
    lost = float(it.lost_by_steps)
    if lost <= MUCH * exchanged:
        return []
    return [
        f"implicit steps took {lost:.3g} J, {100 * lost / exchanged:.3g} % of the energy exchanged: what "
        "vibrates faster than they are long is damped; shorter steps keep it"
    ]
