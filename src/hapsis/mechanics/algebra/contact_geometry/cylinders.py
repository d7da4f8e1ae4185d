"""Cylinders against boxes and cylinders, by what enters first: corners, edges, caps, sides.

Of a cylinder, four points of each rim where the cap lies flat; of a box, its corners, and what its
edges reach deeper into the cylinder than those; of a cylinder again, what the whole cap, a disc,
reaches deeper into the other solid; of two cylinders besides, their sides where they cross. Any
overlap has one of these, unless a rod has gone through a plate and out of it again; each is
continuous and begins where the solids meet.
"""

from typing import Any, NamedTuple

from hapsis.compiler.ir.graph.elementary_functions import abs, clip, maximum, minimum, sqrt, where
from hapsis.mechanics.algebra.contact_geometry.depths import Chord, Disc, disc_in, line_in_cylinder
from hapsis.mechanics.algebra.contact_geometry.distances import DISTANCES
from hapsis.mechanics.algebra.contact_geometry.swept_balls import half_of
from hapsis.mechanics.algebra.contact_geometry.touch import (
    TINY,
    Places,
    Solid,
    Touch,
    along,
    direction,
    fading,
    flipped,
    rest,
)
from hapsis.mechanics.algebra.vectors import Vector, add, dot, scaled, sub

FLAT = 0.01  # sin² of the angle at which a cap begins to lie on a face
INSET = 0.99  # of the radius: where caps lie flat just inside the rim, so that equal ones can be stacked
SHARE = 0.75  # of the force at each of four points of a cap: in all three, as on a plane
SLIGHT = 1e-9  # of the radii: the least depth that weights are compared with
PARALLEL = 1e-12  # sin² of the angle below which axes do not cross
CORNERS = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]


class Cap(NamedTuple):
    """A cap against another solid: four points of it where it lies flat, and the whole disc."""

    lying: list[Touch]
    disc: Touch


def cylinder_box(first: Solid, second: Solid, places: Places) -> list[Touch]:
    """Five touches of each cap, eight of the box's corners, twelve of its edges."""
    caps = [_cap(first, end, second, places) for end in (-1.0, 1.0)]
    lying = [t for cap in caps for t in cap.lying]
    corners, edges = _corners_and_edges(second, first)
    lines = [rest(edge, [*ends, *lying]) for edge, ends in edges]
    others = [*lying, *corners, *(edge for edge, _ in edges)]
    discs = [rest(cap.disc, others) for cap in caps]
    return [*lying, *discs, *(flipped(t) for t in (*corners, *lines))]


def cylinder_cylinder(first: Solid, second: Solid, places: Places) -> list[Touch]:
    """Five touches of each of four caps, one of both sides."""
    both = (first, second), (second, first)
    caps = [[_cap(a, end, b, places) for end in (-1.0, 1.0)] for a, b in both]
    lying = [t for each in caps for cap in each for t in cap.lying]
    touches: list[Touch] = []
    for k, (a, b) in enumerate(both):
        # of a side that lies on a cap the ends carry, not the cap
        weight = _lies_on_cap(b, a)
        ends = [cap.disc._replace(gap=weight * cap.disc.gap) for cap in caps[1 - k]]
        own = [t for cap in caps[k] for t in (*cap.lying, rest(cap.disc, [*lying, *ends]))]
        touches += [flipped(t) for t in own] if k else own
    return [*touches, _sides(first, second)]


def _lies_on_cap(lying: Solid, under: Solid) -> Any:
    """How far the side of one cylinder lies on a cap of the other, 0 to 1."""
    a, b, d = lying.axis(2), under.axis(2), sub(lying.p, under.p)
    c = dot(a, b)
    across = sqrt(maximum(1.0 - c * c, TINY))
    on_cap = abs(dot(d, b)) - 0.5 * under.size[1] - across * lying.size[0] - 0.5 * abs(c) * lying.size[1]
    on_end = abs(dot(d, a)) - 0.5 * lying.size[1] - across * under.size[0] - 0.5 * abs(c) * under.size[1]
    depth = maximum(0.0 - on_cap, SLIGHT * (lying.size[0] + under.size[0]) + TINY)
    return fading(c * c, FLAT) * clip((on_cap - on_end) / depth, 0.0, 1.0)


def _cap(cylinder: Solid, end: float, other: Solid, places: Places) -> Cap:
    """The cap at end 1 or -1 against another solid."""
    centre = other.local(along(cylinder.p, end, half_of(cylinder)))
    radii = [_local(other, scaled(cylinder.size[0], cylinder.axis(k))) for k in (0, 1)]
    z = _local(other, cylinder.axis(2))
    points = [along(centre, INSET * s, e) for e in radii for s in (1.0, -1.0)]
    flat = _FLATS[other.kind]
    depth, place = disc_in(Disc(centre, radii[0], radii[1]), other.kind, other.size, places)
    disc = _touch(_outside(-depth, other), place, other)
    lying: list[Touch] = []
    for x in points:
        under = flat(x, z, other.size)
        gap = where(under > 0.0, -under, maximum(disc.gap, 0.0))
        lying.append(_touch(gap, x, other)._replace(share=SHARE))
    return Cap(lying, disc)


