"""A ball that bounces until it rests."""

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb


@verb
def bouncing_ball(restitution: float = 0.8) -> "hs.Hybrid":
    """A ball on a vertical line, dropped onto the ground, z = 0.

    Two phases: `flight`, and `rest`, in which it lies on the ground. From a height h its bounces take
    √(2 h/g) (1 + e) / (1 - e) together, infinitely many of them, and then it rests.

        restitution   e, the part of the speed that a bounce gives back
        radius        of the ball, m
        mass          kg

    `height` is that of the centre, m. `start` is 1 m above the ground, at rest.
    """
    ball = hs.Model(
        hs.Body("world", shapes=(hs.Plane(),)),
        hs.Body(
            "ball",
            "mass",
            inertia=("0.4 * mass * radius^2",) * 3,
            frames={"bottom": (0, 0, "-radius")},
            shapes=(hs.Sphere("radius"),),
        ),
        hs.Prismatic("height", hs.WORLD, "ball", axis="z"),
        parameters={"radius": 0.05, "mass": 0.1},
        poses={"start": {"height": "1 + radius", "height.v": 0.0}},
    )
    bounce = hs.Event(
        "bounce",
        when=hs.height("ball.bottom"),
        falling=True,
        during="flight",
        then=[hs.impact("ball.bottom", restitution=restitution, rest="rest")],
    )
    return hs.Hybrid(phases={"flight": ball, "rest": ball.pinned("ball.bottom")}, events=[bounce])
