"""A posed tree: every link's rotation, position, moments and axes as expressions of q.

The formalisms read this and nothing else. In `condensed` form the frames of links on parallel axes
do not turn with them: their rotations to each other vanish and sines of sums of angles appear,
which pays for planar chains and not for others; so both forms are written and the cheaper kept.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.graph.elementary_functions import cos, sign, sin
from hapsis.compiler.ir.graph.expr import Expr, symbols
from hapsis.compiler.ir.graph.ops import ZERO
from hapsis.mechanics.algebra.inertia import Inertia
from hapsis.mechanics.algebra.rotations import (
    Matrix,
    Rotation,
    Turn,
    cosine_sine,
    of_quaternion,
    transposed,
    up,
    zxz,
)
from hapsis.mechanics.algebra.vectors import Vector, add, cross, neg
from hapsis.mechanics.formalisms.tree.links import WORLD, Link, Links, Place, fixed, numeric

# an axis of motion: components (place among wx wy wz vx vy vz, coefficient)
Axis = tuple[tuple[int, Any], ...]


class Branch(NamedTuple):
    """One link of a posed tree."""

    parent: int
    rotation: Rotation  # from our axes up to the parent's
    p: Vector  # our origin in the parent's frame
    S: Inertia
    axes: tuple[Axis, ...]  # the joint's motions, in our frame
    v: tuple[int, ...]  # the place of each motion in v
    link: Link


class Tree:
    """Branches, parents first, of one model in one graph, at the pose q."""

    def __init__(self, chain: Links, condensed: bool = False) -> None:
        self.chain, self.graph, self.condensed = chain, chain.graph, condensed
        self.zero, self.one, self.none = chain.zero, chain.one, chain.none
        one, zero = self.one, self.zero
        self.triad = (one, zero, zero), (zero, one, zero), (zero, zero, one)  # x y z
        self.n_q, self.n_v = len(chain.model.coordinates), len(chain.model.speeds)
        self.q = symbols("q", self.n_q, kind="coordinate", graph=self.graph)
        self.turned: dict[int, Turn] = {}  # of links whose frames stay behind, by how much
        if condensed:
            self._condense()
        self.branches = [self._branch(i) for i in range(len(chain.links))]

    def symbols(self, name: str) -> Any:
        """A vector of inputs, one for each speed."""
        return symbols(name, self.n_v, kind="coordinate", graph=self.graph)

    def placed(self, frame: Any, name: str = "") -> Place:
        """The place of a frame by its name, or of an End whose parameters are called `name`.

        It is in the frame of its branch, which may stay behind.
        """
        place = self.chain.placed(frame, name)
        if place.link not in self.turned:
            return place
        turn = self.turned[place.link]
        x, y, z = (
            turn.up((self.chain.constant(a), self.chain.constant(b), self.chain.constant(c)))
            for a, b, c in transposed(place.R)
        )
        return Place(place.link, transposed((x, y, z)), turn.up(place.p))

    def split(self, v: Sequence[Any]) -> list[tuple[Vector, Vector]]:
        """For each branch what its joint adds, turning and moving, when the speeds are v."""
        result: list[tuple[Vector, Vector]] = []
        for branch in self.branches:
            six = [self.zero] * 6
            values = [v[slot] for slot in branch.v]
            for axis, value in zip(branch.axes, values, strict=True):
                for k, coefficient in axis:
                    six[k] = six[k] + coefficient * value
            result.append(((six[0], six[1], six[2]), (six[3], six[4], six[5])))
        return result

    def efforts(self, pairs: Sequence[tuple[Vector, Vector]]) -> list[Any]:
        """For each speed the power a wrench (moment, force) on each branch gives to it."""
        tau: list[Any] = [self.zero] * self.n_v
        for branch, (n, f) in zip(self.branches, pairs, strict=True):
            six = (*n, *f)
            for slot, axis in zip(branch.v, branch.axes, strict=True):
                tau[slot] = along(axis, six)
        return tau

    def matrix(self, entries: Mapping[tuple[int, int], Any]) -> Any:
        """Entries by (row, column) as a square of the speeds, zeros where there is none."""
        M = np.empty((self.n_v, self.n_v), dtype=object)
        M.fill(self.zero)
        for at, value in entries.items():
            M[at] = value
        return M

    def armature(self) -> list[Any]:
        """For each speed the inertia of its motor."""
        return self._of_joints("armature")

    def damping(self) -> list[Any]:
        """For each speed the effort per speed that its joint takes."""
        return self._of_joints("damping")

    def passive(self, v: Sequence[Any]) -> list[Any]:
        """For each speed the effort that damping and dry friction take: d v + f sign(v)."""
        dampings, frictions = self.damping(), self._of_joints("friction")
        return [
            d * rate + (f * sign(rate) if not is_zero(f) else self.zero)
            for d, f, rate in zip(dampings, frictions, v, strict=True)
        ]

    def _of_joints(self, field: str) -> list[Any]:
        values: list[Any] = [self.zero] * self.n_v
        for branch in self.branches:
            joint = branch.link.joint
            value = self.chain.scalar(f"{joint.name}.{field}", getattr(joint, field))
            for slot in branch.v:
                values[slot] = value
        return values

    def _branch(self, i: int) -> Branch:
        link = self.chain.links[i]
        lead, p, S = self._fixed(link), link.p, link.S
        if link.parent in self.turned:
            turn = self.turned[link.parent]
            p = turn.up(p)
            if i not in self.turned or lead:
                lead = (turn, *lead)
        rotation, shift, axes = MOTIONS[link.kind](self, link)
        if i in self.turned:
            rotation, S = (), S.up((self.turned[i],), self.none)
        p = add(p, up(lead, shift))
        return Branch(link.parent, (*lead, *rotation), p, S, axes, tuple(link.v), link)

    def _fixed(self, link: Link) -> Rotation:
        """The rotation at zero as turns Z(a) X(b) Z(c), as many as it needs."""
        if not numeric(link.R):
            return fixed(link.R)
        factors: list[Turn | Matrix] = []
        for axis, angle in zip((2, 0, 2), zxz(link.R), strict=True):
            c, s = cosine_sine(angle)
            if (c, s) != (1.0, 0.0):
                factors.append(Turn(axis, self.chain.constant(c), self.chain.constant(s)))
        return tuple(factors)

    @cached_property
    def _follows(self) -> list[bool]:
        """For each link whether it is revolute with its axis parallel to a revolute parent's."""
        links = self.chain.links
        return [
            link.kind == "R"
            and link.parent != WORLD
            and links[link.parent].kind == "R"
            and not self._fixed(link)
            for link in links
        ]

    @property
    def has_parallel_axes(self) -> bool:
        """Whether the condensed form would be another one."""
        return any(self._follows)

    def _condense(self) -> None:
        """The frames of links on parallel axes stay behind at the angle zero of their group."""
        links = self.chain.links
        leads = {link.parent for link, is_so in zip(links, self._follows, strict=True) if is_so}
        sums: dict[int, tuple[Any, float]] = {}  # coordinates and offsets since the group's first
        for i, link in enumerate(links):
            if self._follows[i] or i in leads:
                q, offset = sums[link.parent] if self._follows[i] else (self.zero, 0.0)
                sums[i] = q + self.q[link.q[0]], offset + link.offset
                self.turned[i] = turn_of(*sums[i])


