"""The motion of a body's points and axes as another body sees it, to second order, by recursion.

A point with the place x moves, as a frame sees it, with the velocity u and, at zero accelerations of all
speeds, with the acceleration a. Turns by the rate W about the axis z, on the way in or out, give

    u' = u + W × x        a' = a + W × (u + u')

either before or after the vectors are turned, and of a body with the angular velocity w and acceleration α

    w' = w + W            α' = α + W × w

Several points of one body, seen from one link, share the motion of the body: with o its origin and r = x - o

    u = ȯ + w × r         a = ö + B r       B r = α × r + w × (w × r)

Reference: [Robotran] for the recursions.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from hapsis.mechanics.algebra.rotations import Matrix, Rows, down, up
from hapsis.mechanics.algebra.spatial import Motion
from hapsis.mechanics.algebra.vectors import Vector, add, cross, sub
from hapsis.mechanics.formalisms.tree.chain_stages import Fixed, Group, Piece, Stage, Turning, Whole
from hapsis.mechanics.formalisms.tree.chains import Chain
from hapsis.mechanics.formalisms.tree.tree import Tree


class Point(NamedTuple):
    """The place, the velocity and the acceleration of a point, as a frame sees it, in its axes."""

    x: Vector
    u: Vector
    a: Vector


class Body(NamedTuple):
    """The origin of a body, its angular velocity, and B; as a frame sees it, in its axes."""

    origin: Point
    w: Vector
    B: Rows

    def point(self, x: Vector, r: Vector) -> Point:
        """The motion of the body's point at x, from the origin by r."""
        return Point(x, add(self.origin.u, cross(self.w, r)), add(self.origin.a, Matrix(self.B).up(r)))


