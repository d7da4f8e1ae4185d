"""Parts of the horizontal axis with a name: shaded by turns, the name at the top."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hapsis.view.axes import Axis
from hapsis.view.page_text import coordinate, escaped


class Span(NamedTuple):
    """From `low` to `high` on the horizontal axis."""

    low: float
    high: float
    name: str


def bands(
    spans: Sequence[Span], horizontal: Axis, left: float, width: float, top: float, height: float
) -> list[str]:
    """The spans behind the lines of a panel, as SVG; what lies outside of the axis is cut."""
    parts: list[str] = []
    for k, span in enumerate(spans):
        ends = np.clip(horizontal.places(np.array([span.low, span.high])), 0.0, 1.0)
        a, b = (left + width * float(place) for place in ends)
        if not b > a:
            continue
        place = f'x="{coordinate(a)}" y="{top}" width="{coordinate(b - a)}" height="{height}"'
        parts.append(f'<rect class="band" fill="#8a94a3" fill-opacity="{0.14 if k % 2 else 0.04}" {place}/>')
        middle = coordinate((a + b) / 2)
        at = f'x="{middle}" y="{top + 16}" text-anchor="middle"'
        parts.append(f'<text class="quiet" {at}>{escaped(span.name, 40)}</text>')
    return parts


def draw_bands(axes: Any, spans: Sequence[Span]) -> None:
    """The same on axes of matplotlib."""
    for k, span in enumerate(spans):
        axes.axvspan(span.low, span.high, color="#8a94a3", alpha=0.12 if k % 2 else 0.04, lw=0)
        at = ((span.low + span.high) / 2, 0.98)
        axes.text(
            *at, span.name.replace("$", r"\$"), transform=axes.get_xaxis_transform(), ha="center", va="top"
        )
