"""Gears between coordinates: wheels whose pitch circles touch, pinions, belts over pulleys."""

import numpy as np

from hapsis.mechanics.drawing.axles import Axle, axles
from hapsis.mechanics.drawing.sketch import Sketch, facing
from hapsis.mechanics.model.constraints.constraints import Gear

EVEN = 1e-9  # by how much a ratio differs from one that belts have


def draw_gears(sketch: Sketch) -> None:
    """Draws every `Gear` between pins, or between a pin and a slide."""
    table = axles(sketch)
    for fact in sketch.model.constraints.values():
        if not isinstance(fact, Gear) or fact.first not in table or fact.second not in table:
            continue
        first, second = table[fact.first], table[fact.second]
        ratio = sketch.model.value(fact.ratio)
        turning = [axle for axle in (first, second) if axle.kind != "P"]
        if ratio == 0.0 or not turning or all(_meshed(sketch, axle) for axle in turning):
            continue
        if len(turning) == 2:
            _pair(sketch, first, second, ratio)
        else:
            lever = abs(ratio) if first.kind != "P" else 1.0 / abs(ratio)
            _wheel(sketch, turning[0], min(lever, 0.3 * sketch.size), 14)


def _meshed(sketch: Sketch, axle: Axle) -> bool:
    return sketch.detailed(axle.mate.second) or sketch.detailed(axle.mate.first)


def _pair(sketch: Sketch, first: Axle, second: Axle, ratio: float) -> None:
    """Wheels that touch, from outside or inside; a belt for 1 : 1; small ones on axes not parallel."""
    way = second.at - first.at
    across = float(np.linalg.norm(way - np.dot(way, first.axis) * first.axis))
    share = abs(ratio)
    teeth = max(12, min(60, round(14 * max(share, 1.0))))
    others = max(8, round(teeth / share))
    if abs(np.dot(first.axis, second.axis)) < 0.999 or across <= sketch.near:
        small = 2.0 * sketch.bar / max(share, 1.0)
        _wheel(sketch, first, max(small * share, 1.2 * sketch.bar), teeth)
        _wheel(sketch, second, max(small, 1.2 * sketch.bar), others)
        return
    same = np.dot(first.axis, second.axis) * ratio > 0.0
    if same and abs(share - 1.0) < EVEN:
        _belt(sketch, first, second, across)
        return
    small = across / (1.0 + share) if not same else across / abs(share - 1.0)
    _wheel(sketch, first, small * share, teeth)
    _wheel(sketch, second, small, others)


def _belt(sketch: Sketch, first: Axle, second: Axle, across: float) -> None:
    """Two pulleys, and the straight parts of a belt on the part that carries both."""
    radius, width = 0.14 * across, 1.2 * sketch.bar
    for axle in (first, second):
        sketch.add(_turned(axle), "pulley", facing(axle.axis, axle.at), radius=radius, width=width)
    common = {first.mate.first, first.mate.second} & {second.mate.first, second.mate.second}
    normal = np.cross(first.axis, second.at - first.at)
    normal *= radius / np.linalg.norm(normal)
    for part in sorted(common)[:1]:
        for sign in (-1.0, 1.0):
            ends = [first.at + sign * normal, second.at + sign * normal]
            sketch.tube(part, ends, 0.25 * sketch.bar, of="rubber")


def _turned(axle: Axle) -> str:
    return axle.mate.second if axle.mate.second != "world" else axle.mate.first


def _wheel(sketch: Sketch, axle: Axle, radius: float, teeth: int) -> None:
    width = min(0.35 * radius, 2.0 * sketch.bar)
    fields = {"radius": radius, "width": width, "teeth": min(teeth, 200)}
    sketch.add(_turned(axle), "gear", facing(axle.axis, axle.at), **fields)
