"""Two fast strokes: figures 16 and 17."""

import numpy as np

from hapsis.studies.piano.double_strokes import largest_pilot_force, mean_between, over_time
from hapsis.studies.piano.motions import FINE, double
from hapsis.studies.piano.runs import MM, SETTLED, Runs, speeds, strikes, work_fact
from hapsis.studies.study import Fact, Figure, Study

DOWN, HELD, BEGINS = 0.04, 0.24, (0.05, 0.5)  # s
MOTION = double(DOWN, BEGINS, HELD, smooth=0.015, until=1.1, period=FINE)
ASKED = """The two strokes again, each within 0.04 s, from 0.05 s and from 0.5 s on. When does the
hammer meet the string, where does it stay while the key is down, and what force acts at the pilot?"""
REFERENCE = """Figures 16 and 17 of [Docquier]: a faster double blow. The forces of simulation and
measurement are very similar apart from the first part of each stroke, around 0.1 and 0.5 s. The hammers
differ after the string: on the real action the repetition lever moves the hammer upwards while the key
is held, from 0.25 to 0.35 s and from 0.7 to 0.8 s, in the simulation of the article it does not. The
lever is difficult to tune in practice and in simulation."""
MISSING = """The upward push by the lever while the key is still down is not reproduced: the back
check of the model holds the hammer by friction that truly sticks, until the key is let up. The finger's
motion in the article is not public, and the height of the first peak depends on it more than on
anything else."""


def study(runs: Runs) -> Study:
    """The study `piano-double-fast`."""
    run = runs.moved("two fast strokes", MOTION)
    struck, fast = run.t[strikes(run)], speeds(run)
    gap = [MM * float(np.interp(b + DOWN + HELD - 0.02, run.t, run["string.gap"])) for b in BEGINS]
    checked = [mean_between(run, "check.force", b + DOWN + 0.12, b + DOWN + HELD - 0.01) for b in BEGINS]
    largest = largest_pilot_force(run)
    settled = run.t >= SETTLED
    first = float(struck[0]) if len(struck) else run.t[-1]
    throw = float(run["pilot.force"][settled & (run.t < first)].max())
    until = settled & (run.t < BEGINS[1])
    late = 1e3 * float(run.t[until][np.argmax(run["pilot.force"][until])] - first)
    facts = (
        Fact("string contacts", len(struck), "", 2, 2),
        Fact("hammer at the string, first stroke", float(fast[0]) if len(fast) else 0.0, "m/s", 0.3, 3.0),
        Fact("hammer at the string, second stroke", float(fast[-1]) if len(fast) else 0.0, "m/s", 0.3, 3.0),
        Fact("hammer in the check, first stroke", gap[0], "mm", 2.0, 17.0),
        Fact("hammer in the check, second stroke", gap[1], "mm", 2.0, 17.0),
        Fact("pilot force of the throw", throw, "N", 4.0, largest),
        Fact("largest pilot force", largest, "N", 4.0, 60.0),
        Fact(
            "hammer at rest again", MM * float(run["string.gap"][-1] - run["string.gap"][0]), "mm", -1.0, 1.0
        ),
        work_fact(run),
    )
    found = f"""The hammer meets the string once in each stroke, at
    {", ".join(f"{t:.3f}" for t in struck)} s with {", ".join(f"{v:.2f}" for v in fast)} m/s. It falls
    back and stays {gap[0]:.1f} and {gap[1]:.1f} mm below the string while the key is down; the back
    check presses on its tail with {checked[0]:.2f} and {checked[1]:.2f} N. The hammer is thrown
    with {throw:.0f} N at the pilot; the largest force, {largest:.0f} N, comes {late:.1f} ms after the
    hammer has first met the string."""
    figures = (
        Figure(
            over_time(run, "A fast double stroke"), "As figures 16 and 17: hammer and force at the pilot."
        ),
    )
    return Study("piano-double-fast", "Two fast strokes", ASKED, REFERENCE, found, MISSING, figures, facts)
