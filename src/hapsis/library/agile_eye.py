"""The agile eye: three motors turn a sphere about its fixed centre."""

from typing import Any

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb

# the angle of the arms and the reach of the last one; L and theta are the model's parameters
BETA = "(2 * asin(3 * cos(theta) / (2 * sqrt(3))))"
REACH = "(L * sqrt(3) / (6 * cos(theta)))"

AXES = {"T1": "x", "T2": "y", "T3": "z", "R1": "x", "R2": "y", "R3": "z"}

# for each branch: where its motor stands, how it is turned, how its phantom eye is turned
BRANCHES = (
    ((0, 0, 0), "pi / 6", 0),
    (("L", 0, 0), "5 * pi / 6", "-2 * pi / 3"),
    (("L / 2", "sqrt(3) * L / 2", 0), "-pi / 2", "2 * pi / 3"),
)
EYE = {"q1": 0.4, "q2": 0.28, "q3": 0.55, "q4": 0.0, "q5": 0.0, "q6": 0.0}  # open
MOTOR, FIRST, SECOND = -0.68471920311242, 0.2, 2.25


@verb
def agile_eye() -> hs.Model:
    """The eye and three branches of two arms, whose nine axes meet in the eye's centre.

    Every joint has one degree: q1 to q6 place the eye, q7 to q15 are the first branch, q16 to q24
    the second, q25 to q33 the third. Angles of construction are coordinates held by drives. Each
    branch ends in a phantom of the eye, welded to the eye itself: 18 rows for 15 coordinates, of
    rank 12 once closed. Three degrees of freedom: the motors q9, q18, q27.

        L       sides of the triangle of the motors, m
        theta   angle between the axes of the motors and the ground

    Only the eye has a mass: 4 kg, a full sphere of .2 m. Reference: [Paul] section 6.2;
    [Gosselin].
    """
    facts: list[hs.Body | hs.Joint | hs.Drive] = [*_eye()]
    start: dict[str, Any] = dict(EYE)
    for k, branch in enumerate(BRANCHES):
        facts += _branch(k, *branch, start)
    welds = [hs.Weld(f"eye cut {k}", f"phantom eye {k}", "eye") for k in (1, 2, 3)]
    return hs.Model(
        *facts,
        *welds,
        parameters={"L": 1.0, "theta": 0.7853981633974483},
        poses={"start": start},
        independent=["q9", "q18", "q27"],
    )


def _eye() -> list[Any]:
    """Three slides and three turns from the world to the eye, with massless bodies between."""
    shape = hs.Sphere(0.2)
    names = [*(f"eye step {k}" for k in range(1, 6)), "eye"]
    bodies = [hs.Body(name) for name in names[:-1]]
    eye = hs.Body("eye", mass=4.0, inertia=(0.064, 0.064, 0.064), shapes=(shape,))
    ends = [hs.WORLD, *names]
    motions = ("T1", "T2", "T3", "R1", "R2", "R3")
    return [*bodies, eye, *(_joint(f"q{k}", m, ends[k - 1], ends[k]) for k, m in enumerate(motions, 1))]


def _branch(k: int, at: Any, heading: Any, phantom: Any, start: dict[str, Any]) -> list[Any]:
    """The nine joints of one branch with their bodies and locks; adds its start.

    Each row: the motion, the body it carries, the value, whether a drive holds it there.
    """
    steps = (
        ("R3", "heading", heading, True),
        ("R2", "slope", "-theta", True),
        ("R1", "first arm", MOTOR, False),
        ("R2", "first elbow", f"-{BETA}", True),
        ("R1", "second arm", FIRST, False),
        ("R3", "second elbow", f"pi / 2 - {BETA}", True),
        ("R2", "eye arm", SECOND, False),
        ("R1", "phantom slope", "theta", True),
        ("R3", "phantom eye", phantom, True),
    )
    ends = {
        "first arm": (f"L * cos((pi - {BETA}) / 2)", 0, f"-L * sin((pi - {BETA}) / 2)"),
        "second arm": (f"(2 + cos({BETA})) * {REACH}", f"-sin({BETA}) * {REACH}", 0),
        "eye arm": (0, REACH, 0),
    }
    facts, hung = [], hs.WORLD.at(*at)
    for i, (motion, what, value, held) in enumerate(steps):
        body, q = f"{what} {k + 1}", f"q{7 + 9 * k + i}"
        facts.append(hs.Body(body, frames={"end": ends[what]} if what in ends else {}))
        facts.append(_joint(q, motion, hung, body))
        facts += [hs.Drive(f"{q} lock", q, position=value)] if held else []
        start[q] = value
        hung = f"{body}.end" if what in ends else body
    return facts


def _joint(name: str, motion: str, first: Any, second: str) -> hs.Joint:
    kind = hs.Prismatic if motion[0] == "T" else hs.Revolute
    return kind(name, first, second, axis=AXES[motion])
