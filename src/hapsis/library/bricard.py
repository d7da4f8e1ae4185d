"""Bricard's mechanism: six hinges that should lock, and do not."""

from typing import Any

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb

# the way each bar goes from its hinge, and the axis of that hinge
BARS = (("x", 1), ("y", -1), ("z", 1), ("x", -1), ("y", 1))
HINGES = "yzxyzx"


@verb
def bricard() -> hs.Model:
    """Five bars and the ground on six hinges, one loop, one degree of freedom.

    Counting says none: 5 coordinates and 5 rows. One row is always redundant, and which one
    changes along the motion. All hinges are at zero in `start`, which is closed and at rest: the
    bars lie on the edges of a cube from (0, 0, 0) to (0, 0, length). Gravity pulls along -y.

        length, section   of each bar, a square beam, m
        mass              of each bar, kg

    Reference: IFToMM library of computational benchmark problems, A04.
    """
    bars = [_bar(f"bar{k}", *bar) for k, bar in enumerate(BARS, 1)]
    hung = [hs.WORLD, *(f"bar{k}.end" for k in range(1, 6))]
    held = [*(f"bar{k}" for k in range(1, 6)), hs.WORLD.at(0, 0, "length")]
    hinges = [
        hs.Revolute(f"hinge{k}", first, second, axis=axis)
        for k, (first, second, axis) in enumerate(zip(hung, held, HINGES, strict=True), 1)
    ]
    return hs.Model(
        *bars,
        *hinges,
        gravity=(0, -9.81, 0),
        parameters={"length": 1.0, "section": 0.1, "mass": 1.0},
        poses={"start": {f"hinge{k}": 0.0 for k in range(1, 6)}},
        independent=["hinge1"],
    )


def _bar(name: str, axis: str, sign: int) -> hs.Body:
    """A square beam that goes `sign * length` along an axis from its origin."""
    way = "length" if sign > 0 else "-length"

    def along(x: Any) -> tuple[Any, ...]:
        return tuple(x if letter == axis else 0.0 for letter in "xyz")

    across = "mass * (length^2 + section^2) / 12"
    inertia = ["mass * section^2 / 6" if letter == axis else across for letter in "xyz"]
    size = ["length" if letter == axis else "section" for letter in "xyz"]
    box = hs.Box(tuple(size), at=along(f"{way} / 2"))
    return hs.Body(name, "mass", along(f"{way} / 2"), tuple(inertia), {"end": along(way)}, (box,))
