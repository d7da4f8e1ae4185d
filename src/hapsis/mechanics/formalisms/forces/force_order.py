"""The order in which the forces of a model act: as given, but what a law reads acts before the law."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from hapsis.mechanics.formalisms.forces import contact_forces as contacts
from hapsis.mechanics.formalisms.forces import contact_groups
from hapsis.mechanics.formalisms.forces import mapped_contacts as many_contacts
from hapsis.mechanics.formalisms.forces.force_scene import ForceScene
from hapsis.mechanics.formalisms.forces.reading_error import ReadingError
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.forces.force import Force
from hapsis.mechanics.model.structure.names_read import owner_of

if TYPE_CHECKING:
    from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces

PARTS = "xyz"  # the numbers of a vector, by name


class ForceOrder:
    """Lets every force and contact act once.

    alone   the names of the contacts that are written out; all others are mapped
    """

    def __init__(self, applied: "AppliedForces") -> None:
        self.applied = applied
        self._jobs: dict[str, list[tuple[Any, Callable[[], None]]]] = {}  # by fact: a key and what to do
        self._done: set[Any] = set()
        self._open: list[tuple[Fact, str]] = []  # those that are acting, and what each reads just now
        self._first = 0  # the first node that the innermost of them has written since
        for fact in applied.model.forces.values():
            self._add(fact.name, fact.name, self._force(fact))
        alone, groups = contact_groups.split(applied)
        self.alone = tuple(contact.name for contact in alone)
        for contact in alone:
            self._add(contact.name, contact.name, lambda contact=contact: contacts.act(applied, contact))
        for k, group in enumerate(groups):
            for name in dict.fromkeys(pair.contact.name for pair in group.pairs):
                self._add(name, k, lambda group=group: many_contacts.act(applied, *group))

    def _add(self, name: str, key: Any, act: Callable[[], None]) -> None:
        self._jobs.setdefault(name, []).append((key, act))

    def _force(self, fact: Force) -> Callable[[], None]:
        def act() -> None:
            scene = ForceScene(self.applied, fact)
            fact.act(scene)
            scene.close()

        return act

    def act(self, *names: str) -> None:
        """Lets these forces act, or all of them, unless they have."""
        model = self.applied.model
        for name in names or tuple(self._jobs):
            fact = model.forces.get(name) or model.contacts[name]
            for key, job in self._jobs[name]:
                if key not in self._done:
                    self._begin(fact)
                    job()
                    self._end()
                    self._done.add(key)

    def _begin(self, fact: Fact) -> None:
        self._note()
        self._open.append((fact, ""))

    def _end(self) -> None:
        self._note()
        self._open.pop()

    def _note(self) -> None:
        """Notes which nodes the force that is acting has added to the graph, without those of others."""
        last = len(self.applied.tree.graph.nodes)
        if self._open and isinstance(self._open[-1][0], Force):
            self.applied.written.append((self._open[-1][0].name, self._first, last))
        self._first = last

    def signal(self, reader: Fact, name: str) -> Any:
        """A signal of a force or a contact, or one number of it, as `floor.push.z`; None for other names."""
        head, _, last = name.rpartition(".")
        signals = self.applied.signals
        owner = owner_of(name, self._jobs)
        if owner is None:
            return None
        if name not in signals:  # a state of a law that is acting is known already
            self._check_order(reader, owner, name)
            self.act(owner)
        if owner not in self.alone and owner in self.applied.told and name == f"{owner}.gap":
            raise ReadingError.of(
                reader,
                f'"{name[:60]}" is the gap of one of many contacts, which is known only where it touches',
                "write the law so that it can be traced by itself",
            )
        if name in signals:
            value = signals[name]
            return np.array(value, dtype=object) if isinstance(value, tuple | list) else value
        vector = signals.get(head)
        if isinstance(vector, tuple | list) and len(vector) == 3 and last in PARTS and len(last) == 1:
            return vector[PARTS.index(last)]
        return None

    def _check_order(self, reader: Fact, owner: str, name: str) -> None:
        """Raises an error where the owner waits for the reader."""
        self._open[-1] = reader, name
        names = [fact.name for fact, _ in self._open]
        if owner not in names:
            return
        chain = self._open[names.index(owner) :]
        ways = ", ".join(f'{fact.label} reads "{what[:60]}"' for fact, what in chain)
        what = f"its law needs the results of laws that need its own: {ways}"
        if len(chain) == 1:
            what = f'"{name[:60]}" is its own result'
        remedy = "read a state (hs.LawState) instead, or sample one of the controllers (rate=)"
        raise ReadingError.of(chain[0][0], what, remedy)
