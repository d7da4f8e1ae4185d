"""Which solids of a model may touch: the pieces of its contacts as numbered solids, and their pairs."""

from typing import Any, NamedTuple

from hapsis.mechanics.formalisms.dynamics.velocity_terms import supports
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.shapes.surfaces import Piece, pieces
from hapsis.motion.simulate.contact.contact_model import ContactModel
from hapsis.motion.solvers.contact.geometry.solids import NAMES, can_touch


class Pair(NamedTuple):
    """Two solids by their numbers, and the contact that they belong to."""

    first: int
    second: int
    contact: int


class Structure(NamedTuple):
    """What follows from the facts alone."""

    bodies: tuple[str, ...]
    solids: tuple[Piece, ...]
    carriers: tuple[tuple[str, Any], ...]  # the body and the frame on it of each solid
    pairs: tuple[Pair, ...]


def structure(parts: ContactModel) -> Structure:
    """The structure of a model's contacts, found once."""
    return derived(parts.whole, structure, lambda: _structure(parts))


def _structure(parts: ContactModel) -> Structure:
    model = parts.whole
    moved = supports(parts.smooth)
    solids: dict[Any, int] = {}
    listed: list[Piece] = []
    pairs: list[Pair] = []

    def number(piece: Piece, again: int = 0) -> int:
        key = (model.frame(piece.end), piece.shape, again)
        if key not in solids:
            solids[key] = len(listed)
            listed.append(piece)
        return solids[key]

    met: set[tuple[int, int]] = set()

    def pair(a: Piece, b: Piece, contact: int) -> Pair:
        """Two solids; where another contact has the same two, the first is there once more."""
        if not can_touch(NAMES.index(a.kind), NAMES.index(b.kind)):
            raise parts.contacts[contact].wrong(f"{a.kind} and {b.kind} cannot touch")
        again, first, second = 0, number(a), number(b)
        while (first, second) in met or (second, first) in met:
            again += 1
            first = number(a, again)
        met.add((first, second))
        return Pair(first, second, contact)

    for index, contact in enumerate(parts.contacts):
        sides = [
            pieces(model, side, name) for side, name in ((contact.first, "first"), (contact.second, "second"))
        ]
        pairs += [pair(a, b, index) for a in sides[0] for b in sides[1]]
    carriers = tuple(model.frame(piece.end) for piece in listed)
    bodies = tuple(dict.fromkeys(body for body, _ in carriers if moved.get(body)))
    return Structure(bodies, tuple(listed), carriers, tuple(pairs))
