"""A measured motion played into the model: from a file, or recorded by the study itself."""

import os
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import hapsis as hs
from hapsis.errors import ModelError
from hapsis.library.piano import Samples
from hapsis.studies.piano.key_sensors import CELL
from hapsis.studies.piano.motions import PERIOD, double
from hapsis.studies.piano.runs import MM, SETTLED, Runs, work_fact
from hapsis.studies.study import Fact, Figure, Study
from hapsis.view.plots import Plot, plot

WINDOW = 21  # samples of the cubic that gives velocities
NOISE = 3e-6  # m, of the recorded position
OTHER = {"hammer_head": 0.4e-3, "button_height": -0.03e-3, "lever_preload": 1e-3, "jack_preload": 3e-4}
POSITION, PILOT = "position", "pilot"  # columns of a file
ASKED = """A recorded motion of the key moves the model, and the force at the pilot is compared with
the recorded one."""
REFERENCE = """This is how the model of [Docquier] was validated (figures 13 to 17): an actuator moves
the key of an action with a load cell in place of the pilot, a camera sees the motion, the motion is
given to the model, and the two forces are compared. They are very similar; the simulated one has more
oscillations and higher peaks."""
MISSING = """The measurements of the article are not public. Without a file this study records its
own: another action, with a heavier hammer, another let-off and other springs, and sensors with noise. A
file of a real action shows more than this difference."""


def study(runs: Runs, data: Any = None) -> Study:
    """The study `piano-replay`.

    data   a .csv, .npz or .mcap file, or a table: t (s), position (m), and pilot (N) if it was measured
    """
    if data is None:
        with tempfile.TemporaryDirectory() as folder:
            recorded = hs.recording.measured(record(runs, Path(folder) / "key.csv"))
    else:
        recorded = hs.recording.measured(data)
    t = recorded.t - recorded.t[0]
    run = runs.moved("replayed", motion_of(t, recorded[POSITION]))
    facts = [
        Fact("recorded time", float(t[-1]), "s"),
        Fact("largest position", MM * float(recorded[POSITION].max()), "mm", 0.0, 12.0),
    ]
    found = f"""The recording has {len(t)} rows in {t[-1]:.2f} s."""
    measured = None
    if PILOT in recorded:
        measured = recorded[PILOT]
        force = np.interp(t, run.t, run["pilot.force"])
        told = t >= SETTLED
        off = float(np.sqrt(np.mean((force - measured)[told] ** 2)))
        alike = float(np.corrcoef(force[told], measured[told])[0, 1])
        expected = (0.0, 0.4), (0.9, 1.0)
        ranges = expected if data is None else ((0.0, np.inf), (-1.0, 1.0))
        facts += [
            Fact("difference of forces, rms", off, "N", *ranges[0]),
            Fact("correlation of forces", alike, "", *ranges[1]),
        ]
        found += f""" The simulated force at the pilot differs from the recorded one by {off:.2f} N
        (rms), with a correlation of {alike:.3f}; most of it where the hammer is thrown and where it
        lands."""
    facts.append(work_fact(run))
    figures = (
        Figure(
            _shown(t, recorded[POSITION], measured, run),
            """Force at the pilot: recorded, and of the model that makes the recorded motion.""",
        ),
    )
    return Study(
        "piano-replay", "A recorded motion replayed", ASKED, REFERENCE, found, MISSING, figures, tuple(facts)
    )


def motion_of(t: np.ndarray, x: np.ndarray) -> Samples:
    """A recorded position at even times, with its velocity: both of a cubic through neighbouring samples."""
    from scipy.signal import savgol_filter

    if len(t) < WINDOW:
        raise ModelError(f"the recording has {len(t)} rows", expected=f"{WINDOW} or more")
    if t[-1] > 60.0:
        raise ModelError(f"the recording lasts {t[-1]:.0f} s", expected="at most 60 s")
    even = PERIOD * np.arange(int(np.ceil(float(t[-1]) / PERIOD - 1e-6)))
    x = np.interp(even, t, x)
    smooth = np.asarray(savgol_filter(x, WINDOW, 3))
    return Samples(even, smooth, np.asarray(savgol_filter(x, WINDOW, 3, deriv=1, delta=PERIOD)))


def record(runs: Runs, path: str | os.PathLike[str]) -> Path:
    """A recording of another action: a table t, position, pilot as .csv."""
    given = {name: runs.action.parameters[name] + change for name, change in OTHER.items()}
    motion = double(0.15, (0.2, 1.0), 0.3, smooth=0.03, until=1.8, period=PERIOD)
    run = runs.moved("recorded", motion, given)
    random = np.random.default_rng(7)
    x = motion.x + NOISE * random.normal(size=len(motion.t))
    force = np.ravel(CELL.read(CELL.sense(np.interp(motion.t, run.t, run["pilot.force"]))))
    rows = np.column_stack([motion.t, x, force])
    target = Path(path)
    np.savetxt(target, rows, "%.9g", ",", header=f"t,{POSITION},{PILOT}", comments="")
    return target


def _shown(t: np.ndarray, x: np.ndarray, measured: np.ndarray | None, run: hs.Result) -> Plot:
    force = {"model": np.interp(t, run.t, run["pilot.force"])}
    if measured is not None:
        force["recorded"] = measured
    shown = t >= SETTLED
    force = {name: y[shown] for name, y in force.items()}
    table = {"finger": {"recorded finger": MM * x[shown]}, "force": force}
    return plot(t[shown], table, "A recorded motion", {"finger": "mm", "force": "N"})
