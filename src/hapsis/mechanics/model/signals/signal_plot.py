"""Plots of signals by name, over time or over another signal, with their units."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

import hapsis.view as view
from hapsis.errors import ModelError
from hapsis.mechanics.model.signals.column_units import part_units
from hapsis.mechanics.model.signals.data_frames import parts
from hapsis.mechanics.model.signals.signal_table import SignalTable


def signal_plot(table: SignalTable, names: Sequence[str], x: str | None, title: str | None) -> view.Plot:
    """The plot of these signals over time, or over the signal x."""
    series: dict[str, Any] = {}
    units: dict[str, str] = {}
    scales: dict[str, float] = {}
    for name in names:
        values, unit = table[name], table.unit(name)
        if values.ndim == 1:
            series[name] = values
            units |= {name: unit} if unit else {}
            continue
        several = parts(name, values, unit)
        scales |= dict.fromkeys(several, float(np.max(np.abs(values), initial=0.0)))
        for part, own in zip(several, part_units(unit, len(several)), strict=True):
            panel = name if own == unit else f"{name}, {own}"  # moments and forces of a wrench
            series.setdefault(panel, {})[part] = several[part]
            units |= {part: own} if own else {}
    heading = title or getattr(table, "title", "") or None
    if x is None or x == "t":
        return _scaled(view.plot(table["t"], series, title=heading, units=units), scales)
    across = table[x]
    if across.ndim != 1:
        raise ModelError(f'"{x[:60]}" is a vector, which no axis can show', remedy="plot its parts over t")
    unit = table.unit(x)
    drawing = view.phases(across, series, title=heading, units=units, xlabel=f"{x}, {unit}" if unit else x)
    drawing = _scaled(drawing, scales)
    return replace(drawing, equal=unit == "m" and all(_is_path(table, x, name) for name in names))


def _scaled(drawing: view.Plot, scales: Mapping[str, float]) -> view.Plot:
    """The same plot; parts of a vector that are rounding of its other parts are drawn as flat lines."""
    panels = (
        replace(panel, scale=max((scales.get(line.name, 0.0) for line in panel.series), default=0.0))
        for panel in drawing.panels
    )
    return replace(drawing, panels=tuple(panels))


def _is_path(table: SignalTable, x: str, name: str) -> bool:
    """Whether both are lengths of one point, as tip.x and tip.z: then both axes have one scale."""
    return table.unit(name) == "m" and x.rpartition(".")[0] == name.rpartition(".")[0] != ""
