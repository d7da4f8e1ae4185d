"""Layers of plates: parts that share a pin lie one in front of the other, as in a real mechanism."""

import numpy as np

from hapsis.mechanics.drawing.placement import Array
from hapsis.mechanics.drawing.sketch import Sketch
from hapsis.mechanics.drawing.solids import extent

DEPTH = 1.1  # thickness of a plate over the radius of its ends
PITCH = 1.25  # of the layers, over the thickness


def spread_layers(sketch: Sketch, side: Array) -> None:
    """Gives each part without shapes the offset of its plate towards the viewer."""
    step = PITCH * DEPTH * sketch.bar
    intervals: dict[str, tuple[float, float]] = {}
    for part in sketch.shapes:
        if part != "world" and sketch.solid(part):
            low, high = extent(sketch, part, side)
            middle = float(np.dot(sketch.poses[part].p, side))
            intervals[part] = (low - middle, high - middle)
    neighbours = _neighbours(sketch)
    for part in [p for p in dict.fromkeys(sketch.parts.of.values()) if p in sketch.shapes]:
        if part == "world" or part in intervals:
            continue
        taken = [intervals[other] for other in neighbours.get(part, ()) if other in intervals]
        offset = next(x for x in _candidates(step) if _fits(x, step, taken))
        sketch.layers[part] = offset
        intervals[part] = (offset - 0.45 * step, offset + 0.45 * step)
    if intervals:
        sketch.layers["back"] = min(low for low, _ in intervals.values())
        sketch.layers["front"] = max(high for _, high in intervals.values())


def pin_span(sketch: Sketch, parts: set[str], side: Array) -> tuple[float, float]:
    """From where to where a pin reaches through its parts, relative to the plane of the joints."""
    half = 0.5 * DEPTH * sketch.bar
    lows, highs = [], []
    for part in parts:
        if part == "world":
            lows.append(sketch.layers.get("back", 0.0) - 2.0 * half)
        elif part in sketch.layers:
            lows.append(sketch.layers[part] - half)
            highs.append(sketch.layers[part] + half)
        elif sketch.solid(part):
            low, high = extent(sketch, part, side)
            middle = float(np.dot(sketch.poses[part].p, side))
            lows.append(low - middle)
            highs.append(high - middle)
    return min(lows, default=-half), max(highs, default=half)


def _candidates(step: float) -> list[float]:
    return [0.0, *(sign * k * step for k in range(1, 60) for sign in (1, -1))]


def _fits(offset: float, step: float, taken: list[tuple[float, float]]) -> bool:
    low, high = offset - 0.45 * step, offset + 0.45 * step
    return not any(low < other_high and other_low < high for other_low, other_high in taken)


def _neighbours(sketch: Sketch) -> dict[str, set[str]]:
    """{part: parts that share a pin with it, or a place at the start}."""
    places: list[tuple[Array, set[str]]] = []
    for mate in sketch.parts.mates:
        for at, parts in places:
            if np.linalg.norm(at - mate.at) < 1e-3 * sketch.size:
                parts |= {mate.first, mate.second}
                break
        else:
            places.append((mate.at, {mate.first, mate.second}))
    neighbours: dict[str, set[str]] = {}
    for _, parts in places:
        for part in parts:
            neighbours.setdefault(part, set()).update(parts - {part, "world"})
    return neighbours
