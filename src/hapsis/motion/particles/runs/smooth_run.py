"""Runs of scenes by the Runge-Kutta methods of Models, "order5" and "order8": for smooth forces."""

from typing import Any

import numpy as np

from hapsis.motion.particles.scenes.scene import Scene
from hapsis.motion.particles.scenes.scene_memory import energy_scale
from hapsis.motion.simulate.run.run_options import RunOptions
from hapsis.motion.solvers.particles.energy_step import forces, kinetic_energy
from hapsis.motion.solvers.particles.particle_memory import (
    DONE,
    NOT_FINITE,
    PAUSED,
    SMALL_STEP,
    TOO_MANY,
    ParticleMemory,
)
from hapsis.motion.solvers.particles.scene_slopes import scene_slopes
from hapsis.motion.solvers.run import run_memory
from hapsis.motion.solvers.run.integration import Integration

ANSWER = {
    run_memory.DONE: DONE,
    run_memory.PAUSED: PAUSED,
    run_memory.SMALL_STEP: SMALL_STEP,
    run_memory.NOT_FINITE: NOT_FINITE,
    run_memory.TOO_MANY: TOO_MANY,
}


class SmoothRun:
    """One run; its rows are written into the memory of the scene when it ends or pauses."""

    def __init__(self, scene: Scene, memory: ParticleMemory, options: RunOptions, samples: Any) -> None:
        self.memory, self.stiff = memory, 0
        memory.allowed = np.inf  # the tolerance says how long steps are
        size = 3 * scene.count
        y = np.concatenate([memory.x, memory.v, [0.0, 0.0]])
        self.energy = self._energies(y)[:2].sum()
        extent = float(np.linalg.norm(np.ptp(scene.points, axis=0))) or 1.0
        pace = np.sqrt(2.0 * energy_scale(scene) / float(scene.masses.sum()))
        tolerance = options.tolerance
        self.integration = Integration(
            options.method,
            scene_slopes.bound(vary=("t", "y", "dy"), scene=memory),
            (float(memory.t), float(memory.t_end)),
            y,
            step=options.step,
            rtol=tolerance,
            atol=np.concatenate(
                [np.full(size, tolerance * extent), np.full(size, tolerance * pace), [np.inf] * 2]
            ),
            max_step=float(memory.longest),
            samples=samples,
            limit=options.limit,
        )
        self.begin = float(memory.t)

    def _energies(self, y: Any) -> Any:
        """Kinetic and potential energy, what dampers took, work, in a row."""
        memory, size = self.memory, 3 * self.memory.count
        x, v = np.array(y[:size]), np.array(y[size : 2 * size])
        forces(memory, x, v, memory.next_force)
        return np.array([kinetic_energy(memory, v), float(memory.next_potential), *y[2 * size :]])

    def advance(self) -> int:
        """So many steps as the budget of the memory; what `advance` answers."""
        run, memory = self.integration, self.memory
        answer = run.advance(int(memory.budget))
        if answer == run_memory.STIFF:
            self.stiff += 1
            answer = run_memory.PAUSED
        memory.t = run.t
        if answer != run_memory.PAUSED:
            self._write()
        return ANSWER[answer]

    def _write(self) -> None:
        """Rows, the end and the account into the memory of the scene."""
        run, memory, size = self.integration, self.memory, 3 * self.memory.count
        steps = max(1, int(run.steps))
        mean = (float(run.t) - self.begin) / steps
        rows = run.sampled
        for k, row in enumerate(rows):
            memory.sample_x[k * size : (k + 1) * size] = row[:size]
            memory.sample_v[k * size : (k + 1) * size] = row[size : 2 * size]
            self._account(k, self._energies(row), mean)
        memory.sampled = len(rows)
        y = np.array(run.y)
        memory.x[:], memory.v[:] = y[:size], y[size : 2 * size]
        self._account(None, self._energies(y), mean)
        memory.steps, memory.rejected, memory.shortest = int(run.steps), int(run.rejected), np.nan
        memory.h = mean

    def _account(self, row: int | None, numbers: Any, mean: float) -> None:
        """The account of a moment: its row, and what was created until then."""
        memory = self.memory
        kinetic, potential, lost, worked = numbers
        memory.error = kinetic + potential + lost - worked - self.energy
        memory.largest_error = max(float(memory.largest_error), abs(float(memory.error)))
        if row is None:
            memory.dissipated, memory.work = lost, worked
        else:
            memory.sample_numbers[5 * row : 5 * row + 5] = [*numbers, mean]

    def report(self) -> dict[str, Any]:
        """Numbers of this method."""
        return {"evaluations": int(self.integration.evaluations), "mean_step": float(self.memory.h)}

    def warnings(self, exchanged: float) -> list[str]:
        """A warning where stability held the steps back."""
        if not self.stiff:
            return []
        return ['the scene is stiff: stability held the steps back; method="implicit" has longer ones']
