"""The parallelogram with one upright too many."""

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.library.three_bar import three_bar


@verb
def redundant_four_bar() -> hs.Model:
    """`three_bar` with a third upright in the middle: four bars, two loops, one row redundant.

    Counting says no degree of freedom; there is one, because the uprights are parallel. The
    Jacobian of the four rows has rank 3, but only where the loops are closed: `start` is open.
    Closed, q2 = pi/2 - q1 and q3 = q4 = q1.

    Reference: [Paul] section 6.1.
    """
    three = three_bar()
    coupler = {**three.bodies["coupler"].frames, "middle": (0, 0, "span / 2")}
    three = three.replace("coupler", frames=coupler)
    return hs.Model(
        three,
        hs.Body("middle", mass=1.0, com=("upright / 2", 0, 0), frames={"end": ("upright", 0, 0)}),
        hs.Revolute("q4", "coupler.middle", "middle", axis="y"),
        hs.Ball("middle cut", "middle.end", hs.WORLD.at("span / 2", 0, 0)),
        poses={"start": {**three.poses["start"], "q4": 0.4}},
    )
