"""What moves a key: a device, a hand, a force, or a function of time."""

from typing import Annotated, Any

import hapsis as hs
from hapsis.errors import ModelError, near
from hapsis.library.piano.looks import shapes
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.values.numbers import described

KEYS = ("position", "motion", "force", "finger")
AsKey = Annotated[Any, '"position", "motion", "force", "finger", a function of t, or a number']
TRACKING = 2000.0  # rad/s: the key follows what a device reports with a delay of 1 ms
POINT: dict[str, Any] = {"point": "key.finger", "along": "-y"}

# a fingertip: its mass, the joint behind it, and the flesh that touches the key
FINGERTIP, STIFFNESS, DAMPING = 0.05, 400.0, 6.0  # kg, N/m, N s/m
LIGHT = 0.005  # kg: that of a force alone
FLESH = hs.HuntCrossley(4e6, power=1.5, damping=2.0)


def moved(key: AsKey, finger: tuple[float, float]) -> list[Fact]:
    """The facts that move the point `key.finger`, which is at (x, y) in the drawn pose."""
    if isinstance(key, str) and key not in KEYS:
        raise ModelError(f'"{key[:60]}" does not move a key{near(key, KEYS)}', expected=", ".join(KEYS))
    if not isinstance(key, str | int | float) and not callable(key):
        raise ModelError(f"{described(key)} does not move a key", expected=", ".join(KEYS))
    if key == "position":
        return [hs.Drive("key", **POINT, position="input", tracking=TRACKING)]
    if key == "motion":
        return [hs.Drive("key", **POINT, position="input", velocity="input")]
    if key == "force":
        return _pushed(*finger)
    if key == "finger":
        return _fingered(*finger)
    return [hs.Drive("key", **POINT, position=key)]


def rest_of(key: AsKey) -> dict[str, float]:
    """{coordinate: value} of what moves the key, at rest."""
    coordinates = {"force": ("finger",), "finger": ("hand", "finger")}
    return dict.fromkeys(coordinates.get(key, ()) if isinstance(key, str) else (), 0.0)


def _pushed(x: float, y: float) -> list[Fact]:
    """A light fingertip on the key; the effort on its coordinate `finger` is the force, N."""
    return [*_fingertip(LIGHT), hs.Prismatic("finger", hs.WORLD.at(x, y, 0.0), "fingertip", axis="-y")]


def _fingered(x: float, y: float) -> list[Fact]:
    """A hand that is moved, and a fingertip on it by a spring: it lags, and leaves a key that is faster."""
    return [
        hs.Body("hand"),
        hs.Prismatic("hand", hs.WORLD.at(x, y, 0.0), "hand", axis="-y"),
        hs.Drive("hand", "hand", position="input", tracking=TRACKING),
        *_fingertip(FINGERTIP),
        hs.Prismatic("finger", "hand", "fingertip", axis="-y"),
        hs.JointSpring("finger_joint", "finger", STIFFNESS, DAMPING),
    ]


def _fingertip(mass: float) -> list[Fact]:
    touch = hs.Contact("pad", "fingertip", ("key.finger", hs.Plane("y")), FLESH)
    return [hs.Body("fingertip", mass, shapes=shapes("fingertip")), touch]
