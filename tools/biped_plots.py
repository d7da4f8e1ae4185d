"""Draws the pictures of docs/biped.md anew.

python tools/biped_plots.py

A test compares.
"""

import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from page_pictures import Pictures

ROOT = Path(__file__).resolve().parent.parent
PICTURES = Pictures("biped")
sys.path[:0] = [str(ROOT / "src")]

import hapsis as hs  # noqa: E402
from hapsis.view import Plot, curves  # noqa: E402

LONG = 1.5  # s: two steps


@cache
def walk() -> Any:
    """A walk of two steps, a row each 5 ms, and the forces on its feet."""
    biped = hs.library.gait.walking_biped()
    result = hs.simulate(biped, until=LONG, start=biped.pose("start"), tolerance=1e-7, every=0.005)
    return result, hs.library.gait.foot_signals(result)


@PICTURES.add
def vertical_forces() -> Plot:
    """The vertical forces of the ground on both feet."""
    result, signals = walk()
    table = {"foot 1, at its toe": signals["FzFoot1"], "foot 2, at its heel": signals["FzFoot2"]}
    return curves(result.t, {n: x.round(1) for n, x in table.items()}, "time, s", "force, N")


@PICTURES.add
def pressure() -> Plot:
    """The centre of pressure along the way, between heel and toe of foot 1 and heel of foot 2."""
    result, signals = walk()
    double = result["phase"] == 1
    table = {
        "centre of pressure": signals["CoPx"],
        "toe of foot 1": result["foot_1.x"],
        "heel of foot 1": np.where(double, np.nan, result["foot_1.heel.x"]),
        "heel of foot 2": np.where(double, result["foot_2.heel.x"], np.nan),
    }
    return curves(result.t, {n: np.round(x, 4) for n, x in table.items()}, "time, s", "x, m")


if __name__ == "__main__":
    PICTURES.write()
