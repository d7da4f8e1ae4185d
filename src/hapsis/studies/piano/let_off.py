"""The let-off button turned up and down: figure 25, and the lever ratio of the button."""

import numpy as np

import hapsis as hs
from hapsis.library.piano import dimensions as d
from hapsis.studies.piano.curves import force_curves
from hapsis.studies.piano.runs import MM, Runs, let_off, peak, stroke, work_fact
from hapsis.studies.study import Fact, Figure, Study

FAR, LITTLE = 0.5e-3, 0.1e-3  # m
ASKED = """The let-off button is set half a millimetre higher and lower, as a technician would with
its screw. How does the force at 10 mm/s change, and how far does the hammer's closest distance to the
string move?"""
REFERENCE = """Figure 25 of [Docquier] varies the button by approximately 0.5 mm, physically on the
Renner action and virtually on the prototype: a higher button gives a higher force of the escapement
around 8 to 9 mm, a lower one a lower force, and the prototype shows it more strongly."""
MISSING = """The button moves the bump along the key as well as up and down, so that at one position
(8.0 mm) the raised button can feel lighter; the article does not speak of it. Raised by 0.5 mm the
button lets off too late for this regulation: the hammer reaches the string and is blocked there, as it
would be on a real action, and part of the higher force comes from that. Lowered by 0.5 mm there is no
bump within 8 to 9 mm, only a plateau."""


def study(runs: Runs) -> Study:
    """The study `piano-let-off`."""
    usual = runs.action.parameters["button_height"]

    def pressed(name: str, by: float) -> hs.Result:
        return runs.pressed(name, button_height=usual + by)

    normal = runs.pressed("normal")
    low, high = pressed("button -0.5 mm", -FAR), pressed("button +0.5 mm", FAR)
    below, above = pressed("button -0.1 mm", -LITTLE), pressed("button +0.1 mm", LITTLE)
    tops = [peak(stroke(run), 8e-3, 9e-3)[0] for run in (low, normal, high)]
    moved = (let_off(below)[0] - let_off(above)[0]) / (2.0 * LITTLE)
    ratio = lever_ratio(normal)
    facts = (
        Fact("largest force in 8 to 9 mm, button 0.5 mm lower", tops[0], "N", 1.0, tops[1] - 0.2),
        Fact("the same, normal", tops[1], "N", 2.0, 3.5),
        Fact("the same, button 0.5 mm higher", tops[2], "N", tops[1] + 0.2, 5.0),
        Fact("let-off, button 0.1 mm lower", MM * let_off(below)[0], "mm", MM * let_off(normal)[0], 3.0),
        Fact("let-off, button 0.1 mm higher", MM * let_off(above)[0], "mm", 0.2, MM * let_off(normal)[0]),
        Fact("let-off over button, ±0.1 mm", moved, "", 0.9 * ratio, 1.1 * ratio),
        Fact("lever ratio by geometry", ratio),
        work_fact(normal, low, high, below, above),
    )
    found = f"""A higher button raises the force of the escapement from {tops[1]:.2f} to {tops[2]:.2f}
    N, a lower one takes it to {tops[0]:.2f} N: the order of the curves is that of the article. A tenth
    of a millimetre at the button moves the let-off by {100 * moved / 1e3:.2f} mm. The levers alone, toe
    to whippen to knuckle to strike point, give {100 * ratio / 1e3:.2f} mm."""
    wide = {"normal": stroke(normal), "0.5 mm lower": stroke(low), "0.5 mm higher": stroke(high)}
    near = {"normal": stroke(normal), "0.1 mm lower": stroke(below), "0.1 mm higher": stroke(above)}
    figures = (
        Figure(
            force_curves("Let-off button ±0.5 mm", wide),
            """As figure 25: the bump rises with the button and comes later.""",
        ),
        Figure(
            force_curves("Let-off button ±0.1 mm", near),
            """What a technician would turn: the bump shifts by about 0.1 mm.""",
        ),
    )
    return Study("piano-let-off", "The let-off button", ASKED, REFERENCE, found, MISSING, figures, facts)


def lever_ratio(run: hs.Result) -> float:
    """How much the hammer's highest point moves for a button that is moved, by levers alone.

    With the jack at the same angle on the whippen, the button turns the whippen by 1 / (arm of the toe).
    The jack's top pushes the knuckle along the normal of their contact, and the hammer multiplies it to its
    strike point. All arms are those of the pose in which the hammer is highest.
    """
    gap = np.where(run["key.position"] < 9.3e-3, run["string.gap"], np.inf)
    k = int(np.argmin(gap))
    hammer, whippen, jack = (float(run[name][k]) for name in ("hammer", "whippen", "jack"))
    pivot = np.array(d.PARTS["whippen"].pivot)
    flange = np.array(d.PARTS["hammer"].pivot)

    def on_whippen(point: d.Point) -> np.ndarray:
        return pivot + _turned(np.array(point) - pivot, whippen)

    hinge = np.array(d.PARTS["jack"].pivot)

    def on_jack(point: d.Point) -> np.ndarray:
        turned = hinge + _turned(np.array(point) - hinge, jack)
        return on_whippen((float(turned[0]), float(turned[1])))

    def on_hammer(point: d.Point) -> np.ndarray:
        return flange + _turned(np.array(point) - flange, hammer)

    a, b = (on_jack(end) for end in d.JACK_TOP)
    knuckle = on_hammer(d.KNUCKLE[0])
    place = a + np.clip((knuckle - a) @ (b - a) / ((b - a) @ (b - a)), 0.0, 1.0) * (b - a)
    normal = (knuckle - place) / np.linalg.norm(knuckle - place)
    toe = on_jack(d.JACK_TOE[0]) - pivot  # its height moves by toe[0] for a turn of the whippen
    turn = _arm(place - pivot, normal) / _arm(place - flange, normal)  # of the hammer over the whippen's
    strike = on_hammer(d.STRIKE_POINT) - flange
    return abs(float(strike[0] * turn / toe[0]))


def _turned(v: np.ndarray, angle: float) -> np.ndarray:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * v[0] - s * v[1], s * v[0] + c * v[1]])


def _arm(r: np.ndarray, n: np.ndarray) -> float:
    """Speed along n of a point at r for a unit turn about the origin."""
    return float(r[0] * n[1] - r[1] * n[0])
