"""The equations of a motion with a mode in place of each comparison: smooth until a guard passes zero."""

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.switches import switched
from hapsis.motion.simulate.run.events import Event

Array = np.ndarray[Any, np.dtype[np.float64]]
MOMENT = 1e-9  # s; where a guard is zero, its sign after that counts


@final
class SwitchedMotion:
    """The motion of kernels with parameter inputs, with its modes, guards and events.

    function  (t, y, u, near, theta, modes) -> dy
    guards    (t, y, u, near, theta) -> g: mode k is 1 where g[k] > 0; None where there are none
    count     how many guards there are
    jumps     how many of them, which come first, may make the motion jump
    modes     of the guards, then one unused for each event
    watched   (t, y, ...) -> g: the guards, then the values of the events; None without any
    """

    def __init__(self, kernels: Kernels, events: Sequence[Event] = ()) -> None:
        self.kernels, self.events = kernels, list(events)
        self._plain = kernels.opened(kernels.system.motion())
        self.function, self.guards, self.jumps = switched(self._plain)
        self.count = 0 if self.guards is None else len(self.guards.output("g").refs)
        self.modes = np.zeros(self.count + len(self.events))
        kernels.share("modes", self.modes[: self.count])
        self.watched = self._watched()

    def _watched(self) -> Function | None:
        parts = [self.guards] if self.guards is not None else []
        system = self.kernels.system
        parts += [self.kernels.opened(system.watched(self.events))] if self.events else []
        if not parts:
            return None
        inputs = parts[0].input_symbols()
        values = [
            value
            for part in parts
            for value in part(**{port.name: inputs[port.name] for port in part.inputs})
        ]
        return Function("watched", inputs, {"g": values}, defaults=parts[0].defaults or None)

    def settle(self, t: float, y: Array) -> None:
        """Sets the modes at a state; where a guard is zero, those of the moment after."""
        if self.guards is None:
            return
        y = y[: self.kernels.system.layout.size]
        value = self.kernels.values(self.guards, t=t, y=y)["g"]
        if (value == 0.0).any():
            then = y + MOMENT * self.kernels.values(self._plain, t=t, y=y)["dy"]
            later = self.kernels.values(self.guards, t=t + MOMENT, y=then)["g"]
            value = np.where(value == 0.0, later, value)
        self.modes[: self.count] = value > 0.0

    def change_modes(self, modes: Array) -> tuple[Array, Array]:
        """Takes these modes; the modes of the guards before and after."""
        before = self.modes[: self.count].copy()
        self.modes[:] = modes
        return before, modes[: self.count]
