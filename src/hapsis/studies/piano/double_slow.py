"""Two slow strokes: figures 14 and 15."""

import numpy as np

from hapsis.studies.piano.double_strokes import largest_pilot_force, mean_between, over_time, shank_angle
from hapsis.studies.piano.motions import PERIOD, double
from hapsis.studies.piano.runs import MM, Runs, strikes, work_fact
from hapsis.studies.study import Fact, Figure, Study

DOWN, HELD, BEGINS = 0.2, 0.4, (0.3, 1.5)  # s
MOTION = double(DOWN, BEGINS, HELD, smooth=0.02, until=2.8, period=PERIOD)
ASKED = """A finger plays two slow strokes, each within 0.2 s, from 0.3 s and from 1.5 s on, and lets
go after 0.9 and 2.1 s. What does the hammer do, and what force acts between whippen and key at the
pilot?"""
REFERENCE = """Figures 14 and 15 of [Docquier]: a slow double keystroke, seen by a camera with 1000
pictures a second and by a load cell in place of the pilot. Hammer angles of simulation and experiment
are very close. The force starts by increasing, with oscillations, to a nearly steady value close to 3
N; when the key is let go, around 0.9 and 2.1 s, peaks come from the hammer's rebound. The article's
simulation oscillates more and has higher peaks than its measurement."""
MISSING = """The motion of the finger in the article is not public, so that rise and peaks cannot be
compared in time. Before the plateau the hammer hops on its felts, more than a real one does and as the
article's simulation does too. The hammer's angle is told from the horizontal shank; the zero of the
article's axis is another one."""


def study(runs: Runs) -> Study:
    """The study `piano-double-slow`."""
    run = runs.moved("two slow strokes", MOTION)
    plateaus = [mean_between(run, "pilot.force", b + DOWN + 0.2, b + DOWN + HELD) for b in BEGINS]
    rest = mean_between(run, "pilot.force", 0.1, 0.29)
    angle = shank_angle(run)
    held = [float(np.interp(b + DOWN + 0.3, run.t, angle)) for b in BEGINS]
    largest = largest_pilot_force(run)
    facts = (
        Fact("pilot force at rest", rest, "N", 0.8, 1.5),
        Fact("pilot force, first plateau", plateaus[0], "N", 2.6, 3.4),
        Fact("pilot force, second plateau", plateaus[1], "N", 2.6, 3.4),
        Fact("largest pilot force", largest, "N", plateaus[0], 8.0),
        Fact("hammer held, first and second stroke apart", abs(held[0] - held[1]), "degrees", 0.0, 0.2),
        Fact("string contacts", len(strikes(run)), "", 0, 2),
        Fact("hammer below the string at rest", MM * float(run["string.gap"][0]), "mm", 44.0, 48.0),
        work_fact(run),
    )
    found = f"""From {rest:.2f} N at rest the force oscillates while the hammer is thrown up, settles
    at {plateaus[0]:.2f} N and comes back to {plateaus[1]:.2f} N in the second stroke. The largest value
    is {largest:.1f} N. After letting go the force falls below its value at rest, and the hammer that
    lands on its felts makes peaks, as in figure 15."""
    figures = (
        Figure(
            over_time(run, "A slow double stroke"), "As figures 14 and 15: hammer and force at the pilot."
        ),
    )
    return Study("piano-double-slow", "Two slow strokes", ASKED, REFERENCE, found, MISSING, figures, facts)
