"""Random objects of particles with connectors of every kind."""

from typing import Any

import numpy as np

import hapsis as hs
from hapsis.motion.particles.objects.angle_springs import angles_at, signed_angles
from hapsis.motion.particles.scenes.scene_memory import scene_memory
from hapsis.motion.solvers.particles.energy_step import begin
from hapsis.motion.solvers.particles.trial_step import forces, try_step

P = hs.particles


def angle_springs(rng: Any, x: Any, width: int, count: int) -> Any:
    """Torsion springs (3) or joint springs (4) that are bent a little."""
    ends = np.array([rng.permutation(len(x))[:width] for _ in range(count)])
    rest = (angles_at if width == 3 else signed_angles)(x, ends)
    stiffness, damping = rng.uniform(1, 20, count), rng.uniform(0, 0.1, count)
    return P.Connectors.of(ends, rest + rng.normal(0, 0.05, count), stiffness, damping, width=width)


def random_object(seed: int, scale: float = 1.0, count: int = 8) -> Any:
    """Eight particles with linear, torsion and joint springs and cells, all strained, and all moving."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(count, 3))
    pairs = np.array([(a, b) for a in range(count) for b in range(a)])
    lengths = np.linalg.norm(x[pairs[:, 0]] - x[pairs[:, 1]], axis=1)
    springs = P.Connectors.of(
        pairs, scale * lengths * rng.uniform(0.95, 1.05, len(pairs)), rng.uniform(20, 100, len(pairs)), 0.3
    )
    whole = x + rng.normal(0, 0.03, x.shape)  # where cells are at rest
    tets = np.array([rng.permutation(count)[:4] for _ in range(200)])
    volume = np.linalg.det(whole[tets[:, 1:]] - whole[tets[:, :1]])
    tets = tets[volume > 0.5][:6]
    material = P.Material(50.0 / scale, float(rng.uniform(-0.5, 0.45)), damping=0.01)
    cells = P.Cells.of(scale * whole, tets, material)
    return P.ParticleObject(
        "thing",
        scale * x,
        rng.uniform(0.1, 2.0, count),
        springs,
        angle_springs(rng, x, 3, 5),
        angle_springs(rng, x, 4, 5),
        cells=cells,
        velocities=scale * rng.normal(0, 0.3, x.shape),
    )


class Forces:
    """Forces, potential and power of a scene by native code."""

    def __init__(self, scene: Any) -> None:
        self.memory = scene_memory(scene, np.zeros(1))

    def at(self, x: Any, v: Any) -> Any:
        """The forces (n, 3)."""
        out = np.zeros(x.size)
        forces(self.memory, np.array(x).ravel(), np.array(v).ravel(), out)
        return out.reshape(-1, 3)

    def potential(self, x: Any) -> float:
        """J."""
        self.at(x, np.zeros_like(x))
        return float(self.memory.next_potential)


def one_step(scene: Any, h: float) -> Any:
    """The memory after one step of length h was tried."""
    memory = scene_memory(scene, np.zeros(1))
    begin(memory)
    try_step(memory, h)
    return memory
