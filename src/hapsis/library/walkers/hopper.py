"""A hopper: a mass that runs on one springy leg."""

import math
from typing import Any

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError

LEAST = 0.5  # rad, of angles of attack


@verb
def hopper(attack: float = math.radians(68)) -> "hs.Hybrid":
    """The spring-loaded inverted pendulum: a mass on a massless leg with a spring, in a plane.

    Two phases. In `flight` the leg has its free length and points down at the angle of attack; in `stance`
    its foot is pinned to the ground, z = 0, and the spring pushes. It touches down when the foot comes to the
    ground, and lifts off when the spring has its free length again. No energy is lost, and with the right
    angle it runs by itself, along +x: one multiplier of its cycle is 1, that of the energy.

        attack      angle of the leg to the ground at touch-down, rad
        length      of the leg, m
        stiffness   of the leg, N/m
        mass        kg

    `body.Tx`, `body.Tz` are the place of the mass, `leg` the angle of the leg from the vertical, positive
    where the foot is behind, and `knee` how much shorter the leg is, m. `start` is the top of a flight at
    5 m/s, near the running that repeats itself.
    Reference: [Seyfarth].
    """
    if not LEAST < attack < math.pi / 2:
        raise ModelError(f"the angle of attack is {attack!r}", expected=f"from {LEAST} to pi/2 rad")
    angle = attack - math.pi / 2
    model = hs.Model(
        hs.Body("world", shapes=(hs.Plane(),)),
        hs.Body("body", "mass", shapes=(hs.Sphere("0.12 * length"),)),
        hs.Body("thigh", shapes=(hs.Capsule("0.03 * length", "0.3 * length", at=(0, 0, "-0.15 * length")),)),
        hs.Body(
            "shank",
            frames={"foot": (0, 0, "-length")},
            shapes=(hs.Capsule("0.02 * length", "0.8 * length", at=(0, 0, "-0.6 * length")),),
        ),
        hs.Chain("body", hs.WORLD, "body", "Tx Tz"),
        hs.Revolute("leg", "body", "thigh", axis="y"),
        hs.Prismatic("knee", "thigh", "shank", axis="z"),
        hs.Spring("spring", "body", "shank.foot", stiffness="stiffness", length="length"),
        parameters={"length": 1.0, "stiffness": 20e3, "mass": 80.0},
        poses={
            "start": {
                "body.Tx": 0.0,
                "body.Tz": f"length * {math.sin(attack) + 0.0165!r}",
                "leg": angle,
                "knee": 0.0,
                "body.Tx.v": "sqrt(2.548420 * 9.81 * length)",
                "body.Tz.v": 0.0,
                "leg.v": 0.0,
                "knee.v": 0.0,
            }
        },
        page=hs.Page(outputs=["body.Tz", "energy"], follow=True),
    )
    held = hs.NoSpin("aim", "thigh", about="y"), hs.Pinned("reach", "shank", "thigh")
    touch_down = hs.Event(
        "touch-down",
        when=hs.height("shank.foot"),
        falling=True,
        during="flight",
        to="stance",
        then=[hs.impact("shank.foot")],
    )
    lift_off = hs.Event(
        "lift-off",
        when=_knee,
        falling=True,
        during="stance",
        to="flight",
        then=[hs.reset({"leg": angle, "knee": 0.0, "leg.v": 0.0, "knee.v": 0.0})],
    )
    phases = {"flight": model + held, "stance": model.pinned("shank.foot")}
    return hs.Hybrid(phases=phases, events=[touch_down, lift_off])


def _knee(s: Any) -> Any:
    return s["knee"]
