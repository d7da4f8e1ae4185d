"""Draws the pictures of docs/designer_questions.md anew.

python tools/designer_plots.py
"""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from page_pictures import Pictures

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "src")]

import hapsis as hs  # noqa: E402
from hapsis.view import Plot, curves  # noqa: E402

PICTURES = Pictures("designs")
FRAMES = ("crank.crank coupler", "rocker.rocker coupler", "coupler.coupler arm", "arm.grip")


def linkage() -> hs.Model:
    """The six-bar linkage of example 43."""
    return hs.load(ROOT / "examples" / "models" / "six_bar.yaml")


@PICTURES.add
def paths() -> Plot:
    """Where four pins of the linkage go."""
    turn = {"base crank": np.linspace(-np.pi, np.pi, 181)}
    spaces = [hs.workspace(linkage(), frame, turn) for frame in FRAMES]
    names = [frame.partition(".")[2] for frame in FRAMES]
    x = {name: space.points[:, 0] for name, space in zip(names, spaces, strict=True)}
    y = {name: space.points[:, 1] for name, space in zip(names, spaces, strict=True)}
    return replace(curves(x, y, "x, m", "y, m"), equal=True)


@PICTURES.add
def forces() -> Plot:
    """What the crank must give and two pins must bear over a turn at 60 per minute."""
    result = hs.follow(linkage(), {"base crank": lambda t: 2 * np.pi * t}, until=1.0, every=1 / 180)
    names = ("base crank", "rocker coupler", "lever arm")
    bearing = {n: np.linalg.norm(result[f"{n}.reaction"][:, 3:], axis=1) for n in names}
    table = {"effort of the crank, 0.1 N m": 10 * result["base crank.effort"]}
    table |= {f"pin {n}, N": force for n, force in bearing.items()}
    return curves(result["base crank"], table, "base crank, rad", "effort and bearing forces")


if __name__ == "__main__":
    PICTURES.write()
