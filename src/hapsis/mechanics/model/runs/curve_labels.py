"""Labels of curves that belong to values: short, and no two alike."""

from collections.abc import Mapping, Sequence
from typing import Any

MOST_DIGITS = 17  # of a float


def curve_labels(values: Mapping[str, Any], numbers: Sequence[int] | None = None) -> list[str]:
    """For each row "mass = 0.5, hinge = 1", with as many digits as tell the rows apart.

    values    {name: one number for each row}
    numbers   of the rows as runs: they are named where there are no values, or where these are equal
    """
    rows = list(zip(*values.values(), strict=True))
    for digits in range(4, MOST_DIGITS + 1):
        labels = [
            ", ".join(f"{name} = {x:.{digits}g}" for name, x in zip(values, row, strict=True)) for row in rows
        ]
        if len(set(labels)) == len(set(rows)):
            break
    else:
        labels = []
    if rows and len(set(labels)) == len(rows):
        return labels
    numbers = range(len(rows)) if numbers is None else numbers
    labels = labels or [""] * len(numbers)
    return [f"run {k}" + (f", {label}" if label else "") for k, label in zip(numbers, labels, strict=True)]
