"""Exudyn, C++, on mechanisms with loops: generalised alpha, one thread, no range checks.

It solves for positions (index 3) or speeds (index 2) of the joints. Newton's method with a matrix
that is kept or made anew: the faster one counts. Samples come from a run of their own, untimed.
"""

from collections.abc import Callable
from pathlib import Path as File
from typing import Any

import numpy as np

from hapsis.bench.loops.loops_exudyn_system import System
from hapsis.bench.loops.loops_motion import SAMPLES, Motion, Path, Runs, lost
from hapsis.bench.loops.loops_poses import accelerations, coordinates
from hapsis.bench.simulate.simulate_exudyn import package, settings, solved

METHODS = {"index 3": False, "index 2": True}
RADIUS = 0.9  # spectral, of generalised alpha: index 3 needs some damping of what is fastest
NEWTON = 1e-8  # its own default; the method's error is far above


class Exudyn:
    """One case in Exudyn."""

    name = "exudyn"

    def __init__(self, motion: Motion, folder: File):
        self.motion, self.table = motion, motion.table
        arranged = self.table.arranged
        self.system = System(self.table, arranged(motion.start.q), arranged(motion.start.v))
        self.kept: dict[tuple[str, float], tuple[Any, Any, float]] = {}
        self.again: dict[str, bool] = {}  # per method: whether the matrix is made anew

    def accelerations(self, probes: list[tuple[Any, Any]]) -> Any:
        """What it accelerates to at each q and v."""
        rows = []
        for state in probes:
            q, v = (self.table.arranged(x) for x in state)
            system = System(self.table, q, v)
            a = accelerations(self.table, system.start, v, system.accelerations())
            rows.append(a[self.table.order])
        return np.array(rows)

    def runs(self, notes: list[str]) -> Runs:
        """Per method: steps and runs."""

        def run(method: str, step: float) -> Callable[[], Path]:
            return lambda: self._run(method, step)

        return {m: [(h, run(m, h)) for h in self.motion.case.steps] for m in METHODS}

    def _settings(self, method: str, step: float, again: bool) -> Any:
        options = settings("GeneralizedAlpha", self.motion.case.until, step)
        kinds = package().LinearSolverType
        options.linearSolver.solverType = kinds.EXUdense if self.system.flat else kinds.EigenSparse
        alpha, newton = options.timeIntegration.generalizedAlpha, options.timeIntegration.newton
        alpha.spectralRadius, alpha.computeInitialAccelerations = RADIUS, True
        alpha.useIndex2Constraints = alpha.useNewmark = METHODS[method]
        newton.useModifiedNewton, newton.relativeTolerance = not again, NEWTON
        return options

    def _run(self, method: str, step: float) -> Path:
        system, steps = self.system.system, round(self.motion.case.until / step)
        if method not in self.again:
            took = [
                solved(system, self._settings(method, self.motion.case.step, again))[0]
                for again in (False, True)
            ]
            self.again[method] = took[1] < took[0]
        chosen = self._settings(method, step, self.again[method])
        took, fine = solved(system, chosen)
        if not fine:
            return lost(took, steps, self.motion.size)
        if (method, step) not in self.kept:
            self.kept[method, step] = self._samples(chosen)
        return Path(took, steps, *self.kept[method, step])

    def _samples(self, chosen: Any) -> tuple[Any, Any, float]:
        """Coordinates and speeds of another run, and how far its joints are open."""
        chosen.solution.sensors.writePeriod = self.motion.case.until / SAMPLES
        solved(self.system.system, chosen)
        q, rows, widest = self.table.arranged(self.motion.start.q), [], 0.0
        for here in self.system.samples():
            q, v, apart = coordinates(self.table, here, q)
            rows.append((q[self.table.order], v[self.table.order]))
            widest = max(widest, apart)
        q, v = (np.array(x) for x in zip(*rows, strict=True))
        return q, v, widest

    def close(self) -> None:
        """Nothing to end."""
