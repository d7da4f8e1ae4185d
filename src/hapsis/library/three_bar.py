"""Three bars in a parallelogram: the smallest loop."""

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb


@verb
def three_bar() -> hs.Model:
    """Two uprights and a coupler under a ceiling, one loop, one degree of freedom.

    All hinges turn about y. The ceiling is at z = 0 and weight pulls along +z, so that the bars
    swing like a pendulum. `start` is open: closed, q2 = pi/2 - q1 and q3 = q1.

        upright   length of `left` and `right`, m
        span      length of the coupler, and between the two points of the ceiling, m

    Each bar is 1 kg in its middle, without inertia. Reference: [Paul] section 5.4.1, with the
    values of 6.1.2.
    """
    return hs.Model(
        hs.Body("left", mass=1.0, com=(0, 0, "upright / 2"), frames={"end": (0, 0, "upright")}),
        hs.Body("coupler", mass=1.0, com=(0, 0, "span / 2"), frames={"end": (0, 0, "span")}),
        hs.Body("right", mass=1.0, com=("upright / 2", 0, 0), frames={"end": ("upright", 0, 0)}),
        hs.Revolute("q1", hs.WORLD, "left", axis="y"),
        hs.Revolute("q2", "left.end", "coupler", axis="y"),
        hs.Revolute("q3", "coupler.end", "right", axis="y"),
        hs.Ball("right cut", "right.end", hs.WORLD.at("span", 0, 0)),
        gravity=(0, 0, 9.81),
        parameters={"upright": 0.5, "span": 1.0},
        poses={"start": {"q1": 0.78539816339, "q2": 1.0, "q3": 0.1}},
        independent=["q1"],
    )
