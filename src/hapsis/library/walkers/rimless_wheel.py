"""The rimless wheel: spokes that roll down a slope from one to the next."""

import math
from typing import Any, NamedTuple

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.library.walkers.walker_parts import RADIUS, SLOPE, check_slope
from hapsis.mechanics.model.values.numbers import described

STEEPEST = 0.5
MOST = 100


@verb
def rimless_wheel(n: int = 8, slope: float = 0.08) -> "hs.Hybrid":
    """A wheel without a rim: n spokes without mass, a mass at the hub, in a plane.

    In the phase `stance` the end of one spoke, the frame `foot`, is pinned to the ground, z = 0. When the
    next spoke hits the ground, the wheel is renamed: its angle goes back by one spoke, so that `wheel.Ry`,
    the angle of the standing spoke from the normal of the slope, is between -pi/n and pi/n. Gravity is tilted
    by the slope; it rolls along +x. Where it is too slow it rocks back onto the spoke behind, and between
    the two into the phase `rest`.

        slope    of the ground, rad, down along +x
        length   of the spokes, m
        mass     of the hub, kg
        g        m/s²

    `start` is just after a spoke has hit, in steady rolling. There ω⁺² = 4 g/l sin(slope) sin(pi/n)
    cos²(2 pi/n) / sin²(2 pi/n), and an error shrinks by cos²(2 pi/n) with each spoke.
    Reference: [McGeer].
    """
    if not isinstance(n, int) or not 5 <= n <= MOST:  # pyright: ignore[reportUnnecessaryIsInstance]
        shown = n if isinstance(n, int | float) else described(n)
        raise ModelError(f"n is {shown}", expected=f"from 5 to {MOST} spokes: fewer come to rest at once")
    check_slope(slope, STEEPEST)
    half, turn = math.pi / n, 2 * math.pi / n
    gain = f"(4 * g / length * sin(slope) * {math.sin(half) / math.tan(turn) ** 2!r})"
    speed = f"sqrt{gain}"
    wheel = hs.Model(
        hs.Body("world", shapes=(hs.Plane(),)),
        hs.Body(
            "wheel",
            "mass",
            frames={
                "foot": (0, 0, "-length"),
                "next": (f"{math.sin(turn)!r} * length", 0, f"-{math.cos(turn)!r} * length"),
                "last": (f"{-math.sin(turn)!r} * length", 0, f"-{math.cos(turn)!r} * length"),
            },
            shapes=(hs.Sphere("0.08 * length"), *_spokes(n)),
        ),
        hs.Chain("wheel", hs.WORLD, "wheel", "Tx Tz Ry"),
        gravity=SLOPE,
        parameters={"slope": slope, "length": 1.0, "mass": 1.0, "g": 9.81},
        poses={
            "start": {
                "wheel.Tx": f"-length * {math.sin(half)!r}",
                "wheel.Tz": f"length * {math.cos(half)!r}",
                "wheel.Ry": -half,
                "wheel.Tx.v": f"length * {math.cos(half)!r} * {speed}",
                "wheel.Tz.v": f"length * {math.sin(half)!r} * {speed}",
                "wheel.Ry.v": speed,
            }
        },
        page=hs.Page(parameters={"slope": (0.02, 0.2, "rad")}, outputs=["wheel.Ry.v", "energy"], follow=True),
        independent=("wheel.Ry",),
    )
    standing = wheel.pinned("wheel.foot")
    return hs.Hybrid(
        phases={"stance": standing, "rest": standing + hs.NoSpin("still", "wheel", about="y")},
        events=[_strike("spoke hits", "wheel.next", -turn), _strike("rocks back", "wheel.last", turn)],
    )


class Turned(NamedTuple):
    """The angle of the wheel, turned by so much."""

    turn: float

    def __call__(self, s: Any) -> Any:
        """The new angle."""
        return s["wheel.Ry"] + self.turn


def _strike(name: str, frame: str, turn: float) -> "hs.Event":
    """A spoke that hits the ground becomes the standing one: the wheel's angle changes by a spoke."""
    return hs.Event(
        name,
        when=hs.height(frame),
        falling=True,
        during="stance",
        then=[hs.reset({"wheel.Ry": Turned(turn)}), hs.impact("wheel.foot", rest="rest")],
    )


def _spokes(n: int) -> tuple[hs.Capsule, ...]:
    """The spokes as they are drawn."""
    turns = (2 * math.pi * k / n for k in range(n))
    return tuple(
        hs.Capsule(
            radius=f"{RADIUS} * length",
            length="length",
            at=hs.Frame((f"{math.sin(a) / 2!r} * length", 0, f"{-math.cos(a) / 2!r} * length"), (0, -a, 0)),
        )
        for a in turns
    )
