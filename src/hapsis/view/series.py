"""What is drawn: series of numbers, checked once, gathered into panels."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hapsis.errors import Error, near
from hapsis.view.heat_map import HeatMap
from hapsis.view.page_text import plain

Values = Sequence[float] | np.ndarray


@dataclass(frozen=True, eq=False)
class Series:
    """One line: a name and its points; with `scattered` they are not joined."""

    name: str
    x: np.ndarray
    y: np.ndarray
    scattered: bool = False


@dataclass(frozen=True, eq=False)
class Panel:
    """Lines that share both axes, or a map; the unit stands at the vertical axis.

    scale   the size of the quantities that the values were computed from: values smaller than rounding
            of it are drawn as a flat line
    """

    series: tuple[Series, ...]
    unit: str = ""
    map: HeatMap | None = None
    scale: float = 0.0


def numbers(values: Any, name: str, *, finite: bool = False) -> np.ndarray:
    """The values as a flat array of floats, or an error that names them."""
    where = f'"{plain(name)}"'
    try:
        array = np.asarray(values)
        if array.dtype.kind not in "biuf":
            raise TypeError
        array = array.astype(float)
    except (TypeError, ValueError, OverflowError):
        raise Error("the values are not real numbers", where=where) from None
    if array.ndim != 1:
        raise Error(
            f"the values have the shape {array.shape}",
            where=where,
            expected="one number for each time",
            remedy="give each column a name of its own",
        )
    if finite and not np.isfinite(array).all():
        bad = int(np.flatnonzero(~np.isfinite(array))[0])
        raise Error(f"value {bad} is {array[bad]}", where=where, expected="finite numbers")
    return array


def times(t: Any) -> np.ndarray:
    """Times: finite numbers that never decrease."""
    array = numbers(t, "t", finite=True)
    if not len(array):
        raise Error("there is no time to draw", where='"t"')
    if np.any(np.diff(array) < 0):
        raise Error(
            "the times go back",
            where='"t"',
            expected="times that never decrease",
            remedy="hapsis.view.curves draws one series against another",
        )
    return array


def against(x: np.ndarray, name: str, values: Any) -> Series:
    """The series of that name over x."""
    y = numbers(values, name)
    if len(y) != len(x):
        raise Error(f"{len(y)} values for {len(x)} points on the horizontal axis", where=f'"{plain(name)}"')
    return Series(str(name), x, y)


def panels(t: np.ndarray, table: Mapping[str, Any], units: Mapping[str, str]) -> list[Panel]:
    """Series gathered by unit, in the order in which each unit appears; without unit, one by one.

    A table in the table is one panel, whatever the units.
    """
    names = {n for k, v in table.items() for n in (v if isinstance(v, Mapping) else [k])}
    for name in units:
        if name not in names and name not in table:
            raise Error(f'there is no series "{plain(name)}"{near(name, names)}', where="units")
    if not names:
        raise Error("there is no series to draw", expected="a table {name: values}")
    groups: dict[object, tuple[list[Series], str]] = {}
    for name, values in table.items():
        unit = units.get(name, "")
        if isinstance(values, Mapping):
            units_inside = {units.get(n, unit) for n in values}
            unit = units_inside.pop() if len(units_inside) == 1 else unit
            lines = [against(t, n, v) for n, v in values.items()]
            groups["panel", name] = (lines, unit)
        else:
            key = ("unit", unit) if unit else ("name", name)
            groups.setdefault(key, ([], unit))[0].append(against(t, name, values))
    return [Panel(tuple(lines), unit) for lines, unit in groups.values() if lines]
