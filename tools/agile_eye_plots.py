"""Draws the pictures of docs/agile_eye.md anew, and prints the numbers of its table.

python tools/agile_eye_plots.py

A test compares the pictures.
"""

import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from page_pictures import Pictures

ROOT = Path(__file__).resolve().parent.parent
PICTURES = Pictures("agile_eye")
sys.path[:0] = [str(ROOT / "src")]

import hapsis as hs  # noqa: E402
from hapsis.view import Plot, curves  # noqa: E402

MOTORS = ("q9", "q18", "q27")
TURNS = {"about x": "q4", "about y": "q5", "about z": "q6"}


@cache
def eye() -> hs.Model:
    """The eye with a torque on each motor."""

    def torques(s: Any, first: float = 0.1, second: float = 0.1, third: float = 0.1) -> Any:
        sizes = zip(MOTORS, (first, second, third), strict=True)
        return {q: size * hs.sin(6.0 * s.t) for q, size in sizes}

    return hs.Model(hs.library.agile_eye(), hs.Controller("motors", torques))


def run(third: float = 0.1, **parameters: float) -> Any:
    """A second of motion, with another torque on the third motor, or other dimensions."""
    values = {"motors.third": third, **parameters}
    return hs.simulate(eye(), until=1.0, every=0.01, parameters=values)


def turned(result: Any) -> Plot:
    """How the eye has turned, over time."""
    table = {name: result[q] for name, q in TURNS.items()}
    return curves(result.t, table, "time, s", "turn of the eye, rad")


@PICTURES.add
def equal() -> Plot:
    """The same torque on all three motors."""
    return turned(run())


@PICTURES.add
def unequal() -> Plot:
    """Another torque on the third motor."""
    return turned(run(third=-0.05))


def study() -> dict[tuple[float, float], tuple[float, float]]:
    """{(L, theta): (turn of the eye, turn of a motor)} under equal torques."""
    turns = {}
    for side, slope in ((1.0, 0.6), (1.0, 0.7), (1.0, np.pi / 4), (0.5, np.pi / 4), (1.0, 0.9)):
        result = run(L=side, theta=slope)
        turns[side, slope] = float(np.ptp(result["q6"])), float(np.ptp(result["q9"]))
    return turns


def main() -> None:
    """Writes every picture, and prints the table."""
    PICTURES.write()
    for (side, slope), (turn, motor) in study().items():
        print(f"| {side:g} | {slope:.4f} | {turn:.6f} | {motor:.6f} | {turn / motor:.4f} |")


if __name__ == "__main__":
    main()
