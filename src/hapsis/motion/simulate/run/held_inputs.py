"""What is held from outside during a run: inputs piece by piece, and sampled controllers."""

import math
from typing import Any, final

import numpy as np

from hapsis.errors import check_known
from hapsis.mechanics.model.forces.controller import Controller, Readings
from hapsis.mechanics.model.values.numbers import real
from hapsis.motion.simulate.equations.kernels import Kernels

Array = np.ndarray[Any, np.dtype[np.float64]]
EARLY = 1e-6  # of the time between two samples of a controller: it may be evaluated so much earlier


@final
class HeldInputs:
    """Writes what is held into u of the kernels, from the time t on."""

    def __init__(self, kernels: Kernels, t: float) -> None:
        self.kernels, self.system = kernels, kernels.system
        forces = self.system.model.forces.values()
        self.controllers = [f for f in forces if isinstance(f, Controller) and f.rate]
        # the number of the sample that each controller takes next
        self.due = {c.name: math.ceil(t * c.rate - EARLY) for c in self.controllers}

    def hold(self, t: float, y: Array) -> None:
        """Inputs and sampled controllers, as they are from the time t on."""
        values = self.system.inputs.values(t)
        for controller in self.controllers:
            # knots of other things may lie within rounding of a sample: it is still one
            if t * controller.rate > self.due[controller.name] - EARLY:
                self.due[controller.name] = round(t * controller.rate) + 1
                values |= self._efforts(controller, t, y)
        self.kernels.hold(values)

    def _efforts(self, controller: Controller, t: float, y: Array) -> dict[str, float]:
        """The efforts that a controller gives at a state."""
        model = self.system.model
        q, v, _, _ = self.system.layout.split(y)
        known = dict(zip((*model.coordinates, *model.speeds), (*q, *v), strict=True))
        efforts = controller.checked(
            controller.law(Readings(known, lambda name: _read(known, name), lambda: t))
        )
        return {
            f"{controller.name}.{name}": real(x, f'{controller.label}: effort on "{name}"')
            for name, x in efforts.items()
        }

    def pieces(self, t: float, end: float) -> Array:
        """The times after t at which what is held changes, and the end."""
        knots = [self.system.inputs.knots]
        for controller in self.controllers:
            first, last = np.floor(t * controller.rate) + 1, np.ceil(end * controller.rate)
            knots.append(np.arange(first, last) / controller.rate)
        times = np.unique(np.concatenate([*knots, [end]]))
        return times[(times > t) & (times <= end)]


def _read(known: dict[str, float], name: str) -> float:
    check_known(name, known, "there is no coordinate or speed {}")
    return float(known[name])
