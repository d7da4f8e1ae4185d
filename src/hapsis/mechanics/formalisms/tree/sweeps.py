"""The sweeps through a tree: poses and velocities outwards, wrenches inwards."""

from collections.abc import Sequence
from typing import Any

from hapsis.mechanics.algebra.rotations import Matrix, Rows, transposed, up
from hapsis.mechanics.algebra.spatial import Motion, Wrench, plus
from hapsis.mechanics.algebra.vectors import Vector, add
from hapsis.mechanics.formalisms.tree.links import WORLD
from hapsis.mechanics.formalisms.tree.tree import Branch, Tree


def velocities(tree: Tree, v: Any) -> list[Motion]:
    """For each link its angular velocity and the velocity of its origin, in its axes."""
    V: list[Motion] = []
    for branch, VJ in zip(tree.branches, tree.joint_motions(v), strict=True):
        V.append(plus(parent_motion(tree, branch, V), VJ))  # V = X V_λ + S v
    return V


def parent_motion(tree: Tree, branch: Branch, V: list[Motion]) -> Motion:
    """X V_λ: the motion of the parent, in the frame of a link; zero for the world."""
    return (tree.zero3, tree.zero3) if branch.parent == WORLD else branch.down(V[branch.parent])


def joint_wrenches(tree: Tree, wrenches: Sequence[Wrench]) -> list[Wrench]:
    """The inward sweep: for each joint the wrench of its link and all descendants."""
    F = list(wrenches)
    for i in range(len(F) - 1, -1, -1):
        branch = tree.branches[i]
        if branch.parent != WORLD:
            F[branch.parent] = plus(F[branch.parent], branch.up(F[i]))  # F_λ := F_λ + Xᵀ F
    return F


class Poses:
    """The axes and origins of links in the world, each computed once."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self._known: dict[int, tuple[Rows, Vector]] = {WORLD: (tree.triad, tree.zero3)}

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
