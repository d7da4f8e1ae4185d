"""The action of a grand piano: six moving parts, and the twelve places where they touch."""

from math import cos, radians, sin
from typing import Any

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.library.piano import dimensions as d
from hapsis.library.piano.key_motion import AsKey, moved, rest_of
from hapsis.library.piano.looks import shapes
from hapsis.library.piano.page import action_page
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.values.numbers import described

MM, GRAM = 1e-3, 1e-3
# the screws, and what else is worth a slider: parameters of the model
PARAMETERS = {
    "pilot_height": d.PILOT_HEIGHT * MM,
    "button_height": d.BUTTON_HEIGHT * MM,
    "drop_height": d.DROP_HEIGHT * MM,
    "hammer_head": d.HEAD * GRAM,
    "jack_preload": d.SPRINGS["jack"].preload,
    "lever_preload": d.SPRINGS["lever"].preload,
    "dip": d.DIP * MM,
    "lead": 0.0,  # kg more, in the front of the key
    "damper_lift": d.DAMPER_LIFT * MM,
}
OUT_OF_REACH = 1.0  # m: a damper that the key does not lift


@verb
def grand_action(key: AsKey = "position", damper: bool = True) -> hs.Model:
    """The action of a grand piano in the plane x-y, y up: key, whippen, jack, lever, hammer, damper.

        key     what moves the key's front, `key.finger`, down:
                "position"  key.position, m, given from outside; the key follows it within about 1 ms
                "motion"    key.position and key.velocity, given from outside; the key follows at once
                "force"     the effort `finger`, N, on a light fingertip
                "finger"    hand.position, m: a fingertip of 50 g behind a joint with spring and damper
                a function of t or a number: the position, m, as for any `hs.Drive`
        damper  False leaves the damper out of reach of the key

    What the finger feels of a key that is moved, N, is `key.force` of a step; what it gives is `key.effort`
    of a result. `pilot.force` is what the whippen does to the key, F_mod of a haptic key. Every contact has
    `NAME.gap` and `NAME.force`. Parameters are the heights of the three screws, m, the mass of the hammer's
    head, kg, the springs' preloads, N m, and others.

    `hs.share` makes a page of it on which the key is pressed and the string sounds.
    `start` is the key at rest, its felts long pressed: nothing moves until the finger does. The values are
    our own, see the page on the piano for what they reach.
    """
    if not isinstance(damper, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"grand_action: damper is {described(damper)}", expected="True or False")
    finger = (d.FINGER[0] * MM, d.FINGER[1] * MM)
    facts = [*_parts(), *_springs(), *_contacts(), *moved(key, finger)]
    start = {"key": 0.0, **d.REST, **rest_of(key)}
    parameters = PARAMETERS if damper else {**PARAMETERS, "damper_lift": OUT_OF_REACH}
    return hs.Model(
        *facts,
        gravity=(0.0, -d.GRAVITY, 0.0),
        parameters=parameters,
        poses={"start": start},
        page=action_page(key if isinstance(key, str) else None),
    )


def _place(part: str, point: d.Point) -> tuple[float, float, float]:
    """A point of the drawn pose, in the frame of a part: at its pivot, parallel to the world's axes."""
    x, y = d.PARTS[part].pivot if part in d.PARTS else (0.0, 0.0)
    return ((point[0] - x) * MM, (point[1] - y) * MM, 0.0)


def _parts() -> list[Fact]:
    """Bodies, their joints and the friction of these."""
    angle = radians(d.SHANK_TURN)
    head, shank = (_turned(point, angle) for point in (d.HEAD_AT, d.SHANK_AT))
    facts: list[Fact] = [hs.Body("world", shapes=shapes("world"))]
    for name, part in d.PARTS.items():
        mass, com = part.mass * GRAM, _place(name, part.com)
        if name == "key":
            frames = {"finger": _place("key", d.FINGER)}
            facts.append(_loaded(name, mass, com, part.inertia, "lead", _place("key", d.LEAD_AT), frames))
        elif name == "hammer":
            frames = {"head": head, "strike": _place("hammer", d.STRIKE_POINT)}
            facts.append(_loaded(name, d.SHANK * GRAM, shank, part.inertia, "hammer_head", head, frames))
        else:
            facts.append(hs.Body(name, mass, com, (part.inertia,) * 3, shapes=shapes(name)))
        parent = hs.End(part.parent, hs.Frame(_place(part.parent, part.pivot)))
        if name == "damper":
            facts.append(hs.Prismatic(name, parent, name, axis="y"))
        else:
            facts.append(hs.Revolute(name, parent, name, axis="z"))
        facts.append(hs.Friction(f"{name}_friction", name, coulomb=part.friction, smooth=part.smooth))
    return facts


