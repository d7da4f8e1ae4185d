"""When a contact is first touched within a time step, and how fast: found between two substeps.

At the end of each substep the gap g and its rate are known. A touch lies in the first substep at whose start
the gap is positive and at whose end it is not. Its place s in that substep of h seconds is the root of the
cubic that fits both gaps and both rates,

    g(s) = g₀ + s (h ġ₀ + s (b + s c)),    b = 3 (g₁ - g₀) - h (2 ġ₀ + ġ₁),    c = 2 (g₀ - g₁) + h (ġ₀ + ġ₁)

by Newton's method, held inside the bracket by bisection; the speed of approach is -dg/ds / h there.
"""

from collections.abc import Sequence
from functools import reduce
from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import maximum, minimum, where
from hapsis.mechanics.formalisms.deferred_verbs import approach, coordinate_rates
from hapsis.motion.simulate.equations.function_store import kept_for
from hapsis.motion.simulate.equations.system import System

ROUNDS = 8  # of Newton's method
NEVER = -1.0  # s: the time of a touch that did not happen


def gap_function(system: System, contact: str) -> Function:
    """(t, y, u) -> gap, rate of a contact: the least gap of its pairs, and its time derivative."""

    def write() -> Function:
        x = system.symbols()
        zones = approach(system.model)
        assert zones is not None
        values = system.outputs_by_name(zones, x)["gap"]
        own = [gap for whose, gap in zip(system.extras.zones, values, strict=True) if whose == contact]
        gap = system.function("gap", x, {"gap": reduce(minimum, own)})
        y = system.symbols()
        dq = coordinate_rates(system.model)(y["q"], y["v"])
        moving = [*dq, *(y["t"] * 0.0 for _ in y["y"][len(dq) :])]
        along = gap.jvp("y")
        given = {port.name: y[port.name] for port in gap.inputs}
        outputs = {"gap": gap(**given), "rate": along(**given, d_y=moving)}
        return system.function("gap", y, outputs)

    key = ("gap and rate", contact)
    function = system.store.function(key, lambda: kept_for(system, key, write))
    assert function is not None
    return function


class Touch:
    """The first touch of a contact in a step, from its gaps and rates at the ends of all substeps."""

    def __init__(self, gaps: Sequence[Any], rates: Sequence[Any], t: Any, h: float) -> None:
        zero = t * 0.0
        self.happened, first = zero, [gaps[0], rates[0], gaps[0], rates[0], t]
        for k in range(len(gaps) - 1):
            here = where(gaps[k] > 0.0, where(gaps[k + 1] > 0.0, 0.0, 1.0), 0.0)
            new = where(self.happened > 0.0, 0.0, here)
            ends = (gaps[k], rates[k], gaps[k + 1], rates[k + 1], t + k * h)
            first = [where(new > 0.0, x, old) for x, old in zip(ends, first, strict=True)]
            self.happened = maximum(self.happened, new)
        self._place(first, h)

    def _place(self, first: Sequence[Any], h: float) -> None:
        g0, r0, g1, r1, start = first
        b = 3.0 * (g1 - g0) - h * (2.0 * r0 + r1)
        c = 2.0 * (g0 - g1) + h * (r0 + r1)
        low, high = start * 0.0, start * 0.0 + 1.0
        fell = g0 - g1
        s = where(fell > 0.0, g0 / where(fell > 0.0, fell, 1.0), 0.5)
        slope = h * r0
        for _ in range(ROUNDS):
            g = g0 + s * (h * r0 + s * (b + s * c))
            slope = h * r0 + s * (2.0 * b + s * (3.0 * c))
            low, high = where(g > 0.0, s, low), where(g > 0.0, high, s)
            falls = slope < 0.0
            newton = s - g / where(falls, slope, -1.0)
            inside = where(falls, where(newton > low, where(newton < high, 1.0, 0.0), 0.0), 0.0)
            s = where(inside > 0.0, newton, 0.5 * (low + high))
        slope = h * r0 + s * (2.0 * b + s * (3.0 * c))
        happened = self.happened > 0.0
        self.time = where(happened, start + s * h, NEVER)
        self.speed = where(happened, maximum(slope / (0.0 - h), 0.0), 0.0)
