"""The sensors of the haptic key, and what their errors do to the felt force: figures 18 to 22."""

import numpy as np

from hapsis.studies.piano.curves import force_curves
from hapsis.studies.piano.key_sensors import CELL, COIL, HALL, LASER, RATE, seen_motion
from hapsis.studies.piano.motions import BOTTOM, path, press
from hapsis.studies.piano.runs import Runs, Stroke, stroke, work_fact
from hapsis.studies.study import Fact, Figure, Study
from hapsis.view.plots import Plot, curves, plot

STROKE = 10e-3  # m
FELT_INERTIA = 0.25  # kg at the finger, about
ASKED = """The model of a haptic key moves as its sensors say. How good are a pair of Hall sensors and
a velocity coil, and what does the finger feel of their errors?"""
REFERENCE = """Section 5.1.4 of [Docquier]: two Hall sensors in opposition (17), a coil with a moving
magnet (18), and a laser vibrometer as the reference. Below 1 Hz the position is close to the reference,
with a small quadratic deviation at both ends of the stroke (figure 19); around 5 Hz the error reaches
10 % (figure 20). The coil captures the velocity quite well, with spurious peaks (figure 21), also in a
halfway keystroke (figure 22). The load cell has 0.765 mV/V, a range of 50 N, 50 kHz, and a resolution
below one millinewton."""
MISSING = """The article gives no spectrum of the noise: ours is white, of a size that fits the
pictures. The cause of its error at 5 Hz is not told; we take a lag of the Hall electronics. The unit of
the vibrometer's resolution is damaged in print; we read micrometres. Where the article feeds the model
with both signals as they are, we put a Kalman filter in between."""


def study(runs: Runs) -> Study:
    """The study `piano-sensors`."""
    exact = runs.pressed("exact motion")
    cases = {
        "Hall and coil": seen_motion(press(), seed=1),
        "Hall alone": seen_motion(press(), seed=1, coil=False),
        "without noise": seen_motion(press(), seed=None),
    }
    results = {name: runs.moved(name, motion, rows=10) for name, motion in cases.items()}
    errors = {name: _error(stroke(exact), stroke(run)) for name, run in results.items()}
    slow, fast = _hall_error(1.0), _hall_error(5.0)
    velocity = _coil_error()
    raw = FELT_INERTIA * np.sqrt(6.0) * COIL.noise[0] / COIL.kappa * RATE / 2.0
    facts = (
        Fact("error of the Hall pair at 1 Hz, of the stroke", 100 * slow, "%", 0.0, 3.5),
        Fact("error of the Hall pair at 5 Hz, of the stroke", 100 * fast, "%", 100 * slow, 10.0),
        Fact("error of the coil, rms", 1e3 * velocity, "mm/s", 0.5, 20.0),
        Fact("resolution of the load cell", 1e3 * CELL.force_resolution, "mN", 0.0, 1.0),
        Fact("felt force off, Hall and coil, rms", errors["Hall and coil"], "N", 0.0, 0.4),
        Fact("felt force off, Hall alone, rms", errors["Hall alone"], "N", errors["Hall and coil"], 2.0),
        Fact(
            "felt force off, without noise, rms",
            errors["without noise"],
            "N",
            0.0,
            errors["Hall and coil"] + 0.05,
        ),
        Fact("felt force off, coil differentiated without filter", float(raw), "N", 1.0, 1e3),
        work_fact(exact, *results.values()),
    )
    found = f"""The Hall pair is off by {100 * slow:.1f} % of the stroke at 1 Hz and by
    {100 * fast:.1f} % at 5 Hz, the coil by {1e3 * velocity:.1f} mm/s. The felt inertia turns every
    acceleration into force: the coil differentiated from sample to sample would put {raw:.0f} N of
    noise under the finger. Behind a Kalman filter both sensors together leave
    {errors["Hall and coil"]:.2f} N, the Hall pair alone {errors["Hall alone"]:.2f} N. Without any noise
    {errors["without noise"]:.2f} N remain: the curve of the magnets' field shifts the bump along the
    key."""
    felt = {"exact": stroke(exact), **{name: stroke(run) for name, run in results.items()}}
    felt = {name: Stroke(s.t, np.interp(s.t, exact.t, stroke(exact).x), s.force) for name, s in felt.items()}
    figures = (
        Figure(
            force_curves("What the finger feels", felt),
            """The force over the true position, when
        the model moves as the sensors say.""",
        ),
        Figure(
            _hall_plot(),
            """As figures 19 and 20, right: the Hall pair over the true position,
        slow and fast.""",
        ),
        Figure(
            _coil_plot(),
            """As figures 21 and 22: the coil beside the vibrometer in a full stroke
        and in halfway ones; peaks are the coil's.""",
        ),
    )
    return Study(
        "piano-sensors", "The sensors of a haptic key", ASKED, REFERENCE, found, MISSING, figures, facts
    )


