"""Mechanisms with every kind of contact, shape and law of contacts."""

from typing import Any

import hapsis as hs
from hapsis.mechanics.model.frames import Frame
from leaks.mechanisms import body


def rubber(gap: Any, rate: Any, stiffness: Any = 1.0, set_in: Any = hs.LawState(0.1)) -> Any:
    """A contact law with a state."""
    depth = hs.maximum(-gap, 0.0)
    return stiffness * (depth - 0.3 * set_in), {"set_in": depth - set_in}


def contacts() -> Any:
    """Contacts of many kinds: mapped, written out, with laws of one's own."""
    facts: list[Any] = []
    for k in range(4):
        shapes = [hs.Sphere(1.0)]
        facts += [body(f"b{k}", shapes=shapes), hs.Free(f"j{k}", hs.WORLD, f"b{k}")]
        facts.append(hs.Contact(f"c{k}", f"b{k}", hs.WORLD.plane(), hs.Linear(1.0, 1.0), 1.0))
    facts += [
        hs.Contact(
            "felt",
            ("b0.tip", hs.Sphere(1.0)),
            ("b1.tip", hs.Box((1.0, 1.0, 1.0))),
            hs.Felt(1.0, 2.0, 0.5, 1.0),
        ),
        hs.Contact("own", "b1.tip", hs.WORLD.plane(), rubber, hs.Coulomb(1.0, 1.0, 1.0)),
        hs.Contact("hunt", ("b2", hs.Capsule(1.0, 1.0)), hs.WORLD.plane(), hs.HuntCrossley(1.0, 1.5, 1.0)),
    ]
    return facts, {"gravity": (0.0, 0.0, -1.0)}


def ground() -> Any:
    """A heightfield by a function, and by rows."""
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    corners = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]
    facts: list[Any] = [
        body("b0", shapes=[hs.TriangleMesh(corners, faces)]),
        hs.Free("j0", hs.WORLD, "b0"),
        hs.Contact(
            "hill",
            ("b0", hs.Sphere(1.0)),
            (hs.WORLD, hs.Heightfield(lambda x, y: 0.1 * hs.sin(x) + y)),
            hs.Linear(1.0, 1.0),
        ),
        hs.Contact(
            "rows",
            "b0.tip",
            (hs.WORLD, hs.Heightfield([[0.0, 1.0, 1.0, 1.0]] * 4, (0.0, 0.0), (1.0, 1.0))),
            hs.Linear(1.0, 1.0),
        ),
    ]
    return facts, {}


def shapes() -> Any:
    """Bodies with several shapes in frames of their own, each against each."""
    several = [
        hs.Sphere(1.0, at=Frame((1.0, 0.0, 0.0))),
        hs.Capsule(0.5, 1.0, at=Frame((0.0, 1.0, 0.0), (1.0, 0.0, 0.0))),
        hs.Segment(1.0, at=Frame((0.0, "a", 1.0))),
    ]
    solids = [
        hs.Box((1.0, 1.0, 0.5)),
        hs.Cylinder(1.0, 1.0, at=Frame((1.0, 0.0, 1.0))),
        hs.Mesh("shell.stl", (1.0, 1.0, 2.0)),
    ]
    facts: list[Any] = [
        body("b0", shapes=several),
        hs.Free("j0", hs.WORLD, "b0"),
        body("b1", shapes=solids[:2]),
        hs.Prismatic("j1", hs.WORLD, "b1", "x"),
        body("b2", shapes=solids[2:]),
        hs.Revolute("j2", hs.WORLD, "b2", "x"),
        hs.Body("world", shapes=[hs.Plane("y", at=Frame((0.0, 1.0, 0.0)))]),
        hs.Contact(
            "floor", hs.Surface("b0"), hs.Surface("world"), hs.HuntCrossley(1.0, 1.5, restitution=0.5), 1.0
        ),
        hs.Contact("box", ("b0.tip", hs.Sphere(1.0, at=("a", 0.0, 1.0))), ("b1", hs.Box((1.0, 1.0, 1.0)))),
        hs.Contact(
            "drum", ("b2.top", hs.Sphere(0.5)), ("b1.tip", hs.Cylinder(1.0, 1.0)), hs.Felt(1.0, 1.5, 0.5)
        ),
        hs.Contact(
            "tilted", ("b1", hs.Box((1.0, 0.5, 1.0))), hs.WORLD.plane((1.0, 0.0, 1.0), (1.0, 0.0, 0.0))
        ),
    ]
    return facts, {"parameters": {"a": 1.0}}


def alike() -> Any:
    """Contacts whose numbers, laws and shapes are nearly all the same: those may be written as one."""
    law = hs.law(lambda gap, rate, k=1.0: hs.maximum(-k * gap - rate, 0.0))
    facts: list[Any] = []
    for k in range(5):
        facts += [body(f"b{k}"), hs.Chain(f"j{k}", hs.WORLD, f"b{k}", "Tx Rz")]
        shape = hs.Sphere(1.0) if k < 4 else hs.Capsule(1.0, 1.0)
        facts.append(hs.Contact(f"c{k}", (f"b{k}", shape), ("b0" if k else hs.WORLD, hs.Sphere(1.0)), law))
        facts.append(hs.Contact(f"d{k}", (f"b{k}.tip", shape), hs.WORLD.plane(), hs.Linear(1.0, 1.0), 0.5))
    return facts, {}


BASES = (contacts, ground, shapes, alike)
