"""Escapement, and a note repeated from a key that is let up half-way."""

import numpy as np

import hapsis as hs
from hapsis.library.piano import Samples
from hapsis.studies.piano.motions import BOTTOM, FINE, path
from hapsis.studies.piano.runs import MM, SETTLED, Runs, let_off, speeds, strikes, work_fact
from hapsis.studies.study import Fact, Figure, Study
from hapsis.view.plots import Plot, phases, plot

LEVELS = (0.0, 3e-3, 5e-3, 6.5e-3)  # m: how far the key is let up
DOWN, RELEASE, AGAIN = 0.06, 0.3, 0.45  # s: a stroke; when it is let up; when the second begins
ASKED = """A key that is pressed slowly must not sound: the hammer escapes before the string. A key
that has sounded must sound again without being let up all the way: from how far?"""
REFERENCE = """The double escapement of a grand, which [Docquier] calls fundamental for pianists: the
action repeats a note from a keystroke that is only half let up. Figure 22 shows such a halfway
keystroke, to validate the velocity sensor; the bump of figure 24 is the escapement."""
MISSING = """The article measures no hammer speeds for halfway strokes. Letting the key up to 7 mm and
more, a good action repeats very softly; the model is not asked for that here."""


def study(runs: Runs) -> Study:
    """The study `piano-escapement`."""
    slow = runs.pressed("slowly")
    results = {level: runs.moved(f"from {MM * level:g} mm", again(level)) for level in LEVELS}
    second = {level: _second(run) for level, run in results.items()}
    counts = [len(strikes(run)) for run in results.values()]
    facts = (
        Fact("string contacts, pressed at 10 mm/s", len(strikes(slow)), "", 0, 0),
        Fact("hammer below the string there", MM * let_off(slow)[0], "mm", 1.0, 2.0),
        Fact("fewest string contacts of two strokes", min(counts), "", 2, 2),
        Fact("most string contacts of two strokes", max(counts), "", 2, 2),
        *(
            Fact(f"second note from {MM * level:g} mm", speed, "m/s", 0.1, 4.0)
            for level, speed in second.items()
        ),
        work_fact(slow, *results.values()),
    )
    half = results[5e-3]
    found = f"""Pressed at 10 mm/s the hammer turns back {MM * let_off(slow)[0]:.2f} mm below the
    string. After a first note the second one sounds from every level: with {second[0.0]:.2f} m/s from a
    key at rest, {second[5e-3]:.2f} m/s from 5 mm and {second[6.5e-3]:.2f} m/s from 6.5 mm. The lever
    raises the hammer while the key comes up, the jack springs back under the knuckle, and the key never
    reaches its rest."""
    x = MM * np.array(LEVELS)
    faster = phases(
        x,
        {"speed": np.array(list(second.values()))},
        "Second note",
        {"speed": "m/s"},
        xlabel="key let up to, mm",
        scattered=True,
    )
    figures = (
        Figure(
            _both(half, "Repeated from 5 mm"),
            """The key is let up to 5 mm of 9.9 and pressed
        again: the hammer, which the check has held, is raised by the lever and strikes.""",
        ),
        Figure(faster, "How fast the hammer strikes the second time, by how far the key was let up."),
    )
    return Study(
        "piano-escapement",
        "Escapement and half-way repetition",
        ASKED,
        REFERENCE,
        found,
        MISSING,
        figures,
        facts,
    )


def again(level: float) -> Samples:
    """A stroke, let up to a level, and a second stroke as fast."""
    corners = [(0.05, 0.0), (0.05 + DOWN, BOTTOM), (RELEASE, BOTTOM), (RELEASE + 0.08, level), (AGAIN, level)]
    down = DOWN * (BOTTOM - level) / BOTTOM
    return path(*corners, (AGAIN + down, BOTTOM), smooth=0.01, until=0.7, period=FINE)


def _second(run: hs.Result) -> float:
    """Speed of the strike in the second stroke, m/s; 0 without one."""
    late = run.t[strikes(run)] > RELEASE
    return float(speeds(run)[late][0]) if late.any() else 0.0


def _both(run: hs.Result, title: str) -> Plot:
    shown = run.t >= SETTLED
    table = {
        "key": {"finger": MM * run["key.position"][shown]},
        "hammer": {"hammer below the string": -MM * run["string.gap"][shown]},
        "check": {
            "lever on knuckle": run["lever_knuckle.force"][shown],
            "jack on knuckle": run["jack_knuckle.force"][shown],
            "back check": run["check.force"][shown],
        },
    }
    return plot(run.t[shown], table, title, {"key": "mm", "hammer": "mm", "check": "N"})
