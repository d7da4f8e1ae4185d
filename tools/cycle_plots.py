"""Draws the pictures of docs/cycles.md anew.

python tools/cycle_plots.py

The cascade of the compass gait over the slope, and from which starts the simplest walker walks.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from page_pictures import Pictures

ROOT = Path(__file__).resolve().parent.parent
PICTURES = Pictures("cycles")
sys.path[:0] = [str(ROOT / "src")]

import hapsis as hs  # noqa: E402
from hapsis.view.plots import Plot, maps  # noqa: E402
from hapsis.view.series import Panel, Series  # noqa: E402

DEGREES = 180 / np.pi
SLOPES = np.linspace(4.2, 5.2, 101)  # degrees
PASSED, KEPT = 200, 24  # strides before a motion is drawn, and drawn
GRID = 48  # starts in each direction of the basin
STRIDES = 20  # that a walker must take


@PICTURES.add
def compass_cascade() -> Any:
    """The angle of the standing leg just after each heel strike, over the slope."""
    gait = hs.library.compass_gait()
    one = hs.continue_cycle(gait, {"slope": np.linspace(4.2, 5.2, 21) / DEGREES})
    two = one.doubled(5.2 / DEGREES, 20)
    four = two.doubled(5.1 / DEGREES, 10)
    slopes, angles = wandering(gait, one.cycles[0])
    dots = Series("a long motion", slopes, angles, scattered=True)
    lines = [line for branch in (one, two, four) for line in branch.lines("stance", -DEGREES, DEGREES)]
    return Plot((Panel((dots, *_merged(lines)), "angle after the strike, °"),), "", "slope, °")


def _merged(lines: list[Series]) -> list[Series]:
    """Lines of one name as one, with gaps between."""
    merged: dict[str, Series] = {}
    for line in lines:
        before = merged.get(line.name)
        parts = [] if before is None else [(before.x, before.y), (np.full(1, line.x[0]), np.full(1, np.nan))]
        x, y = (np.concatenate(each) for each in zip(*parts, (line.x, line.y), strict=True))
        merged[line.name] = Series(line.name, x, y)
    return list(merged.values())


def wandering(gait: hs.Hybrid, cycle: hs.Cycle) -> tuple[Any, Any]:
    """Slopes and angles of a motion that has gone on for long on each slope, in degrees."""
    place, points = gait.coordinates.index("stance"), list[tuple[float, float]]()
    point = cycle.point
    for slope in SLOPES:
        strides = cycle.map.at({"slope": slope / DEGREES})
        try:
            point = strides.after(point, PASSED).point
            for _ in range(KEPT):
                point = strides.after(point).point
                points.append((slope, -DEGREES * point.q[place]))
        except hs.SolveError:  # it fell
            break
    near = sorted({(slope, round(float(angle), 2)) for slope, angle in points})
    slopes, angles = np.array(near).T
    return slopes, angles


@PICTURES.add
def simplest_basin() -> Any:
    """From which starts the simplest walker takes twenty steps, over angle and speed just after a strike."""
    gait = hs.library.simplest_walker(0.009)
    angles, more = np.linspace(0.1, 0.35, GRID), np.linspace(-0.03, 0.02, GRID)
    a, w = (x.ravel() for x in np.meshgrid(angles, more))
    w = w + a
    start = {
        "stance": -a,
        "swing": a,
        "stance.v": w,
        "swing.v": w * np.cos(2 * a),
        "hip.Tx": -np.sin(a),
        "hip.Tz": np.cos(a),
        "hip.Tx.v": np.cos(a) * w,
        "hip.Tz.v": np.sin(a) * w,
    }
    many: Any = hs.simulate(gait, until=4.5 * STRIDES, start=start, every=4.5 * STRIDES, tolerance=1e-8)
    counts = np.array([sum(e.name == "heel strike" for e in run.events) for run in many])
    steps = np.where(counts, np.minimum(counts, STRIDES), np.nan).reshape(GRID, GRID)  # none: empty
    return maps(angles, more, {"steps": steps}, "angle after the strike, rad", "speed √(l/g) - angle")


if __name__ == "__main__":
    PICTURES.write()
