"""Contacts whose gaps are continuous functions of where two solids are: forces as their gradient.

With gaps g(R, p) of the first solid's pose in the frame of the second, and normal forces N,

    ġ = dg/dR Ṙ + dg/dp ṗ        force on the first = Σ N dg/dp, moment Σ N dg/dR

so that what the forces do is exactly Σ N ġ: an elastic law gives back all that it took, whatever
the shapes. Both products are derivatives of the traced gaps, one forward, one in reverse; what a
search has found is held in them.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.mechanics.algebra.contact_geometry.solid_pairs import touches
from hapsis.mechanics.algebra.contact_geometry.touch import Places, Solid, direction
from hapsis.mechanics.algebra.rotations import Matrix, product, transposed
from hapsis.mechanics.algebra.vectors import Vector, add, cross, sub
from hapsis.mechanics.formalisms.tree.links import IDENTITY

ORIGIN: Vector = (0.0, 0.0, 0.0)


class GapGradients:
    """The touches of two solids, in space, and the derivatives of their gaps.

    touches    each with a normal along which its gap opens; where the geometry tells none, that of steepest
               ascent
    steepness  how much each gap opens on a way of 1 m along that: less than 1 on folds
    """

    def __init__(self, first: Solid, second: Solid) -> None:
        self._axes = Matrix(second.R)
        self._R = product(transposed(second.R), first.R)
        self._p = self._axes.down(sub(first.p, second.p))
        here = first._replace(R=self._R, p=self._p)
        places = Places()
        found = touches(here, second._replace(R=IDENTITY, p=ORIGIN), places)
        kinds = (first.kind, second.kind)
        self._functions = _derivatives(kinds, len(first.size), len(second.size))
        self._given = [_array(self._R), _array(self._p)]
        self._given += [_array(x) for x in (first.size, second.size, places.found) if len(x)]
        if any(touch.steep is None for touch in found):
            slopes = [direction(tuple(row)) for row in self._functions.slopes(*self._given)]
            found = [t._replace(steep=s, normal=n) for t, (s, n) in zip(found, slopes, strict=True)]
        self.steepness = [touch.steep for touch in found]
        axes = self._axes
        self.touches = [
            touch._replace(normal=axes.up(touch.normal), point=add(second.p, axes.up(touch.point)))
            for touch in found
        ]

    def rates(self, turning: Vector, moving: Vector) -> list[Any]:
        """How fast each gap opens.

        turning  how fast the first turns against the second, in the world's axes
        moving   how fast its origin moves in the second's frame, in the world's axes
        """
        w, u = self._axes.down(turning), self._axes.down(moving)
        turned = transposed([cross(w, column) for column in transposed(self._R)])
        return list(self._functions.rates(*self._given, _array(turned), _array(u)))

    def wrench(self, forces: list[Any]) -> tuple[Vector, Vector]:
        """The force on the first, and the moment about its origin, in the world's axes."""
        by_R, by_p = self._functions.adjoints(*self._given, _array(forces))
        moment: Vector = ORIGIN
        for column, weight in zip(transposed(self._R), by_R.T, strict=True):
            moment = add(moment, cross(column, tuple(weight)))
        return self._axes.up(tuple(by_p)), self._axes.up(moment)


def _array(values: Any) -> Any:
    return np.array(values, dtype=object)


class Derivatives(NamedTuple):
    """Of the gaps of two kinds of solids, as functions of (R, p, sizes, places, ...).

    rates     by rates of R and p
    adjoints  by weights of the gaps: of R and of p
    slopes    of each gap by p
    """

    rates: Function
    adjoints: Function
    slopes: Function


@cache
def _derivatives(kinds: tuple[str, str], n: int, m: int) -> Derivatives:
    """The derivatives of all gaps of two kinds of solids."""
    graph = Graph()
    R, p = symbols("R", 3, 3, graph=graph), symbols("x", 3, graph=graph)
    size, other = symbols("size", n, graph=graph), symbols("other", m, graph=graph)
    first = Solid(kinds[0], tuple(map(tuple, R)), tuple(p), tuple(size))
    second = Solid(kinds[1], IDENTITY, ORIGIN, tuple(other))
    places = Places()
    touches(first, second, places)
    held = symbols("held", len(places.found), graph=graph)
    gaps = [touch.gap for touch in touches(first, second, Places(list(held)))]
    inputs = {"R": R, "x": p, "size": size, "other": other, "held": held}
    function = Function("gaps", {k: x for k, x in inputs.items() if len(x)}, {"gaps": gaps})
    slopes = function.jacobian("gaps", "x")
    return Derivatives(function.jvp("R", "x"), function.vjp("R", "x"), slopes)
