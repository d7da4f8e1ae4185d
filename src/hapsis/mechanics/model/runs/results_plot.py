"""Plots of many runs: one by one, or as bands."""

from collections.abc import Sequence
from typing import Any

import numpy as np

import hapsis.view as view
from hapsis.errors import ModelError
from hapsis.mechanics.model.runs.results import FEW, Results

BANDS = (0.05, 0.25, 0.5, 0.75, 0.95)  # parts of the runs that lie below the curves of a plot


def results_plot(results: Results, names: Sequence[str], x: str | None, title: str | None) -> view.Plot:
    """The plot of these signals over time, or over the signal x."""
    heading = title or results.title or None
    if x is not None and x != "t":
        return _phases(results, names, x, heading)
    table: dict[str, Any] = {}
    for name in names:
        values = _single(results, name)
        if len(results) <= FEW:
            table[name] = {f"{name}, run {k}": row for k, row in enumerate(values)}
        else:
            table[name] = {f"{name}, {100 * part:g} %": row for part, row in _bands(values)}
    units = {name: unit for name in table if (unit := results[0].unit(name))}
    return view.plot(results.t, table, title=heading, units=units)


def _bands(values: Any) -> Any:
    """Below each of these curves lie so many of the runs that have reached the time."""
    rows = np.full((len(BANDS), values.shape[1]), np.nan)
    reached = ~np.isnan(values).all(axis=0)
    rows[:, reached] = np.nanquantile(values[:, reached], BANDS, axis=0)
    return zip(BANDS, rows, strict=True)


def _phases(results: Results, names: Sequence[str], x: str, title: str | None) -> view.Plot:
    """Some runs, each over its own values of x."""
    across = _single(results, x)
    chosen = np.unique(np.linspace(0, len(results) - 1, FEW).round().astype(int))
    one, panels = results[0], []
    unit = one.unit(x)
    for name in names:
        values = _single(results, name)
        xs = {f"{name}, run {k}": across[k] for k in chosen}
        lines = {f"{name}, run {k}": values[k] for k in chosen}
        panels += view.curves(xs, lines, ylabel=one.unit(name)).panels
    return view.Plot(tuple(panels), title or "", f"{x}, {unit}" if unit else x)


def _single(results: Results, name: str) -> Any:
    values = results[name]
    if values.ndim == 1:
        return np.broadcast_to(values, (len(results), len(values)))  # t
    if values.ndim != 2:
        raise ModelError(
            f'"{name[:60]}" has several numbers in a row', remedy="plot those of one run: results[0].plot"
        )
    return values
