"""Hard points of suspensions: places in the world as parameters, and what is measured from them.

A hard point `lower` is the three parameters `lower.x`, `lower.y`, `lower.z`. Every body of a
suspension stands in the world's axes at first, so that offsets are plain differences, and a point
that is moved moves on all bodies that share it.
"""

import math
from collections.abc import Mapping

import hapsis as hs

Point = tuple[float, float, float]
Text = tuple[str, str, str]

WHEEL_RADIUS = 0.33  # m
TRAVEL_STIFFNESS, TRAVEL_DAMPING = 25e3, 1.5e3  # N/m, N s/m


def parameters(points: Mapping[str, Point]) -> dict[str, float]:
    """The numbers of all points by name."""
    return {f"{n}.{a}": x for n, point in points.items() for a, x in zip("xyz", point, strict=True)}


def place(name: str) -> hs.End:
    """A hard point in the world."""
    return hs.WORLD.at(*(f"{name}.{a}" for a in "xyz"))


def offset(start: str, end: str) -> Text:
    """The way from one hard point to another."""
    x, y, z = (f"{end}.{a} - {start}.{a}" for a in "xyz")
    return x, y, z


def link(name: str, mass: float, inner: str, outer: str, **places: Text) -> hs.Body:
    """A slender link between two hard points, its origin at the inner one; its frame is `end`.

    A thin rod along d has the inertia m/12 (d·d 1 - d dᵀ).
    """
    d = [f"({x})" for x in offset(inner, outer)]
    half = tuple(f"{x} / 2" for x in d)
    x, y, z = d
    squares = [f"{mass / 12!r} * ({a}^2 + {b}^2)" for a, b in ((y, z), (x, z), (x, y))]
    products = [f"-{mass / 12!r} * {a} * {b}" for a, b in ((x, y), (x, z), (y, z))]
    return hs.Body(name, mass, half, (*squares, *products), {"end": tuple(d), **places})


def carrier(points: Mapping[str, str], at: str, com: str, mass: float) -> hs.Body:
    """The wheel carrier at the wheel's centre, with a frame for each {frame: hard point}.

    Its inertia is a value of our own: that of a body of 0.1 m radius of gyration.
    """
    frames = {frame: offset(at, point) for frame, point in points.items()}
    inertia = mass * 0.1**2
    return hs.Body("carrier", mass, offset(at, com), (inertia,) * 3, frames)


def wheel() -> list[hs.Body | hs.Joint]:
    """The wheel on its carrier: 15 kg, values of our own."""
    tyre = hs.Cylinder(WHEEL_RADIUS, 0.2, at=hs.Frame(rpy=(math.pi / 2, 0, 0)))
    body = hs.Body("wheel", 15.0, inertia=(0.5, 0.9, 0.5), shapes=(tyre,))
    return [body, hs.Revolute("wheel", "carrier", "wheel", axis="y")]


def distance(start: str, end: str) -> str:
    """How far two hard points are from each other."""
    return f"sqrt({' + '.join(f'({x})^2' for x in offset(start, end))})"


def strut(end: str) -> hs.Spring:
    """Spring and damper from the hard point `strut_top` to a place on a body, at rest at first."""
    rest = distance("strut_top", "strut_foot")
    return hs.Spring("strut", place("strut_top"), end, TRAVEL_STIFFNESS, TRAVEL_DAMPING, rest)