def _loaded(name: str, mass: float, com: Any, inertia: float, load: str, at: Any, frames: Any) -> hs.Body:
    """A body with a point mass on it, which is a parameter.

    The inertia about the common mass centre is its own, and that of the reduced mass m l / (m + l) at the
    distance of both.
    """
    whole = f"({mass!r} + {load})"
    centre = [f"({mass * c!r} + {load} * {p!r}) / {whole}" for c, p in zip(com, at, strict=True)]
    square = sum((c - p) ** 2 for c, p in zip(com, at, strict=True))
    moment = f"{inertia!r} + {load} * {mass * square!r} / {whole}"
    return hs.Body(name, whole, (centre[0], centre[1], 0.0), (moment,) * 3, frames, shapes(name))


def _turned(point: d.Point, angle: float) -> tuple[float, float, float]:
    """A point of the hammer's own frame, in mm, in the axes of the drawn pose, in m."""
    x, y = point[0] * MM, point[1] * MM
    return (x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle), 0.0)


def _springs() -> list[Fact]:
    """The springs of jack and lever, which press them against their stops on the whippen."""
    facts: list[Fact] = []
    for name, spring in d.SPRINGS.items():
        rest = f"-{name}_preload / {spring.stiffness!r}"
        felt = hs.HuntCrossley(spring.stop, power=1.0, damping=spring.loss)
        facts += [
            hs.JointSpring(f"{name}_spring", name, spring.stiffness, rest=rest),
            hs.Stop(f"{name}_stop", name, low=0.0, law=felt),
        ]
    return facts


def _contacts() -> list[hs.Contact]:
    """Felts, screws and rails: faces against round parts, and points against planes."""
    knuckle = _round("hammer", d.KNUCKLE)
    lever = _face("lever", d.LEVER_TOP)
    sides = {
        "pilot": (_face("whippen", d.HEEL), _screw("key", d.PILOT, f"pilot_height - {d.PILOT[1] * MM!r}")),
        "jack_knuckle": (_face("jack", d.JACK_TOP), knuckle),
        "lever_knuckle": (lever, knuckle),
        "drop": (lever, _screw("world", d.DROP_SCREW, f"drop_height + {d.DROP_SCREW[1] * MM!r}")),
        "let_off": (_round("jack", d.JACK_TOE), _plane("world", "button_height", "-y")),
        "string": ("hammer.strike", _plane("world", d.STRING_HEIGHT * MM, "-y")),
        "rest_rail": (_face("hammer", d.REST_FACE), _round("world", d.REST_RAIL)),
        "check": (_face("key", d.CHECK_FACE), _round("hammer", d.TAIL)),
        "bed": ("key.finger", _plane("world", "-dip", "y")),
        "back_rail": (_point("key", d.BACK_RAIL_AT), _plane("world", d.BACK_RAIL * MM, "y")),
        "damper_key": (_point("key", d.KEY_END), _plane("damper", "damper_lift", "-y")),
        "damper_string": (_point("damper", d.PARTS["damper"].pivot), _plane("world", 0.0, "y")),
    }
    return [hs.Contact(name, a, b, _law(name), _friction(name)) for name, (a, b) in sides.items()]


def _law(name: str) -> Any:
    felt = d.FELTS[name]
    if felt.hysteresis:
        return hs.Felt(felt.stiffness, felt.power, felt.hysteresis, felt.time, felt.start)
    return hs.HuntCrossley(felt.stiffness, felt.power, felt.damping)


def _friction(name: str) -> Any:
    felt = d.FELTS[name]
    if not felt.friction:
        return None
    if name == "check":
        return hs.Coulomb(felt.friction, bristle=d.BRISTLE)
    return hs.Coulomb(felt.friction, speed=d.SLIP, slope=d.SLOPE)


def _point(part: str, at: d.Point) -> hs.End:
    return hs.End(part, hs.Frame(_place(part, at)))


def _face(part: str, ends: tuple[d.Point, d.Point]) -> Any:
    """A flat face: the segment between two points."""
    a, b = (_place(part, end) for end in ends)
    return (part, hs.Segment.between(a, b))


def _round(part: str, circle: tuple[d.Point, float]) -> Any:
    """A round face: in the plane a sphere is a circle."""
    centre, radius = circle
    return (_point(part, centre), hs.Sphere(radius * MM))


def _screw(part: str, circle: tuple[d.Point, float], height: str) -> Any:
    """A round face at a height that a screw sets, which is a formula of a parameter."""
    (x, _), radius = circle
    at = hs.Frame((_place(part, (x, 0.0))[0], height, 0.0))
    return (hs.End(part, at), hs.Sphere(radius * MM))


def _plane(part: str, height: Any, normal: str) -> Any:
    """A level face at that height, m."""
    return (hs.End(part, hs.Frame((0.0, height, 0.0))), hs.Plane(normal))
