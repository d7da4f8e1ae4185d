"""What stands still around the action: key frame, rails and flanges, screws, string and pin block."""

from typing import Any

import hapsis as hs
from hapsis.library.piano import dimensions as d
from hapsis.library.piano.part_shapes import BEFORE, KEY_BOTTOM, bar, cut, disc

IRON = (0.79, 0.77, 0.72)
FLOOR = KEY_BOTTOM - 23  # mm: top of the board under the key frame


def surroundings() -> list[Any]:
    """The shapes of the world."""
    return [_bracket(), *_key_frame(), *_rails(), *_screws(), *_string()]


def _bracket() -> Any:
    """The iron bracket behind the action, which holds its rails."""
    arch = [
        (204, FLOOR), (190, FLOOR), (189, 34, 6), (150, 72, 14), (118, 134, 14), (62, 142, 6), (24, 142, 4),
        (24, 152, 4), (72, 152, 8), (130, 144, 16), (164, 80, 14), (204, 56, 8),
    ]  # fmt: skip
    iron = cut("world", arch, 3, "steel", -13)
    return hs.Outline(iron.points, iron.thickness, at=iron.at, color=IRON)


def _key_frame() -> list[Any]:
    """Board, balance rail, back rail and front rail with their felts."""
    finger, back, rest = d.FINGER[0], d.BACK_RAIL_AT[0], KEY_BOTTOM + d.BACK_RAIL
    balance = [(-16, FLOOR), (16, FLOOR), (12, KEY_BOTTOM - 1.6), (-12, KEY_BOTTOM - 1.6)]
    front = [(finger - 15, FLOOR), (finger + 15, FLOOR), (finger + 13, -36), (finger - 13, -36)]
    return [
        bar("world", (-252, 272), (FLOOR - 12, FLOOR), 30, "walnut", corner=2),
        cut("world", balance, 26, "wood"),
        bar("world", (-6, 6), (KEY_BOTTOM - 1.6, KEY_BOTTOM), 26, "red felt"),
        cut("world", front, 26, "wood"),
        bar("world", (finger - 9, finger + 9), (-6, 0), 26.4, "green felt", 0, "bed", 2),
        bar("world", (back - 16, back + 16), (FLOOR, rest - 5), 26, "wood"),
        bar("world", (back - 16, back + 16), (rest - 5, rest), 26, "red felt"),
    ]


def _rails() -> list[Any]:
    """The rails of whippens and hammers with the flanges of these, and the rail on which shanks rest."""
    (x, y), (u, v) = d.PARTS["whippen"].pivot, d.PARTS["hammer"].pivot
    centre, radius = d.REST_RAIL
    return [
        bar("world", (192, 212), (42, 68), 14, "wood", -4, corner=2),
        cut("world", [(x - 5, y - 5, 5), (202, y - 6), (202, y + 6), (x - 5, y + 5, 5)], 6, "maple", -5),
        bar("world", (26, 50), (116, 142), 14, "wood", -4, corner=2),
        cut("world", [(40, v - 7), (u + 6, v - 6, 6), (u + 6, v + 6, 6), (40, v + 6)], 6, "maple", -5),
        disc("world", centre, radius, 16, "green felt", -3),
        disc("world", centre, radius - 3.5, 16.4, "wood", -3),
    ]


def _screws() -> list[Any]:
    """The let-off button on its rail, and the drop screw."""
    x, y = d.JACK_TOE[0][0], d.DROP_SCREW[0][0]
    rail = [(28, 84, 2), (x + 8, 84, 2), (x + 8, 95, 2), (44, 95, 2), (44, 118), (28, 118)]
    drop = [
        (y - 2.5, 1.2, 0.6), (y - 1, 0), (y + 1, 0), (y + 2.5, 1.2, 0.6), (y + 2.5, 3), (y + 1.5, 3),
        (y + 1.5, 24), (y - 1.5, 24), (y - 1.5, 3), (y - 2.5, 3),
    ]  # fmt: skip
    return [
        cut("world", rail, 8, "wood", -5),
        bar("world", (x - 1.2, x + 1.2), (5, 28), 2.4, "brass", 0, "button"),
        bar("world", (x - 6, x + 6), (1.8, 6), 9, "wood", 0, "button", 0.8),
        bar("world", (x - 6, x + 6), (0, 1.8), 9.4, "red felt", 0, "button", 0.6),
        cut("world", drop, 4, "brass", BEFORE, "drop"),
    ]


def _string() -> list[Any]:
    """A string from its tuning pin in the pin block through its agraffe, and the plate."""
    y = d.STRING_HEIGHT
    return [
        bar("world", (112, 330), (y, y + 1.1), 1.1, "steel"),
        bar("world", (140, 146), (y - 3, y + 14), 9, "brass", corner=1),
        bar("world", (108, 114), (y - 8, y + 14), 6, "steel", corner=1),
        bar("world", (62, 152), (y + 14, y + 19), 24, "copper", -4, corner=2),
        bar("world", (62, 150), (y + 19, y + 38), 24, "walnut", -4, corner=3),
    ]
