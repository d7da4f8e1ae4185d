"""The part of an axis that is closest to a solid: one point, or the interval that is flat on a face.

The distance of the points of an axis from a convex solid is a convex function, so its slope never
decreases. Bisection finds where the slope crosses zero and ±FLAT. Where the axis is inclined to the
surface all three are the closest point; where it is parallel to a face the outer two are the ends of the
interval on that face. The transition between the two cases is continuous.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.blocks import repeat
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import where
from hapsis.compiler.ir.graph.expr import Expr, symbols
from hapsis.compiler.ir.graph.graph import Graph

FLAT = 0.005  # rad
BISECTIONS = 44  # to 1e-13 of the length

Slope = Callable[[Any, Any], Any]  # of a position t from -1 to 1, and of the other quantities it depends on


def closest_stretch(slope: Slope, quantities: tuple[Any, ...], half: Any) -> tuple[Any, ...]:
    """Four positions from -1 to 1: first end, just before and just after the closest point, last end.

    `slope` is the derivative of the distance with respect to the position: `half` times the sine of an
    angle. The positions count as constants in derivatives; at the closest point the derivative of the
    gap is exact all the same.
    """
    levels = -FLAT * half, 0.0, FLAT * half

    def halved(state: Any, levels: Any, quantities: Any) -> list[Any]:
        lows: list[Any] = []
        highs: list[Any] = []
        for low, high, level in zip(state[:3], state[3:], levels, strict=True):
            middle = 0.5 * (low + high)
            before = slope(middle, quantities) < level
            lows.append(where(before, middle, low))
            highs.append(where(before, high, middle))
        return lows + highs

    state: Any = [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0]
    if any(isinstance(x, Expr) for x in (half, *quantities)):
        graph = Graph()
        x, c = symbols("x", 6, graph=graph), symbols("c", 3 + len(quantities), graph=graph)
        step = Function("halved", {"x": x, "c": c}, {"y": halved(x, c[:3], tuple(c[3:]))})
        state = repeat(step, state, np.array([*levels, *quantities], dtype=object), times=BISECTIONS)
    else:
        for _ in range(BISECTIONS):
            state = halved(state, levels, quantities)
    # the inner bound of both ends: beyond a kink the distance is that from another face
    return state[3], state[1], state[4], state[2]
