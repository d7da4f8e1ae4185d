"""What the parts of the action look like: wood, felt, leather and metal around the faces that touch."""

from math import cos, radians, sin, sqrt
from typing import Any

import hapsis as hs
from hapsis.library.piano import dimensions as d
from hapsis.library.piano.part_shapes import (
    BEFORE,
    BEHIND,
    KEY_BOTTOM,
    KEY_TOP,
    MM,
    Points,
    bar,
    beside,
    cut,
    disc,
    hinge,
)
from hapsis.library.piano.surroundings import surroundings

SKIN, NAIL = (0.87, 0.69, 0.58), (0.95, 0.83, 0.77)


def shapes(part: str) -> list[Any]:
    """The shapes of a part, of a fingertip, or of the world, in its frame."""
    return PARTS[part]()


def _key() -> list[Any]:
    top, bottom = KEY_TOP, KEY_BOTTOM
    wood = [(-238, bottom), (233, bottom, 2), (233, top, 2), (-92, top), (-92, -2.5), (-238, -2.5)]
    ivory = [(-240, -18, 1), (-238, -18), (-238, -2.5), (-93, -2.5), (-93, 0, 1), (-240, 0, 2)]
    (x, _), radius = d.PILOT
    at = (x * MM, f"pilot_height - {radius * MM!r}", 0.0)
    check = beside(d.CHECK_FACE, (-0.05, 2.4), (-0.05, 12.0), (0.75, 12.0), (1.05, 7.0), (1.05, 2.4))
    leather = beside(d.CHECK_FACE, (-0.03, 0.0), (-0.03, 2.4), (1.03, 2.4), (1.03, 0.0))
    return [
        cut("key", wood, 22, "spruce"),
        cut("key", ivory, 22.6, "ivory"),
        *(disc("key", (x, -11), 6.5, 22.8, "lead") for x in (-150, -128)),
        disc("key", (0, 0), 2.2, 23, "steel"),
        cut("key", [(x - 3, top), (x + 3, top), (x + 2.4, 28), (x - 2.4, 28)], 6, "wood"),
        hs.Cylinder(radius * MM, 11 * MM, at=at, material="brass"),
        bar("key", (222.6, 224.6), (top, 80), 2, "steel", BEHIND),
        cut("key", check, 10, "wood"),
        cut("key", leather, 10.4, "leather"),
    ]


def _whippen() -> list[Any]:
    (left, y), (right, _) = d.HEEL
    (x, height), post, jack = (d.PARTS[part].pivot for part in ("whippen", "lever", "jack"))
    wood = [
        (78, 51, 3), (left - 2, 50, 3), (left, y + 2.6), (right, y + 2.6), (right + 3, 49, 4),
        (x - 12, 54, 6), (x + 5, height - 5, 5), (x + 5, height + 5, 5), (x - 12, 65, 4),
        (post[0] + 6, 66, 6), (post[0] + 4.5, post[1] + 4.5, 4.5), (post[0] - 4.5, post[1] + 4.5, 4.5),
        (post[0] - 6, 65, 6), (78, 62, 3),
    ]  # fmt: skip
    return [
        cut("whippen", wood, 9, "maple", -1),
        bar("whippen", (left, right), (y, y + 2.6), 9.4, "red felt", -1),
        disc("whippen", jack, 5.5, 9.2, "maple", -1),
        *hinge("whippen", 9),
    ]


def _jack() -> list[Any]:
    (x, y), ((toe, height), radius), top = d.PARTS["jack"].pivot, d.JACK_TOE, d.JACK_TOP
    wood = [
        top[0], (x - 4, y + 12, 6), (toe, height + radius, 2), (toe - 1, height - radius, 2),
        (x - 6, y - 6, 5), (x + 5, y - 6, 5), (x + 4.5, y + 10, 4), top[1],
    ]  # fmt: skip
    tip = disc("jack", (toe, height), radius, 7.4, "leather", BEFORE)
    return [cut("jack", wood, 7, "walnut", BEFORE), tip, *hinge("jack", 8)]


