"""Speeds that drives change at once in a run of a hybrid: the impact equations of the present phase."""

from typing import Any, final

import numpy as np

from hapsis.motion.hybrid.machine import PhaseMachine
from hapsis.motion.simulate.run.drive_jumps import DriveJumps
from hapsis.motion.simulate.run.run_parts import Jumped
from hapsis.motion.solvers.run import phase_memory as native

Array = np.ndarray[Any, np.dtype[np.float64]]


@final
class PhaseJumps:
    """The jumps of drives and moving constraints, by the phase in which they happen."""

    def __init__(self, machine: PhaseMachine) -> None:
        self.machine = machine
        self._jumps: dict[int, DriveJumps] = {}

    def jump(self, before: float, after: float, y: Array) -> Jumped:
        """The state after a jump from the state before it, its events and their works."""
        assert self.machine.phased is not None
        p = int(self.machine.phased.run.y[self.machine.size + native.PHASE])
        phase = self.machine.phases[p]
        if phase.loops is None or phase.kernels is None:
            return Jumped(y)
        if p not in self._jumps:
            self._jumps[p] = DriveJumps(phase.kernels, phase.loops)
        return self._jumps[p].jump(before, after, y)

    def fault(self) -> str | None:
        """The message where a position jumps; None while none does."""
        return next((text for each in self._jumps.values() if (text := each.fault()) is not None), None)
