"""What lies between two parts: springs, struts, dampers, rods."""

from typing import Any

import numpy as np

from hapsis.mechanics.drawing.sketch import Line, Sketch
from hapsis.mechanics.model.constraints.constraints import Distance
from hapsis.mechanics.model.forces.link import Link
from hapsis.mechanics.model.forces.spring import Spring

SLENDER = 0.085  # radius of a coil over its length


def connections(sketch: Sketch, order: dict[str, int], more: list[Line]) -> list[dict[str, Any]]:
    """Tables of all lines, those of facts and `more`; `order` numbers the bodies, -1 is the world."""
    tables: list[dict[str, Any]] = []
    lines = [
        Line(fact.name, _kind(sketch, fact), sketch.end(fact.first), sketch.end(fact.second))
        for fact in sketch.lines
    ]
    for name, kind, first, second in (*lines, *more):
        length = float(np.linalg.norm(second[1] - first[1]))
        radius = (0.2 if kind == "cord" else 0.45) * sketch.bar
        if kind in ("spring", "strut", "damper"):
            wide = 0.14 if kind == "strut" else SLENDER
            radius = float(np.clip(wide * length, 0.8 * sketch.bar, 2.6 * sketch.bar))
            radius *= 0.6 if kind == "damper" else 1.0
        places = [{"body": order[part], "at": _inside(sketch, part, at)} for part, at in (first, second)]
        turns = round(float(np.clip(length / (1.1 * radius), 6, 14)))
        tables.append({"kind": kind, "name": name, "ends": places, "radius": radius, "turns": turns})
    return tables


def _inside(sketch: Sketch, part: str, at: Any) -> list[float]:
    """A place in the axes of a part, with all digits: ends lie where the model has them."""
    inverse = sketch.poses[part].inverse
    return (inverse.p + inverse.R @ at + 0.0).tolist()


def _kind(sketch: Sketch, fact: Any) -> str:
    if isinstance(fact, Distance):
        return "rod"
    if isinstance(fact, Link):
        return "damper"
    assert isinstance(fact, Spring)
    stiff, damped = (sketch.model.value(x) > 0.0 for x in (fact.stiffness, fact.damping))
    return "strut" if stiff and damped else "spring" if stiff else "damper"
