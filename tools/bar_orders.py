"""Bars in finer and finer cells against closed forms: stiffness and order, on many shapes, loads and ν.

    python tools/bar_orders.py [CELLS ...]        # cells across, 2 4 if not given

Ends move as the closed form says where the load is a displacement (so that no clamp disturbs it), and the
energy of the bar at rest is compared: U over that of the closed form.

    traction    E A e²/2 L with free sides
    bending     E I κ²/2 L, pure: both ends turn against each other
    torsion     G J φ²/2 L of a rectangle, whose ends warp freely
"""

import sys
from typing import Any, NamedTuple

import numpy as np

import hapsis as hs

P = hs.particles
E = 2e9


class Case(NamedTuple):
    """A bar along x: its sides, m, and ν."""

    size: tuple[float, float, float]
    poisson: float


CASES = (
    Case((0.4, 0.1, 0.1), 0.3),
    Case((0.6, 0.1, 0.15), 0.35),
    Case((0.3, 0.15, 0.1), 0.0),
    Case((0.8, 0.1, 0.2), 0.2),
    Case((0.4, 0.1, 0.1), 0.45),
)
LOADS = ("traction", "bending", "torsion")


def torsion_constant(b: float, h: float) -> float:
    """J of a rectangle, by its series."""
    a, c = max(b, h), min(b, h)
    n = np.arange(1, 40, 2)
    series = (np.tanh(n * np.pi * a / (2.0 * c)) / n**5).sum()
    return a * c**3 / 3.0 * (1.0 - 192.0 / np.pi**5 * c / a * series)


def ratio(case: Case, load: str, across: int) -> float:
    """The energy of the bar over that of the closed form, at a small strain."""
    (L, b, h), nu = case.size, case.poisson
    size = min(b, h) / across
    cells = tuple(max(1, round(x / size)) for x in case.size)
    bar = P.solid("bar", hs.Box(case.size), material=P.Material(E, nu, 1000.0), cells=cells)
    x, y, z = bar.points.T
    ends = np.flatnonzero(np.abs(np.abs(x) - L / 2) < 1e-9 * L)
    small, G, I = 1e-5, E / 2 / (1 + nu), b * h**3 / 12
    moved = bar.points.copy()
    if load == "traction":
        moved += small * np.column_stack([x, -nu * y, -nu * z])
        known = 0.5 * E * b * h * L * small**2
    elif load == "bending":
        k = small / h
        moved += k * np.column_stack([-x * z, nu * y * z, 0.5 * (x**2 + nu * (z**2 - y**2))])
        known = 0.5 * E * I * L * k**2
    else:
        t = small / h
        warp = t * warping(y, z, b, h)
        moved += np.column_stack([warp, -t * x * z, t * x * y])
        known = 0.5 * G * torsion_constant(b, h) * L * t**2
    held = P.ParticleObject("bar", moved, bar.masses, cells=bar.cells, facets=bar.facets, held=tuple(ends))
    answer = P.rest(P.Scene(held, gravity=(0, 0, 0)), tolerance=1e-8)
    return answer.potential / known


def warping(y: Any, z: Any, b: float, h: float) -> Any:
    """The warping of a rectangle that is twisted by 1 rad/m about x."""
    total = y * z
    for k in range(40):
        n = (2 * k + 1) * np.pi / b
        part = np.sinh(n * z) / np.cosh(n * h / 2) * np.sin(n * y) * (-1) ** k
        total = total - 8.0 * b**2 / np.pi**3 / (2 * k + 1) ** 3 * part
    return total


def main(counts: list[int]) -> None:
    """Prints the table."""
    for case in CASES:
        for load in LOADS:
            errors = np.array([ratio(case, load, n) - 1.0 for n in counts])
            with np.errstate(divide="ignore", invalid="ignore"):
                orders = np.log(np.abs(errors[:-1] / errors[1:])) / np.log(
                    np.array(counts[1:]) / np.array(counts[:-1])
                )
            print(case.size, case.poisson, load, errors.round(6), orders.round(2))


if __name__ == "__main__":
    main([int(n) for n in sys.argv[1:]] or [2, 4])
