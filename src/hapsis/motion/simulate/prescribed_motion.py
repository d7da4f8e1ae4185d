"""Prescribed motions: functions of time, tables and recordings, with smooth rates."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import Expr, symbol
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.errors import ModelError
from hapsis.mechanics.model.drives import LEVELS
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.mechanics.model.values.user_functions import call_user

Array = np.ndarray[Any, np.dtype[np.float64]]


class PrescribedMotion:
    """Position, velocity and acceleration of several coordinates at any time.

    motions  {coordinate: number, function of t, (times, values), or (times, q, v, a)}
    """

    def __init__(self, motions: Any) -> None:
        if not isinstance(motions, Mapping):
            raise ModelError(f"motion must be {{coordinate: motion}}, not {described(motions)}")
        self.names = tuple(str(name) for name in motions)
        self.ends: list[tuple[str, float, float]] = []  # of what is known for some time only
        self._motions = [self._motion(str(name), x) for name, x in motions.items()]

    def _motion(self, name: str, x: Any) -> Any:
        what = f'the motion of "{name[:60]}"'
        if callable(x):
            return _function(x, what)
        if isinstance(x, tuple | list):
            rows = [_numbers(each, what) for each in x]
            if len(rows) not in (2, 4) or len({len(row) for row in rows}) > 1 or len(rows[0]) < 2:
                raise ModelError(f"{what} is no table", expected="(times, values) or (times, q, v, a)")
            if not (np.diff(rows[0]) > 0.0).all():
                raise ModelError(f"{what}: its times must grow")
            self.ends.append((name, float(rows[0][0]), float(rows[0][-1])))
            return _table(*rows) if len(rows) == 2 else _recorded(*rows)
        value = real(x, what)
        return lambda t: np.stack([np.full_like(t, value), 0.0 * t, 0.0 * t])

    @property
    def end(self) -> float | None:
        """The time until which all motions are known; None if there is no end."""
        return min((last for _, _, last in self.ends), default=None)

    def check(self, start: float, until: float) -> None:
        """Raises an error for times outside a table."""
        for name, first, last in self.ends:
            if start < first or until > last * (1.0 + 1e-12):
                raise ModelError(
                    f'the motion of "{name[:60]}" is known from {first:g} to {last:g} '
                    f"s, and asked for from {start:g} to {until:g} s"
                )

    def at(self, t: Any) -> Array:
        """For each time position, velocity and acceleration of each coordinate, in that order."""
        times = np.atleast_1d(np.asarray(t, float))
        rows = [np.empty((0, len(times))), *(motion(times) for motion in self._motions)]
        return np.concatenate(rows).T

    def inputs(self, drive: str) -> list[str]:
        """The names of what a drive takes, in the order of `at`."""
        return [f"{drive}.{level}" for level in LEVELS]


def _function(motion: Any, what: str) -> Any:
    """A function of time, traced and differentiated twice."""
    t = symbol("t", graph=Graph())
    x = call_user(motion, what, t)
    if not isinstance(x, Expr):
        value = real(x, what)
        return lambda t: np.stack([np.full_like(t, value), 0.0 * t, 0.0 * t])
    f = Function("x", {"t": t}, {"x": x})
    v = f.jvp("t")(t=t, d_t=1.0) + 0.0 * t
    a = Function("v", {"t": t}, {"v": v}).jvp("t")(t=t, d_t=1.0) + 0.0 * t
    native = compile(Function("motion", {"t": t}, {"x": x, "v": v, "a": a}))
    return lambda t: np.stack(native(np.ascontiguousarray(t)))


def _table(times: Array, values: Array) -> Any:
    """A spline of degree 5, less where there are few points: smooth up to its fourth rate."""
    from scipy.interpolate import make_interp_spline

    spline = make_interp_spline(times, values, k=5 if len(times) > 5 else min(3, len(times) - 1))
    return lambda t: np.stack([spline(t), spline(t, nu=1), spline(t, nu=2)])


def _recorded(times: Array, q: Array, v: Array, a: Array) -> Any:
    """Polynomials of degree 5 between points at which all three are known."""
    from scipy.interpolate import BPoly

    spline = BPoly.from_derivatives(times, np.stack([q, v, a], axis=1))
    return lambda t: np.stack([spline(t), spline(t, nu=1), spline(t, nu=2)])


def _numbers(x: Any, what: str) -> Array:
    row = float_array(x)
    if row is None:
        raise ModelError(f"{what} must be numbers")
    if row.ndim != 1 or not np.isfinite(row).all():
        raise ModelError(f"{what} must be rows of finite numbers")
    return row
