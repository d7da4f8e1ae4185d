"""A posed tree: every link's rotation, position, moments and axes as expressions of q.

The formalisms read only this. In `condensed` form the frames of links on parallel axes do not rotate
with them: the rotations between them vanish, and sines of sums of angles appear. This is cheaper for
planar chains but not for others, so both forms are written and the cheaper one is used.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.graph.elementary_functions import sign
from hapsis.compiler.ir.graph.expr import Expr, symbols
from hapsis.compiler.ir.graph.ops import ZERO
from hapsis.mechanics.algebra.inertia import Inertia
from hapsis.mechanics.algebra.rotations import Matrix, Rotation, Turn, cosine_sine, transposed, up, zxz
from hapsis.mechanics.algebra.spatial import Motion, Wrench, halves, motion_down, wrench_up
from hapsis.mechanics.algebra.vectors import Vector, add
from hapsis.mechanics.formalisms.tree.joint_motion import MOTIONS, Axis, turn_of
from hapsis.mechanics.formalisms.tree.links import WORLD, Link, Links, Place, fixed, numeric


class Branch(NamedTuple):
    """One link of a posed tree; `rotation` and `p` together are the transform X from the parent."""

    parent: int  # λ
    rotation: Rotation  # R: from our axes up to the parent's
    p: Vector  # our origin in the parent's frame
    I: Inertia
    S: tuple[Axis, ...]  # the joint's motions, in our frame
    v: tuple[int, ...]  # the place of each motion in v
    link: Link

    def down(self, V: Motion) -> Motion:
        """X V: a motion given in the parent's frame, in ours."""
        return motion_down(self.rotation, self.p, V)

    def up(self, F: Wrench) -> Wrench:
        """Xᵀ F: a wrench given in our frame, in the parent's."""
        return wrench_up(self.rotation, self.p, F)


