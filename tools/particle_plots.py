"""Draws the pictures of docs/particles.md anew.

python tools/particle_plots.py
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from page_pictures import Pictures

ROOT = Path(__file__).resolve().parent.parent
PICTURES = Pictures("particles")
sys.path[:0] = [str(ROOT / "src")]

import hapsis as hs  # noqa: E402
from hapsis.view.plots import Plot  # noqa: E402
from hapsis.view.series import Panel, Series  # noqa: E402


@PICTURES.add
def falling_cube() -> Any:
    """The energies of the cube of examples/07_particles.py."""
    cube = hs.particles.solid("cube", hs.shapes.box(0.1, 0.1, 0.1), mass=0.5, stiffness=2000, damping=5)
    scene = hs.particles.Scene(cube.at(0, 0, 0.3), hs.particles.Floor(stiffness=2000, friction=0.4))
    result = hs.simulate(scene, until=1.0, every=0.005)
    names = ("kinetic", "potential", "dissipated")
    lines = tuple(Series(name, result.t, np.round(result[name], 5)) for name in names)
    return Plot((Panel(lines, "energy, J"),), "", "time, s")


@PICTURES.add
def inertia() -> Any:
    """Figure 7: the inertia of a box in equal masses on a grid, and in cells of nine particles."""
    size = np.array((1.0, 2.0, 3.0))
    exact = (size**2).sum() - size**2
    counts = np.arange(1, 9)
    even: list[float] = []
    ours: list[float] = []
    for n in counts:
        line = (np.arange(n + 1) / n - 0.5)[:, None] * size
        spread = np.array([(line[:, k] ** 2).mean() for k in range(3)])
        even.append(float(np.abs(12 * (spread.sum() - spread) / exact - 1).max()))
        cells = hs.particles.solid("box", hs.Box(size.tolist()), mass=12.0, stiffness=1.0, cells=int(n))
        ours.append(max(1e-16, float(np.abs(np.diag(cells.inertia) / exact - 1).max())))
    particles = (counts + 1) ** 3
    lines = (
        Series("equal masses on a grid", particles, np.array(even)),
        Series("masses of cells", particles + counts**3, np.array(ours)),
    )
    return Plot((Panel(lines, "relative error of the inertia"),), "", "particles", logarithmic="y")


def _outlines(thing: Any, x: Any) -> Any:
    """The outer edges of an object, seen along y: a line with gaps."""
    edges = {tuple(sorted((int(f[k]), int(f[k - 1])))) for f in thing.facets for k in range(3)}
    rows: list[Any] = []
    for a, b in sorted(edges):
        if abs(thing.points[a, 1] - thing.points[b, 1]) < 1e-9 and thing.points[a, 1] < 0:
            rows += [x[a, [0, 2]], x[b, [0, 2]], (np.nan, np.nan)]
    return np.round(np.array(rows), 4).T


@PICTURES.add
def table() -> Any:
    """Figure 13: cells of a table that is loaded in its middle, larger than life."""

    def load(x: Any) -> Any:
        push = np.zeros_like(x)
        middle = np.exp(-((x[:, 0] / 0.1) ** 2)) * (x[:, 2] > 0.029)
        push[:, 2] = -100.0 * middle / middle.sum()
        return (np.abs(x[:, 0]) > 0.499) & (x[:, 2] < -0.029), push

    top = hs.Box((1.0, 0.6, 0.06))
    answer = hs.particles.refined("table", top, load, material="wood", cells=(16, 4, 2))
    thing = answer.object
    held, push = load(thing.points)
    loads = {f"table.{k}": tuple(push[k]) for k in np.flatnonzero(push.any(axis=1))}
    scene = hs.particles.Scene(thing.holding(*np.flatnonzero(held).tolist()), gravity=(0, 0, 0))
    moved = hs.particles.rest(scene, loads).points - thing.points
    x = thing.points + moved * (0.15 / np.abs(moved).max())
    u, v = _outlines(thing, x)
    return Plot((Panel((Series("cells", u, v),), "z, m, deflection enlarged"),), "", "x, m", equal=True)


@PICTURES.add
def connectors() -> Any:
    """Figure 14: a bar under its weight with linear springs alone, with all connectors, of a material."""
    bar = hs.Box((1.0, 0.1, 0.1))
    kinds = {
        "linear springs": {"mass": 1.0, "stiffness": 3000.0},
        "with torsion and joint springs": {"mass": 1.0, "stiffness": 3000.0, "torsion": 20.0},
        "a material": {"mass": 1.0, "material": hs.particles.Material(0.7e6, 0.3)},
    }
    lines: list[Any] = []
    for name, law in kinds.items():
        thing = hs.particles.solid("bar", bar, cells=(10, 1, 1), **law)
        held = np.flatnonzero(thing.points[:, 0] < -0.499).tolist()
        x = hs.particles.rest(hs.particles.Scene(thing.holding(*held))).points
        u, v = _outlines(thing, x)
        lines.append(Series(name, u, v))
    return Plot((Panel(tuple(lines), "z, m"),), "", "x, m", equal=True)


if __name__ == "__main__":
    PICTURES.write()
