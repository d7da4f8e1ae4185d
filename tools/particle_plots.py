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


if __name__ == "__main__":
    PICTURES.write()
