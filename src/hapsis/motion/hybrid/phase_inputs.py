"""What is held during a run of a hybrid: sampled controllers take turns with the phases.

All phases have controllers of the same names, with laws of their own. At each sample the controller of the
present phase is evaluated; its efforts are held until the next sample, also where the phase changes
meanwhile, as by a computer that runs at a fixed rate. Controllers may read `s.since`, the time since the
phase began, for references that begin with the phase.
"""

import math
from typing import Any, final

import numpy as np

from hapsis.mechanics.model.values.readings import SINCE
from hapsis.motion.hybrid.machine import PhaseMachine
from hapsis.motion.simulate.run.held_inputs import EARLY, HeldInputs
from hapsis.motion.solvers.run import phase_memory as native

Array = np.ndarray[Any, np.dtype[np.float64]]


@final
class PhaseInputs(HeldInputs):
    """Writes what is held into u of all phases, from the time t on.

    first    phase and time of its beginning, at the start of the run
    """

    def __init__(self, machine: PhaseMachine, t: float, first: tuple[int, float]) -> None:
        start = machine.phases[first[0]].kernels
        assert start is not None
        super().__init__(start, t)
        self.machine, self.first = machine, first
        self.own = [{c.name: c for c in HeldInputs.controllers_of(p.model)} for p in machine.phases]
        every = {(name, c.rate): c for mine in self.own for name, c in mine.items()}
        self.controllers = list(every.values())
        self.due = {c.name: math.ceil(t * c.rate - EARLY) for c in self.controllers}

    def hold(self, t: float, y: Array) -> None:
        """Inputs and sampled controllers, as they are from the time t on."""
        phase, begun = self._present()
        self.more = {SINCE: t - begun}
        values = self.machine.phases[phase].inputs.values(t)
        for name, controller in self.own[phase].items():
            if t * controller.rate > self.due[name] - EARLY:
                self.due[name] = round(t * controller.rate) + 1
                values |= self._efforts(controller, t, y)
        for each in self.machine.phases:
            each.hold(values)

    def _present(self) -> tuple[int, float]:
        if self.machine.phased is None:
            return self.first
        y, n = self.machine.phased.run.y, self.machine.size
        return int(y[n + native.PHASE]), float(y[n + native.BEGUN])
