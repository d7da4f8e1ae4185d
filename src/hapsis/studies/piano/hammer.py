"""Heavier and lighter hammers: figure 26."""

import numpy as np

from hapsis.studies.piano.curves import force_curves
from hapsis.studies.piano.runs import Runs, Stroke, let_off, peak, stroke, work_fact
from hapsis.studies.study import Fact, Figure, Study

GRAMS = {"normal": 0.0, "+3 g": 3e-3, "+6 g": 6e-3, "-3 g": -3e-3}
ASKED = """A point mass of 3 g is added to the hammer's head, once and twice, and in the model the
head is made 3 g lighter too. How does the force at 10 mm/s change?"""
REFERENCE = """Figure 26 of [Docquier]: with 3 g more (High) and 6 g more (Very high) the force is
larger, on the Renner action and on the prototype. A lighter hammer (Low), which only the model can have
without a new hammer being made, gives a lower force until the key meets its felt."""
MISSING = """In the model the mass acts until the jack lets go of the hammer, at about 8.9 mm; from
there to the felt the curves run together, while in the article's text the lighter hammer is felt until
the felt. The heavier hammers ring a little longer on their felts at the start of the stroke."""


def study(runs: Runs) -> Study:
    """The study `piano-hammer`."""
    head = runs.action.parameters["hammer_head"]
    results = {
        name: runs.pressed(name, **({"hammer_head": head + m} if m else {})) for name, m in GRAMS.items()
    }
    felt = {name: stroke(run) for name, run in results.items()}
    level = {name: mean(s, 5e-3, 7e-3) for name, s in felt.items()}
    tops = {name: peak(s)[0] for name, s in felt.items()}
    facts = [
        Fact("mean force from 5 to 7 mm, normal", level["normal"], "N", 0.6, 1.2),
        *(
            Fact(f"its change, {name}", level[name] - level["normal"], "N", *_range(m))
            for name, m in GRAMS.items()
            if m
        ),
        Fact("change of the bump, +3 g", tops["+3 g"] - tops["normal"], "N", 0.05, 0.4),
        Fact(
            "change of the bump, +6 g", tops["+6 g"] - tops["normal"], "N", tops["+3 g"] - tops["normal"], 0.8
        ),
        Fact("change of the bump, -3 g", tops["-3 g"] - tops["normal"], "N", -0.4, -0.02),
        Fact("let-off, +6 g", 1e3 * let_off(results["+6 g"])[0], "mm", 0.5, 2.5),
        work_fact(*results.values()),
    ]
    found = f"""Up to the let-off the force rises by {level["+3 g"] - level["normal"]:.2f} N for 3 g
    and by {level["+6 g"] - level["normal"]:.2f} N for 6 g, and falls by
    {level["normal"] - level["-3 g"]:.2f} N for 3 g less: the weight of the mass times the ratio of
    hammer and key, which is about 5. The bump follows."""
    figures = (
        Figure(
            force_curves("Mass of the hammer", felt),
            """As figure 26, with the same order of the
        curves.""",
        ),
    )
    return Study(
        "piano-hammer", "Heavier and lighter hammers", ASKED, REFERENCE, found, MISSING, figures, tuple(facts)
    )


def mean(felt: Stroke, low: float, high: float) -> float:
    """The mean force between two positions on the way down, N."""
    down = np.arange(len(felt.x)) <= np.argmax(felt.x)
    return float(felt.force[down & (felt.x > low) & (felt.x < high)].mean())


def _range(mass: float) -> tuple[float, float]:
    """Weight times a ratio of 4 to 6.5, N."""
    ends = sorted((9.81 * mass * 4.0, 9.81 * mass * 6.5))
    return ends[0], ends[1]
