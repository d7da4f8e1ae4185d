"""Colours: calm, distinct, one set for light paper and one for dark."""

import re
from collections.abc import Sequence

import numpy as np

from hapsis.errors import Error

# lines of plots: light paper, dark paper
LINES = (
    ("#2563a8", "#7db4ee"),
    ("#c2541b", "#f19a66"),
    ("#2f7d4f", "#74c797"),
    ("#8a4a9e", "#cf9ae0"),
    ("#a8790b", "#e3bd5c"),
    ("#15808a", "#62c6cf"),
    ("#b03a5b", "#f08ba6"),
    ("#5d646e", "#aeb6c1"),
)
DASHES = ("", "6 3", "2 3", "8 3 2 3")  # the second eight lines are dashed, and so on

# bodies of scenes; the last one is for what never moves
BODIES = (
    "#4f7cb3",
    "#cf7f52",
    "#6a9f79",
    "#d0a547",
    "#9676ab",
    "#4c9a9f",
    "#c26d83",
    "#8b9a4b",
    "#6f86c7",
    "#b58863",
)
STILL = "#9b9a95"
ARROWS = ("#d9482b", "#7b4fd0", "#1f8f6f", "#c78a00", "#c02d78", "#2b78d9")


def rgb(colour: str | Sequence[float], where: str) -> list[float]:
    """Red, green, blue from 0 to 1, from "#rrggbb" or three such numbers."""
    if isinstance(colour, str):
        if re.fullmatch(r"#[0-9a-fA-F]{6}", colour):
            return [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    else:
        try:
            values = np.asarray(colour, float)
        except (TypeError, ValueError, OverflowError):
            values = np.empty(0)
        if values.shape == (3,) and np.all((values >= 0) & (values <= 1)):
            return [round(float(x), 4) for x in values]
    raise Error(
        f"{str(colour)[:60]!r} is not a colour",
        where=where,
        expected='"#rrggbb" or three numbers from 0 to 1',
    )
