"""Pairs of solids: which kinds can touch, and the function that computes the contacts of each pair."""

from collections.abc import Callable
from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import minimum, sqrt
from hapsis.errors import ModelError
from hapsis.mechanics.algebra.contact_geometry.boxes import box_box
from hapsis.mechanics.algebra.contact_geometry.cylinders import cylinder_box, cylinder_cylinder
from hapsis.mechanics.algebra.contact_geometry.distances import ball_on
from hapsis.mechanics.algebra.contact_geometry.ground import on_heightfield, on_plane
from hapsis.mechanics.algebra.contact_geometry.lines import segment_on
from hapsis.mechanics.algebra.contact_geometry.swept_balls import ball_ball, ball_segment, segment_segment
from hapsis.mechanics.algebra.contact_geometry.touch import Places, Solid, Touch, flipped

KINDS = ("point", "sphere", "segment", "capsule", "box", "cylinder", "plane", "heightfield")
IN_STEPS = (*KINDS, "ellipsoid", "hull")  # the kinds that touch in steps of impulses
GROUNDS = KINDS[6:]
BALLS, SWEPT, BLOCKS = KINDS[:2], KINDS[2:4], KINDS[4:6]

Find = Callable[[Solid, Solid, Places], list[Touch]]


def _all(firsts: tuple[str, ...], seconds: tuple[str, ...], find: Find) -> dict[Any, Find]:
    return {(a, b): find for a in firsts for b in seconds}


# each pair once; exchanged, it is the same with the normals reversed
PAIRS: dict[tuple[str, str], Find] = {
    **_all(BALLS, BALLS, ball_ball),
    **_all(BALLS, SWEPT, ball_segment),
    **_all(SWEPT, SWEPT, segment_segment),
    **_all(BALLS, BLOCKS, ball_on),
    **_all(SWEPT, BLOCKS, segment_on),
    ("box", "box"): box_box,
    ("cylinder", "box"): cylinder_box,
    ("cylinder", "cylinder"): cylinder_cylinder,
    **_all(KINDS[:6], ("plane",), on_plane),
    **_all(KINDS[:6], ("heightfield",), on_heightfield),
}


def touches(first: Solid, second: Solid, places: Places | None = None) -> list[Touch]:
    """The candidate contacts of two solids; their number depends on the kinds alone."""
    places = Places() if places is None else places
    find = PAIRS.get((first.kind, second.kind))
    if find is not None:
        return find(first, second, places)
    reverse = PAIRS.get((second.kind, first.kind))
    if reverse is not None:
        return [flipped(touch) for touch in reverse(second, first, places)]
    raise ModelError(impossible(first.kind, second.kind))


def distance(first: Solid, second: Solid, found: list[Touch]) -> Any:
    """The gap of two solids with these touches: that of the last where it is the gap of all, or the least."""
    find = PAIRS.get((first.kind, second.kind)) or PAIRS.get((second.kind, first.kind))
    if find in (box_box, segment_segment, segment_on):
        return found[-1].distance
    gap, *others = (touch.distance for touch in found)
    for other in others:
        gap = minimum(gap, other)
    return gap


def can_touch(first: str, second: str) -> bool:
    """Whether contacts of two kinds of solids are defined."""
    return (first, second) in PAIRS or (second, first) in PAIRS


def can_touch_in_steps(first: str, second: str) -> bool:
    """Whether two kinds of solids can touch in steps of impulses, simulate(method="contact")."""
    return {first, second} <= set(IN_STEPS) and not {first, second} <= set(GROUNDS)


def impossible(first: str, second: str) -> str:
    """The error message for two kinds whose contacts are not defined."""
    kinds = [kind for kind in KINDS if can_touch(first, kind)]
    allowed = f"it can touch {', '.join(kinds)}" if kinds else f"allowed are {', '.join(KINDS)}"
    if can_touch_in_steps(first, second):
        allowed = 'it can with simulate(method="contact")'
    article = "an" if first[0] in "aeiou" else "a"
    return f"{article} {first} cannot touch a {second}; {allowed}"


def bounding_radius(solid: Solid) -> Any:
    """The radius of the smallest ball about its centre that contains the solid; None if it is unbounded."""
    match solid.kind:
        case "point":
            return 0.0
        case "sphere":
            return solid.size[0]
        case "segment":
            return 0.5 * solid.size[0]
        case "capsule":
            return solid.size[0] + 0.5 * solid.size[1]
        case "cylinder":
            radius, length = solid.size
            return sqrt(radius * radius + 0.25 * length * length)
        case "box":
            x, y, z = solid.size
            return 0.5 * sqrt(x * x + y * y + z * z)
        case _:
            return None
