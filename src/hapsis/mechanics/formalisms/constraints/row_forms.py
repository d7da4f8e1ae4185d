"""The choice of the form in which the rows of each fact are written: the one with the lowest price wins.

Facts that see points of the same link are chosen for together, as they may share its motion.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol, TypeVar

from hapsis.compiler.ir.graph.cost import split_cost
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.mechanics.formalisms.constraints.tree_ends import Form, Sight

Forms = Mapping[str, Form]


class Written(Protocol):
    """Rows with their derivatives in one graph."""

    @property
    def graph(self) -> Graph:
        """The graph."""
        ...

    @property
    def sights(self) -> Sequence[Sight]:
        """What the facts have seen."""
        ...

    def refs(self, facts: Iterable[str]) -> list[int]:
        """h, J and γ of the rows of these facts, as references."""
        ...


W = TypeVar("W", bound=Written)


def cheapest_forms(facts: Sequence[str], write: Callable[[Forms], W]) -> W:
    """The rows of these facts in the cheapest form of each: one property after the other is changed."""
    chosen = dict.fromkeys(facts, Form())
    best = write(chosen)
    for change in _changes(best.sights):
        other = {fact: form._replace(**{change: False}) for fact, form in chosen.items()}
        tried = write(other)
        clusters = _clusters(facts, [*best.sights, *tried.sights])
        better = [c for c in clusters if _price(tried, c) < _price(best, c)]
        if len(better) == len(clusters):
            chosen, best = other, tried
        elif better:
            mixed = chosen | {fact: other[fact] for cluster in better for fact in cluster}
            tried = write(mixed)
            if _price(tried, facts) < _price(best, facts):
                chosen, best = mixed, tried
    return best


def _changes(sights: Sequence[Sight]) -> list[str]:
    """The properties of forms that matter for what is seen."""
    seen = Counter(sight.chain.key for sight in sights if sight.speeds is None)
    matters = {
        "shared": any(count > 1 for count in seen.values()),
        "products": any(sight.chain.crosses for sight in sights),
        "between": any(sight.between for sight in sights),
    }
    return [name for name, does in matters.items() if does]


def _price(written: Written, facts: Iterable[str]) -> float:
    return split_cost(written.graph, written.graph.live(written.refs(facts)))[0].price


def _clusters(facts: Sequence[str], sights: Sequence[Sight]) -> list[list[str]]:
    """The facts, in groups that see no link in common."""
    found: dict[int, list[str]] = {}  # the facts of each link that is seen
    groups: dict[str, list[str]] = {fact: [fact] for fact in facts}
    for sight in sights:
        mine = groups[sight.fact]
        other = found.setdefault(sight.chain.of.link, mine)
        if other is not mine and groups[other[0]] is not mine:
            other = groups[other[0]]
            other += mine
            for fact in mine:
                groups[fact] = other
    return list({id(group): group for group in groups.values()}.values())
