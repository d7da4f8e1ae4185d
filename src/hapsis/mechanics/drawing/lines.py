"""What lies between two parts: springs, struts, dampers, rods."""

from typing import Any

import numpy as np

from hapsis.mechanics.drawing.sketch import Sketch, rounded
from hapsis.mechanics.model.constraints.constraints import Distance
from hapsis.mechanics.model.forces.link import Link
from hapsis.mechanics.model.forces.spring import Spring

SLENDER = 0.085  # radius of a coil over its length


def connections(sketch: Sketch, order: dict[str, int]) -> list[dict[str, Any]]:
    """Tables of all lines; `order` numbers the bodies, -1 is the world."""
    tables: list[dict[str, Any]] = []
    for fact in sketch.lines:
        ends = [sketch.end(fact.first), sketch.end(fact.second)]
        length = float(np.linalg.norm(ends[1][1] - ends[0][1]))
        kind = _kind(sketch, fact)
        radius = 0.45 * sketch.bar
        if kind in ("spring", "strut", "damper"):
            wide = 0.14 if kind == "strut" else SLENDER
            radius = float(np.clip(wide * length, 0.8 * sketch.bar, 2.6 * sketch.bar))
            radius *= 0.6 if kind == "damper" else 1.0
        places = [{"body": order[part], "at": _inside(sketch, part, at)} for part, at in ends]
        turns = round(float(np.clip(length / (1.1 * radius), 6, 14)))
        tables.append({"kind": kind, "name": fact.name, "ends": places, "radius": radius, "turns": turns})
    return tables


def _inside(sketch: Sketch, part: str, at: Any) -> list[float]:
    inverse = sketch.poses[part].inverse
    return rounded(inverse.p + inverse.R @ at)


def _kind(sketch: Sketch, fact: Any) -> str:
    if isinstance(fact, Distance):
        return "rod"
    if isinstance(fact, Link):
        return "damper"
    assert isinstance(fact, Spring)
    stiff, damped = (sketch.model.value(x) > 0.0 for x in (fact.stiffness, fact.damping))
    return "strut" if stiff and damped else "spring" if stiff else "damper"
