"""Our side of `hapsis bench loops`: what `hs.simulate` runs, loops closed at every evaluation.

Equations, native code and the set-up of a run are made before, as the rivals' models are. What
counts is the native run, the watch over its partition included; where the partition changes, all of
it. Samples are closed, as `hs.simulate` tells them: that, and the look at their energy, is apart.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.bench.loops.loops_motion import SAMPLES, Motion, Path, Runs, lost
from hapsis.bench.work_precision import clock
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.reduce import best_partition
from hapsis.motion.simulate.equations.closed_system import Looped
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.run.partition_switch import Looping
from hapsis.motion.simulate.run.progress import Bar
from hapsis.motion.simulate.run.run import Plan
from hapsis.motion.simulate.run.run_options import MOST_STEPS, asked_plan, asked_span, sample_times
from hapsis.motion.solvers.run import integration as solver

TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11)
USUAL = 1e-9  # the tolerance of `hs.simulate`
ADAPTIVE = "order8"


class Ours:
    """One case by our own solvers."""

    name = "ours"

    def __init__(self, motion: Motion):
        self.motion, case = motion, motion.case
        self.loops, self.inputs = Loops(case.model), Inputs(case.model, None)
        start = motion.start
        self.span, self.y = asked_span(case.model, {}, start, case.until, self.loops)
        self.part = best_partition(self.loops, start.q, 0.0, preferred=case.model.independent)

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
        plan = asked_plan(method, step, tolerance, True, MOST_STEPS)
        samples = sample_times(*self.span, case.until / SAMPLES, len(self.y))
        packed = Looped(case.model, self.inputs, self.part, keep=True)
        kernels = Kernels(packed, {}, 1)
        how = Plan(**{**plan, "samples": samples})
        running = Looping(kernels, [], self.span, self.y.copy(), how, self.loops)
        begin = clock()
        done = solver.advance(running.run, MOST_STEPS) == solver.DONE
        took = clock() - begin
        steps = running.run.steps
        if done:
            running._take()
        else:
            running = Looping(kernels, [], self.span, self.y.copy(), how, self.loops)
            begin = clock()
            running.go(Bar(*self.span, False))
            took, steps = clock() - begin, max(1, running.counted["steps"])
            if running.status != "done":
                return lost(took, steps, self.motion.size)
        besides = clock() - begin - took
        rows = [packed.layout.split(y) for y in running.states]
        q, v = (np.concatenate([row[k] for row in rows]) for k in (0, 1))
        return Path(took, steps, q, v, besides=besides)

    def close(self) -> None:
        """Nothing to end."""
