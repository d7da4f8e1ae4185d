"""Draws the pictures of docs/sensing.md anew, from the record of a key and from the filters.

python tools/sensing_plots.py

A test compares.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from page_pictures import Pictures

ROOT = Path(__file__).resolve().parent.parent
PICTURES = Pictures("sensing")
RECORD = ROOT / "tests" / "touch" / "data" / "key_motion_synthetic.csv"
sys.path[:0] = [str(ROOT / "src")]

from hapsis.touch import haptics  # noqa: E402
from hapsis.view import Plot, curves  # noqa: E402

PERIOD = 1 / 4000


def record() -> tuple[Any, Any, Any, Any]:
    """Time, true velocity, and what an encoder and a coil tell."""
    t, _, v, _, counts, _, _, volts = np.loadtxt(RECORD, delimiter=",").T
    encoder, coil = haptics.Encoder(20e-6, offset=1e-3), haptics.Coil(14.0, offset=0.02)
    return t, v, encoder.read(counts), coil.read(volts)


@PICTURES.add
def velocity() -> Plot:
    """The start of a stroke."""
    t, v, position, speed = record()
    both = haptics.motion_filter(PERIOD, position=8.3e-6, velocity=0.05 / 14, jerk=50.0)
    table = {
        "difference over 4 samples": haptics.FiniteDifference(PERIOD, 4).apply(t, position),
        "coil": speed,
        "Kalman, encoder and coil": both.apply(t, np.column_stack([position, speed]))[:, 1],
        "true": v,
    }
    shown = (t > 0.12) & (t < 0.2)
    table = {name: y[shown] for name, y in table.items()}
    return curves(t[shown], table, "time, s", "velocity, m/s")


@PICTURES.add
def delays() -> Plot:
    """Error on the record over the delay on the record, for whole families."""
    t, v, position, speed = record()
    families: dict[str, Any] = {
        "finite difference": [haptics.FiniteDifference(PERIOD, k) for k in range(1, 17)],
        "line through a window": [haptics.SavitzkyGolay(PERIOD, k) for k in range(2, 18)],
        "parabola, at its end": [haptics.SavitzkyGolay(PERIOD, k, degree=2, ago=0) for k in range(9, 56, 2)],
        "Kalman, encoder": [
            haptics.motion_filter(PERIOD, position=8.3e-6, jerk=q, steady=True)
            for q in np.geomspace(5, 500, 16)
        ],
        "Kalman, encoder and coil": [
            haptics.motion_filter(PERIOD, position=8.3e-6, velocity=0.05 / 14, jerk=q, steady=True)
            for q in np.geomspace(2, 500, 16)
        ],
    }
    x: dict[str, Any] = {}
    table: dict[str, Any] = {}
    for name, stages in families.items():
        figures = [judged(stage, t, v, position, speed) for stage in stages]
        x[name], table[name] = np.array(figures).T
    return curves(x, table, "delay on the record, ms", "error, mm/s (RMS)", logarithmic="y")


def judged(stage: Any, t: Any, v: Any, position: Any, speed: Any) -> tuple[float, float]:
    """Delay in ms and error in mm/s of a velocity."""
    samples = position if len(stage.inputs) == 1 else np.column_stack([position, speed])
    y = stage.apply(t, samples)
    y = (y if y.ndim == 1 else y[:, 1])[400:]
    shifts = np.linspace(-0.0005, 0.003, 351)
    errors = [np.mean((y - np.interp(t[400:] - s, t, v)) ** 2) for s in shifts]
    k = int(np.clip(np.argmin(errors), 1, len(shifts) - 2))
    a, b, c = errors[k - 1 : k + 2]  # the lowest point of a parabola through three
    late = shifts[k] + 0.5 * (shifts[1] - shifts[0]) * (a - c) / (a - 2 * b + c)
    return 1e3 * late, 1e3 * float(np.sqrt(np.mean((y - v[400:]) ** 2)))


def main() -> None:
    """Writes every picture."""
    PICTURES.write()


if __name__ == "__main__":
    main()
