"""The two ways through a tree: poses and motion outwards, wrenches inwards to the world."""

from collections.abc import Sequence
from typing import Any

from hapsis.mechanics.algebra.rotations import Matrix, Rows, down, transposed, up
from hapsis.mechanics.algebra.vectors import Vector, add, cross
from hapsis.mechanics.formalisms.tree.links import WORLD
from hapsis.mechanics.formalisms.tree.tree import Tree

Wrench = tuple[Vector, Vector]  # moment about the link's origin, force


def velocities(tree: Tree, v: Any) -> list[tuple[Vector, Vector]]:
    """For each link its angular velocity and the velocity of its origin, in its axes."""
    moved: list[tuple[Vector, Vector]] = []
    for branch, (wJ, uJ) in zip(tree.branches, tree.split(v), strict=True):
        w, u = before(tree, branch, moved)
        moved.append((add(w, wJ), add(u, uJ)))
    return moved


def before(tree: Tree, branch: Any, moved: list[tuple[Vector, Vector]]) -> tuple[Vector, Vector]:
    """What a link's frame does as a part of its parent; `moved` holds what the parents do."""
    if branch.parent == WORLD:
        return tree.none, tree.none
    w, u = moved[branch.parent]
    return down(branch.rotation, w), down(branch.rotation, add(u, cross(w, branch.p)))


def carried(tree: Tree, wrenches: Sequence[Wrench]) -> list[Wrench]:
    """The inward sweep: what each joint carries, its own link and all that hangs from it."""
    total = list(wrenches)
    for i in range(len(total) - 1, -1, -1):
        branch = tree.branches[i]
        if branch.parent != WORLD:
            n, f = total[i]
            f = up(branch.rotation, f)
            n = add(up(branch.rotation, n), cross(branch.p, f))
            above = total[branch.parent]
            total[branch.parent] = add(above[0], n), add(above[1], f)
    return total


class Poses:
    """The axes and origins of links in the world, each computed once."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._known: dict[int, tuple[Rows, Vector]] = {WORLD: (tree.triad, tree.none)}

    def __getitem__(self, link: int) -> tuple[Rows, Vector]:
        path: list[int] = []
        at = link
        while at not in self._known:
            path.append(at)
            at = self.tree.branches[at].parent
        for i in reversed(path):
            branch = self.tree.branches[i]
            R, p = self._known[branch.parent]
            columns = [up(branch.rotation, axis) for axis in self.tree.triad]
            origin = branch.p
            if branch.parent != WORLD:
                columns = [Matrix(R).up(column) for column in columns]
                origin = add(p, Matrix(R).up(origin))
            self._known[i] = transposed(columns), origin
        return self._known[link]
