"""Relative pose and motion of two places of a tree, using only the links between them.

The path goes inwards to the nearest common ancestor and out again. Coordinates of links nearer to the
world do not appear, so the rows of a suspension do not depend on the pose of the vehicle. Vectors are
rotated one by one along the path: a rotation about an axis costs four products per vector, and products
of matrices would cost many more.
"""

from typing import Any

from hapsis.mechanics.algebra.rotations import Matrix, down, transposed, up
from hapsis.mechanics.algebra.vectors import Vector, add, cross, sub
from hapsis.mechanics.formalisms.tree.links import WORLD, Place
from hapsis.mechanics.formalisms.tree.tree import Tree


class Path:
    """The links from the place `of` in to the nearest common ancestor, and out to the place `seen_from`."""

    def __init__(self, tree: Tree, of: Place, seen_from: Place) -> None:
        self.tree, self.of, self.seen_from = tree, of, seen_from
        there, here = _inwards(tree, of.link), _inwards(tree, seen_from.link)
        while there and here and there[-1] == here[-1]:
            del there[-1], here[-1]
        self.inwards, self.outwards = there, here[::-1]

    def direction(self, a: Vector) -> Vector:
        """A vector given in the axes of the link of `of`, in those of the link of `seen_from`."""
        for i in self.inwards:
            a = up(self.tree.branches[i].rotation, a)
        for i in self.outwards:
            a = down(self.tree.branches[i].rotation, a)
        return a

    def point(self, p: Vector) -> Vector:
        """A point given in the frame of the link of `of`, in that of the link of `seen_from`."""
        for i in self.inwards:
            branch = self.tree.branches[i]
            p = add(branch.p, up(branch.rotation, p))
        for i in self.outwards:
            branch = self.tree.branches[i]
            p = down(branch.rotation, sub(p, branch.p))
        return p

    def origin(self) -> Vector:
        """The origin of `of`, in the frame of `seen_from`."""
        return Matrix(self.seen_from.R).down(sub(self.point(self.of.p), self.seen_from.p))

    def axes(self) -> Any:
        """The axes of `of` in those of `seen_from`, as rows of a matrix."""
        constant = self.tree.links.constant
        columns = [tuple(map(constant, column)) for column in transposed(self.of.R)]
        turned = [Matrix(self.seen_from.R).down(self.direction(c)) for c in columns]
        return transposed(turned)

    def motion(self, v: Any) -> tuple[Vector, Vector]:
        """The angular velocity and velocity of `of` relative to `seen_from`, in the axes of `seen_from`."""
        split = self.tree.joint_motions(v)
        w, u = self._moved(self.inwards[::-1], split)
        w, u = self.direction(w), self.direction(add(u, cross(w, self.of.p)))
        # minus the motion of `seen_from` at that point
        W, U = self._moved(self.outwards, split)
        w, u = sub(w, W), sub(u, add(U, cross(W, self.point(self.of.p))))
        R = Matrix(self.seen_from.R)
        return R.down(w), R.down(u)

    def _moved(self, path: list[int], split: Any) -> tuple[Vector, Vector]:
        """The motion of the last link of an outward path, relative to the parent of its first."""
        w = u = self.tree.zero3
        for i in path:
            branch, (wJ, uJ) = self.tree.branches[i], split[i]
            u = add(down(branch.rotation, add(u, cross(w, branch.p))), uJ)
            w = add(down(branch.rotation, w), wJ)
        return w, u


def _inwards(tree: Tree, link: int) -> list[int]:
    """A link and its ancestors, the one next to the world last."""
    path: list[int] = []
    while link != WORLD:
        path.append(link)
        link = tree.branches[link].parent
    return path
