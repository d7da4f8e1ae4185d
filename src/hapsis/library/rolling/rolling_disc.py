"""A disc or a hoop that rolls, as a coin on a table."""

import math

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import real

STILL = ("place.Tx", "place.Ty", "place.Rz", "spin")


@verb
def rolling_disc(radius: float = 0.3, rim: float = 0.0) -> hs.Model:
    """A thin wheel that rolls on the ground: 6 coordinates, 3 rows, 3 degrees of freedom.

    `place` is its centre and its heading, `lean` is to the right, and `spin` rolls it forwards. `rim` is the
    share of its mass that is on its rim: 0 is a disc, 1 a hoop. Upright it is stable from a speed on, where
    spin² > g / 3r of a disc and g / 4r of a hoop: it steers to the side to which it falls. `start` rolls a
    little faster and leans by 0.05 rad.

        r, mass, rim   m, kg; r is `radius`
    """
    if not 0.0 <= real(rim, "the share of the rim") <= 1.0:
        raise ModelError(f"the share of the rim is {rim}", expected="from 0, a disc, to 1, a hoop")
    axial, across = "mass * r^2 * (1 + rim) / 2", "mass * r^2 * (1 + rim) / 4"
    shape = hs.Cylinder("r", "0.06 * r", at=hs.Frame(rpy=(math.pi / 2, 0, 0)))
    marks = [hs.Sphere("0.09 * r", at=(0, 0, f"{k} * r"), material="red felt") for k in ("0.7", "-0.7")]
    spin = "1.3 * sqrt(9.81 / (3 * r))"
    return hs.Model(
        hs.Body("heading"),
        hs.Body("leaning"),
        hs.Body("disc", "mass", inertia=(across, axial, across), shapes=(shape, *marks)),
        hs.Chain("place", hs.WORLD, "heading", "Tx Ty Tz Rz"),
        hs.Revolute("lean", "heading", "leaning", axis="x"),
        hs.Revolute("spin", "leaning", "disc", axis="y"),
        hs.Rolling("roll", "disc", hs.WORLD, "r"),
        parameters={"r": radius, "mass": 2.0, "rim": rim},
        independent=("lean", "place.Rz", "spin"),
        poses={
            "start": {
                **dict.fromkeys(STILL, 0.0),
                "lean": 0.05,
                "place.Tz": "r * cos(0.05)",
                "spin.v": spin,
                "place.Tx.v": f"r * {spin}",
            }
        },
    )
