"""What a slow press of the key shows a technician."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

import hapsis as hs
from hapsis.errors import SolveError
from hapsis.library.piano.samples import play
from hapsis.library.piano.strokes import press

BEGIN, END = 0.1, 1.5  # s: the key is pressed from, and watched until
SAMPLE = 0.01  # s between samples of the motion
TURN, FALL = 10e-6, 50e-6  # m that the hammer goes back once it has turned: at let-off, and after its fall
TOUCH = 0.01  # N: at the let-off button and the knuckle
NOTHING: Mapping[str, float] = MappingProxyType({})


def slow_press(action: hs.Model, screws: Mapping[str, float] = NOTHING) -> dict[str, float]:
    """The measures by name, in m, with screws at other heights than the action's.

    Let-off is where the jack, once it has met the button, no longer raises the hammer: the hammer turns back,
    or the jack has left the knuckle. Drop is how far below that the hammer then comes to rest on the lever,
    less than nothing where the lever carries it on.
    """
    run = play(action, press(begin=BEGIN), END, period=SAMPLE, parameters=screws)
    dip = {**action.parameters, **screws}["dip"]
    finger, gap = -run["key.finger.y"], run["string.gap"]
    met = np.flatnonzero(run["let_off.force"] > TOUCH)
    if not len(met):
        raise SolveError(
            "the jack does not meet the let-off button, so that the hammer is not let off",
            remedy="lower the parameter button_height",
        )
    turned = turning(gap, int(met[0]), TURN)
    lowest = turning(-gap, turned, FALL)
    off = min(turned, int(np.flatnonzero(run["jack_knuckle.force"] > TOUCH)[-1]))
    rising = (finger > 2e-3) & (finger < 7e-3)
    return {
        "dip": float(dip),
        "blow": float(gap[np.searchsorted(run.t, BEGIN) - 1]),
        "let_off": float(gap[off]),
        "let_off_at": float(finger[off]),
        "drop": float(gap[lowest] - gap[off]),
        "aftertouch": float(dip - finger[off]),
        "ratio": -float(np.polyfit(finger[rising], gap[rising], 1)[0]),
    }


def turning(y: np.ndarray, first: int, back: float) -> int:
    """The row of the first minimum after which y rises by `back`; of the least where it never does."""
    least = np.minimum.accumulate(y[first:])
    risen = np.flatnonzero(y[first:] > least + back)
    last = int(risen[0]) if len(risen) else len(least)
    return first + int(np.argmin(y[first : first + last]))
