"""How near the pairs of contacts are to touching, and how fast they can come nearer.

For each pair a gap, no more than what lies between the solids; a speed w, more than which the gap
does not shrink in a second; and a size, the shortest way through the smaller solid. With n the
normal, c any point and x the point where they touch, on two bodies that move by u and w,

    ġap = n · (u(c) + w × (x - c)),    |ġap| ≤ |u(c)| + |w| |x - c|

where the second term vanishes for a ball about c, since x - c is along n, and on a plane n is
known. It is asked for once or twice in a step, so that no step goes through a contact.
"""

from functools import cache, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import abs, minimum, sqrt, where
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.mechanics.algebra.contact_geometry.solid_pairs import (
    BALLS,
    SWEPT,
    bounding_radius,
    distance,
    touches,
)
from hapsis.mechanics.algebra.contact_geometry.touch import Solid
from hapsis.mechanics.algebra.vectors import cross, dot, sub
from hapsis.mechanics.formalisms.forces.contact_forces import NEAR, sides
from hapsis.mechanics.formalisms.forces.contact_groups import too_long
from hapsis.mechanics.formalisms.forces.force_scene import ForceScene
from hapsis.mechanics.formalisms.forces.touch_forces import Side, exact
from hapsis.mechanics.formalisms.forces.zone import ENDLESS, Zone

if TYPE_CHECKING:
    from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces


def contact_zones(applied: "AppliedForces") -> list[Zone]:
    """The zone of every pair of every contact, in their order."""
    names: list[str] = []
    pairs: list[tuple[Side, Side]] = []
    for contact in applied.model.contacts.values():
        scene = ForceScene(applied, contact)
        both = [sides(scene, first, second) for first, second in contact.pairs(applied.model)]
        names += [contact.name] * len(both)
        pairs += both
    gaps = _gaps(pairs)
    return [
        Zone(name, gap, _speed(a, b), _size(a.solid, b.solid))
        for name, gap, (a, b) in zip(names, gaps, pairs, strict=True)
    ]


def _gaps(pairs: list[tuple[Side, Side]]) -> list[Any]:
    """The gaps of pairs; those of one kind are mapped where they would be too much code."""
    by_kind: dict[Any, list[int]] = {}
    for k, (a, b) in enumerate(pairs):
        alone = a.solid.surface is not None or b.solid.surface is not None
        by_kind.setdefault(k if alone else (a.solid.kind, b.solid.kind), []).append(k)
    gaps: list[Any] = [None] * len(pairs)
    for places in by_kind.values():
        solids = [(pairs[k][0].solid, pairs[k][1].solid) for k in places]
        kernel = cache(partial(_kernel, *solids[0]))
        found = _mapped(kernel(), solids) if too_long(kernel, len(places)) else [_gap(*s) for s in solids]
        for k, gap in zip(places, found, strict=True):
            gaps[k] = gap
    return gaps


def _least(a: Solid, b: Solid) -> Any:
    """The gap of two solids."""
    return distance(a, b, touches(a, b))


def _apart(a: Solid, b: Solid) -> tuple[Any, Any] | None:
    """How far balls about two solids are apart, and how far these are from being close.

    None where the gap itself is a distance at all times.
    """
    r, s = bounding_radius(a), bounding_radius(b)
    if exact(a, b) or r is None or s is None:
        return None
    d, size = sub(a.p, b.p), r + s
    apart = sqrt(dot(d, d)) - size
    return apart, apart - NEAR * size


def _gap(a: Solid, b: Solid) -> Any:
    """The gap of two solids; that of balls about them where they are far from each other."""
    far = _apart(a, b)
    gap = _least(a, b)
    return gap if far is None else where(far[1] > 0.0, far[0], gap)


def _kernel(first: Solid, second: Solid) -> Function:
    """The gap of two solids of these kinds."""
    graph = Graph()
    inputs: dict[str, Any] = {}
    both: list[Solid] = []
    for name, solid in zip("ab", (first, second), strict=True):
        R, p = symbols(f"R{name}", 3, 3, graph=graph), symbols(f"p{name}", 3, graph=graph)
        size = symbols(f"size{name}", len(solid.size), graph=graph)
        inputs |= {f"R{name}": R, f"p{name}": p, f"size{name}": size}
        both.append(Solid(solid.kind, tuple(tuple(row) for row in R), tuple(p), tuple(size)))
    inputs = {name: x for name, x in inputs.items() if len(x)}
    return Function("gap", inputs, {"gap": [_least(both[0], both[1])]})


def _mapped(kernel: Function, solids: list[tuple[Solid, Solid]]) -> list[Any]:
    """The gaps of pairs of one kind, by one kernel."""
    columns: list[Any] = []
    for name in (port.name for port in kernel.inputs):
        values = [getattr(pair["ab".index(name[-1])], name[:-1]) for pair in solids]
        columns.append(np.array(values, dtype=object))
    far = [_apart(a, b) for a, b in solids]
    when = None if far[0] is None else np.array([x[1] <= 0.0 for x in far if x is not None], dtype=object)
    gaps = [row[0] for row in blocks.map(kernel, *columns, when=when)]
    return [gap if x is None else where(x[1] > 0.0, x[0], gap) for gap, x in zip(gaps, far, strict=True)]


def _speed(a: Side, b: Side) -> Any:
    """What bounds how fast the gap of a pair shrinks: the better of what is seen from either side."""
    balls = [pair for pair in ((a, b), (b, a)) if pair[0].solid.kind in BALLS]
    ways = balls[:1] or [pair for pair in ((a, b), (b, a)) if bounding_radius(pair[0].solid) is not None]
    speeds = [_speed_from(*pair) for pair in ways]
    return speeds[0] if len(speeds) == 1 else minimum(*speeds)


def _speed_from(solid: Side, other: Side) -> Any:
    """That bound about the centre of the first."""
    u = sub(solid.spot.u, other.velocity(solid.spot.p))
    speed = abs(dot(other.solid.axis(2), u)) if other.solid.kind == "plane" else sqrt(dot(u, u))
    kind = solid.solid.kind
    if kind in BALLS:
        return speed
    turn = sub(solid.spot.w, other.spot.w)
    if kind in SWEPT:
        across = cross(turn, solid.solid.axis(2))
        return speed + 0.5 * solid.solid.size[-1] * sqrt(dot(across, across))
    return speed + bounding_radius(solid.solid) * sqrt(dot(turn, turn))


def _size(a: Solid, b: Solid) -> Any:
    """The shortest way through the smaller of two solids."""
    size: Any = ENDLESS
    for solid in (a, b):
        for length in _thicknesses(solid):
            size = minimum(size, where(length > 0.0, length, ENDLESS))
    return size


def _thicknesses(solid: Solid) -> list[Any]:
    match solid.kind:
        case "sphere" | "capsule":
            return [solid.size[0]]
        case "box":
            return [0.5 * x for x in solid.size]
        case "cylinder":
            return [solid.size[0], 0.5 * solid.size[1]]
        case _:
            return []
