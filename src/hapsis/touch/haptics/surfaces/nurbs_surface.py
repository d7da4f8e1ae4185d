"""A NURBS surface as data: control net, weights, knots, degrees, trimming loops."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.touch.haptics.surfaces.nurbs_memory import MOST_DEGREE

Array = np.ndarray[Any, np.dtype[np.float64]]
FEWEST = 3  # corners of a loop


@verb
@dataclass(frozen=True, eq=False)
class NurbsSurface:
    """A face: a tensor-product NURBS surface, of which loops may cut parts away.

        points   the control net, points[i][j] = (x, y, z), i along u and j along v, m
        degrees  (along u, along v), 1 to 25
        knots    (along u, along v), each as many as points plus the degree plus 1 and never decreasing; by
                 default uniform ones between 0 and 1, with ends at the outer control points
        weights  one for each control point, positive; by default 1
        trims    closed polylines of the parameter plane, rows (u, v). The face is what lies inside an odd
                 number of them: a loop around it, others as holes. Without any it is the whole surface
        name     for messages

    Its normal Su x Sv points out of the body.
    """

    points: Any
    degrees: Any = (3, 3)
    knots: Any = None
    weights: Any = None
    trims: Any = ()
    name: str = "face"

    def __post_init__(self) -> None:
        net = self._numbers("points", self.points)
        if net.ndim != 3 or net.shape[2] != 3:
            raise self.wrong(f"points have the shape {net.shape}", expected="rows of rows of three numbers")
        object.__setattr__(self, "points", net)
        object.__setattr__(self, "degrees", self._degrees(net.shape[:2]))
        given = (None, None) if self.knots is None else self._pair("knots", self.knots)
        object.__setattr__(self, "knots", tuple(self._knots(k, given[k]) for k in range(2)))
        weights = np.ones(net.shape[:2]) if self.weights is None else self._numbers("weights", self.weights)
        if weights.shape != net.shape[:2] or not (weights > 0.0).all():
            raise self.wrong("weights must be positive, one for each control point")
        object.__setattr__(self, "weights", weights)
        try:
            loops = list(self.trims)
        except TypeError:
            raise self.wrong("trims must be a list of closed polylines") from None
        object.__setattr__(self, "trims", tuple(self._loop(k, loop) for k, loop in enumerate(loops)))

    def wrong(self, what: str, **parts: str) -> ModelError:
        """An error that names this surface."""
        return ModelError(what, where=f'surface "{str(self.name)[:60]}"', **parts)

    @property
    def domain(self) -> Array:
        """((least u, greatest u), (least v, greatest v))."""
        ends = [
            (knots[degree], knots[count])
            for knots, degree, count in zip(self.knots, self.degrees, self.points.shape, strict=False)
        ]
        return np.array(ends)

    @property
    def homogeneous(self) -> Array:
        """The control points (wx, wy, wz, w)."""
        return np.concatenate([self.points * self.weights[..., None], self.weights[..., None]], axis=2)

    def _numbers(self, name: str, given: Any) -> Array:
        numbers = float_array(given)
        if numbers is None or not np.isfinite(numbers).all():
            raise self.wrong(f"{name} must be finite numbers")
        return numbers

    def _pair(self, name: str, given: Any) -> tuple[Any, Any]:
        if not isinstance(given, tuple | list) or len(given) != 2:
            raise self.wrong(f"{name} must be a pair, along u and along v")
        return given[0], given[1]

    def _degrees(self, counts: tuple[int, ...]) -> tuple[int, int]:
        degrees = self._pair("degrees", self.degrees)
        for name, degree, count in zip("uv", degrees, counts, strict=True):
            if not isinstance(degree, int) or not 1 <= degree <= MOST_DEGREE:
                raise self.wrong(f"the degree along {name} is {degree}", expected=f"1 to {MOST_DEGREE}")
            if count <= degree:
                raise self.wrong(f"{count} control points along {name}", expected=f"at least {degree + 1}")
        return degrees

    def _knots(self, k: int, given: Any) -> Array:
        """The knots of one direction, checked."""
        degree, count, name = self.degrees[k], self.points.shape[k], "uv"[k]
        if given is None:
            inner = np.linspace(0.0, 1.0, count - degree + 1)
            return np.concatenate([np.zeros(degree), inner, np.ones(degree)])
        knots = self._numbers("knots", given)
        if knots.shape != (count + degree + 1,):
            raise self.wrong(f"{knots.size} knots along {name}", expected=str(count + degree + 1))
        if (np.diff(knots) < 0.0).any():
            raise self.wrong(f"the knots along {name} decrease")
        inner = knots[1:-1]  # the basis is that of the domain; more than `degree` equal ones tear it
        repeated = int(np.unique(inner, return_counts=True)[1].max()) if inner.size else 0
        if not knots[degree] < knots[count] or repeated > degree:
            raise self.wrong(f"more than {degree} equal knots along {name} within the surface")
        return knots

    def _loop(self, k: int, given: Any) -> Array:
        """A trimming loop, without a repeated end, checked."""
        loop = self._numbers(f"trims[{k}]", given)
        if loop.ndim != 2 or loop.shape[1] != 2:
            raise self.wrong(f"trims[{k}] has the shape {loop.shape}", expected="rows (u, v)")
        if len(loop) > 1 and (loop[0] == loop[-1]).all():
            loop = loop[:-1]
        low, high = self.domain.T
        if len(loop) < FEWEST or (np.diff(loop, axis=0, append=loop[:1]) == 0.0).all(axis=1).any():
            raise self.wrong(f"trims[{k}] needs {FEWEST} corners or more, no two in sequence equal")
        if (loop < low).any() or (loop > high).any():
            raise self.wrong(f"trims[{k}] leaves the domain of the surface")
        return loop