def turn_of(q: Any, offset: float) -> Turn:
    """The turn about z by a coordinate and an offset; whole quarter turns cost nothing."""
    c, s = cosine_sine(offset)
    if abs(c) == 1.0 or abs(s) == 1.0:
        cq, sq = cos(q), sin(q)
        return Turn(2, c * cq - s * sq, s * cq + c * sq)
    return Turn(2, cos(q + offset), sin(q + offset))


def along(axis: Axis, six: Sequence[Any]) -> Any:
    """The component of six numbers along an axis."""
    (k, coefficient), *others = axis
    total = coefficient * six[k]
    for k, coefficient in others:
        total = total + coefficient * six[k]
    return total


def vectors(tree: Tree, axis: Axis) -> tuple[Vector, Vector]:
    """An axis as its angular and its linear part."""
    six = [tree.zero] * 6
    for k, coefficient in axis:
        six[k] = coefficient
    return (six[0], six[1], six[2]), (six[3], six[4], six[5])


def is_zero(x: Any) -> bool:
    """Whether an expression is known to vanish."""
    return isinstance(x, Expr) and x.ref == ZERO


Motion = Callable[[Tree, Link], tuple[Rotation, Vector, tuple[Axis, ...]]]


def _revolute(tree: Tree, link: Link) -> tuple[Rotation, Vector, tuple[Axis, ...]]:
    return (turn_of(tree.q[link.q[0]], link.offset),), tree.none, (((2, tree.one),),)


def _prismatic(tree: Tree, link: Link) -> tuple[Rotation, Vector, tuple[Axis, ...]]:
    return (), (tree.zero, tree.zero, tree.q[link.q[0]]), (((5, tree.one),),)


def _helical(tree: Tree, link: Link) -> tuple[Rotation, Vector, tuple[Axis, ...]]:
    rise = (tree.zero, tree.zero, link.pitch * tree.q[link.q[0]])
    return (turn_of(tree.q[link.q[0]], link.offset),), rise, (((2, tree.one), (5, link.pitch)),)


def _ball(tree: Tree, link: Link) -> tuple[Rotation, Vector, tuple[Axis, ...]]:
    R = of_quaternion(*(tree.q[k] for k in link.q))
    if link.flipped:
        # seen from the second end the first turns by Rᵀ, and with -R v in its own axes
        turning = tuple(_dense(neg(column), tree.none) for column in transposed(R))
        return (Matrix(transposed(R)),), tree.none, turning
    return (Matrix(R),), tree.none, tuple(((k, tree.one),) for k in range(3))


def _free(tree: Tree, link: Link) -> tuple[Rotation, Vector, tuple[Axis, ...]]:
    x, y, z, *quaternion = (tree.q[k] for k in link.q)
    R, p = of_quaternion(*quaternion), (x, y, z)
    if link.flipped:
        columns = transposed(R)
        turning = tuple(_dense(neg(column), cross(column, p)) for column in columns)
        moving = tuple(_dense(tree.none, neg(column)) for column in columns)
        return (Matrix(columns),), neg(Matrix(columns).up(p)), (*turning, *moving)
    return (Matrix(R),), p, tuple(((k, tree.one),) for k in range(6))


def _dense(angular: Vector, linear: Vector) -> Axis:
    return tuple(enumerate((*angular, *linear)))


def _weld(tree: Tree, link: Link) -> tuple[Rotation, Vector, tuple[Axis, ...]]:
    return (), tree.none, ()


# what each kind of joint adds: a rotation after the fixed one, a shift before it, its axes
MOTIONS: dict[str, Motion] = {
    "R": _revolute,
    "P": _prismatic,
    "H": _helical,
    "ball": _ball,
    "free": _free,
    "W": _weld,
}
