"""What is known of an equilibrium: how exact it is, and whether the mechanism stays there."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from hapsis.errors import SolveError
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.state import State
from hapsis.mechanics.model.units import coordinate_units

Array = np.ndarray[Any, np.dtype[np.float64]]
FAR = 1.0  # of the unit of a coordinate
SMALL = 1e-6  # 1/s, a real part that may be rounding
NOTHING = 1e-12  # of the largest entry of a row of A
ROUNDING = 1e-7  # of the fastest eigenvalue, besides


class Equilibrium(NamedTuple):
    """How an equilibrium was found, and what it is.

    residual     the largest acceleration left, m/s² or rad/s², or rate of a state of a law
    iterations   steps taken
    stability    "stable", "neutral" (there are directions in which nothing pulls back) or
                 "unstable"; "" where it was not asked for
    eigenvalues  of small motions, 1/s, the slowest to decay first
    states       of laws, by name
    efforts      what drives, and what is held, need to stay: NAME.effort
    inputs       the efforts and inputs of drives that were given
    moving       the speeds of a steady motion that were given or found, by name
    far          coordinates of a steady motion that ended far from the start, more than a radian or the
                 model's unit of length away, and how far; empty where `nearest` was asked for
    """

    residual: float
    iterations: int
    stability: str
    eigenvalues: tuple[complex, ...]
    states: Mapping[str, float]
    efforts: Mapping[str, float]
    inputs: Mapping[str, float]
    moving: tuple[str, ...] = ()
    far: Mapping[str, float] = {}

    @property
    def stable(self) -> bool:
        """Whether small disturbances stay small, or at most drift where nothing pulls back."""
        return self.stability in ("stable", "neutral")

    def __str__(self) -> str:
        held = "".join(f"; {name} {x:.6g}" for name, x in list(self.efforts.items())[:6])
        plural = "step" if self.iterations == 1 else "steps"
        slowest = ""
        if self.eigenvalues:
            x = self.eigenvalues[0]
            slowest = f" (slowest eigenvalue {x.real + 0.0:.3g}"
            slowest += f" ± {abs(x.imag):.3g}i" if x.imag else ""
            slowest += ")"
        return (
            f"in equilibrium to {self.residual:.1e} after {self.iterations} {plural}; "
            f"{self.stability or 'stability not asked for'}{slowest}{held}{self._warning}"
        )

    @property
    def _warning(self) -> str:
        return f"; {far_away(self.far)}" if self.far else ""


def far_moves(model: Model, start: Array, end: Array) -> dict[str, float]:
    """{coordinate: how far it is from the start}, of those that are farther than their unit."""
    units = coordinate_units(model)
    moves = {n: float(b - a) for n, a, b in zip(model.coordinates, start, end, strict=True)}
    return {n: x for (n, x), unit in zip(moves.items(), units, strict=True) if abs(x) > FAR * unit}


def far_away(far: Mapping[str, float]) -> str:
    """A warning in words."""
    moved = ", ".join(f'"{name[:60]}" moved by {x:.3g}' for name, x in list(far.items())[:4])
    return f"this steady motion is far from the start: {moved}; nearest=True finds one near it"


class NoEquilibrium(SolveError):
    """None was found; `nearest` is the State where least was left over."""

    def __init__(self, what: str, remedy: str, nearest: State) -> None:
        super().__init__(what, remedy=remedy)
        self.nearest = nearest


def lasting(A: Any) -> Any:
    """The eigenvalues of A, those that decay slowest first; exactly zero for states nothing depends on.

    Such states, as the place of what rolls, are peeled off one after the other: rounding would make large
    numbers of their multiple zeros.
    """
    left = np.abs(A)
    kept = list(range(len(A)))
    while kept:
        part = left[np.ix_(kept, kept)]
        most = np.maximum(part.max(axis=1, keepdims=True), 1.0)
        idle = [k for k, column in zip(kept, (part / most).T, strict=True) if column.max() <= NOTHING]
        if not idle:
            break
        kept = [k for k in kept if k not in idle]
    values = np.concatenate([np.linalg.eigvals(A[np.ix_(kept, kept)]), np.zeros(len(A) - len(kept))])
    return values[np.lexsort((values.imag, np.abs(values.imag), -values.real))]


def judged(eigenvalues: Any) -> str:
    """Stable, neutral or unstable."""
    if not len(eigenvalues):
        return "stable"
    least = SMALL + ROUNDING * float(np.abs(eigenvalues).max())
    if float(eigenvalues.real.max()) > least:
        return "unstable"
    return "neutral" if float(np.abs(eigenvalues).min()) < least else "stable"


def unit_of(model: Model, speed: str) -> str:
    """N or N m, for the effort on a speed."""
    for joint in model.moving:
        if speed in joint.speeds:
            kinds = [step.kind for step in joint.steps]
            if len(kinds) == len(joint.speeds):
                return "N" if kinds[joint.speeds.index(speed)] == "P" else "N m"
    return "N" if speed.rpartition(".")[2] in ("vx", "vy", "vz") else "N m"
