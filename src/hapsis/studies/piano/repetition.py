"""How fast a note repeats."""

import numpy as np

import hapsis as hs
from hapsis.studies.piano.motions import swing
from hapsis.studies.piano.runs import MM, Runs, speeds, strikes, work_fact
from hapsis.studies.study import Fact, Figure, Study
from hapsis.view.plots import Plot, curves, plot

NOTES = 8
CASES = (
    (0.5e-3, 4.0),
    (0.5e-3, 13.0),
    (3e-3, 8.0),
    (3e-3, 13.0),
    (5e-3, 6.0),
    (5e-3, 10.0),
    (5e-3, 13.0),
    (5e-3, 15.0),
)
ASKED = f"""A finger moves the key up and down as a sine, from 0.5, 3 or 5 mm to the bottom. Up to
which rate does every one of {NOTES} strokes sound, and once only?"""
REFERENCE = """Grand actions repeat up to about 13 to 15 notes a second; the double escapement of
[Docquier], section 5.1, is there for this. The article itself shows no repetition beyond its fast
double blow."""
MISSING = """The finger is a perfect sine and is not moved by the key. A real one leaves the key, or
is lifted by it, which limits real repetition before the action does. What happens above 13 notes a
second with a half released key depends on small things in felts and springs."""


def study(runs: Runs) -> Study:
    """The study `piano-repetition`."""
    results = {case: runs.moved(_name(*case), swing(*case, NOTES)) for case in CASES}
    facts = []
    for (low, rate), run in results.items():
        sure = (NOTES, NOTES) if rate <= 13.0 else (0, NOTES)
        facts.append(Fact(f"string contacts, {_name(low, rate)}", len(strikes(run)), f"of {NOTES}", *sure))
    half = results[5e-3, 13.0]
    fast = speeds(half)
    facts.append(Fact("slowest strike from 5 mm at 13 Hz", float(fast.min()), "m/s", 0.2, 4.0))
    facts.append(Fact("fastest strike from 5 mm at 13 Hz", float(fast.max()), "m/s", 0.2, 4.0))
    facts.append(work_fact(*results.values()))
    found = f"""Up to 13 notes a second each stroke meets the string once, from all three levels. From
    5 mm at 13 Hz the hammer strikes with {fast.min():.2f} to {fast.max():.2f} m/s. At 15 Hz
    {len(strikes(results[5e-3, 15.0]))} of {NOTES} sound."""
    figures = (
        Figure(_shown(half), "Thirteen notes a second from a key that is let up to 5 mm."),
        Figure(
            _loudness(results),
            "The speed of every strike: the key needs its way to bring the hammer up to speed.",
        ),
    )
    return Study(
        "piano-repetition", "The fastest repetition", ASKED, REFERENCE, found, MISSING, figures, tuple(facts)
    )


def _name(low: float, rate: float) -> str:
    return f"from {MM * low:g} mm at {rate:g} Hz"


def _shown(run: hs.Result) -> Plot:
    table = {
        "key": {"finger": MM * run["key.position"]},
        "hammer": {"hammer below the string": -MM * run["string.gap"]},
    }
    return plot(run.t, table, "Repetition at 13 Hz", {"key": "mm", "hammer": "mm"})


def _loudness(results: dict[tuple[float, float], hs.Result]) -> Plot:
    chosen = {
        _name(*case): speeds(run)
        for case, run in results.items()
        if case[1] in (13.0, 15.0) and len(strikes(run))
    }
    numbers = {name: 1.0 + np.arange(len(v)) for name, v in chosen.items()}
    return curves(
        numbers, chosen, "number of the strike", "hammer at the string, m/s", title="Strikes in a row"
    )
