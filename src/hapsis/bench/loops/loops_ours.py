"""Our side of `hapsis bench loops`: what `hs.simulate` runs, loops closed at every evaluation.

Equations, native code and the set-up of a run are made before, as the rivals' models are. What
counts is the native run, the watch over its partition included; where the partition changes, all of
it. Samples are closed, as in `hs.simulate`; this and the check of their energy are not timed.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.bench.loops.loops_motion import SAMPLES, Motion, Path, Runs, lost
from hapsis.bench.work_precision import clock
from hapsis.compiler.backends.llvm import background
from hapsis.compiler.ir.functions.progress_bar import Bar
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.initial_value_problem import initial_value_problem
from hapsis.motion.simulate.run.integrator import DONE
from hapsis.motion.simulate.run.run import Run
from hapsis.motion.simulate.run.run_options import MOST_STEPS, RunOptions, run_options, sample_times
from hapsis.motion.simulate.simulate import run_of

TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11)
USUAL = 1e-9  # the tolerance of `hs.simulate`
ADAPTIVE = "order8"


class Ours:
    """One case by our own solvers."""

    name = "ours"

    def __init__(self, motion: Motion):
        self.motion, case = motion, motion.case
        inputs = Inputs(case.model, None)
        self.problem = initial_value_problem(case.model, inputs, motion.start, drive_values={}, keep=True)
        self.span = self.problem.span(case.until)

    def accelerations(self, probes: list[tuple[Any, Any]]) -> Any:
        """The reduced equations themselves: others are compared with them."""
        return self.motion.accelerations()

    def runs(self, notes: list[str]) -> Runs:
        """Per method: steps or tolerances, and runs."""

        def run(method: str, step: float | None, tolerance: float) -> Callable[[], Path]:
            return lambda: self._run(method, step, tolerance)

        steps = self.motion.case.steps
        return {
            "rk4": [(h, run("rk4", h, USUAL)) for h in steps],
            ADAPTIVE: [(x, run(ADAPTIVE, None, x)) for x in TOLERANCES],
        }

    def _run(self, method: str, step: float | None, tolerance: float) -> Path:
        case = self.motion.case
        options = run_options(method, step, tolerance)
        samples = sample_times(*self.span, case.until / SAMPLES, len(self.problem.y))
        run = self._fresh(options, samples)
        background.settled()
        begin = clock()
        done = run.integrator.advance(MOST_STEPS) == DONE
        took = clock() - begin
        steps = run.integrator.counts()["steps"]
        if done:
            run.take_waiting()
        else:
            run = self._fresh(options, samples)
            background.settled()
            begin = clock()
            run.go(Bar(False))
            took, steps = clock() - begin, max(1, run.counted["steps"])
            if run.status != "done":
                return lost(took, steps, self.motion.size)
        besides = clock() - begin - took
        y = np.concatenate([rows.y for rows in run.rows.kept])
        q, v, _, _ = self.problem.system.layout.split(y)
        return Path(took, steps, q, v, besides=besides)

    def _fresh(self, options: RunOptions, samples: Any) -> Run:
        """A run that stands at its start, in one thread."""
        kernels = Kernels(self.problem.system, {}, 1)
        return run_of(self.problem, kernels, options, self.span, samples)

    def close(self) -> None:
        """Nothing to end."""
