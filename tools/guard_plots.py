"""Draws the pictures of docs/guard.md anew.

python tools/guard_plots.py

A test compares.
"""

import sys
from pathlib import Path

import numpy as np
from page_pictures import Pictures

ROOT = Path(__file__).resolve().parent.parent
PICTURES = Pictures("guard")
sys.path[:0] = [str(ROOT / "src")]

from hapsis.touch.haptics.passivity import z_width_plot  # noqa: E402
from hapsis.touch.realtime.guard import Guard  # noqa: E402
from hapsis.view import Plot, curves  # noqa: E402

PERIOD = 1e-3


@PICTURES.add
def fault() -> Plot:
    """A force step, one too large, then a model that fails."""
    t = np.arange(120) * PERIOD
    wanted = np.where(t < 0.010, 0.0, np.where(t < 0.040, 8.0, 14.0))
    wanted[(t >= 0.070) & (t < 0.075)] = np.nan
    guard = Guard((10.0,), PERIOD)
    safe = [guard([force], [0.0])[0] for force in wanted]
    return curves(t * 1000, {"wanted": wanted, "to the device": safe}, "time, ms", "force, N")


@PICTURES.add
def leak() -> Plot:
    """Energy that a sampled spring gives, pressed and let back, without and with the controller."""
    x = np.concatenate([np.arange(201), np.arange(199, -1, -1)]) * 1e-4
    table = {}
    for passive, name in ((False, "observer alone"), (True, "controller on")):
        guard, energy = Guard((40.0,), PERIOD, passive=passive), []
        for place in x:
            guard([-1000.0 * place], [place])
            energy.append(1000 * guard.energy["axis 1"])
        late = slice(390, None)  # the last millimetre, where the store runs out
        table[name] = energy[late]
    return curves(x[390:] * 1000, table, "depth on the way back, mm", "energy taken so far, mJ")


@PICTURES.add
def z_width() -> Plot:
    """What walls a device of 0.5 N·s/m can show."""
    return z_width_plot(0.5)


if __name__ == "__main__":
    PICTURES.write()
