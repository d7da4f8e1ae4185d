"""The stretch of an axis that is closest to a solid: one point, or what lies flat on a face.

The distance along an axis from something convex is convex: its slope never falls. Bisection finds
where it passes zero, and where it passes minus and plus a two-hundredth. Away from flatness all
three are the closest point; along a face the outer two are the ends of what lies on it, and they
move from one to the other without a jump.
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

Slope = Callable[[Any, Any], Any]  # of a place t from -1 to 1, and of what it depends on


def closest_stretch(slope: Slope, given: tuple[Any, ...], half: Any) -> tuple[Any, ...]:
    """The first end, just before and just after the closest point, the last end; from -1 to 1.

    `slope` is that of the distance by the place, so `half` times the sine of an angle. As
    derivatives go the places are held: at the closest point that is exact for the gap.
    """
    levels = -FLAT * half, 0.0, FLAT * half

    def halved(state: Any, levels: Any, given: Any) -> list[Any]:
        lows: list[Any] = []
        highs: list[Any] = []
        for low, high, level in zip(state[:3], state[3:], levels, strict=True):
            middle = 0.5 * (low + high)
            before = slope(middle, given) < level
            lows.append(where(before, middle, low))
            highs.append(where(before, high, middle))
        return lows + highs

    state: Any = [-1.0, -1.0, -1.0, 1.0, 1.0, 1.0]
    if any(isinstance(x, Expr) for x in (half, *given)):
        graph = Graph()
        x, c = symbols("x", 6, graph=graph), symbols("c", 3 + len(given), graph=graph)
        step = Function("halved", {"x": x, "c": c}, {"y": halved(x, c[:3], tuple(c[3:]))})
        state = repeat(step, state, np.array([*levels, *given], dtype=object), times=BISECTIONS)
    else:
        for _ in range(BISECTIONS):
            state = halved(state, levels, given)
    # of both ends the inner bound: beyond a kink the distance belongs to another face
    return state[3], state[1], state[4], state[2]
