"""Draws the pictures of docs/particle_contacts.md anew.

python tools/particle_contact_plots.py
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from page_pictures import Pictures

ROOT = Path(__file__).resolve().parent.parent
PICTURES = Pictures("particle_contacts")
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests" / "motion" / "particles")]

from test_touch_self import strip  # noqa: E402
from test_touch_slopes import SIDE, G, tilted, tipping_slope  # noqa: E402
from touch_shapes import P, box, wheel  # noqa: E402

import hapsis as hs  # noqa: E402
from hapsis.view.plots import Plot  # noqa: E402
from hapsis.view.series import Panel, Series  # noqa: E402


def side(thing: Any, x: Any) -> Any:
    """The edges of the front of a thing, seen along y: a line with gaps."""
    front = thing.points[:, 1] < thing.points[:, 1].min() + 1e-9
    edges: dict[tuple[int, ...], list[Any]] = {}
    for f in thing.facets:
        a, b, c = (thing.points[k] for k in f)
        normal = np.cross(b - a, c - a)
        for k in range(3):
            edges.setdefault(tuple(sorted((int(f[k]), int(f[k - 1])))), []).append(
                normal / np.linalg.norm(normal)
            )
    rows: list[Any] = []
    for (a, b), normals in sorted(edges.items()):
        if front[a] and front[b] and normals[0] @ normals[-1] < 0.999:
            rows += [x[a, [0, 2]], x[b, [0, 2]], (np.nan, np.nan)]
    return np.round(np.array(rows), 4).T


@PICTURES.add
def slopes() -> Any:
    """Figure 32: cubes and a wheel on slopes, every 0.06 s, seen along the slope."""
    cube = box("c", SIDE, SIDE, SIDE, stiffness=5e4, damping=40.0).at(0, 0, SIDE / 2 - 1e-4)
    disc = wheel("c", SIDE / 2, 0.05, 24, stiffness=1e4).at(0, 0, SIDE / 2 - 1e-4)
    cases = {
        "tips: tan α = 1.3, μ = 1.4": (cube, 1.3, 1.4, 0.24),
        "slides: tan α = 0.6, μ = 0.3": (cube, 0.6, 0.3, 0.3),
        "does both: tan α = 4, μ = 1.1": (cube, 4.0, 1.1, 0.18),
        "rolls: tan α = 0.3, μ = 0.5": (disc, 0.3, 0.5, 0.48),
    }
    curves: list[Any] = []
    for row, (name, (thing, slope, friction, until)) in enumerate(cases.items()):
        floor = P.Floor(bedding=1e7, damping=3e4, friction=friction)
        result = hs.simulate(P.Scene(thing, floor, gravity=tilted(slope)), until=until, every=0.06)
        u, v = np.concatenate([side(thing, x) for x in result["c.points"]], axis=1)
        curves.append(Series(name, u + 0.4 * (row % 2), v - 0.2 * (row // 2)))
    return Plot((Panel(tuple(curves), "across the slope, m"),), "", "along the slope, m", equal=True)


@PICTURES.add
def tipping() -> Any:
    """The slope on which a cube tips, over the bedding."""
    beds = np.logspace(6, 11, 11)
    exact = np.array([tipping_slope(bed) for bed in beds])
    about = 1.0 - np.cbrt(12.0 * G * np.cos(np.arctan(exact)) / (beds * SIDE**3))
    lines = (Series("a wedge of pressure", beds, exact), Series("the third root", beds, about))
    return Plot((Panel(lines, "tan α"),), "", "λ, N/m³", logarithmic="x")


@PICTURES.add
def fold() -> Any:
    """A strip that folds onto itself."""
    thing = strip(8.0)
    law = P.Touch(bedding=1e8, damping=1e4, friction=0.3, self_contact=True)
    result = hs.simulate(P.Scene(thing, law, gravity=(0, 0, 0)), until=0.18, every=0.06)
    lines: list[Any] = []
    for t, x in zip(result.t, result["strip.points"], strict=True):
        moved = x - [0.0, 0.0, x[:, 2].mean()]
        lines.append(Series(f"{1000 * t:.0f} ms", *side(thing, moved)))
    return Plot((Panel(tuple(lines), "z - mean, m"),), "", "x, m", equal=True)


if __name__ == "__main__":
    PICTURES.write()
