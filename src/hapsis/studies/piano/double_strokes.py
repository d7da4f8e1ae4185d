"""Two strokes one after the other: what the hammer does, and the force at the pilot."""

import numpy as np

import hapsis as hs
from hapsis.library.piano import dimensions as d
from hapsis.studies.piano.runs import MM, SETTLED
from hapsis.view.plots import Plot, plot


def shank_angle(run: hs.Result) -> np.ndarray:
    """Degrees of the hammer's shank above the horizontal."""
    return d.SHANK_TURN + np.degrees(run["hammer"])


def over_time(run: hs.Result, title: str) -> Plot:
    """Key, hammer and force at the pilot over time."""
    shown = run.t >= SETTLED
    table = {
        "finger": {"finger": MM * run["key.position"][shown]},
        "hammer": {"hammer's shank above horizontal": shank_angle(run)[shown]},
        "pilot": {"force at the pilot": run["pilot.force"][shown]},
    }
    units = {"finger": "mm", "hammer's shank above horizontal": "degrees", "force at the pilot": "N"}
    return plot(run.t[shown], table, title, units)


def largest_pilot_force(run: hs.Result) -> float:
    """N, once the action has settled."""
    return float(run["pilot.force"][run.t >= SETTLED].max())


def mean_between(run: hs.Result, name: str, begin: float, end: float) -> float:
    """The mean of a column between two times."""
    within = (run.t > begin) & (run.t < end)
    return float(np.trapezoid(run[name][within], run.t[within]) / np.ptp(run.t[within]))
