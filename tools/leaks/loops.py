"""Mechanisms with loops and constraints of every kind."""

from typing import Any

import hapsis as hs
from hapsis.mechanics.model.frames import Frame
from leaks.mechanisms import body


def angle(x: Any) -> Any:
    """An angle without its whole turns."""
    return hs.atan2(hs.sin(x), hs.cos(x))


def four_bar() -> Any:
    """A loop with a drive and a gear."""
    import shared_models

    model = shared_models.four_bar(
        hs.Body("wheel", 1.0, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)),
        hs.Revolute("W", hs.WORLD.at(1.0, 0.0, 0.0), "wheel", "y"),
        hs.Gear("gear", "A", "W", 1.0, offset=1.0),
        hs.Drive("drive", "A", 1.0),
    )
    return list(model.facts), {}


def tracked() -> Any:
    """Drives by formula and with tracking, a distance, a point on a curve."""
    facts: list[Any] = [
        body("b0"),
        hs.Revolute("j0", hs.WORLD, "b0", "y"),
        body("b1"),
        hs.Free("j1", hs.WORLD, "b1"),
        hs.Distance("d", "b0.tip", "b1.top", 1.0),
        hs.Drive("drive", "j0", "1.0 + a * t", tracking=1.0),
    ]
    return facts, {"parameters": {"a": 1.0}}


def rolling() -> Any:
    """A rolling body and rows of one's own."""
    facts: list[Any] = [
        body("b0"),
        hs.Free("j0", hs.WORLD, "b0"),
        hs.Rolling("roll", "b0", hs.WORLD, 1.0),
        body("b1"),
        hs.Prismatic("j1", "b0.tip", "b1", "x"),
        body("b2"),
        hs.Revolute("j2", "b1.tip", "b2", "x"),
        hs.Constraint("row", hs.law(lambda s, a=1.0, b=1.0: a * s["j1"] + b * angle(s["j2"]))),
        hs.Constraint("turns", hs.law(lambda s, a=1.0, b=1.0: a * angle(s["j2"]) + b * angle(2.0 * s["j2"]))),
        hs.Constraint("speed", speeds=hs.law(lambda s, a=1.0, b=1e-14: a * s["j1.v"] + b * s["j2.v"] ** 2)),
    ]
    return facts, {}


def screw_loop() -> Any:
    """A cut thread: its row has an angle."""
    facts: list[Any] = [
        body("nut"),
        hs.Prismatic("slide", hs.WORLD, "nut", "z"),
        body("screw"),
        hs.Revolute("turn", hs.WORLD, "screw", "z"),
        hs.Helical("thread", "nut", "screw", "z", pitch=1.0),
    ]
    return facts, {}


def on_places() -> Any:
    """Points on a curve and on a surface, with numbers of their own and with a table."""
    height = hs.interpolated([0.0, 0.5, 0.5, 1.0, 0.0], -2.0, 1.0, "cubic")
    facts: list[Any] = [
        body("b0"),
        hs.Free("j0", hs.WORLD, "b0"),
        hs.OnCurve(
            "curve", "b0.tip", hs.WORLD.at(1.0, 1.0, 1.0), lambda x, y, z, k=1.0: (z - height(x), k * y)
        ),
        body("b1"),
        hs.Free("j1", hs.WORLD, "b1"),
        hs.OnSurface(
            "surface", "b1", ("b0.tip", Frame(("a", 0.0, 0.0))), lambda x, y, z, r=1.0: x * x + y - r
        ),
        hs.OnSurface("moving", "b1.top", hs.WORLD, lambda x, y, z, t, r=1.0: z - r * hs.sin(t)),
        hs.Distance("length", "b0", "b1.top", lambda t: 1.0 + 0.1 * t),
    ]
    return facts, {"parameters": {"a": 1.0}}


def cuts() -> Any:
    """Joints of most kinds that close a loop."""
    facts: list[Any] = [
        body("b0"),
        hs.Chain("j0", hs.WORLD, "b0", "Tx Ry Rz"),
        body("b1"),
        hs.Free("j1", hs.WORLD, "b1"),
        hs.Revolute("c0", "b0.tip", "b1.tip", "y"),
        hs.Prismatic("c1", "b0.top", "b1", "x"),
        hs.Cylindrical("c2", ("b1.top", Frame((1.0, 0.0, "a"))), "b0", "z"),
        hs.Ball("c3", ("b1", Frame((1.0, 0.0, 1.0))), hs.WORLD.at(1.0, 0.0, 1.0)),
    ]
    return facts, {"parameters": {"a": 1.0}}


def other_cuts() -> Any:
    """The others."""
    facts: list[Any] = [
        body("b0"),
        hs.Universal("j0", hs.WORLD, "b0"),
        body("b1"),
        hs.Planar("j1", "b0.tip", "b1", "y"),
        hs.Planar("c0", "b0.top", "b1.tip", "z"),
        hs.Universal("c1", "b1.top", hs.WORLD.at(0.0, 1.0, 0.0)),
        hs.Weld("c2", ("b1.top", Frame((0.0, 0.5, 0.0), (0.0, 0.0, 1.0))), hs.WORLD.at(1.0, 1.0, 1.0)),
    ]
    return facts, {}


BASES = (four_bar, tracked, rolling, screw_loop, on_places, cuts, other_cuts)
