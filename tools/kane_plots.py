"""Draws the pictures of docs/kane.md anew.

python tools/kane_plots.py

The generalized speeds of a sled on a blade, and its way.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from page_pictures import Pictures

ROOT = Path(__file__).resolve().parent.parent
PICTURES = Pictures("kane")
sys.path[:0] = [str(ROOT / "src")]

import hapsis as hs  # noqa: E402
from hapsis.view.plots import curves  # noqa: E402


@PICTURES.add
def sled_speeds() -> Any:
    """Forward speed and yaw of the sled of the page over time."""
    sled = hs.Model(
        hs.Body("sled", mass=2.0, com=(0.1, 0, 0), inertia=(0.1, 0.3, 0.3)),
        hs.Planar("p", hs.WORLD, "sled"),
        hs.KnifeEdge("blade", "sled"),
        hs.Speed("forward", lambda s: hs.cos(s["p.Rz"]) * s["p.Tx.v"] + hs.sin(s["p.Rz"]) * s["p.Ty.v"]),
        hs.Speed("yaw", {"p.Rz.v": 1.0}),
    )
    run = hs.simulate(sled, until=6.0, start={"p.Rz": 0.3, "forward": 1.0, "yaw": 2.0}, every=0.02)
    names = {"forward, m/s": "forward", "yaw, rad/s": "yaw", "along x, m/s": "p.Tx.v"}
    return curves(run.t, {n: np.round(run[x], 3) for n, x in names.items()}, "time, s", "speed")


if __name__ == "__main__":
    PICTURES.write()
