"""Zones: where forces begin that are zero elsewhere."""

from typing import Any, NamedTuple

ENDLESS = 1e300  # m or rad


class Zone(NamedTuple):
    """Where a force begins that is zero elsewhere, by the name of its contact or force.

    gap    how far it is; the force is zero where that is positive
    speed  the gap shrinks by no more in a second
    size   the shortest way through
    """

    name: str
    gap: Any
    speed: Any
    size: Any = ENDLESS
