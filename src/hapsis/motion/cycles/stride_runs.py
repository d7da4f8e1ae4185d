"""Many short runs of a hybrid from one section: its equations and native code are prepared once."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple, final

import numpy as np

from hapsis.compiler.ir.functions.progress_bar import Bar
from hapsis.mechanics.model.state import State
from hapsis.motion.hybrid.hybrid import Hybrid
from hapsis.motion.hybrid.hybrid_run import PhaseForm, PhaseLog, PhaseRows, PhaseSwitch
from hapsis.motion.hybrid.simulate_hybrid import HybridOptions, hybrid_run
from hapsis.motion.simulate.run.run import Run
from hapsis.motion.simulate.run.run_options import run_options
from hapsis.motion.simulate.run.run_parts import RunParts
from hapsis.motion.solvers.run import phase_memory as native

Array = np.ndarray[Any, np.dtype[np.float64]]


class End(NamedTuple):
    """Where a run ended: its time, state and phase, status, message and the name of its last event."""

    t: float
    y: Array
    status: str
    message: str
    event: str
    phase: str


@final
class StrideRuns:
    """Runs of a hybrid that start in its first phase and end at the events that stop it.

    limit    the longest time of a run, s
    """

    def __init__(
        self, hybrid: Hybrid, limit: float, tolerance: float, parameters: Mapping[str, float], start: State
    ) -> None:
        assert hybrid.start is not None
        options = run_options("order8", tolerance=tolerance, watchdog=False)
        self.options, self.span = replace(options, stiffness=False), (0.0, limit)
        asked = HybridOptions(limit, self.options, every=limit, threads=1)
        run, self.machine, _ = hybrid_run(hybrid, start, parameters, asked)
        self.kernels, self.first = run.kernels, list(hybrid.phases).index(hybrid.start)

    def end(self, y: Array, begun: float = 0.0) -> End:
        """The end of the run from a state q, v and states of laws, in a phase that began then."""
        machine = self.machine
        form = PhaseForm(machine, self.first, begun)
        rows = PhaseRows(machine, form)
        parts = RunParts(
            form, PhaseSwitch(machine), (rows,), record=rows, waves=False, log=PhaseLog(machine, form)
        )
        whole = np.concatenate([y, np.zeros(machine.size - len(y))])
        run = Run(self.kernels, self.options, self.span, whole, np.array(self.span), (), parts)
        with Bar(False) as bar:
            run.go(bar)
        last = run.happened[-1].name if run.happened else ""
        phase = machine.phases[int(run.integrator.y[machine.size + native.PHASE])].name
        return End(run.integrator.t, run.state()[: len(y)], run.status, run.message, last, phase)
