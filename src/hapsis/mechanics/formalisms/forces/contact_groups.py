"""Which contacts are written out, and which pairs of one kind become one mapped kernel.

Written out, a pair hardly ever costs more operations than the kernel, and mostly half as many: zeros of its
poses, and what it shares with other pairs, are left out. Its code is as long as its operations are many,
though. So pairs are mapped only where writing out all pairs of their kind would give too much code; the
kernel tells how much. A contact with `mapped` set decides by itself.
"""

from collections.abc import Callable
from functools import cache, partial
from typing import TYPE_CHECKING, Any, NamedTuple

from hapsis.compiler.ir.functions.function import Function
from hapsis.mechanics.formalisms.forces.contact_pairs import Pair, pairs_of
from hapsis.mechanics.formalisms.forces.mapped_contacts import kernel
from hapsis.mechanics.model.contacts import Contact
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.structure.names_read import names_read, owner_of, reads

if TYPE_CHECKING:
    from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces

MANY = 4  # pairs of one kind; fewer are written out
LONG = 4000  # operations; code of contacts of one kind is not longer


class Group(NamedTuple):
    """Pairs that are mapped together, and their kernel."""

    function: Function
    pairs: list[Pair]


def too_long(write: Callable[[], Function], count: int) -> bool:
    """Whether the formulas of a kernel, written out so many times, would be too much code."""
    return count >= MANY and write().cost().flops * count > LONG


def split(applied: "AppliedForces") -> tuple[list[Contact], list[Group]]:
    """The contacts to be written out, and the groups of pairs to be mapped."""
    contacts = applied.model.contacts.values()
    read = contacts_read(applied.model)  # the gap of a pair that is skipped is not known
    pairs = {c.name: pairs_of(c, applied.model) for c in contacts}
    alone: set[str] = set()
    by_key: dict[Any, list[Pair]] = {}
    for contact in contacts:
        reasons = [pair.unmapped for pair in pairs[contact.name] if pair.unmapped]
        reasons += ["another law reads it"] if contact.name in read else []
        if contact.mapped and reasons:
            raise contact.wrong(f"it cannot be mapped: {reasons[0]}", remedy="leave out mapped=True")
        if contact.mapped is False or reasons:
            alone.add(contact.name)
            continue
        for pair in pairs[contact.name]:
            by_key.setdefault(pair.key, []).append(pair)
    kernels = [cache(partial(kernel, members[0])) for members in by_key.values()]
    long: set[str] = set()  # contacts with a pair that is not written out
    for function, members in zip(kernels, by_key.values(), strict=True):
        free = [pair for pair in members if pair.contact.mapped is None]
        mapped = members if too_long(function, len(free)) else [p for p in members if p.contact.mapped]
        long |= {pair.contact.name for pair in mapped}
    alone |= {name for name in pairs if name not in long}
    left = [[p for p in members if p.contact.name in long] for members in by_key.values()]
    groups = [Group(function(), members) for function, members in zip(kernels, left, strict=True) if members]
    return [c for c in contacts if c.name in alone], groups


def contacts_read(model: Model) -> set[str]:
    """The contacts that laws read."""
    readers = [fact for fact in (*model.forces.values(), *model.contacts.values()) if reads(fact)]
    owners = (owner_of(name, model.contacts) for fact in readers for name in names_read(fact))
    return {owner for owner in owners if owner is not None}
