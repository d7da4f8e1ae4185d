"""Draws the pictures of docs/rolling.md anew.

python tools/rolling_plots.py

The stability of a bicycle over its speed, a rattleback that turns back, a tippe top that turns over.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from page_pictures import Pictures

ROOT = Path(__file__).resolve().parent.parent
PICTURES = Pictures("rolling")
sys.path[:0] = [str(ROOT / "src")]

import hapsis as hs  # noqa: E402
from hapsis.view.plots import Plot  # noqa: E402
from hapsis.view.series import Panel, Series  # noqa: E402

SPEEDS = np.linspace(0.0, 10.0, 201)  # m/s
LOWEST = -8.0  # 1/s: what decays faster is not drawn
MEAN = 30  # rows, 0.3 s, over which the spin of the rattleback is averaged: it rocks faster
LEADING = ("lean", "steer", "lean.v", "steer.v")


@PICTURES.add
def bicycle() -> Any:
    """The real parts of the four eigenvalues over the speed, and the frequency where two are a pair."""
    model = hs.library.whipple_bicycle()
    radius = model.parameters["rR"]
    rows: list[Any] = []
    for speed in SPEEDS:
        small = hs.linearize(model, {"rear.v": speed / radius})
        places = [small.states.index(name) for name in LEADING]
        rows.append(np.linalg.eigvals(small.A[np.ix_(places, places)]))
    values = np.array(rows)
    pair = values.imag > 1e-6  # of two that swing together the one that turns forward
    weave, swing = (
        np.where(pair, x, np.nan).max(axis=1, initial=-np.inf, where=pair) for x in (values.real, values.imag)
    )
    alone = np.sort(np.where(np.abs(values.imag) > 1e-6, np.nan, values.real), axis=1)  # NaN last
    swings = np.isfinite(weave)
    lines = {
        "weave": np.where(swings, weave, np.nan),
        "capsize": np.where(swings, alone[:, 1], np.nan),
        "castering": alone[:, 0],
    }
    growth = [Series(name, SPEEDS, _shown(y)) for name, y in lines.items()]
    slow = ~swings  # it falls over without swinging
    fall = np.concatenate([np.append(alone[slow, k], np.nan) for k in (1, 2, 3)])
    growth.append(
        Series("falling, steering", np.tile(np.append(SPEEDS[slow], np.nan), 3)[: len(fall)], _shown(fall))
    )
    panels = (
        Panel(tuple(growth), "growth, 1/s"),
        Panel((Series("weave", SPEEDS, np.round(np.where(swings, swing, np.nan), 3)),), "frequency, rad/s"),
    )
    return Plot(panels, "", "speed, m/s")


def _shown(growth: Any) -> Any:
    """The part of a curve that is drawn."""
    return np.round(np.where(growth > LOWEST, growth, np.nan), 3)


@PICTURES.add
def rattleback() -> Any:
    """The spin of a rattleback about the vertical, and how it rocks about its short axis."""
    result = hs.simulate(hs.library.rattleback(), until=12.0, every=0.01)
    pitch = np.degrees(np.arcsin(result["stone.R"][:, 2, 0]))
    spin = np.gradient(
        np.unwrap(np.arctan2(result["stone.R"][:, 1, 0], result["stone.R"][:, 0, 0])), result.t
    )
    spin = np.convolve(spin, np.ones(MEAN) / MEAN, "same")[MEAN:-MEAN:10]
    panels = (
        Panel((Series("spin", result.t[MEAN:-MEAN:10], np.round(spin, 3)),), "mean spin, rad/s"),
        Panel((Series("pitch", result.t, np.round(pitch, 2)),), "pitch, °"),
    )
    return Plot(panels, "", "time, s")


@PICTURES.add
def tippe_top() -> Any:
    """The lean of the stem from the vertical, and the spin about it."""
    result = hs.simulate(hs.library.tippe_top(), until=3.0, every=0.005)
    lean = np.degrees(np.arccos(np.clip(result["top.R"][:, 2, 2], -1.0, 1.0)))
    panels = (
        Panel((Series("lean", result.t, np.round(lean, 2)),), "lean of the stem, °"),
        Panel((Series("spin", result.t, np.round(result["top.wz"], 2)),), "spin about the stem, rad/s"),
    )
    return Plot(panels, "", "time, s")


if __name__ == "__main__":
    PICTURES.write()
