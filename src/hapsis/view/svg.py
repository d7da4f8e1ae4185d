"""Panels to SVG: axes, lines, legends, and the numbers that the page's cursor reads."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hapsis.view import decimation as thinning
from hapsis.view.axes import FLATTEST, Axis, axis
from hapsis.view.colours import DASHES, LINES
from hapsis.view.heat_map import cells, colour_bar
from hapsis.view.page_text import coordinate, escaped, plain
from hapsis.view.series import Panel, Series
from hapsis.view.spans import Span, bands

WIDTH = 860
LEFT, RIGHT = 72, 22  # margins
INSIDE = WIDTH - LEFT - RIGHT
LINE = 20  # height of a line of text
HEIGHTS = {1: 320, 2: 210}  # of a panel, by their number; else
SMALL = 150
LETTER = 6.9  # width of a letter, about

ROUNDING = 1e-12  # of the width: values that go back by less have not turned back
_LIGHT = """
.hapsis-plot { font: 12px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
.hapsis-plot .paper { fill: #ffffff; } .hapsis-plot .inside { fill: #f8f9fb; }
.hapsis-plot text { fill: #3d4653; } .hapsis-plot .quiet { fill: #6b7583; }
.hapsis-plot .title { font-size: 15px; font-weight: 600; fill: #1d2530; }
.hapsis-plot .grid { stroke: #e3e7ec; stroke-width: 1; fill: none; }
.hapsis-plot .frame { stroke: #b9c1cb; stroke-width: 1; fill: none; }
.hapsis-plot .zero { stroke: #b9c1cb; stroke-width: 1; }
.hapsis-plot .line { fill: none; stroke-width: 1.6; stroke-linejoin: round; stroke-linecap: round; }
.hapsis-plot .cursor { stroke: #6b7583; stroke-width: 1; pointer-events: none; }
.hapsis-plot .box { fill: #ffffff; fill-opacity: 0.93; stroke: #c6ced8; }
.hapsis-plot .reading { font-variant-numeric: tabular-nums; pointer-events: none; }
"""
_DARK = """
.hapsis-plot .paper { fill: #14181d; } .hapsis-plot .inside { fill: #191e25; }
.hapsis-plot text { fill: #c6cdd6; } .hapsis-plot .quiet { fill: #8d97a3; }
.hapsis-plot .title { fill: #eef1f5; }
.hapsis-plot .grid { stroke: #2a313a; } .hapsis-plot .frame { stroke: #4a535f; }
.hapsis-plot .zero { stroke: #4a535f; } .hapsis-plot .cursor { stroke: #9aa4b0; }
.hapsis-plot .box { fill: #1e242c; stroke: #434c58; }
"""


def _colours(which: int) -> str:
    return "\n".join(
        f".hapsis-plot .line.c{k} {{ stroke: {pair[which]}; }} "
        f".hapsis-plot .dot.c{k} {{ fill: {pair[which]}; }}"
        for k, pair in enumerate(LINES)
    )


STYLE = f"{_LIGHT}{_colours(0)}\n@media (prefers-color-scheme: dark) {{{_DARK}{_colours(1)}\n}}\n"


@dataclass(frozen=True)
class Drawing:
    """A picture, and its numbers for the cursor."""

    svg: str
    readings: dict[str, Any]


def drawn(
    panels: Sequence[Panel],
    title: str,
    xlabel: str,
    logarithmic: str,
    note: str = "",
    equal: bool = False,
    spans: Sequence[Span] = (),
) -> Drawing:
    """The panels one above the other over one horizontal axis; `equal` gives both axes one scale."""
    height = HEIGHTS.get(len(panels), SMALL)
    across = [line.x for panel in panels for line in panel.series]
    across += [panel.map.x for panel in panels if panel.map]
    if equal:
        across.append(_room(across, [line.y for line in panels[0].series], INSIDE / height))
    horizontal = axis(across, count=8, logarithmic="x" in logarithmic)
    top = 34 if title else 8
    parts, readings = [], []
    if note:
        parts.append(f'<text class="quiet" x="{LEFT}" y="{top + 14}">{escaped(note, 130)}</text>')
        top += LINE
    for panel in panels:
        elements, legend_height = _legend(panel, top)
        top += legend_height
        vertical = _vertical(panel, height, "y" in logarithmic, across if equal else None)
        parts += [*elements, *_frame(horizontal, vertical, top, height, panel.unit)]
        parts += bands(spans, horizontal, LEFT, INSIDE, top, height)
        elements, read = _lines(panel, horizontal, vertical, top, height)
        parts += elements
        place = {"top": top, "height": height, "y": _ends(vertical), "digits": _digits(vertical)}
        readings.append({**place, "series": read})
        top += height + 12
    parts += _foot(horizontal, top - 12, xlabel)
    total = top + 14 + (LINE if xlabel or horizontal.header else 0)
    head = f'<text class="title" x="{LEFT}" y="22">{escaped(title, 100)}</text>' if title else ""
    drawings = [d for p in panels for d in (*p.series[:8], *([p.map] if p.map else []))]
    names = ", ".join(plain(d.name, 40) for d in drawings)
    about = escaped(f"{title or 'Plot'}: {names}", 400)
    svg = (
        f'<svg class="hapsis-plot" xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
        f'height="{total}" viewBox="0 0 {WIDTH} {total}" role="img" '
        f'aria-label="{about}">'
        f'<rect class="paper" width="{WIDTH}" height="{total}"/>{head}' + "".join(parts) + "</svg>"
    )
    where = {"left": LEFT, "width": INSIDE, "x": _ends(horizontal), "xlabel": plain(xlabel)}
    return Drawing(svg, {**where, "panels": readings})


def _vertical(panel: Panel, height: float, logarithmic: bool, across: Any) -> Axis:
    """The vertical axis of a panel; of one scale with the values `across`, where they are given."""
    count = 6 if height > 200 else 4
    if panel.map:
        return axis([panel.map.y], count=count)
    values = [line.y[np.isfinite(line.x)] for line in panel.series]
    if across is not None:
        return axis([*values, _room(values, across, height / INSIDE)], count=count)
    finite = np.concatenate([y[np.isfinite(y)] for y in values])
    if len(finite) and np.abs(finite).max() <= FLATTEST * panel.scale:
        return axis([np.zeros(1)], count=count)
    return axis(values, count=count, margin=0.06, logarithmic=logarithmic)


def _room(values: Sequence[np.ndarray], others: Sequence[np.ndarray], ratio: float) -> np.ndarray:
    """Two ends around the values, so far apart that both axes get one scale, `ratio` in length."""
    ends = []
    for arrays in (values, others):
        every = np.concatenate(arrays)
        every = every[np.isfinite(every)]
        ends.append((float(every.min()), float(every.max())) if len(every) else (0.0, 1.0))
    (low, high), (first, last) = ends
    middle, half = (low + high) / 2, max(high - low, ratio * (last - first)) / 2
    return np.array([middle - half, middle + half])


def standalone(svg: str) -> str:
    """The picture with its style inside."""
    start = svg.index(">") + 1
    return f"{svg[:start]}<style>{STYLE}</style>{svg[start:]}"


def _ends(axis: Axis) -> dict[str, Any]:
    return {"low": axis.low, "high": axis.high, "logarithmic": axis.logarithmic}


def _legend(panel: Panel, top: float) -> tuple[list[str], int]:
    """A sample of each line with its name, in as many rows as needed, and their height."""
    parts, x, y = [], float(LEFT), top + 14
    if panel.map:
        return colour_bar(panel.map, x, y), 22
    for k, line in enumerate(panel.series):
        text = plain(line.name, 60)
        width = 26 + LETTER * len(text) + 18
        if x + width > WIDTH and x > LEFT:
            x, y = float(LEFT), y + LINE
        at = coordinate(x)
        parts.append(
            f'<path class="line {_class(k)}"{_dash(k)} d="M{at} {coordinate(y - 4)}h18"/>'
            f'<text x="{coordinate(x + 24)}" y="{coordinate(y)}">{escaped(line.name, 60)}</text>'
        )
        x += width
    return parts, int(y + 8 - top)


def _frame(x: Axis, y: Axis, top: float, height: float, unit: str) -> list[str]:
    """Grid, tick labels, unit."""
    across = "".join(f"M{coordinate(LEFT + p * INSIDE)} {top}v{height}" for p, _ in x.ticks)
    rows = [(coordinate(top + (1 - p) * height), label) for p, label in y.ticks]
    along = "".join(f"M{LEFT} {place}h{INSIDE}" for place, _ in rows)
    parts = [
        f'<rect class="inside" x="{LEFT}" y="{top}" width="{INSIDE}" height="{height}"/>',
        f'<path class="grid" d="{across}{along}"/>',
    ]
    if not y.logarithmic and y.low < 0 < y.high:
        zero = coordinate(top + (1 - float(y.places(np.zeros(1))[0])) * height)
        parts.append(f'<path class="zero" d="M{LEFT} {zero}h{INSIDE}"/>')
    parts.append(f'<path class="frame" d="M{LEFT} {top}v{height}h{INSIDE}"/>')
    for place, label in rows:
        parts.append(f'<text x="{LEFT - 8}" y="{place}" dy="4" text-anchor="end">{escaped(label)}</text>')
    middle = coordinate(top + height / 2)
    text = "  ".join(part for part in (plain(unit, int(height / LETTER)), y.header) if part)
    if text:
        parts.append(
            f'<text class="quiet" x="14" y="{middle}" text-anchor="middle" '
            f'transform="rotate(-90 14 {middle})">{escaped(text)}</text>'
        )
    return parts


def _foot(x: Axis, bottom: float, xlabel: str) -> list[str]:
    """Tick labels of the horizontal axis and its name."""
    parts = [
        f'<text x="{coordinate(LEFT + place * INSIDE)}" y="{bottom + 18}" text-anchor="middle">'
        f"{escaped(label)}</text>"
        for place, label in x.ticks
    ]
    text = "  ".join(part for part in (plain(xlabel), x.header) if part)
    if text:
        parts.append(
            f'<text class="quiet" x="{LEFT + INSIDE / 2}" y="{bottom + 38}" text-anchor="middle">'
            f"{escaped(text)}</text>"
        )
    return parts


def _lines(
    panel: Panel, horizontal: Axis, vertical: Axis, top: float, height: float
) -> tuple[list[str], list[dict[str, Any]]]:
    """The lines of one panel as paths, and the numbers that were kept."""
    if panel.map:
        across = LEFT + horizontal.places(panel.map.x) * INSIDE
        along = top + (1 - vertical.places(panel.map.y)) * height
        return cells(panel.map, across.tolist(), along.tolist()), []
    parts, readings, digits = [], [], _digits(vertical)
    for k, line in enumerate(panel.series):
        indices = _kept(line, horizontal.logarithmic)
        x = (LEFT + horizontal.places(line.x) * INSIDE).tolist()
        y = (top + (1 - vertical.places(line.y)) * height).tolist()
        path = []
        for run in thinning.runs(indices, line.x + line.y):
            points = [f"{coordinate(x[i])} {coordinate(y[i])}" for i in run]
            lone = run if line.scattered or len(run) == 1 else []
            if not line.scattered:
                path.append(f"M{points[0]}" + (f"L{' '.join(points[1:])}" if len(run) > 1 else ""))
            for i in lone:
                at = f'cx="{coordinate(x[i])}" cy="{coordinate(y[i])}"'
                parts.append(f'<circle class="dot {_class(k)}" r="2.6" {at}/>')
        whole = "".join(path)
        parts.append(f'<path class="line {_class(k)}"{_dash(k)} d="{whole}"/>')
        readings.append(
            {
                "name": plain(line.name, 40),
                "class": _class(k),
                "x": [float(f"{v:.10g}") for v in line.x[indices]],
                "y": [float(f"{v:.{digits + 2}g}") for v in line.y[indices]],
            }
        )
    return parts, readings


def _kept(line: Series, logarithmic: bool) -> np.ndarray:
    finite = line.x[np.isfinite(line.x)]
    back = ROUNDING * np.ptp(finite) if len(finite) else 0.0
    if not logarithmic and np.all(np.diff(finite) >= -back) and len(finite) == len(line.x):
        return thinning.along(line.x, line.y, INSIDE)
    return thinning.anywhere(line.x, line.y, 2 * INSIDE)


def _digits(axis: Axis) -> int:
    """Significant digits that tell neighbouring pixels apart."""
    if axis.logarithmic:
        return 6
    size = max(abs(axis.low), abs(axis.high))
    return min(15, 4 + max(2, math.ceil(-math.log10(axis.high / size - axis.low / size)) + 1))


def _class(k: int) -> str:
    return f"c{k % len(LINES)}"


def _dash(k: int) -> str:
    pattern = DASHES[(k // len(LINES)) % len(DASHES)]
    return f' stroke-dasharray="{pattern}"' if pattern else ""
