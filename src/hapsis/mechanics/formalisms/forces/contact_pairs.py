"""Pairs of pieces of contacts: which can be mapped, and which share a kernel."""

from functools import cache
from typing import Any, NamedTuple

from hapsis.mechanics.algebra.contact_geometry.solid_pairs import KINDS, touches
from hapsis.mechanics.algebra.contact_geometry.touch import Solid
from hapsis.mechanics.formalisms.tree.links import IDENTITY
from hapsis.mechanics.model.contacts import Contact
from hapsis.mechanics.model.laws import Law
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.shapes.surfaces import Piece
from hapsis.mechanics.model.values.formula import TIME

# any sizes: the number of touches depends on the kinds alone
SIZES = dict.fromkeys(KINDS, ()) | {"sphere": (0.1,), "segment": (0.1,), "capsule": (0.1, 0.2)}
SIZES |= {"cylinder": (0.1, 0.2), "box": (0.1, 0.2, 0.3)}


class Pair(NamedTuple):
    """Two pieces of a contact, and how many touches its pairs before have."""

    contact: Contact
    first: Piece
    second: Piece
    start: int = 0

    @property
    def laws(self) -> tuple[Any, Any]:
        """The laws of the force across and along the surfaces."""
        return self.contact.normal_law, self.contact.friction_law

    @property
    def unmapped(self) -> str:
        """Why it cannot be mapped; nothing if it can."""
        for law in self.laws:
            if isinstance(law, Law) and (TIME in law.leading or law.reads):
                return f"{law.label} reads the time or signals"
        surfaces = [getattr(p.shape, "surface", None) for p in (self.first, self.second)]
        return "it has a heightfield" if any(surfaces) else ""

    @property
    def key(self) -> Any:
        """The key of the kernel: pairs with equal keys share it."""
        ways = [law.function if isinstance(law, Law) else type(law) for law in self.laws]
        fields = [() if law is None else (*law.fields, None, *law.states) for law in self.laws]
        return (self.first.kind, self.second.kind, *ways, *fields)

    @property
    def touches(self) -> int:
        """How many touches it has."""
        return touch_count(self.first.kind, self.second.kind)


@cache
def touch_count(first: str, second: str) -> int:
    """How many candidate contacts solids of two kinds have; heightfields count their own."""
    solids = [Solid(kind, IDENTITY, (k, 0.0, 0.0), SIZES[kind]) for k, kind in enumerate((first, second))]
    return len(touches(solids[0], solids[1]))


def pairs_of(contact: Contact, model: Model) -> list[Pair]:
    """The pairs of a contact; their touches are counted up to the first that cannot be mapped."""
    pairs: list[Pair] = []
    start = 0
    for first, second in contact.pairs(model):
        pairs.append(Pair(contact, first, second, start))
        start += 0 if pairs[-1].unmapped else pairs[-1].touches
    return pairs
