"""Two ends of a fact whose relative pose and motion are free variables, for the slopes of rows by them."""

from typing import Any

from hapsis.mechanics.algebra.rotations import Matrix, transposed
from hapsis.mechanics.algebra.spatial import Motion
from hapsis.mechanics.algebra.vectors import Vector, cross, neg, sub
from hapsis.mechanics.formalisms.constraints.constraint_scene import Seen
from hapsis.mechanics.formalisms.tree.tree import Tree


class FreeEnds:
    """Two ends with the relative pose `second` and the relative motion `moved`, seen from the first."""

    def __init__(self, tree: Tree) -> None:
        self.second: Seen = tree.zero3, tree.triad
        self.moved: Motion = tree.zero3, tree.zero3

    def seen(self, fact: Any, of: str, seen_from: str) -> Seen:
        """The origin and the axes of one end, seen from the other."""
        d, R = self.second
        if of == "second":
            return d, R
        return neg(Matrix(R).down(d)), transposed(R)

    def motion(self, fact: Any, of: str, seen_from: str, v: Any) -> Motion:
        """The angular velocity of one end and the velocity of its origin, seen from the other."""
        (d, R), (w, u) = self.second, self.moved
        if of == "second":
            return w, u
        return neg(Matrix(R).down(w)), Matrix(R).down(sub(cross(w, d), u))

    def velocity(self, fact: Any, of: str, seen_from: str, v: Any) -> Vector:
        """The velocity of the origin of one end, seen from the other."""
        return self.motion(fact, of, seen_from, v)[1]
