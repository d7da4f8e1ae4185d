"""Boxes and balls in a tray, to throw around."""

from itertools import combinations
from typing import Any

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb

BOX, BALL = 0.1, 0.05  # m: the side of a box, the radius of a ball
REACH, RIM = 0.5, 0.05  # m: half the inner side of the tray, and how high and thick its rim is
MOST = 7  # boxes in a row, and balls: the tray has room for them
GAP = 1e-3  # m between neighbours at the start
WOOD = {"law": hs.HuntCrossley(5e4, 1.0, 2.0), "friction": 0.5}
RUBBER = {"law": hs.HuntCrossley(2e4, 1.0, 0.2), "friction": 0.7}  # bounces


@verb
def pile(rows: int = 3, balls: int = 3) -> hs.Model:
    """A pyramid of boxes, and balls beside it, in a tray: 7 coordinates and 6 degrees of freedom each.

    `rows` is the number of boxes in the lowest row. Bodies are `box1`, ..., `ball1`, ..., and their joints
    `box1_free`, ...; each touches all others, the ground and the four sides of the rim. It is meant for steps
    that solve contacts, as its page does: `simulate(..., method="contact", step=1e-3)`. `start` is the
    pyramid, a millimetre above the ground.
    """
    counts = (("rows", rows, 1), ("balls", balls, 0))
    for name, count, least in counts:
        if not isinstance(count, int) or not least <= count <= MOST:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise hs.ModelError(f"{name} is {count!r:.60}", expected=f"a whole number from {least} to {MOST}")
    places = [(column, row) for row in range(rows) for column in range(rows - row)]
    pose: dict[str, float] = {}
    for k, (column, row) in enumerate(places, 1):
        pose[f"box{k}_free.y"] = (column + 0.5 * (row + 1 - rows)) * 1.2 * BOX
        pose[f"box{k}_free.z"] = (row + 0.5) * BOX + (row + 1) * GAP
    for k in range(1, balls + 1):
        pose[f"ball{k}_free.x"] = 0.5 * REACH
        pose[f"ball{k}_free.y"] = 3.0 * BALL * (k - 0.5 * (balls + 1))
        pose[f"ball{k}_free.z"] = BALL + GAP
    solids: dict[str, Any] = {f"box{k}": hs.Box((BOX, BOX, BOX)) for k in range(1, len(places) + 1)}
    solids |= {f"ball{k}": hs.Sphere(BALL) for k in range(1, balls + 1)}
    page = hs.Page(title="Pile", method="contact", parameters={"gravity.z": (-20.0, 0.0)})
    return hs.Model(*_tray(), *_bodies(solids), *_contacts(solids), poses={"start": pose}, page=page)


def _sides() -> list[tuple[tuple[float, float, float], tuple[float, float, float]]]:
    """The middle and the lengths of each side of the rim."""
    middle, length = REACH + 0.5 * RIM, 2.0 * (REACH + RIM)
    along_y = [((x, 0.0, 0.5 * RIM), (RIM, length, RIM)) for x in (middle, -middle)]
    return along_y + [((0.0, y, 0.5 * RIM), (2.0 * REACH, RIM, RIM)) for y in (middle, -middle)]


def _tray() -> list[Any]:
    rim = [hs.Box(size, at=at) for at, size in _sides()]
    return [hs.Body("world", shapes=(hs.Plane(), *rim))]


def _bodies(solids: dict[str, Any]) -> list[Any]:
    facts: list[Any] = []
    for name in solids:
        if name.startswith("box"):
            facts.append(hs.Body.box(name, (BOX, BOX, BOX), mass=0.4))
        else:
            facts.append(hs.Body.sphere(name, BALL, mass=0.25))
        facts.append(hs.Free(f"{name}_free", hs.WORLD, name))
    return facts


def _contacts(solids: dict[str, Any]) -> list[Any]:
    facts: list[Any] = []
    for name, solid in solids.items():
        law = WOOD if name.startswith("box") else RUBBER
        facts.append(hs.Contact(f"{name}_ground", (name, solid), (hs.WORLD, hs.Plane()), **law))
        for k, (at, size) in enumerate(_sides(), 1):
            facts.append(hs.Contact(f"{name}_rim{k}", (name, solid), (hs.WORLD.at(*at), hs.Box(size)), **law))
    for one, other in combinations(solids, 2):
        law = WOOD if one.startswith("box") and other.startswith("box") else RUBBER
        facts.append(hs.Contact(f"{one}_{other}", (one, solids[one]), (other, solids[other]), **law))
    return facts