def _swing(rate: float) -> tuple[np.ndarray, np.ndarray]:
    t = np.arange(int(2.0 * RATE)) / RATE
    return t, 0.5 * STROKE * (1.0 - np.cos(2.0 * np.pi * rate * t))


def _hall_error(rate: float) -> float:
    """The largest error at a rate of swinging, as a part of the stroke; the noise is averaged out."""
    _, x = _swing(rate)
    seen = np.ravel(HALL.read(HALL.sense(x, seed=3, period=1.0 / RATE)))
    off = np.convolve(seen - x, np.ones(21) / 21, mode="valid")
    return float(np.abs(off).max() / STROKE)


def _hall_plot() -> Plot:
    shown = {}
    for rate in (1.0, 5.0):
        t, x = _swing(rate)
        seen = np.ravel(HALL.read(HALL.sense(x, seed=3, period=1.0 / RATE)))
        last = t < 1.0 / rate
        shown[f"Hall pair at {rate:g} Hz"] = (1e3 * x[last], 1e3 * seen[last])
    shown["ideal"] = (np.array([0.0, 10.0]), np.array([0.0, 10.0]))
    x = {name: pair[0] for name, pair in shown.items()}
    y = {name: pair[1] for name, pair in shown.items()}
    return curves(x, y, "true position, mm", "position by the Hall pair, mm", title="Hall pair")


def _played() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A full stroke, then two from half-way."""
    corners = [
        (0.1, 0.0),
        (0.2, BOTTOM),
        (0.4, BOTTOM),
        (0.5, 5e-3),
        (0.6, BOTTOM),
        (0.7, 5e-3),
        (0.8, BOTTOM),
    ]
    motion = path(*corners, (1.0, BOTTOM), (1.1, 0.0), smooth=0.04, until=1.3, period=1.0 / RATE)
    return motion.t, motion.x, motion.v


def _coil_error() -> float:
    _, _, v = _played()
    seen = np.ravel(COIL.read(COIL.sense(v, seed=4, period=1.0 / RATE)))
    return float(np.sqrt(np.mean((seen - v) ** 2)))


def _coil_plot() -> Plot:
    t, x, v = _played()
    coil = np.ravel(COIL.read(COIL.sense(v, seed=4, period=1.0 / RATE)))
    laser = LASER.read(LASER.sense(np.column_stack([x, v]), seed=5))[:, 1]
    table = {"finger": {"finger": 1e3 * x}, "velocity": {"coil": 1e3 * coil, "vibrometer": 1e3 * laser}}
    return plot(t, table, "Velocity", {"finger": "mm", "velocity": "mm/s"})


def _error(exact: Stroke, felt: Stroke) -> float:
    """Root mean square of the difference of forces, N, while the key moves between its ends."""
    moving = (exact.x > 1e-3) & (exact.x < 9.3e-3)
    return float(np.sqrt(np.mean((np.interp(exact.t, felt.t, felt.force) - exact.force)[moving] ** 2)))
