"""Plots that several studies share: force over the position of the finger."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from hapsis.studies.piano.runs import MM, SETTLED, Stroke
from hapsis.view.plots import Plot, curves
from hapsis.view.spans import Span

POSITION, FORCE = "position of the finger, mm", "force, N"


def force_curves(title: str, strokes: Mapping[str, Stroke], spans: Sequence[Span] = ()) -> Plot:
    """The force of each stroke over the position, on the way down."""
    down = {name: _down(stroke) for name, stroke in strokes.items()}
    x = {name: MM * stroke.x for name, stroke in down.items()}
    plot = curves(x, {name: stroke.force for name, stroke in down.items()}, POSITION, FORCE, title=title)
    return replace(plot, spans=tuple(spans))


def _down(stroke: Stroke) -> Stroke:
    shown = (stroke.t >= SETTLED) & (np.arange(len(stroke.t)) <= np.argmax(stroke.x))
    return Stroke(*(column[shown] for column in stroke))
