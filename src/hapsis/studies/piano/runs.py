"""Runs of the action with a key that is moved: kept, so that studies share them."""

from collections.abc import Callable, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

import hapsis as hs
from hapsis.library.piano import Samples, grand_action, play
from hapsis.studies.piano import motions
from hapsis.studies.study import Fact

MM = 1e3  # mm in a metre
NOTHING: Mapping[str, float] = MappingProxyType({})
SETTLED = 0.03  # s: before, parts and felts settle from the pose `start`, and nothing is shown or told
TOLERANCE = 1e-7  # of a run: forces to some 1e-5 N


class Runs:
    """Runs by what moves the key and by the values of parameters; each is made once.

    begin   called with the name of each run before it begins
    """

    def __init__(self, begin: Callable[[str], None] | None = None) -> None:
        self._begin = begin or (lambda name: None)
        self._kept: dict[tuple[Any, ...], hs.Result] = {}

    @cached_property
    def action(self) -> hs.Model:
        """The action, with a key that a device moves."""
        return grand_action("motion")

    def begin(self, name: str) -> None:
        """Says that a part begins which is no run of `moved`."""
        self._begin(name)

    def pressed(self, name: str = "as it is", **values: float) -> hs.Result:
        """A full dip at 10 mm/s, then held; with other values of parameters."""
        return self.moved(name, motions.press(), values)

    def moved(
        self, name: str, motion: Samples, values: Mapping[str, float] = NOTHING, rows: int = 2
    ) -> hs.Result:
        """The action with a finger that moves so, and with other values of parameters.

        rows   of the result for each sample of the motion: more for one whose acceleration jumps
        """
        self._begin(name)
        key = (rows, *(column.tobytes() for column in motion), *sorted(values.items()))
        if key not in self._kept:
            every = motion.period / rows
            self._kept[key] = play(
                self.action, motion, every=every, parameters=values, tolerance=TOLERANCE, losses=True
            )
        return self._kept[key]


class Stroke(NamedTuple):
    """What the finger does and feels: position, m, and force, N, at times, s."""

    t: np.ndarray
    x: np.ndarray
    force: np.ndarray


def stroke(result: hs.Result) -> Stroke:
    """What the finger does and feels in a run."""
    return Stroke(result.t, result["key.position"], result["key.effort"])


def at(felt: Stroke, x: float) -> float:
    """The force at a position on the way down, N."""
    last = int(np.argmax(felt.x))
    return float(np.interp(x, felt.x[: last + 1], felt.force[: last + 1]))


def peak(felt: Stroke, low: float = 7e-3, high: float = 9.5e-3) -> tuple[float, float]:
    """The largest force between two positions on the way down, N, and its position, m."""
    down = np.arange(len(felt.x)) <= np.argmax(felt.x)
    within = down & (felt.x >= low) & (felt.x <= high)
    k = int(np.argmax(np.where(within, felt.force, -np.inf)))
    return float(felt.force[k]), float(felt.x[k])


class Work(NamedTuple):
    """Energy of a run, J: given by the finger (∫F dx); kept in motion, height, springs and felts; lost."""

    given: float
    kept: float
    lost: float

    @property
    def missing(self) -> float:
        """|given - kept - lost| as a part of all that was moved about."""
        return abs(self.given - self.kept - self.lost) / max(abs(self.given), self.lost, abs(self.kept))


def work(result: hs.Result) -> Work:
    """The account of a run: ∫F dx along its rows against what it has counted by name."""
    felt = stroke(result)
    given = float(np.trapezoid(felt.force, felt.x))
    lost = sum(float(result[n][-1]) for n in result.columns if n.endswith(".loss"))
    kept = float(result["energy"][-1] - result["energy"][0])
    kept += sum(float(result[n][-1] - result[n][0]) for n in result.columns if n.endswith(".stored"))
    return Work(given, kept, lost)


def work_fact(*results: hs.Result) -> Fact:
    """The largest part of the work of the finger that runs do not explain, %."""
    return Fact("∫F dx less stored and lost", 100.0 * max(work(r).missing for r in results), "%", 0.0, 1.0)


def let_off(result: hs.Result) -> tuple[float, float]:
    """The least distance of the hammer from the string before the key lands, m, and the finger there, m."""
    x, gap = result["key.position"], result["string.gap"]
    before = x < x.max() - 0.7e-3
    k = int(np.argmin(np.where(before, gap, np.inf)))
    return float(gap[k]), float(x[k])


def strikes(result: hs.Result) -> np.ndarray:
    """Rows at which the hammer meets the string."""
    closed = result["string.gap"] <= 0.0
    return np.flatnonzero(closed[1:] & ~closed[:-1]) + 1


def speeds(result: hs.Result) -> np.ndarray:
    """How fast the hammer's strike point meets the string at each strike, m/s."""
    rate = -np.gradient(result["string.gap"], result.t)
    return np.array([rate[max(k - 2, 0) : k + 1].max() for k in strikes(result)])
