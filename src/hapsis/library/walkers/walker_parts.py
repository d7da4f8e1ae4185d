"""Parts of walkers in a plane: two straight legs at a hip, on a slope."""

from typing import Any

import hapsis as hs
from hapsis.errors import ModelError

# gravity as seen from a slope that falls along +x; the ground is z = 0
SLOPE = ("g * sin(slope)", 0, "-g * cos(slope)")
RADIUS = 0.02  # of drawn legs, of their length


def leg(name: str, mass: Any, com: Any) -> hs.Body:
    """A leg from the hip down to its `foot`, with a point mass `com` below the hip."""
    line = hs.Capsule(radius=f"{RADIUS} * length", length="length", at=(0, 0, "-length / 2"))
    return hs.Body(name, mass, (0, 0, com), frames={"foot": (0, 0, "-length")}, shapes=(line,))


def hip(mass: Any) -> list[Any]:
    """The ground, and the hip, a point that moves in the plane, with legs that turn about it.

    `stance` and `swing` are the angles of the legs from the normal of the slope: positive where the hip
    is ahead of the foot.
    """
    return [
        hs.Body("world", shapes=(hs.Plane(),)),
        hs.Body("hip", mass, shapes=(hs.Sphere(f"{3 * RADIUS} * length"),)),
        hs.Chain("hip", hs.WORLD, "hip", "Tx Tz"),
        hs.Revolute("stance", "hip", "stance", axis="y"),
        hs.Revolute("swing", "hip", "swing", axis="y"),
    ]


def standing(stance: str, swing: str, stance_speed: str, swing_speed: str) -> dict[str, str]:
    """The pose with the foot of the stance leg at the origin, at rest there."""
    return {
        "hip.Tx": f"length * sin({stance})",
        "hip.Tz": f"length * cos({stance})",
        "stance": stance,
        "swing": swing,
        "hip.Tx.v": f"length * cos({stance}) * ({stance_speed})",
        "hip.Tz.v": f"-length * sin({stance}) * ({stance_speed})",
        "stance.v": stance_speed,
        "swing.v": swing_speed,
    }


def steps() -> "list[hs.Event]":
    """The swinging foot hits the ground ahead, and the legs exchange their names; or the walker falls."""
    strike = hs.Event(
        "heel strike",
        when=hs.height("swing.foot"),
        falling=True,
        only=_ahead,
        then=[hs.impact("swing.foot"), hs.swap("stance", "swing")],
    )
    return [strike, hs.Event("falls", when=_upright, falling=True, stop=True)]


def _ahead(s: Any) -> Any:
    """Whether the swinging foot is ahead, by more than a little of the height of the hip."""
    return s.ahead("swing.foot", of="stance.foot") > 0.02 * s["hip.Tz"]


def _upright(s: Any) -> Any:
    """Zero where the standing leg leans by 60°."""
    return hs.cos(s["stance"]) - 0.5


def check_slope(slope: float, steepest: float) -> None:
    """Refuses a slope on which nothing walks down."""
    if not 0.0 < slope <= steepest:
        raise ModelError(f"the slope is {slope!r}", expected=f"above 0, to {steepest:g} rad")