class Tree:
    """Branches, parents first, of one model in one graph, at the pose q."""

    def __init__(self, links: Links, condensed: bool = False) -> None:
        self.links, self.graph, self.condensed = links, links.graph, condensed
        self.zero, self.one, self.zero3 = links.zero, links.one, links.zero3
        one, zero = self.one, self.zero
        self.triad = (one, zero, zero), (zero, one, zero), (zero, zero, one)  # x y z
        self.n_q, self.n_v = len(links.model.coordinates), len(links.model.speeds)
        self.q = symbols("q", self.n_q, kind="coordinate", graph=self.graph)
        self.turned: dict[int, Turn] = {}  # {link whose frame does not rotate: its rotation}
        if condensed:
            self._condense()
        self.branches = [self._branch(i) for i in range(len(links))]

    def symbols(self, name: str) -> Any:
        """A vector of inputs, one for each speed."""
        return symbols(name, self.n_v, kind="coordinate", graph=self.graph)

    def placed(self, frame: Any, name: str = "") -> Place:
        """The place of a frame by its name, or of an End whose parameters are called `name`.

        It is relative to the frame of its branch, which in condensed form may not rotate with the link.
        """
        place = self.links.placed(frame, name)
        if place.link not in self.turned:
            return place
        turn = self.turned[place.link]
        x, y, z = (
            turn.up((self.links.constant(a), self.links.constant(b), self.links.constant(c)))
            for a, b, c in transposed(place.R)
        )
        return Place(place.link, transposed((x, y, z)), turn.up(place.p))

    def joint_motions(self, v: Sequence[Any]) -> list[Motion]:
        """For each branch the motion of its joint at the speeds v: S v."""
        result: list[Motion] = []
        for branch in self.branches:
            six = [self.zero] * 6
            values = [v[slot] for slot in branch.v]
            for axis, value in zip(branch.S, values, strict=True):
                for k, coefficient in axis:
                    six[k] = six[k] + coefficient * value
            result.append(halves(six))
        return result

    def efforts(self, wrenches: Sequence[Wrench]) -> list[Any]:
        """For each speed the component of the wrench on its branch along its axis: Sᵀ F."""
        tau: list[Any] = [self.zero] * self.n_v
        for branch, (n, f) in zip(self.branches, wrenches, strict=True):
            six = (*n, *f)
            for slot, axis in zip(branch.v, branch.S, strict=True):
                tau[slot] = along(axis, six)
        return tau

    def matrix(self, entries: Mapping[tuple[int, int], Any]) -> Any:
        """The square matrix over the speeds with these entries by (row, column), else zeros."""
        M = np.empty((self.n_v, self.n_v), dtype=object)
        M.fill(self.zero)
        for at, value in entries.items():
            M[at] = value
        return M

    def armature(self) -> list[Any]:
        """For each speed its armature, the inertia of the motor."""
        return self._of_joints("armature")

    def damping(self) -> list[Any]:
        """For each speed the damping of its joint."""
        return self._of_joints("damping")

    def passive(self, v: Sequence[Any]) -> list[Any]:
        """For each speed the effort of damping and dry friction, d v + f sign(v)."""
        dampings, frictions = self.damping(), self._of_joints("friction")
        return [
            d * rate + (f * sign(rate) if not is_zero(f) else self.zero)
            for d, f, rate in zip(dampings, frictions, v, strict=True)
        ]

    def _of_joints(self, field: str) -> list[Any]:
        values: list[Any] = [self.zero] * self.n_v
        for branch in self.branches:
            joint = branch.link.joint
            value = self.links.scalar(f"{joint.name}.{field}", getattr(joint, field))
            for slot in branch.v:
                values[slot] = value
        return values

    def _branch(self, i: int) -> Branch:
        link = self.links[i]
        lead, p, I = self._fixed(link), link.p, link.I
        if link.parent in self.turned:
            turn = self.turned[link.parent]
            p = turn.up(p)
            if i not in self.turned or lead:
                lead = (turn, *lead)
        rotation, shift, axes = MOTIONS[link.kind](self.links, self.q, link)
        if i in self.turned:
            rotation, I = (), I.up((self.turned[i],), self.zero3)
        p = add(p, up(lead, shift))
        return Branch(link.parent, (*lead, *rotation), p, I, axes, tuple(link.v), link)

    def _fixed(self, link: Link) -> Rotation:
        """The rotation at zero as factors Z(a) X(b) Z(c), without those that are the identity."""
        if not numeric(link.R):
            return fixed(link.R)
        factors: list[Turn | Matrix] = []
        for axis, angle in zip((2, 0, 2), zxz(link.R), strict=True):
            c, s = cosine_sine(angle)
            if (c, s) != (1.0, 0.0):
                factors.append(Turn(axis, self.links.constant(c), self.links.constant(s)))
        return tuple(factors)

    @cached_property
    def _follows(self) -> list[bool]:
        """For each link whether it is revolute with its axis parallel to a revolute parent's."""
        links = self.links
        return [
            link.kind == "R"
            and link.parent != WORLD
            and links[link.parent].kind == "R"
            and not self._fixed(link)
            for link in links
        ]

    @property
    def has_parallel_axes(self) -> bool:
        """Whether the condensed form differs from the plain one."""
        return any(self._follows)

    def _condense(self) -> None:
        """Keeps the frames of links on parallel axes at the angle zero of their group."""
        links = self.links
        leads = {link.parent for link, is_so in zip(links, self._follows, strict=True) if is_so}
        sums: dict[int, tuple[Any, float]] = {}  # coordinates and offsets since the group's first
        for i, link in enumerate(links):
            if self._follows[i] or i in leads:
                q, offset = sums[link.parent] if self._follows[i] else (self.zero, 0.0)
                sums[i] = q + self.q[link.q[0]], offset + link.offset
                self.turned[i] = turn_of(*sums[i])


def along(axis: Axis, six: Sequence[Any]) -> Any:
    """The component of six numbers along an axis."""
    (k, coefficient), *others = axis
    total = coefficient * six[k]
    for k, coefficient in others:
        total = total + coefficient * six[k]
    return total


def vectors(tree: Tree, axis: Axis) -> Motion:
    """The angular and the linear part of an axis."""
    six = [tree.zero] * 6
    for k, coefficient in axis:
        six[k] = coefficient
    return halves(six)


def is_zero(x: Any) -> bool:
    """Whether an expression is the constant zero."""
    return isinstance(x, Expr) and x.ref == ZERO
