"""The force under a finger that presses the key slowly: phases, forces inside, work."""

import numpy as np

import hapsis as hs
from hapsis.studies.piano.curves import FORCE, POSITION, force_curves
from hapsis.studies.piano.runs import MM, SETTLED, Runs, at, let_off, peak, stroke, work_fact
from hapsis.studies.study import Fact, Figure, Study
from hapsis.view.plots import Plot, curves
from hapsis.view.spans import Span

INSIDE = ("pilot", "jack_knuckle", "lever_knuckle", "let_off", "drop")
ASKED = """A finger presses the key of a grand piano down to its felt at 10 mm/s. What force does it
feel at each position?"""
REFERENCE = """Figure 24 of the article on a haptic piano key [Docquier] shows this force, measured on
an action of the maker Renner and on the prototype, over a dip of 9.5 mm. It stays between 0 and 4 N and
has four phases, A to D: the escapement is phase C, the felt under the key phase D."""
MISSING = """The measured curves are not public as numbers, so that only features are compared:
phases, range of the force, place of the bump. The article names phases C and D; that A ends and B
begins where the key meets the damper is our reading. The start of a real finger is not known: ours
speeds up within 0.1 s, and the small ripple in the first two millimetres is the hammer on its felts."""


def study(runs: Runs) -> Study:
    """The study `piano-force`."""
    run = runs.pressed("pressed at 10 mm/s")
    felt = stroke(run)
    bump, place = peak(felt)
    gap, finger = let_off(run)
    spans = phases(run)
    landed = spans[-1].low / MM
    level, lifted = at(felt, 3e-3), at(felt, 6e-3)
    moving = felt.force[(felt.x > 0.5e-3) & (felt.x < landed)]
    facts = (
        Fact("force at 3 mm, hammer alone", level, "N", 0.3, 0.8),
        Fact("force at 6 mm, damper lifted too", lifted, "N", level + 0.2, 1.2),
        Fact("largest force of the escapement", bump, "N", 2.0, 3.5),
        Fact("position of the bump", MM * place, "mm", 8.0, 9.0),
        Fact("least force on the way", float(moving.min()), "N", 0.0, 1.0),
        Fact("largest force of the stroke", float(felt.force.max()), "N", bump, 4.5),
        Fact("closest distance of the hammer to the string", MM * gap, "mm", 1.0, 2.0),
        Fact("key until the felt", MM * landed, "mm", 9.5, 10.5),
        work_fact(run),
    )
    found = f"""The finger lifts the hammer with about {level:.2f} N (A), then the damper too with
    {lifted:.2f} N (B). At {spans[2].low:.1f} mm the jack's toe meets the let-off button: the jack has
    to slide out from under the hammer's knuckle, and the force rises to {bump:.2f} N at
    {MM * place:.2f} mm (C). The hammer is highest, {MM * gap:.2f} mm below the string, with the key at
    {MM * finger:.2f} mm; behind it the key falls through until the felt at {MM * landed:.1f} mm (D)."""
    figures = (
        Figure(
            force_curves("Force under the finger", {"felt force": felt}, spans),
            """Phases: A the hammer, B hammer and damper, C escapement, D the felt under the key. They
            begin where contacts of the run begin.""",
        ),
        Figure(
            _inside(run),
            """Where the force comes from: forces at contacts inside the action. The
        lever carries the hammer until the toe is stopped, then the jack does and is pushed out.""",
        ),
        Figure(
            _work(run),
            """What the finger has given is stored in raised parts, springs and felts,
        or lost in friction and felts.""",
        ),
    )
    return Study("piano-force", "The force of a slow key", ASKED, REFERENCE, found, MISSING, figures, facts)


def phases(run: hs.Result) -> tuple[Span, ...]:
    """Phases A to D of a slow press by the first touch of contacts, in mm of the finger."""
    x = MM * run["key.position"]
    firsts = (("damper_key",), ("let_off", "drop"), ("bed",))
    ends = [0.0, *(min(_first(run, x, name) for name in names) for names in firsts), float(x.max())]
    return tuple(Span(a, b, name) for a, b, name in zip(ends, ends[1:], "ABCD", strict=False))


def _first(run: hs.Result, x: np.ndarray, contact: str) -> float:
    pressed = run[f"{contact}.force"] > 1e-3
    return float(x[int(np.argmax(pressed))]) if pressed.any() else float(x.max())


def _shown(run: hs.Result) -> np.ndarray:
    """Rows from where the action has settled until the key is down."""
    return (run.t >= SETTLED) & (np.arange(len(run.t)) <= np.argmax(run["key.position"]))


def _inside(run: hs.Result) -> Plot:
    shown = _shown(run)
    table = {name.replace("_", " on "): run[f"{name}.force"][shown] for name in INSIDE}
    table = {
        {"let on off": "toe at the button", "drop": "lever at the drop screw"}.get(n, n): y
        for n, y in table.items()
    }
    return curves(MM * run["key.position"][shown], table, POSITION, FORCE, title="Forces inside")


def _work(run: hs.Result) -> Plot:
    columns = run.columns
    lost = sum(run[n] for n in columns if n.endswith(".loss"))
    kept = (
        run["energy"] - run["energy"][0] + sum(run[n] - run[n][0] for n in columns if n.endswith(".stored"))
    )
    felt = stroke(run)
    steps = 0.5 * (felt.force[1:] + felt.force[:-1]) * np.diff(felt.x)
    given = np.concatenate([[0.0], np.cumsum(steps)])
    table = {"∫F dx": given, "stored": kept, "lost": lost, "stored and lost": kept + lost}
    shown = _shown(run)
    table = {name: 1e3 * (y - y[shown][0])[shown] for name, y in table.items()}
    return curves(MM * felt.x[shown], table, POSITION, "energy, mJ", title="Work of the finger")
