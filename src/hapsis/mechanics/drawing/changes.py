"""How a drawing changes with a parameter: numbers of the table and their slopes, for sliders of a page."""

from collections.abc import Iterator
from typing import Any

import numpy as np

DRAWN = ("world", "bodies", "connections")  # what a parameter may move
STEP = 0.02  # of the parameter
SMALL = 1e-7  # of the size of the drawing
Path = list[str | int]


def slopes(table: dict[str, Any], moved: dict[str, Any], step: float) -> list[dict[str, Any]] | None:
    """[{path, slope}] of the lists of numbers that differ in two drawings; None where more differs.

    table, moved   drawings of one model, the second with a parameter larger by `step`
    """
    try:
        pairs = [pair for name in DRAWN for pair in _numbers(table[name], moved[name], [name])]
    except ValueError:
        return None
    least = SMALL * table["size"]
    return [
        {"path": path, "slope": [float(f"{x:.7g}") for x in (after - before) / step]}
        for path, before, after in pairs
        if np.abs(after - before).max() > least
    ]


def _numbers(first: Any, second: Any, path: Path) -> Iterator[tuple[Path, Any, Any]]:
    """Lists of numbers at the same path of two tables; a ValueError where the tables differ in form."""
    if isinstance(first, dict):
        if not isinstance(second, dict) or first.keys() != second.keys():
            raise ValueError(f"{path}: other fields")
        for name in first:
            yield from _numbers(first[name], second[name], [*path, name])
    elif isinstance(first, list):
        if not isinstance(second, list) or len(first) != len(second):
            raise ValueError(f"{path}: another length")
        if first and all(isinstance(x, float) for x in first):
            yield path, np.array(first), np.array(second)
        else:
            for k, (a, b) in enumerate(zip(first, second, strict=True)):
                yield from _numbers(a, b, [*path, k])
    elif isinstance(first, float) and isinstance(second, float):
        yield path, np.array([first]), np.array([second])
    elif first != second and not isinstance(first, int):
        raise ValueError(f"{path}: {first!r} and {second!r}")
