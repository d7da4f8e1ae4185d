"""What a jump of the equations does to derivatives.

Where a guard g(t, y) passes zero, f changes from f⁻ to f⁺. A parameter that moves the moment of
that, by dt, has let y follow the wrong one of the two meanwhile:

    S⁺ = S⁻ + (f⁻ - f⁺) dt        dt = -(g_y S⁻ + g_θ) / (g_y f⁻ + g_t)

This is zero where f is continuous. Reference: [Hiskens].
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.function import Function
from hapsis.errors import SolveError
from hapsis.motion.simulate.opening import Opened

Array = np.ndarray[Any, np.dtype[np.float64]]

SMALL = 1e-10  # of f: a smaller change is rounding
ALIKE = 1e-9  # guards whose slopes differ by less are one
DOUBLINGS = 80  # to get to the other side of a guard
GRAZE = 1e-9  # of |g_y| |f|: a slower crossing has no derivative


class Jump(NamedTuple):
    """`change` is f⁻ - f⁺; dt = by_y · dy + by_theta · dθ + by_u · du."""

    change: Array
    by_y: Array
    by_theta: Array
    by_u: Array


class Jumps:
    """The jumps of one motion at its guards."""

    def __init__(self, kernels: Opened, motion: Function, guards: Function) -> None:
        self.kernels, self.motion, self.guards = kernels, motion, guards
        names = [p.name for p in guards.inputs if p.name in ("t", "y", "theta", "u")]
        self.slopes = guards.vjp(*names)
        self.size, self.count = len(motion.output("dy").refs), len(guards.output("g").refs)

    def at(self, t: float, y: Array, fired: Iterable[int]) -> list[Jump]:
        """The jumps at a state just behind the zeros of these guards; y may have more behind."""
        y = np.array(y[: self.size])
        found = _different([(i, self._slope(t, y, i)) for i in dict.fromkeys(fired)])
        if not found:
            return []
        after = self._rate(t, y)
        G = np.array([slope["w_y"] for _, slope in found])
        G = np.pad(G, ((0, 0), (0, self.size - G.shape[1])))
        ways = np.linalg.pinv(G)  # columns that move one guard and leave the others
        jumps: list[Jump] = []
        for k, (i, slope) in enumerate(found):
            before = self._rate(t, self._crossed(t, y, i, ways[:, k], G[k] @ after + slope["w_t"]))
            change = before - after
            if np.abs(change).max() <= SMALL * max(1.0, np.abs(after).max()):
                continue
            rate = float(G[k] @ before + slope["w_t"])
            if not abs(rate) > GRAZE * np.linalg.norm(G[k]) * np.linalg.norm(before):
                raise SolveError(
                    f"t = {t:.9g}: the motion only grazes a place where forces jump: there is no "
                    "derivative"
                )
            parts = [slope.get(name, np.zeros(0)) for name in ("w_theta", "w_u")]
            jumps.append(Jump(change, -G[k] / rate, *(-part / rate for part in parts)))
        return jumps

    def _rate(self, t: float, y: Array) -> Array:
        return self.kernels.numbers(self.motion, t=t, y=y)["dy"]

    def _values(self, t: float, y: Array) -> Array:
        return self.kernels.numbers(self.guards, t=t, y=y[: self._wide])["g"]

    @property
    def _wide(self) -> int:
        return len(self.guards.input("y").refs)

    def _slope(self, t: float, y: Array, i: int) -> dict[str, Any]:
        weights = np.zeros(self.count)
        weights[i] = 1.0
        return self.kernels.numbers(self.slopes, t=t, y=y[: self._wide], w_g=weights)

    def _crossed(self, t: float, y: Array, i: int, way: Array, rate: float) -> Array:
        """The nearest state on the other side of one guard."""
        value = float(self._values(t, y)[i])
        side = np.sign(value) or np.sign(rate)
        step = max(2.0 * abs(value), 1e-16)
        for _ in range(DOUBLINGS):
            there = y - side * step * way
            if side * self._values(t, there)[i] < 0.0:
                return there
            step *= 2.0
        return y


def _different(slopes: Sequence[tuple[int, dict[str, Any]]]) -> list[tuple[int, dict[str, Any]]]:
    """One of each set of guards that pass zero together, and none that does not depend on y."""
    kept: list[tuple[int, dict[str, Any]]] = []
    for i, slope in slopes:
        g = slope["w_y"]
        size = np.linalg.norm(g)
        others = [other["w_y"] for _, other in kept]
        same = any(
            size * np.linalg.norm(h) - abs(g @ h) < ALIKE * size * np.linalg.norm(h) for h in others
        )
        if size > 0.0 and not same:
            kept.append((i, slope))
    return kept
