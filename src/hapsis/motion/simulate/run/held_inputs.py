"""What is held from outside during a run: inputs piece by piece, and sampled controllers."""

import heapq
import math
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

import numpy as np

from hapsis.errors import ModelError, SolveError
from hapsis.mechanics.model.forces.controller import Controller
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.numbers import real
from hapsis.mechanics.model.values.readings import Readings
from hapsis.motion.simulate.equations.kernels import Kernels

Array = np.ndarray[Any, np.dtype[np.float64]]
EARLY = 1e-6  # of the time between two samples of a controller: it may be evaluated so much earlier
SAME = 1e-9  # of the same: a row that is so near to a sample is at it
RESOLUTION = 1e-12  # of the time: samples that are nearer cannot be distinguished


class Stop(NamedTuple):
    """Where a step must end: just before a change, and the time at which it goes on after it."""

    before: float
    after: float


class HeldInputs:
    """Writes what is held into u of the kernels, from the time t on."""

    def __init__(self, kernels: Kernels, t: float) -> None:
        self.kernels, self.system = kernels, kernels.system
        self.more: dict[str, float] = {}  # what controllers may read besides signals
        self.controllers = self.controllers_of(self.system.model)
        # the number of the sample that each controller takes next
        self.due = {c.name: math.ceil(t * c.rate - EARLY) for c in self.controllers}

    @staticmethod
    def controllers_of(model: Model) -> list[Controller]:
        """The sampled controllers of a model."""
        return [f for f in model.forces.values() if isinstance(f, Controller) and f.rate]

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

        def read(name: str) -> Any:
            if name in known:
                return float(known[name])
            if name in self.more:
                return self.more[name]
            try:
                value = self.kernels.values(self.system.reading(name), t=t, y=y)["value"]
            except ModelError as error:
                raise controller.wrong(error.what) from None
            return value if np.ndim(value) else float(value)

        efforts = controller.checked(controller.law(Readings(known, read, lambda: t)))
        return {
            f"{controller.name}.{name}": real(x, f'{controller.label}: effort on "{name}"')
            for name, x in efforts.items()
        }

    def stops(self, t: float, end: float, rows: Array, knots: Iterable[Any] = ()) -> Iterator[Stop]:
        """Where steps must end after t, in order, the end among them; what overlaps is one stop.

        rows     times of rows of the result: a sample that falls on one is taken at that very time
        knots    rows of two times, before and after a kink of a function of time
        """
        tables = (Stop(float(x), float(x)) for x in self.system.inputs.knots if t < x < end)
        clocks = [self._clock(c, t, end, rows) for c in self.controllers]
        current: Stop | None = None
        kinks = (Stop(max(float(before), t), float(after)) for before, after in knots)
        for stop in heapq.merge(tables, kinks, *clocks):
            if current is not None and stop.before <= current.after:
                current = Stop(current.before, max(current.after, stop.after))
                continue
            if current is not None:
                yield current
            current = stop
        if current is not None:
            yield current
        if current is None or current.after < end:
            yield Stop(end, end)

    def _clock(self, controller: Controller, t: float, end: float, rows: Array) -> Iterator[Stop]:
        """The times after t, before the end, at which a controller is evaluated; one by one.

        There may be more of them than memory can hold.
        """
        period = 1.0 / controller.rate
        if not period > RESOLUTION * max(abs(t), abs(end)):
            raise SolveError(
                f"{controller.label}: at {controller.rate:g} Hz its samples cannot be distinguished at "
                f"t = {end:g} s",
                remedy="give a lower rate",
            )
        return self._ticks(controller.rate, t, end, rows)

    def _ticks(self, rate: float, t: float, end: float, rows: Array) -> Iterator[Stop]:
        tick = math.floor(t * rate)
        while True:
            tick += 1
            time = tick / rate
            k = int(np.searchsorted(rows, time))
            for row in rows[max(k - 1, 0) : k + 1].tolist():
                if abs(row - time) * rate < SAME:
                    time = row
            if (end - time) * rate < SAME:
                return
            if time > t:
                yield Stop(time, time)