def _local(solid: Solid, v: Vector) -> Vector:
    """A vector of space in a solid's axes."""
    return solid.local(add(solid.p, v))


def _touch(gap: Any, place: Vector, solid: Solid) -> Touch:
    """A touch at a place of a solid's frame, along the way out of it."""
    normal = DISTANCES[solid.kind](place, solid.size)[1]
    return Touch(gap, solid.outwards(normal), add(solid.p, solid.outwards(place)))


def _outside(gap: Any, solid: Solid) -> Any:
    """The distance, from (ρ² - r²) / 2r, where a gap is open."""
    if solid.kind != "cylinder":
        return gap
    radius = maximum(solid.size[0], TINY)
    return where(gap < 0.0, gap, radius * (sqrt(1.0 + 2.0 * maximum(gap, 0.0) / radius) - 1.0))


def _flat_on_box(x: Vector, z: Vector, size: tuple[Any, ...]) -> Any:
    """How deep a point of a cap is under the face that the cap lies on; 0 where another is nearer."""
    depths = [0.5 * s - abs(c) for s, c in zip(size, x, strict=True)]
    total: Any = 0.0
    for k in range(3):
        others = minimum(*(depths[m] for m in range(3) if m != k))
        depth = minimum(depths[k], maximum(others - depths[k], 0.0))
        total = total + fading(1.0 - z[k] * z[k], FLAT) * maximum(depth, 0.0)
    return total


def _flat_on_cylinder(x: Vector, z: Vector, size: tuple[Any, ...]) -> Any:
    """The same on the cap of another cylinder."""
    depth = 0.5 * size[1] - abs(x[2])
    side = 0.5 * (size[0] - (x[0] * x[0] + x[1] * x[1]) / maximum(size[0], TINY))
    depth = minimum(depth, maximum(side - depth, 0.0))
    return fading(1.0 - z[2] * z[2], FLAT) * maximum(depth, 0.0)


_FLATS = {"box": _flat_on_box, "cylinder": _flat_on_cylinder}


def _corners_and_edges(box: Solid, cylinder: Solid) -> tuple[list[Touch], list[tuple[Touch, list[Touch]]]]:
    """The corners of a box in a cylinder, and its edges, each with the corners at its ends."""
    centre = cylinder.local(box.p)
    axes = [_local(cylinder, scaled(0.5 * box.size[k], box.axis(k))) for k in range(3)]
    corners: dict[Any, Touch] = {}
    for signs in CORNERS:
        x = centre
        for s, axis in zip(signs, axes, strict=True):
            x = along(x, s, axis)
        side = 0.5 * (cylinder.size[0] - (x[0] * x[0] + x[1] * x[1]) / maximum(cylinder.size[0], TINY))
        depth = minimum(side, 0.5 * cylinder.size[1] - abs(x[2]))
        corners[signs] = _touch(_outside(-depth, cylinder), x, cylinder)
    edges: list[tuple[Touch, list[Touch]]] = []
    for k in range(3):
        for ends in (s for s in CORNERS if s[k] < 0.0):
            x = centre
            for m, axis in enumerate(axes):
                x = along(x, ends[m], axis) if m != k else x
            found = line_in_cylinder(Chord(x, axes[k]), cylinder.size)
            other = tuple(-s if m == k else s for m, s in enumerate(ends))
            edge = _touch(_outside(-found.value, cylinder), along(x, found.place, axes[k]), cylinder)
            edges.append((edge, [corners[ends], corners[other]]))
    return list(corners.values()), edges


def _sides(first: Solid, second: Solid) -> Touch:
    """The sides of two cylinders where their axes cross; nothing beyond the ends of either."""
    a, b, r = first.axis(2), second.axis(2), sub(first.p, second.p)
    c, ar, br = dot(a, b), dot(a, r), dot(b, r)
    square = 1.0 - c * c
    over = 1.0 / maximum(square, PARALLEL)
    x = along(first.p, (c * br - ar) * over, a)
    y = along(second.p, (br - c * ar) * over, b)
    distance, normal = direction(sub(x, y))
    gap = distance - (first.size[0] + second.size[0])
    for cylinder, place in ((first, x), (second, y)):
        beyond = abs(dot(sub(place, cylinder.p), cylinder.axis(2))) - 0.5 * cylinder.size[1]
        gap = maximum(gap, beyond)
    gap = gap + (first.size[0] + second.size[0]) * maximum(1.0 - square / PARALLEL, 0.0)
    middle = along(y, second.size[0] + 0.5 * (distance - first.size[0] - second.size[0]), normal)
    return Touch(gap, normal, middle)
