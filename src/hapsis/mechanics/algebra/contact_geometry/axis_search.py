"""The place on an axis that is closest to a solid, by bisection.

The distance along an axis from something convex is convex: its slope never falls, and the closest
place is where that passes zero. What comes back are a place just before it and one just after it,
which differ in slope where the distance has a fold.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.blocks import repeat
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import clip, maximum, minimum, where
from hapsis.compiler.ir.graph.expr import Expr, symbols
from hapsis.compiler.ir.graph.graph import Graph

BISECTIONS = 36  # to 3e-11, a thirtieth of APART: finer would not change which side of a fold is which
APART = 1e-9  # on each side of the place: so far that rounding cannot exchange the sides of a fold
FOLD = 1e-7  # of the largest slope: what changes less between two neighbours is no fold

Slope = Callable[[Any, Any], Any]  # of a place t from -1 to 1, and of what it depends on


def lowest_place(slope: Slope, given: tuple[Any, ...]) -> tuple[Any, Any]:
    """Just before and just after the place from -1 to 1 where a slope that never falls passes zero."""

    def halved(state: Any, given: Any) -> list[Any]:
        low, high = state
        middle = 0.5 * (low + high)
        before = slope(middle, given) < 0.0
        return [where(before, middle, low), where(before, high, middle)]

    state: Any = [-1.0, 1.0]
    if any(isinstance(x, Expr) for x in given):
        graph = Graph()
        x, c = symbols("x", 2, graph=graph), symbols("c", len(given), graph=graph)
        step = Function("halved", {"x": x, "c": c}, {"y": halved(x, tuple(c))})
        state = repeat(step, state, np.array(given, dtype=object), times=BISECTIONS)
    else:
        for _ in range(BISECTIONS):
            state = halved(state, given)
    return maximum(state[0] - APART, -1.0), minimum(state[1] + APART, 1.0)


def fold_part(before: Any, after: Any, size: Any) -> Any:
    """How much the slope before counts in a mean that is level: part before + (1 - part) after = 0.

    Where both are one, as without a fold, any part will do.
    """
    turn = after - before
    folded = turn > FOLD * size
    return where(folded, clip(after / where(folded, turn, 1.0), 0.0, 1.0), 0.5)