class RelativeMotions:
    """The motions at the speeds v along chains through a tree, at zero accelerations.

    chains    all whose points may share the motion of their body, where there are several
    """

    def __init__(self, tree: Tree, v: Any, chains: Iterable[Chain]) -> None:
        self.tree, self.v, self.joints = tree, v, tree.joint_motions(v)
        self._count = Counter(chain.key for chain in chains)
        self._bodies: dict[Any, Body] = {}

    def point(self, chain: Chain, apart: bool = False, final: bool = False) -> tuple[Vector, Vector]:
        """The velocity and the acceleration of the origin of `of`, as `seen_from` sees it.

        apart   by itself, and such that its slopes by the speeds are the cheapest
        final   nothing but the acceleration is used
        """
        zero, skipped, start = self.tree.zero3, 0, 0
        if self._count[chain.key] > 1 and not apart:
            point = self._of_body(chain)
            start, skipped = chain.inner
        else:
            point = Point(chain.start, zero, zero)
        last = max((k for k, stage in enumerate(chain.stages) if not isinstance(stage, Fixed)), default=0)
        for k, stage in enumerate(chain.stages[start:], start):
            point = self._moved(chain, stage, point, skipped if k == start else 0, k == last and final)
        return point.u, point.a

    def spin(self, chain: Chain) -> Motion:
        """The angular velocity and acceleration of `of`, as `seen_from` sees it."""
        return self._spin(chain, chain.stages)

    def _of_body(self, chain: Chain) -> Point:
        """The motion of the origin of `of` as its body's, where the way in ends."""
        stages, turns = chain.inner
        if chain.key not in self._bodies:
            self._bodies[chain.key] = self._body(chain, stages, turns)
        x = chain.point(chain.start, stages)
        if chain.is_straight(stages):
            r = chain.direction(chain.start, stages)
        else:
            r = sub(x, chain.point(self.tree.zero3, stages))
        return self._bodies[chain.key].point(x, r)

    def _body(self, chain: Chain, stages: int, turns: int) -> Body:
        """The motion of the body of `of` after so many stages, and turns of the next one."""
        zero = self.tree.zero3
        origin = Point(zero, zero, zero)
        for stage in chain.stages[:stages]:
            origin = self._moved(chain, stage, origin)
        w, dw = self._spin(chain, chain.stages[:stages])
        ahead = chain.stages[stages] if turns else None
        if isinstance(ahead, Group):
            W = self._rate(ahead.items[:turns])
            origin = _turning(W, origin)
            w, dw = _spinning(W, (w, dw))
        return Body(origin, w, _rows(w, dw))

    def _spin(self, chain: Chain, stages: Sequence[Stage]) -> Motion:
        w = dw = self.tree.zero3
        for stage in stages:
            if isinstance(stage, Whole):
                branch, turn = self.tree.branches[stage.link], self.joints[stage.link][0]
                if stage.inwards:
                    w, dw = up(branch.rotation, add(w, turn)), up(branch.rotation, add(dw, cross(turn, w)))
                else:
                    w, dw = down(branch.rotation, w), down(branch.rotation, dw)
                    w, dw = sub(w, turn), sub(dw, cross(turn, w))
                continue
            w, dw = chain.turned(stage, w), chain.turned(stage, dw)
            if isinstance(stage, Group):
                w, dw = _spinning(self._rate(stage.items), (w, dw))
        return w, dw

    def _rate(self, items: Sequence[Turning | Piece]) -> Any:
        """The rate of all these turns together."""
        rate = self.tree.zero
        for item in items:
            if isinstance(item, Turning):
                rate = rate + self.v[item.v] if item.sign > 0 else rate - self.v[item.v]
        return rate

    def _moved(self, chain: Chain, stage: Stage, point: Point, skipped: int = 0, last: bool = False) -> Point:
        """The motion of a point after one stage, whose first turns it has already where some are skipped."""
        if isinstance(stage, Fixed):
            x, u, a = (up(stage.rotation, y) for y in point)
            return Point(x, u, a)
        if isinstance(stage, Whole):
            return self._whole(stage, point)
        items, turns = stage.items[skipped:], chain.sums(stage)
        pieces = [k for k, item in enumerate(items) if isinstance(item, Piece)]
        leading = pieces[0] if pieces else len(items)
        if last and leading == sum(isinstance(item, Turning) for item in items):
            # nobody asks for u afterwards: it need not be turned
            point = _turning(self._rate(items), point)
            items, turns = items[leading:], [turns[0], *turns[skipped + leading + 1 :]]
        else:
            turns = [turns[0], *turns[skipped + 1 :]]
        x, u, a = (turns[0].up(y) for y in point)
        run: list[Turning | Piece] = []
        for item, turn in zip(items, turns[1:], strict=True):
            if isinstance(item, Turning):
                run.append(item)
                continue
            x, u, a = _turning(self._rate(run), Point(x, u, a))
            run = []
            x = add(x, turn.up(item.place(self.tree.q)))
            u = add(u, turn.up(item.rate(self.tree.zero3, self.v)))
        return _turning(self._rate(run), Point(x, u, a))

    def _whole(self, stage: Whole, point: Point) -> Point:
        """The motion of a point after a ball or free joint, which moves by (ω, υ)."""
        branch, (turn, shift) = self.tree.branches[stage.link], self.joints[stage.link]
        if stage.inwards:
            x, before, a = point
            u = add(add(before, cross(turn, x)), shift)
            a = add(a, cross(turn, add(before, u)))
            R = branch.rotation
            return Point(add(branch.p, up(R, x)), up(R, u), up(R, a))
        x, before, a = (down(branch.rotation, y) for y in (sub(point.x, branch.p), point.u, point.a))
        u = sub(sub(before, cross(turn, x)), shift)
        return Point(x, u, sub(a, cross(turn, add(u, before))))


def _across(W: Any, a: Vector) -> Vector:
    """W × a for W along z."""
    return -W * a[1], W * a[0], 0.0 * W


def _turning(W: Any, point: Point) -> Point:
    """What the rate W about z adds to the motion of a point."""
    u = add(point.u, _across(W, point.x))
    return Point(point.x, u, add(point.a, _across(W, add(point.u, u))))


def _spinning(W: Any, motion: Motion) -> Motion:
    """What the rate W about z adds to the angular velocity and acceleration of a body."""
    w, dw = motion
    return (w[0], w[1], w[2] + W), add(dw, _across(W, w))


def _rows(w: Vector, dw: Vector) -> Rows:
    """B: with the acceleration of the origin it gives that of every point."""
    (x, y, z), (dx, dy, dz) = w, dw
    xx, yy, zz, xy, xz, yz = x * x, y * y, z * z, x * y, x * z, y * z
    return (-(yy + zz), xy - dz, xz + dy), (xy + dz, -(xx + zz), yz - dx), (xz - dy, yz + dx, -(xx + yy))
