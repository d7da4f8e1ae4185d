"""Plots of many runs: one by one, or as bands."""

from collections.abc import Sequence
from typing import Any

import numpy as np

import hapsis.view as view
from hapsis.errors import ModelError, notice
from hapsis.mechanics.model.runs.curve_labels import curve_labels
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
            labels = _labels(results, range(len(results)))
            table[name] = {f"{name}, {label}": row for label, row in zip(labels, values, strict=True)}
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
    chosen = np.unique(np.linspace(0, len(results) - 1, FEW).round().astype(int)).tolist()
    one, panels = results[0], []
    unit = one.unit(x)
    labels = _labels(results, chosen)
    for name in names:
        values = _single(results, name)
        xs = {f"{name}, {label}": across[k] for label, k in zip(labels, chosen, strict=True)}
        lines = {f"{name}, {label}": values[k] for label, k in zip(labels, chosen, strict=True)}
        panels += view.curves(xs, lines, ylabel=one.unit(name)).panels
    note = ""
    if len(chosen) < len(results):
        note = f"{len(chosen)} of {len(results)} runs are drawn"
        notice(f"the plot is not of all runs: {note}; results[k].plot draws one")
    return view.Plot(tuple(panels), title or "", f"{x}, {unit}" if unit else x, note=note)


def _labels(results: Results, chosen: Sequence[int]) -> list[str]:
    """What tells these runs apart: the values that were given, or their numbers."""
    values = {name: np.asarray(x)[list(chosen)] for name, x in results.given.items()}
    scalars = {name: x for name, x in values.items() if x.ndim == 1}
    return curve_labels(scalars, chosen) if len(scalars) == len(values) else [f"run {k}" for k in chosen]


def _single(results: Results, name: str) -> Any:
    values = results[name]
    if values.ndim == 1:
        return np.broadcast_to(values, (len(results), len(values)))  # t
    if values.ndim != 2:
        raise ModelError(
            f'"{name[:60]}" has several numbers in a row', remedy="plot those of one run: results[0].plot"
        )
    return values
