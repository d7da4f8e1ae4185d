"""Plots of sweeps: curves over an axis of the grid, maps over two of them, points of samples."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import hapsis.view as view
from hapsis.errors import ModelError, notice
from hapsis.mechanics.model.runs.curve_labels import curve_labels
from hapsis.mechanics.model.runs.sweep_table import Sweep

FEW = 12  # curves in a plot


def sweep_plot(
    table: Sweep, names: Sequence[str], x: str | None, y: str | None, title: str | None
) -> view.Plot:
    """The plot of these columns over x, or as maps over x and y."""
    if x is None:
        x = (
            next(name for name in table.given if name != y)
            if len(table.given) > 1
            else next(iter(table.given))
        )
    if y is not None:
        return _maps(table, names, x, y, title)
    units = {name: table.units[name] for name in names if name in table.units}
    if not (table.is_grid and x in table.axes):
        order = np.argsort(table[x], kind="stable")
        columns = {name: table[name][order] for name in names}
        return view.phases(
            table[x][order], columns, title=title, units=units, xlabel=_label(table, x), scattered=True
        )
    order = np.argsort(table.axes[x], kind="stable")
    count = table.grid(x).size // len(table.axes[x])
    chosen = np.unique(np.linspace(0, count - 1, FEW).round().astype(int))
    curves = {name: _curves(table, name, x, order, chosen) for name in names}
    plot = view.phases(table.axes[x][order], curves, title=title, units=units, xlabel=_label(table, x))
    return plot if len(chosen) == count else replace(plot, note=_note(table, x, len(chosen), count))


def _label(table: Sweep, name: str) -> str:
    return f"{name}, {table.units[name]}" if name in table.units else name


def _note(table: Sweep, x: str, drawn: int, count: int) -> str:
    """The line that says how many curves are drawn, which is told as a notice too."""
    note = f"{drawn} of {count} curves are drawn"
    others = [name for name in table.axes if name != x]
    remedy = f'; y="{others[0]}" draws a map of all' if len(others) == 1 else ""
    notice(f"the plot is not of all runs: {note}{remedy}")
    return note


def _curves(table: Sweep, name: str, x: str, order: Any, chosen: Any) -> dict[str, Any]:
    """The values of a column over an axis of the grid, for these values of the other axes."""
    if len(table.axes) == 1:
        return {name: table[name][order]}
    place = list(table.axes).index(x)

    def rows(column: str) -> Any:
        return np.moveaxis(table.grid(column), place, -1).reshape(-1, len(order))[chosen]

    labels = curve_labels({other: rows(other)[:, 0] for other in table.axes if other != x})
    return {f"{name}, {label}": row[order] for label, row in zip(labels, rows(name), strict=True)}


def _maps(table: Sweep, names: Sequence[str], x: str, y: str, title: str | None) -> view.Plot:
    """A map of each column over the two axes of the grid."""
    if not table.is_grid or {x, y} != set(table.axes) or x == y:
        raise ModelError(
            f'a map over "{x[:60]}" and "{y[:60]}" is not possible',
            expected="a grid of two swept names, as x and y",
            remedy="sweep these two alone, or plot without y",
        )
    across, along = (np.unique(table.axes[name], return_index=True) for name in (x, y))
    turned = tuple(table.axes) == (x, y)
    maps = {}
    for name in names:
        values = table.grid(name).T if turned else table.grid(name)
        maps[_label(table, name)] = values[np.ix_(along[1], across[1])]
    return view.maps(across[0], along[0], maps, _label(table, x), _label(table, y), title=title)
