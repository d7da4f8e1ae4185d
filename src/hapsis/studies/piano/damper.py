"""The key with and without its damper: figure 24."""

from hapsis.studies.piano.curves import force_curves
from hapsis.studies.piano.hammer import mean
from hapsis.studies.piano.runs import Runs, at, peak, stroke, work_fact
from hapsis.studies.study import Fact, Figure, Study

OUT_OF_REACH = 1.0  # m
ASKED = "The damper is taken away. Where along the stroke is it felt, and how much does it weigh there?"
REFERENCE = """In figure 24 of [Docquier] one curve of the Renner action is without damper, to show
its role: it lies below the others from about half of the stroke on."""
MISSING = """The damper of the model is one part of 40 g on a slide with a little friction; that of a
grand has an underlever with a spring of its own, and its felts let go of the strings one after the
other, which spreads the step over a longer way."""


def study(runs: Runs) -> Study:
    """The study `piano-damper`."""
    bare = runs.pressed("without damper", damper_lift=OUT_OF_REACH)
    whole = runs.pressed("with damper")
    felt, free = stroke(whole), stroke(bare)
    before = at(felt, 4e-3) - at(free, 4e-3)
    lifted = mean(felt, 5.5e-3, 7e-3) - mean(free, 5.5e-3, 7e-3)
    weight = 9.81 * 0.040  # the key's end is as far from its balance as the finger
    top = peak(felt)[0] - peak(free)[0]
    facts = (
        Fact("damper felt at 4 mm", before, "N", -0.02, 0.02),
        Fact("damper felt from 5.5 to 7 mm", lifted, "N", weight, weight + 0.06),
        Fact("damper felt in the bump", top, "N", 0.3, 0.5),
        Fact("force from 5.5 to 7 mm without it", mean(free, 5.5e-3, 7e-3), "N", 0.3, 0.8),
        work_fact(whole, bare),
    )
    found = f"""The two curves are one until 4.5 mm. From there on the key's end lifts the damper,
    which adds {lifted:.2f} N: its weight of {weight:.2f} N and the friction of its guide, as the key's
    end is as far from the balance as the finger. It stays on the finger through the escapement."""
    figures = (
        Figure(
            force_curves("With and without damper", {"with damper": felt, "without": free}),
            "As the curve without damper of figure 24.",
        ),
    )
    return Study("piano-damper", "With and without damper", ASKED, REFERENCE, found, MISSING, figures, facts)
