"""Jumps of derivatives where the equations of a motion jump.

Where a guard g(t, y) passes zero, f changes from f⁻ to f⁺. A parameter change that moves this time by
dt lets y follow f⁻ instead of f⁺ for that time:

    S⁺ = S⁻ + (f⁻ - f⁺) dt        dt = -(g_y S⁻ + g_θ) / (g_y f⁻ + g_t)

This is zero where f is continuous. Reference: [Hiskens].
"""

from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.errors import SolveError
from hapsis.motion.simulate.equations.switched_motion import SwitchedMotion

Array = np.ndarray[Any, np.dtype[np.float64]]

SMALL = 1e-12  # of f: a smaller change is rounding
ALIKE = 1e-9  # guards whose slopes differ by less are one
NEAR = 1e-8  # s; a guard that is further from its zero has only followed another one
GRAZE = 1e-9  # of |g_y| |f|: a slower crossing has no derivative


class Jump(NamedTuple):
    """`change` is f⁻ - f⁺; dt = by_y · dy + by_theta · dθ + by_u · du."""

    change: Array
    by_y: Array
    by_theta: Array
    by_u: Array


class Jumps:
    """The jumps of a motion at its guards.

    function    the motion with its modes; it may have more states than the guards
    """

    def __init__(self, motion: SwitchedMotion, function: Function) -> None:
        self.kernels, self.motion, self.function = motion.kernels, motion, function
        guards = motion.guards
        assert guards is not None
        self.guards, self.size = guards, len(function.output("dy").refs)
        self.wide = len(guards.input("y").refs)
        names = [p.name for p in guards.inputs if p.name in ("t", "y", "theta", "u")]
        self.slopes = guards.vjp(*names)

    def at(self, t: float, y: Array, old: Array, new: Array) -> list[Jump]:
        """The jumps at a state just after guards have passed zero and the modes have changed."""
        y = np.array(y[: self.size])
        changed = np.flatnonzero(old != new)
        leading = [int(k) for k in changed if k < self.motion.jumps]
        after = self._rate(t, y, new)
        surfaces = self._surfaces(t, y, leading, after)
        jumps: list[Jump] = []
        for surface in surfaces:
            # of several at once each is taken back alone
            back = np.where(np.isin(np.arange(len(new)), surface[1]), old, new)
            before = self._rate(t, y, old if len(surfaces) == 1 else back)
            change = before - after
            if np.abs(change).max() > SMALL * max(1.0, np.abs(after).max()):
                jumps.append(self._jump(t, surface[0], before, change))
        return jumps

    def _jump(self, t: float, slope: dict[str, Any], before: Array, change: Array) -> Jump:
        g = slope["w_y"]
        rate = float(g @ before + slope["w_t"])
        if not abs(rate) > GRAZE * np.linalg.norm(g) * np.linalg.norm(before):
            raise SolveError(
                f"t = {t:.9g}: the motion only grazes a place where forces jump: there is no derivative"
            )
        parts = [slope.get(name, np.zeros(0)) for name in ("w_theta", "w_u")]
        return Jump(change, -g / rate, *(-part / rate for part in parts))

    def _surfaces(
        self, t: float, y: Array, changed: list[int], f: Array
    ) -> list[tuple[dict[str, Any], list[int]]]:
        """The different surfaces that were crossed: their slopes, and which guards each stands for.

        A guard that is not near its zero has jumped itself, because of another one.
        """
        values = self.kernels.values(self.guards, t=t, y=y[: self.wide])["g"]
        surfaces: list[tuple[dict[str, Any], list[int]]] = []
        followed: list[int] = []
        for k in changed:
            slope = self._slope(t, y, k)
            g = slope["w_y"]
            if abs(values[k]) > NEAR * abs(float(g @ f + slope["w_t"])) + 1e-300:
                followed.append(k)
                continue
            like = [members for other, members in surfaces if _parallel(_normal(slope), _normal(other))]
            if like:
                like[0].append(k)
            elif any(slope[name].any() for name in ("w_y", "w_theta", "w_u") if name in slope):
                surfaces.append((slope, [k]))  # else its time never moves
        if surfaces:
            surfaces[0][1].extend(followed)
        return surfaces

    def _rate(self, t: float, y: Array, modes: Array) -> Array:
        return self.kernels.values(self.function, t=t, y=y, modes=modes)["dy"]

    def _slope(self, t: float, y: Array, k: int) -> dict[str, Any]:
        weights = np.zeros(self.motion.count)
        weights[k] = 1.0
        slopes = self.kernels.values(self.slopes, t=t, y=y[: self.wide], w_g=weights)
        return {**slopes, "w_y": np.pad(slopes["w_y"], (0, self.size - self.wide))}


def _normal(slope: dict[str, Any]) -> Array:
    """The normal of a surface in y and t."""
    return np.append(slope["w_y"], slope["w_t"])


def _parallel(g: Array, h: Array) -> bool:
    both = float(np.linalg.norm(g) * np.linalg.norm(h))
    return both - abs(float(g @ h)) < ALIKE * both
