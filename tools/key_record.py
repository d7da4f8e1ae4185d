"""Writes the synthetic record of a piano key that tests and pages use.

python tools/key_record.py

Nobody's finger: the motion is a formula, and the sensors are our models of them with noise from a
seed. It has two strokes of 9.5 mm, one hard and one gentle, each with a small rebound at the key
bed, and a tremor.
"""

import sys
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
FILE = ROOT / "tests" / "touch" / "data" / "key_motion_synthetic.csv"
sys.path[:0] = [str(ROOT / "src")]

from hapsis.touch.haptics.sensors.hall_pair import HallPair  # noqa: E402
from hapsis.touch.haptics.sensors.linear_sensors import Coil, Encoder  # noqa: E402

RATE, SECONDS = 4000, 1.0
ENCODER = Encoder(20e-6, offset=1e-3, noise=0.3)
HALL = HallPair(k=1.1e-3, offset=5e-3, level=2.4, noise=2e-3)
COIL = Coil(14.0, offset=0.02, noise=0.05)
NAMES = ("t", "position", "velocity", "acceleration", "counts", "front", "rear", "coil")
HEAD = "synthetic: a made-up key motion (SI units) and what models of sensors show of it"


def motion(t):
    """Position and its two derivatives, by central differences of a smooth formula."""

    def key(t):
        x = np.zeros_like(t)
        for at, width, size in (
            (0.15, 0.010, 9.5e-3),
            (0.40, -0.018, 9.5e-3),
            (0.60, 0.022, 9.5e-3),
            (0.88, -0.016, 9.5e-3),
        ):
            x += np.sign(width) * size * 0.5 * (1.0 + np.tanh((t - at) / abs(width)))
        for at, size in ((0.185, 4e-4), (0.675, 1.5e-4)):
            x -= size * np.exp(-(((t - at) / 0.012) ** 2))
        return x + 4e-5 * np.sin(2 * np.pi * 9.0 * t) + 1.5e-5 * np.sin(2 * np.pi * 23.0 * t + 1.0)

    h = 1e-4
    velocity = (key(t - 2 * h) - 8 * key(t - h) + 8 * key(t + h) - key(t + 2 * h)) / (12 * h)
    acceleration = (key(t + h) - 2 * key(t) + key(t - h)) / h**2
    return key(t), velocity, acceleration


def table():
    """The rows of the record."""
    t = np.arange(int(RATE * SECONDS)) / RATE
    position, velocity, acceleration = motion(t)
    counts, volts = ENCODER.sense(position, seed=1), HALL.sense(position, seed=2)
    columns = t, position, velocity, acceleration, counts, *volts.T, COIL.sense(velocity, seed=3)
    return np.column_stack(columns)


def main():
    """Writes the file."""
    FILE.parent.mkdir(parents=True, exist_ok=True)
    formats = ["%.5f", "%.9f", "%.7f", "%.5f", "%d", "%.5f", "%.5f", "%.5f"]
    np.savetxt(FILE, table(), fmt=formats, delimiter=",", header=f"{HEAD}\n{','.join(NAMES)}")
    print(FILE.name)


if __name__ == "__main__":
    main()
