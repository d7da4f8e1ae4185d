"""The tippe top, which turns over and stands on its stem."""

import math

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb

STILL = ("top.x", "top.y", "top.qy", "top.qz")


@verb
def tippe_top(spin: float = 250.0) -> hs.Model:
    """A ball with a stem whose centre of mass is below its middle, sliding on a table with friction.

    Spun fast, sliding friction lifts the heavy side: within seconds the top stands on its stem and turns the
    other way about its own axis. `start` spins with `spin` rad/s about its stem, which leans by 0.1 rad. Spun
    slowly it stays as it is.

        r            radius of the ball, m
        e            centre of mass below the middle, m
        mass, A, C   kg and kg m²: A across the stem, C about it
        mu           of sliding
    """
    angle = 0.05  # half of the lean
    table = (hs.WORLD, hs.Plane())
    law = hs.HuntCrossley("stiffness", power=1.0, damping="damping")
    friction = hs.Coulomb("mu", speed=0.01)
    stem = hs.Capsule(0.004, 0.006, at=(0, 0, 0.021), material="brass")
    mark = hs.Sphere(0.003, at=(0.014, 0, 0.0135), material="red felt")
    return hs.Model(
        hs.Body("top", "mass", (0, 0, "-e"), ("A", "A", "C"), {"tip": (0, 0, "1.2 * r")}, (stem, mark)),
        hs.Free("top", hs.WORLD, "top"),
        hs.Contact("ball", ("top", hs.Sphere("r", material="wood")), table, law=law, friction=friction),
        hs.Contact(
            "stem", ("top.tip", hs.Sphere(0.004, material="brass")), table, law=law, friction=friction
        ),
        parameters={
            **{"r": 0.02, "e": 0.002, "mass": 0.006, "A": 8e-7, "C": 7.6e-7},
            **{"mu": 0.3, "stiffness": 4e3, "damping": 0.5},
        },
        poses={
            "start": {
                **dict.fromkeys(STILL, 0.0),
                "top.z": "r",
                "top.qw": math.cos(angle),
                "top.qx": math.sin(angle),
                "top.wz": spin,
            }
        },
    )
