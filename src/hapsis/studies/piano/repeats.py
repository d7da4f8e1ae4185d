"""One stroke three times: figure 24, and how much measurements of the same key differ."""

import numpy as np

import hapsis as hs
from hapsis.library.piano import Samples
from hapsis.studies.piano.curves import force_curves
from hapsis.studies.piano.motions import path
from hapsis.studies.piano.runs import MM, Runs, Stroke, peak, stroke, work_fact
from hapsis.studies.study import Fact, Figure, Study

REPEATS = 3
GRID = 1e-3 * np.linspace(1.5, 9.5, 161)  # m: behind the start, before the felt
SPEED, SHAKE = 0.03, 20e-6  # of the speed; m of tremor
POSITION_NOISE, FORCE_NOISE = 15e-6, 0.02  # m, N: what the bench adds to both columns
CELL = hs.haptics.StrainBridge(0.765e-3, 50.0, excitation=5.0, noise=FORCE_NOISE * 5.0 * 0.765e-3 / 50.0)
ASKED = """The same key is pressed three times at about 10 mm/s by a finger that is never quite the
same, and measured by sensors with noise. How far do the three curves lie apart?"""
REFERENCE = """The measurement of figure 24 of [Docquier] was done three times in a row on the Renner
action, to show how consistent experiments are: the three curves lie close together."""
MISSING = """The article gives no numbers for its scatter. Ours comes from a finger whose speed
differs by a few percent and that trembles by some hundredths of a millimetre, and from sensors with the
noise that is stated; friction that changes from stroke to stroke, the state of the felts and the
temperature have no part in it."""


def study(runs: Runs) -> Study:
    """The study `piano-repeats`."""
    results = [runs.moved(f"stroke {k + 1}", finger(k)) for k in range(REPEATS)]
    seen = [measured(stroke(run), k) for k, run in enumerate(results)]
    forces = np.array([at_positions(s) for s in seen])
    exact = np.array([at_positions(stroke(run)) for run in results])
    apart, motion = np.ptp(forces, axis=0), np.ptp(exact, axis=0)
    places = [MM * peak(smoothed(s))[1] for s in seen]
    facts = (
        Fact("mean distance of the three curves", float(apart.mean()), "N", 0.0, 0.1),
        Fact("largest distance", float(apart.max()), "N", 0.0, 0.5),
        Fact("mean distance without noise of sensors", float(motion.mean()), "N", 0.0, float(apart.mean())),
        Fact("earliest bump", min(places), "mm", 8.0, 9.0),
        Fact("latest bump", max(places), "mm", 8.0, 9.0),
        work_fact(*results),
    )
    found = f"""The curves lie {apart.mean():.3f} N apart in the mean and {apart.max():.2f} N at most,
    where the bump is steep. The finger alone makes {motion.mean():.3f} N of it, the rest is noise of
    the load cell and of the position. The bump is found within {max(places) - min(places):.2f} mm."""
    names = ("first", "second", "third")
    figures = (
        Figure(
            force_curves("Three strokes", dict(zip(names, seen, strict=True))),
            """As figure 24: three strokes in a row, as the sensors show them.""",
        ),
    )
    return Study("piano-repeats", "One stroke three times", ASKED, REFERENCE, found, MISSING, figures, facts)


def finger(number: int) -> Samples:
    """A press by a finger whose speed and tremor are of its own."""
    random = np.random.default_rng([5, number])
    speed = 0.010 * (1.0 + SPEED * random.uniform(-1.0, 1.0))
    begin, to = 0.1 + 0.02 * random.uniform(), 10e-3
    motion = path((begin, 0.0), (begin + to / speed, to), smooth=0.1, until=1.4)
    x, v = motion.x.copy(), motion.v.copy()
    moving = np.clip(x / 1e-3, 0.0, 1.0) * np.clip((to - x) / 1e-3, 0.0, 1.0)  # still at both ends
    moving = moving * moving * (3.0 - 2.0 * moving)
    shake = np.zeros_like(x)
    for frequency in random.uniform(4.0, 9.0, 4):  # the tremor of hands
        shake += SHAKE / 2.0 * np.sin(2.0 * np.pi * (frequency * motion.t + random.uniform()))
    x += moving * shake
    return Samples(motion.t, x, v + np.gradient(moving * shake, motion.t))


def measured(felt: Stroke, number: int) -> Stroke:
    """The stroke as the bench shows it."""
    random = np.random.default_rng([6, number])
    force = CELL.read(CELL.sense(felt.force, seed=number))
    return Stroke(felt.t, felt.x + POSITION_NOISE * random.normal(size=len(felt.x)), np.ravel(force))


def smoothed(felt: Stroke, window: int = 21) -> Stroke:
    """Means over a window, as an eye takes them."""
    weights = np.ones(window) / window
    return Stroke(felt.t, *(np.convolve(column, weights, mode="same") for column in felt[1:]))


def at_positions(felt: Stroke) -> np.ndarray:
    """Mean forces around each position of the grid, on the way down."""
    down = np.arange(len(felt.x)) <= np.argmax(felt.x)
    edges = np.concatenate([[GRID[0] - 25e-6], GRID + 25e-6])
    bins = np.digitize(felt.x[down], edges) - 1
    inside = (bins >= 0) & (bins < len(GRID))
    counts = np.bincount(bins[inside], minlength=len(GRID))
    return np.bincount(bins[inside], felt.force[down][inside], len(GRID)) / np.maximum(counts, 1)
