"""The spanning tree: which joints move the mechanism, and which close its loops."""

import heapq
from collections.abc import Iterable
from typing import NamedTuple

from hapsis.mechanics.model.frames import Frame
from hapsis.mechanics.model.joints.joint import Joint

Place = tuple[str, Frame]


class TreeJoint(NamedTuple):
    """A joint of the tree, directed from the world outwards.

    `reversed` means that the parent is the joint's second end; its coordinates still give the second
    end relative to the first. The frames are those of the joint's ends on the two bodies.
    """

    joint: Joint
    parent: str
    child: str
    reversed: bool
    parent_frame: Frame
    child_frame: Frame


class Placed(NamedTuple):
    """A joint with the body and frame of each of its ends."""

    joint: Joint
    first: Place
    second: Place


class Groups:
    """Union-find over names: which bodies are connected."""

    def __init__(self, names: Iterable[str]) -> None:
        self.over = {name: name for name in names}

    def root(self, name: str) -> str:
        """The representative of the group of this name."""
        over = self.over
        while over[name] != name:
            over[name] = over[over[name]]  # halve the path
            name = over[name]
        return name

    def join(self, first: str, second: str) -> bool:
        """Merges two groups; False if they were one already."""
        first, second = self.root(first), self.root(second)
        self.over[second] = first
        return first != second


def spanning(
    bodies: Iterable[str], joints: Iterable[Placed]
) -> tuple[tuple[TreeJoint, ...], tuple[Joint, ...]]:
    """The joints of the tree, parents before children, and those that close a cycle.

    Joints are processed in the order given; one whose ends are connected already closes a cycle.
    The tree keeps this order, except that parents come first.
    """
    groups = Groups(("world", *bodies))
    branches: list[Placed] = []
    cuts: list[Joint] = []
    for placed in joints:
        if groups.join(placed.first[0], placed.second[0]):
            branches.append(placed)
        else:
            cuts.append(placed.joint)
    return _outwards(branches), tuple(cuts)


def _outwards(joints: list[Placed]) -> tuple[TreeJoint, ...]:
    """The joints that are connected to the world, directed from it outwards."""
    at: dict[str, list[int]] = {}
    for index, placed in enumerate(joints):
        at.setdefault(placed.first[0], []).append(index)
        at.setdefault(placed.second[0], []).append(index)
    ready = list(at.get("world", ()))  # in order, so already a heap
    reached, tree = {"world"}, []
    while ready:
        joint, first, second = joints[heapq.heappop(ready)]
        backwards = second[0] in reached
        parent, child = (second, first) if backwards else (first, second)
        reached.add(child[0])
        tree.append(TreeJoint(joint, parent[0], child[0], backwards, parent[1], child[1]))
        for other in at[child[0]]:
            ends = joints[other].first[0], joints[other].second[0]
            if not (ends[0] in reached and ends[1] in reached):
                heapq.heappush(ready, other)
    return tuple(tree)


def loose(bodies: Iterable[str], pairs: Iterable[tuple[str, str]]) -> list[list[str]]:
    """The groups of bodies that no joint connects with the world, in the order given."""
    names = list(bodies)
    groups = Groups(("world", *names))
    for first, second in pairs:
        groups.join(first, second)
    world, loose_groups = groups.root("world"), {}
    for name in names:
        if groups.root(name) != world:
            loose_groups.setdefault(groups.root(name), []).append(name)
    return list(loose_groups.values())
