"""Motions of a finger as tables of time, position and velocity, as a device reports them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, SolveError
from hapsis.library.piano.strokes import Motion, positive

NEAR = 1e-5  # s: positions this far apart tell the velocity
WEIGHTS = {-2.0: 1.0, -1.0: -8.0, 1.0: 8.0, 2.0: -1.0}  # of these, over 12


class Samples(NamedTuple):
    """Times, s, positions, m, and velocities, m/s, of a finger."""

    t: np.ndarray
    x: np.ndarray
    v: np.ndarray

    @property
    def until(self) -> float:
        """The last time."""
        return float(self.t[-1])

    @property
    def period(self) -> float:
        """The time between the first two samples."""
        return float(self.t[1] - self.t[0])

    def inputs(self) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """What `simulate` takes for a key that is moved by position and velocity."""
        return {"key.position": (self.t, self.x), "key.velocity": (self.t, self.v)}


@verb
def sampled(motion: Motion, until: float, period: float = 1e-3) -> Samples:
    """A motion at even times from 0 to the first at or after `until`.

    motion   positions by time, as the strokes are: it takes an array of times, too
    """
    until, period = positive(until, "sampled: until"), positive(period, "sampled: period")
    t = period * np.arange(int(np.ceil(until / period - 1e-6)) + 1)
    v = sum(weight * _positions(motion, t + at * NEAR) for at, weight in WEIGHTS.items())
    return Samples(t, _positions(motion, t), np.asarray(v) / (12.0 * NEAR))


def _positions(motion: Motion, t: np.ndarray) -> np.ndarray:
    return np.array(np.broadcast_to(np.asarray(motion(t), float), t.shape))


@verb
def play(
    action: hs.Model,
    motion: Any,
    until: float | None = None,
    *,
    period: float = 1e-3,
    every: float = 2e-4,
    parameters: Mapping[str, float] | None = None,
    **options: Any,
) -> hs.Result:
    """A run in which the key makes a motion exactly, by the cubics between its samples.

        action       a key that is moved, in whatever way: of `grand_action`, `organ_key`, `harpsichord_key`
        motion       Samples, or a stroke, which is sampled every `period` until the time given
        every        s between the rows of the result
        parameters   {name: value} other than the action's
        options      more of `hs.simulate`, as tolerance and losses

    A run that does not reach its end is a SolveError.
    """
    if not isinstance(motion, Samples):
        if until is None:
            raise ModelError("play: a stroke has no end of its own", expected="until, in seconds")
        motion = sampled(motion, until, period)
    options = {"progress": False, **options}
    run = hs.simulate(
        followed(action),
        motion.until if until is None else until,
        every=every,
        inputs=motion.inputs(),
        parameters=dict(parameters or {}) or None,
        **options,
    )
    if not run.success:
        raise SolveError(f"the action cannot be played so: {run.message}")
    return run


def followed(action: hs.Model) -> hs.Model:
    """The action with a key that follows position and velocity, whatever moved it before."""
    drive = action.drives.get("key") if isinstance(action, hs.Model) else None  # pyright: ignore
    if drive is None:
        raise SolveError(
            "only an action whose key is moved can be played so", remedy='grand_action("motion")'
        )
    rates = (drive.position, drive.velocity, drive.acceleration, drive.tracking)
    if rates == ("input", "input", None, None):
        return action
    return action.replace("key", position="input", velocity="input", acceleration=None, tracking=None)
