"""Draws the pictures of docs/hybrids.md anew.

python tools/hybrid_plots.py

State machines of a hopper and of a walker, and the heights of a ball that bounces until it rests.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from page_pictures import Pictures

ROOT = Path(__file__).resolve().parent.parent
PICTURES = Pictures("hybrids")
sys.path[:0] = [str(ROOT / "src")]

import hapsis as hs  # noqa: E402
from hapsis.view.plots import Plot  # noqa: E402
from hapsis.view.series import Panel, Series  # noqa: E402


@PICTURES.add
def hopper_machine() -> Any:
    """The phases and events of the hopper."""
    return hs.library.hopper().diagram()


@PICTURES.add
def walker_machine() -> Any:
    """The one phase of the compass gait, and its heel strike."""
    return hs.library.compass_gait().diagram()


@PICTURES.add
def bounces() -> Any:
    """The height of a ball, and the energy that its bounces have taken."""
    result = hs.simulate(hs.library.bouncing_ball(0.7), until=3.0, every=0.005)
    lost = result["impact_loss"]
    panels = (
        Panel((Series("height", result.t, np.round(result["ball.bottom.z"], 4)),), "height, m"),
        Panel((Series("lost", result.t, np.round(lost, 4)),), "energy lost, J"),
    )
    return Plot(panels, "", "time, s")


if __name__ == "__main__":
    PICTURES.write()