def _lever() -> list[Any]:
    (x, y), ((left, top), (right, _)) = d.PARTS["lever"].pivot, d.LEVER_TOP
    wood = [
        (left - 2, top, 1), (right, top), (x, top - 2, 6), (x + 24, y + 3, 3), (x + 24, y - 3, 3),
        (x, y - 6, 6), (right - 4, y + 1, 8), (left + 4, top - 6, 4), (left - 2, top - 4, 1),
    ]  # fmt: skip
    leather = bar("lever", (left - 2, left + 10), (top - 1, top), 9.4, "leather", -1)
    return [cut("lever", wood, 9, "wood", -1), leather, *hinge("lever", 9.2)]


def _hammer() -> list[Any]:
    core = [
        (122, -12, 4), (128, -31, 3), (136, -27, 10), (142, -12, 12), (139, 8, 10), (136, 16, 4),
        (130.6, 37, 0.6), (129.4, 37, 0.6), (124, 16, 4), (121, 8, 6), (118, 8), (118, -1),
    ]  # fmt: skip
    butt = [(-6, -5, 5), (12, -4, 4), (26, 0), (26, 6.5), (10, 8.5, 6), (-6, 6, 5)]
    return [
        _turned([(20, 0.2), (124, 0.2), (124, 6.2), (20, 6.2)], 6, "maple"),
        _turned(butt, 8, "maple"),
        _turned(_felt(1.0), 11, "felt"),
        _turned(_felt(0.62), 11.4, "red felt"),
        _turned(core, 11.8, "wood"),
        _turned([(13.5, 0.5), (21.5, 0.5), (20.5, -6), (14.5, -6)], 8, "maple"),
        disc("hammer", *d.KNUCKLE, 10, "leather"),
        *hinge("hammer", 9),
    ]


def _turned(points: Points, thickness: float, material: str) -> Any:
    """A sheet in the hammer's own frame, whose first axis is along the shank."""
    c, s = cos(radians(d.SHANK_TURN)), sin(radians(d.SHANK_TURN))
    rows = [((c * x - s * y) * MM, (s * x + c * y) * MM, *(r * MM for r in more)) for x, y, *more in points]
    return hs.Outline(rows, thickness * MM, material=material)


def _felt(size: float) -> list[tuple[float, float]]:
    """The felt of the head: round at the string, at (130, 48), and narrower where it begins."""
    right: list[tuple[float, float]] = []
    for k in range(13):
        y = 12.0 + 3.0 * k
        if y > 28.0:
            width = 15.0 * sqrt(max(0.0, 1.0 - ((y - 28.0) / 20.0) ** 2))
        else:
            width = 15.0 - 6.0 * ((28.0 - y) / 16.0) ** 2
        right.append((130.0 + size * width, 12.0 + size * (y - 12.0)))
    return right + [(260.0 - x, y) for x, y in right[-2::-1]]


def _damper() -> list[Any]:
    """A foot above the key's end, a wire beside the strings, and a felt on them."""
    string = d.STRING_HEIGHT
    felt = [(244, string + 1.2), (272, string + 1.2), (270, string + 9), (246, string + 9)]
    head = [(244, string + 9, 2), (272, string + 9, 2), (268, string + 24, 5), (248, string + 24, 5)]
    return [
        bar("damper", (219, 264), (0, 8), 9, "wood", BEHIND, "damper"),
        bar("damper", (219, 238), (-1.6, 0), 9.4, "green felt", BEHIND, "damper"),
        bar("damper", (257.2, 258.8), (10, string + 12), 1.6, "steel", BEHIND),
        cut("damper", felt, 9, "red felt"),
        cut("damper", head, 10, "walnut"),
    ]


def _fingertip() -> list[Any]:
    """The end of a finger that comes from the left and from above; its frame is where it touches."""
    points = [(-7, 0.3, 6), (5, 0.3, 6), (9, 7, 5), (6, 15, 6), (-48, 40, 9), (-54, 26, 9), (-12, 9, 6)]
    nail = [(8.6, 6.5, 1), (6, 14, 2), (0, 16.2), (3, 9)]
    finger, cover = ([tuple(x * MM for x in p) for p in rows] for rows in (points, nail))
    at = (0, 0, 3.2 * MM)
    return [hs.Outline(finger, 13 * MM, color=SKIN), hs.Outline(cover, 8 * MM, at=at, color=NAIL)]


PARTS = {
    "world": surroundings,
    "key": _key,
    "whippen": _whippen,
    "jack": _jack,
    "lever": _lever,
    "hammer": _hammer,
    "damper": _damper,
    "fingertip": _fingertip,
}
