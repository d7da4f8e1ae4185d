"""Which joints to cut: trees over the bodies of a model, compared by the size of their equations.

A joint of f degrees in the tree is f coordinates; cut it is 6 - f rows. So the tree that has the
fewest coordinates has the fewest rows too: joints of many degrees are cut. Among such trees the
best has short loops (few entries of J) and bodies near the world (few entries of M). Starting from
the tree as it is, a cut is exchanged for a joint of its loop as long as that makes it better.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from hapsis.mechanics.model.joints.joint import Joint, LoopJoint
from hapsis.mechanics.model.model import Model

Tree = frozenset[str]  # names of the joints that are not cut


class Score(NamedTuple):
    """The size of the equations of a tree; less is better."""

    coordinates: int
    entries: int  # of J and M that are not zero


class Bodies:
    """The graph of a model: bodies are its nodes, joints its edges."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.ways = {
            joint.name: (model.frame(joint.first)[0], model.frame(joint.second)[0])
            for joint in model.joints.values()
        }
        self.degrees = {joint.name: len(joint.speeds) for joint in model.joints.values()}
        self.stay = staying(model)

    def start(self) -> Tree:
        """The tree as it is."""
        return frozenset(joint.joint.name for joint in self.model.tree)

    def best(self) -> Tree:
        """The best tree that exchanges lead to."""
        tree = self.start()
        score = self.score(tree)
        while True:
            exchange = min(
                ((self.score(neighbour), sorted(neighbour), neighbour) for neighbour in self.exchanges(tree)),
                default=None,
            )
            if exchange is None or not exchange[0] < score:
                return tree
            score, _, tree = exchange

    def exchanges(self, tree: Tree) -> Iterator[Tree]:
        """The trees in which one cut has changed places with a joint of its loop."""
        above = self.parents(tree)
        for cut in sorted(self.ways.keys() - tree - self.stay):
            for joint in self.loop(above, cut):
                if joint not in self.stay:
                    yield tree - {joint} | {cut}

    def score(self, tree: Tree) -> Score:
        """The size of the equations of a tree."""
        above = self.parents(tree)
        columns = {body: self._columns(above, body) for body in above}
        entries = 0
        for cut in self.ways.keys() - tree:
            loop = sum(self.degrees[joint] for joint in self.loop(above, cut))
            entries += (6 - self.degrees[cut]) * loop
        for body, (joint, _) in above.items():
            entries += self.degrees.get(joint, 0) * columns[body]
        return Score(sum(self.degrees[joint] for joint in tree), entries)

    def parents(self, tree: Tree) -> dict[str, tuple[str, str]]:
        """For each body, from the world outwards, its joint and its parent."""
        at: dict[str, list[tuple[str, str]]] = {}
        for joint in sorted(tree):
            first, second = self.ways[joint]
            at.setdefault(first, []).append((joint, second))
            at.setdefault(second, []).append((joint, first))
        reached, queue = {"world": ("", "")}, ["world"]
        while queue:
            body = queue.pop()
            for joint, neighbour in at.get(body, ()):
                if neighbour not in reached:
                    reached[neighbour] = joint, body
                    queue.append(neighbour)
        return reached

    def loop(self, above: Mapping[str, tuple[str, str]], cut: str) -> list[str]:
        """The joints of the tree between the two ends of a cut."""
        first, second = (self._way_out(above, body) for body in self.ways[cut])
        return [joint for joint in (*first, *second) if (joint in first) != (joint in second)]

    def _way_out(self, above: Mapping[str, tuple[str, str]], body: str) -> list[str]:
        way: list[str] = []
        while body != "world":
            joint, body = above[body]
            way.append(joint)
        return way

    def _columns(self, above: Mapping[str, tuple[str, str]], body: str) -> int:
        return sum(self.degrees[joint] for joint in self._way_out(above, body))


def staying(model: Model) -> frozenset[str]:
    """Joints that stay in the tree, or cut, as they are.

    Those whose coordinates are independent, driven or named by a force, gear or sensor; those with
    damping, friction, armature or limits, which act in the tree only; those that close no loop.
    """
    owner = {name: joint.name for joint in model.moving for name in joint.coordinates}
    named = {name for fact in model.facts for name in fact.joints.values()} | {*model.independent}
    return frozenset(
        joint.name
        for joint in model.joints.values()
        if joint.name in named or _acts(joint) or not isinstance(joint, LoopJoint)
    ) | {owner[name] for name in named if name in owner}


def _acts(joint: Joint) -> bool:
    """Whether a joint has damping, friction, armature or limits."""
    efforts = (joint.damping, joint.friction, joint.armature)
    return joint.limits is not None or any(x != 0.0 for x in efforts)
