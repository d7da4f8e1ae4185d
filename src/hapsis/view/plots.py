"""Plots: the verbs `plot` and `curves`, and the Plot they return."""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.errors import Error
from hapsis.view import page, png
from hapsis.view import svg as drawing
from hapsis.view.heat_map import heat_map
from hapsis.view.page_text import plain
from hapsis.view.series import Panel, against, numbers, panels, times
from hapsis.view.spans import Span

AXES = ("", "x", "y", "xy")


@dataclass(frozen=True, eq=False)
class Plot:
    """A drawing of series, ready to look at or to save.

        .svg     the picture alone
        .html    a page of its own, with a cursor that reads values
        .save("x.html"), also .svg, .png         .show()   opens the page in the browser

    In a notebook the last value of a cell shows itself.
    """

    panels: tuple[Panel, ...]
    title: str = ""
    xlabel: str = ""
    logarithmic: str = ""
    note: str = ""  # what the plot leaves out, in one line above the panels
    equal: bool = False  # one scale on both axes, for the path of a point
    spans: tuple[Span, ...] = ()  # parts of the horizontal axis that have a name

    @property
    def svg(self) -> str:
        """The picture as SVG text, in light and dark colours by the reader's setting."""
        return self.drawing.svg

    @property
    def html(self) -> str:
        """One self-contained page; without scripts it is the same picture without cursor."""
        picture = self.drawing
        readings = json.dumps(picture.readings, allow_nan=False).replace("<", "\\u003c")
        return page.page(
            self.title or "Plot",
            f"<main>{picture.svg}</main>",
            [page.client("plot.css"), drawing.STYLE],
            [page.client("plot.js")],
            {"readings": readings},
        )

    @property
    def drawing(self) -> drawing.Drawing:
        """The picture, and its numbers for the cursor of a page."""
        equal = self.equal and len(self.panels) == 1
        return drawing.drawn(
            self.panels, self.title, self.xlabel, self.logarithmic, self.note, equal, self.spans
        )

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the plot as .html, .svg or .png (which needs matplotlib) and return the path."""
        suffix = page.suffix_of(path, (".html", ".svg", ".png"))
        if suffix == ".png":
            content = png.picture(
                self.panels, self._heading(), self.xlabel, self.logarithmic, self.equal, self.spans
            )
        else:
            content = self.html if suffix == ".html" else drawing.standalone(self.svg)
        return page.written(path, content)

    def _heading(self) -> str:
        return f"{self.title} ({self.note})" if self.note else self.title

    def show(self) -> Path:
        """Open the page in the browser, from a private temporary file whose path is returned."""
        return page.shown("plot.html", self.html)

    def _repr_html_(self) -> str:
        return drawing.standalone(self.svg)

    def __repr__(self) -> str:
        count = sum(len(panel.series) + (panel.map is not None) for panel in self.panels)
        return f"Plot({count} series in {len(self.panels)} panels)"


def plot(
    t: Any,
    table: Mapping[str, Any],
    title: str | None = None,
    units: Mapping[str, str] | None = None,
    *,
    xlabel: str = "time, s",
) -> Plot:
    """Series over time, in panels one above the other.

    Series of the same unit share a panel; one without unit has its own; a table in the table,
    {"legs": {"left": y1, "right": y2}}, is one panel. Values that are not finite leave a gap.
    Of a long series each pixel column keeps the first, lowest, highest and last value.
    """
    if not isinstance(table, Mapping):
        raise Error("there is no table of series", expected="{name: values}")
    charts = panels(times(t), table, units or {})
    return Plot(tuple(charts), title or "", xlabel)


def phases(
    x: Any,
    table: Mapping[str, Any],
    title: str | None = None,
    units: Mapping[str, str] | None = None,
    *,
    xlabel: str = "",
    scattered: bool = False,
) -> Plot:
    """Series over another series, which may turn back, in panels as those of `plot`.

    With `scattered` the points are not joined.
    """
    charts = panels(numbers(x, "x"), table, units or {})
    if scattered:
        charts = [replace(p, series=tuple(replace(s, scattered=True) for s in p.series)) for p in charts]
    return Plot(tuple(charts), title or "", xlabel)


def curves(
    x: Any,
    table: Mapping[str, Any],
    xlabel: str = "",
    ylabel: str = "",
    *,
    title: str | None = None,
    logarithmic: str = "",
) -> Plot:
    """Curves over any x, in one panel: force laws, phase portraits, work loops.

    x may turn back; {name: x} gives each curve its own. `logarithmic` is "x", "y" or "xy";
    values that are not positive leave a gap there.
    """
    if not isinstance(table, Mapping) or not table:
        raise Error("there is no table of curves", expected="{name: values}")
    if logarithmic not in AXES:
        raise Error(f'logarithmic="{str(logarithmic)[:20]}"', expected='"x", "y" or "xy"')
    lines = []
    for name, y in table.items():
        if isinstance(x, Mapping) and name not in x:
            raise Error(f'there is no x for "{name}"', where="x", expected="one for each curve")
        own = numbers(x[name] if isinstance(x, Mapping) else x, f"x of {name}")
        own, y = _positive(own, "x" in logarithmic), numbers(y, name)
        lines.append(against(own, name, _positive(y, "y" in logarithmic)))
    return Plot((Panel(tuple(lines), ylabel),), title or "", xlabel, logarithmic)


def maps(
    x: Any, y: Any, table: Mapping[str, Any], xlabel: str = "", ylabel: str = "", *, title: str | None = None
) -> Plot:
    """Numbers over two others as coloured cells, one map for each name: values[j, k] at x[k], y[j].

    x and y increase. Cells that are not finite stay empty.
    """
    x, y = numbers(x, "x", finite=True), numbers(y, "y", finite=True)
    if not all(len(a) and np.all(np.diff(a) > 0) for a in (x, y)):
        raise Error("the places of a map do not increase", expected="x and y with increasing numbers")
    charts = []
    for name, values in table.items():
        array = np.asarray(values, float)
        if array.shape != (len(y), len(x)):
            raise Error(
                f"the values have the shape {array.shape}",
                where=f'"{plain(name)}"',
                expected=f"({len(y)}, {len(x)}): a row for each y, a column for each x",
            )
        charts.append(Panel((), ylabel, heat_map(str(name), x, y, array)))
    return Plot(tuple(charts), title or "", xlabel)


def _positive(values: np.ndarray, logarithmic: bool) -> np.ndarray:
    return np.where(values > 0, values, np.nan) if logarithmic else values
