"""Implicit runs of scenes: their memory, and what they report."""

from typing import Any

import numpy as np

from hapsis.motion.particles.scenes.scene import Scene
from hapsis.motion.particles.scenes.scene_memory import energy_scale
from hapsis.motion.solvers.particles.implicit_blocks import ImplicitMemory
from hapsis.motion.solvers.particles.implicit_step import advance_implicit
from hapsis.motion.solvers.particles.particle_memory import ParticleMemory

MUCH = 0.05  # of the energy exchanged: steps that take more are too long to keep it
SLIGHT = 1e-6  # of the energy that a scene can exchange: steps of one at rest may create a part of it
SHARE = 100  # evaluations of forces in a step, about


class ImplicitRun:
    """One run."""

    def __init__(self, scene: Scene, memory: ParticleMemory) -> None:
        self.it = implicit_memory(scene, memory)

    def advance(self) -> int:
        """So many steps as the budget of the memory; what `advance` answers."""
        memory = self.it.scene
        memory.budget = max(1, int(memory.budget) // SHARE)
        return int(advance_implicit(self.it))

    def report(self) -> dict[str, Any]:
        """Numbers of this method."""
        it = self.it
        return {
            "lost_by_steps": float(it.lost_by_steps),
            "newton_rounds": int(it.rounds),
            "products": int(it.products),
        }

    def warnings(self, exchanged: float) -> list[str]:
        """A warning where steps took much of the energy."""
        lost = float(self.it.lost_by_steps)
        if lost <= MUCH * exchanged:
            return []
        return [
            f"implicit steps took {lost:.3g} J, {100 * lost / exchanged:.3g} % of the energy exchanged: what "
            "vibrates faster than they are long is damped; shorter steps keep it"
        ]


def implicit_memory(scene: Scene, memory: ParticleMemory) -> ImplicitMemory:
    """What implicit steps need besides the memory of the scene."""
    it = ImplicitMemory(scene=memory, size=3 * scene.count)
    points = scene.points
    extent = float(np.linalg.norm(np.ptp(points, axis=0))) + float(np.abs(points).max())
    it.extent = extent or 1.0
    it.moved = SLIGHT * energy_scale(scene)
    pairs = [scene.table(kind)[0].ends[:, :2] for kind in ("springs", "torsions", "joints")]
    pairs += [
        np.column_stack([np.repeat(e[:, :1], e.shape[1] - 1, axis=1).ravel(), e[:, 1:].ravel()])
        for _, e, _ in scene.cells.groups()
    ]
    ends = np.concatenate(pairs).astype(int)
    lengths = np.linalg.norm(points[ends[:, 0]] - points[ends[:, 1]], axis=1)
    lengths = lengths[lengths > 1e-6 * it.extent]
    it.fine = float(lengths.min()) if len(lengths) else it.extent
    return it
