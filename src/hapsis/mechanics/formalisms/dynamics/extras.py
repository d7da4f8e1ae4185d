"""The names of states and inputs besides coordinates and speeds: known from an earlier process, or from the
forces, which then are written.
"""

from typing import NamedTuple

from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.store.kept import kept_data


class Extras(NamedTuple):
    """The names of the states and inputs of a model besides coordinates and speeds."""

    states: dict[str, float]  # {state of a law: initial value}
    held: tuple[str, ...]  # names of the inputs held between samples
    of_forces: tuple[tuple[str, ...], tuple[str, ...]]  # those of both that belong to forces
    near: int  # pairs of contacts that a broad phase may exclude
    alone: tuple[str, ...]  # the contacts that are not mapped
    zones: tuple[str, ...]  # whose zones they are: a contact for each of its pairs, then forces


def extras(model: Model) -> Extras:
    """The names of a motion's z and u, in their order."""
    states, held, of_forces, near, alone, zones = kept_data(model, "extras", lambda: _extras(model))
    forces = tuple(of_forces[0]), tuple(of_forces[1])
    return Extras(dict(states), tuple(held), forces, near, tuple(alone), tuple(zones))


def _extras(model: Model) -> Extras:
    from hapsis.mechanics.formalisms.dynamics.state_rates import all_forces
    from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
    from hapsis.mechanics.formalisms.forces.force_zones import force_zones
    from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree

    posed = posed_tree(model)
    applied = all_forces(posed, posed.symbols("v"))
    states = {name: start for name, (_, start) in applied.states.items()}
    alone = AppliedForces(posed, applied.v)
    of_forces = tuple(alone.states), tuple(alone.held)
    contacts = [c.name for c in model.contacts.values() for _ in c.pairs(model)]
    zones = (*contacts, *(zone.name for zone in force_zones(applied)))
    return Extras(states, tuple(applied.held), of_forces, len(applied.near), applied.alone, zones)
