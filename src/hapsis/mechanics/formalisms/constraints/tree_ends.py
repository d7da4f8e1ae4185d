"""What constraints see of their ends on the bodies of a tree, and how the rows of each may be written."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from hapsis.mechanics.algebra.spatial import Motion
from hapsis.mechanics.algebra.vectors import Vector, sub
from hapsis.mechanics.formalisms.tree.chains import Chain, meeting_place
from hapsis.mechanics.formalisms.tree.links import Place, label
from hapsis.mechanics.formalisms.tree.relative_kinematics import Path
from hapsis.mechanics.formalisms.tree.relative_motion import RelativeMotions
from hapsis.mechanics.formalisms.tree.tree import Tree

Seen = tuple[Vector, Any]  # the origin and the axes of a frame


class Form(NamedTuple):
    """How the rows of a fact are written.

    products   the sines of sums of angles of both sides are made of those of each side (see `chains`)
    shared     points of one body share its motion (see `relative_motion`)
    between    a vector whose axes do not matter is written in those of the common ancestor, not of an end
    """

    products: bool = True
    shared: bool = True
    between: bool = True


class Sight(NamedTuple):
    """What a fact has seen along a chain: an origin and axes, or at some speeds two velocities."""

    fact: str
    chain: Chain
    linear: Vector
    angular: Any
    speeds: Any = None
    between: bool = False  # half of a vector whose axes do not matter


class TreeEnds:
    """The ends on the bodies of a posed tree; `sights` are all that were asked for."""

    def __init__(self, tree: Tree, forms: Mapping[str, Form] | None = None) -> None:
        self.tree, self.forms = tree, forms or {}
        self.sights: list[Sight] = []

    def seen(self, fact: Any, of: str, seen_from: str) -> Seen:
        """The origin and the axes of one end, seen from the other."""
        chain = self._chain(fact, of, seen_from)
        d, R = chain.origin(), chain.axes()
        self.sights.append(Sight(fact.name, chain, d, R))
        return d, R

    def span(self, fact: Any, of: str, seen_from: str) -> Vector:
        """The vector to the origin of one end from that of the other, in cheap axes."""
        if not self.forms.get(fact.name, Form()).between:
            return self.seen(fact, of, seen_from)[0]
        places = [self._place(fact, field) for field in (of, seen_from)]
        middle = meeting_place(self.tree.links, *places)
        ends: list[Vector] = []
        for place in places:
            chain = Chain(self.tree, place, middle)
            ends.append(chain.origin())
            self.sights.append(Sight(fact.name, chain, ends[-1], self.tree.triad, between=True))
        return sub(*ends)

    def motion(self, fact: Any, of: str, seen_from: str, v: Any) -> Motion:
        """The angular velocity of one end and the velocity of its origin, seen from the other."""
        first, second = (end_place(self.tree, fact, field) for field in (of, seen_from))
        w, u = Path(self.tree, first, second).motion(v)
        self.sights.append(Sight(fact.name, self._chain(fact, of, seen_from), u, w, v))
        return w, u

    def velocity(self, fact: Any, of: str, seen_from: str, v: Any) -> Vector:
        """The velocity of the origin of one end, by a recursion that the row's own rate shares."""
        chain = self._chain(fact, of, seen_from)
        u = RelativeMotions(self.tree, v, ()).point(chain, apart=True)[0]
        self.sights.append(Sight(fact.name, chain, u, self.tree.zero3, v))
        return u

    def _chain(self, fact: Any, of: str, seen_from: str) -> Chain:
        first, second = (self._place(fact, field) for field in (of, seen_from))
        return Chain(self.tree, first, second, self.forms.get(fact.name, Form()).products)

    def _place(self, fact: Any, field: str) -> Place:
        end = fact.ends[field]
        return self.tree.links.placed(end, label(end, f"{fact.name}.{field}"))


def end_place(tree: Tree, fact: Any, field: str) -> Place:
    """The place of an end of a fact."""
    end = fact.ends[field]
    return tree.placed(end, label(end, f"{fact.name}.{field}"))
