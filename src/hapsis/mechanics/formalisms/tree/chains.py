"""The links between two places of a tree as one chain of turns, in as few frames as possible.

A path goes inwards to the nearest common ancestor and out again. Each of its links turns or moves what
lies before it, links on the way out by minus their coordinates. All that is fixed between two turns is
one rotation F, and where F leaves the axis z as it is, or reverses it, both turns are about one axis:

    Z(θ₂) (d + Z(θ₁) x) = Z(θ₁ + θ₂) x + Z(θ₂) d

So turns about parallel axes are a group: a vector is turned once, by the sum of their angles. The first
link of the way in and the first of the way out are often parallel, as the hinges of two wishbones are.
The sines of a sum of angles of both sides are made of those of each side where several such sums share them.
"""

from collections.abc import Sequence
from typing import Any

from hapsis.mechanics.algebra.rotations import Turn, down, transposed, up
from hapsis.mechanics.algebra.vectors import Vector, add, sub
from hapsis.mechanics.formalisms.tree.chain_stages import (
    Fixed,
    Group,
    Piece,
    Stage,
    Turning,
    Whole,
    started,
    written_stages,
)
from hapsis.mechanics.formalisms.tree.joint_motion import turn_of
from hapsis.mechanics.formalisms.tree.links import IDENTITY, WORLD, Links, Place, numeric
from hapsis.mechanics.formalisms.tree.tree import Tree


class Chain:
    """The chain from the place `of` to the place `seen_from`.

    start     the origin of `of`, before the first stage
    stages    what happens to it on the way
    inner     the number of stages, and of turns of the next one, that belong to the way in
    crosses   whether a group has turns of both sides
    products  whether the sines of sums of angles of both sides are made of those of each side
    """

    def __init__(self, tree: Tree, of: Place, seen_from: Place, products: bool = True) -> None:
        self.tree, self.of, self.products = tree, of, products
        there, here = _apart(tree.links, of.link, seen_from.link)
        stages, self.inner = written_stages(tree.links, there, here, seen_from, crossing=True)
        self.crosses = any(isinstance(stage, Group) and stage.crosses for stage in stages)
        if not self.crosses:
            stages, self.inner = written_stages(tree.links, there, here, seen_from, crossing=False)
        self.key = of.link, len(there), self.crosses
        self.start, self.stages = started(of.p, stages)

    def origin(self) -> Vector:
        """The origin of `of`, in the frame of `seen_from`."""
        return self.point(self.start, len(self.stages))

    def axes(self) -> Any:
        """The axes of `of` in those of `seen_from`, as rows of a matrix."""
        constant = self.tree.links.constant
        columns = [tuple(map(constant, column)) for column in transposed(self.of.R)]
        return transposed([self.direction(column, len(self.stages)) for column in columns])

    def point(self, x: Vector, stages: int) -> Vector:
        """A point of the link of `of` after so many stages."""
        for stage in self.stages[:stages]:
            if isinstance(stage, Group):
                turns = self.sums(stage)
                x = turns[0].up(x)
                for item, turn in zip(stage.items, turns[1:], strict=True):
                    if isinstance(item, Piece):
                        x = add(x, turn.up(item.place(self.tree.q)))
            elif isinstance(stage, Fixed):
                x = up(stage.rotation, x)
            else:
                branch = self.tree.branches[stage.link]
                if stage.inwards:
                    x = add(branch.p, up(branch.rotation, x))
                else:
                    x = down(branch.rotation, sub(x, branch.p))
        return x

    def direction(self, a: Vector, stages: int) -> Vector:
        """A vector of the link of `of` after so many stages."""
        for stage in self.stages[:stages]:
            a = self.turned(stage, a)
        return a

    def is_straight(self, stages: int) -> bool:
        """Whether the last two of so many stages alone move a point, so that its direction costs nothing."""
        return not any(
            isinstance(stage, Whole)
            or (isinstance(stage, Group) and any(isinstance(item, Piece) for item in stage.items))
            for stage in self.stages[: max(0, stages - 2)]
        )

    def turned(self, stage: Stage, a: Vector) -> Vector:
        """A vector after one stage."""
        if isinstance(stage, Group):
            return self.sums(stage)[0].up(a)
        if isinstance(stage, Fixed):
            return up(stage.rotation, a)
        rotation = self.tree.branches[stage.link].rotation
        return up(rotation, a) if stage.inwards else down(rotation, a)

    def sums(self, group: Group) -> list[Turn]:
        """For each item the rotation by all turns from it on, and none after the last."""
        return [self._sum(group.items[k:]) for k in range(len(group.items) + 1)]

    def _sum(self, items: Sequence[Turning | Piece]) -> Turn:
        turns = [item for item in items if isinstance(item, Turning)]
        inner, outer = ([t for t in turns if t.inwards is side] for side in (True, False))
        # from the ancestor on, so that sums are those of the condensed tree
        if not inner or not outer or not self.products:
            return self._angle([*inner[::-1], *outer])
        a, b = self._angle(inner[::-1]), self._angle(outer)
        return Turn(2, a.c * b.c - a.s * b.s, a.s * b.c + a.c * b.s)

    def _angle(self, turns: Sequence[Turning]) -> Turn:
        tree = self.tree
        if not turns:
            return Turn(2, tree.one, tree.zero)
        sign = turns[0].sign
        angle, offset = tree.zero, 0.0
        for t in turns:
            q = tree.q[t.q]
            angle = angle + q if t.sign == sign else angle - q
            offset += sign * t.offset
        turn = turn_of(angle, offset)
        return turn if sign == 1 else Turn(2, turn.c, -turn.s)


def meeting_place(links: Links, first: Place, second: Place) -> Place:
    """A place on the nearest common ancestor: where the first joint on the way to it is, if there is one."""
    there, here = _apart(links, first.link, second.link)
    if not there and not here:
        return Place(first.link, IDENTITY, links.zero3)
    top = links[(there or here)[-1]]
    R = top.R if numeric(top.R) and top.kind not in ("ball", "free") else IDENTITY
    return Place(top.parent, R, links.zero3 if top.kind in ("ball", "free") else top.p)


def _apart(links: Links, first: int, second: int) -> tuple[list[int], list[int]]:
    """For each of two links itself and its ancestors that are none of the other's, inwards."""
    there, here = _inwards(links, first), _inwards(links, second)
    while there and here and there[-1] == here[-1]:
        del there[-1], here[-1]
    return there, here


def _inwards(links: Links, link: int) -> list[int]:
    """A link and its ancestors, the one next to the world last."""
    path: list[int] = []
    while link != WORLD:
        path.append(link)
        link = links[link].parent
    return path
