"""The motion of a body's points and axes as another body sees it, to second order, by recursion.

A point with the place x moves, as link k sees it, with the velocity u and, at zero accelerations of all
speeds, with the acceleration a. Joint k moves by (ω, υ) = S v, constant in the axes of link k. Its parent
sees

    x' = p + R x        u' = R (u + ω × x + υ)        a' = R (a + ω × (u + u''))        u'' = Rᵀ u'

and of a body with the angular velocity w and the angular acceleration α

    w' = R (w + ω)      α' = R (α + ω × w)

Outwards, from the parent to link k, the same equations are solved for what link k sees. Several points of
one body, seen from one link, share the motion of the body: with o its origin and r = x - o

    u = ȯ + w × r       a = ö + B r       B r = α × r + w × (w × r)

Reference: [Robotran] for the recursions.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple

from hapsis.mechanics.algebra.rotations import Matrix, Rotation, Rows, Turn, down, up
from hapsis.mechanics.algebra.spatial import Motion
from hapsis.mechanics.algebra.vectors import Vector, add, cross, sub
from hapsis.mechanics.formalisms.tree.relative_kinematics import Path
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero

# operations: a point through a turn, a spin through a turn, a body's B, a point of a body
POINT, SPIN, BODY, OF_BODY = 22, 17, 15, 33


class Point(NamedTuple):
    """The place, the velocity and the acceleration of a point, as a link sees it, in its axes."""

    x: Vector
    u: Vector
    a: Vector


class Body(NamedTuple):
    """The origin of a body, its angular velocity, and B; as a link sees it, in its axes."""

    origin: Point
    w: Vector
    B: Rows

    def point(self, x: Vector) -> Point:
        """The motion of the body's point at x."""
        r = sub(x, self.origin.x)
        return Point(x, add(self.origin.u, cross(self.w, r)), add(self.origin.a, Matrix(self.B).up(r)))


class RelativeMotions:
    """The motions at the speeds v along paths through a tree, at zero accelerations.

    paths    all that will be asked for: points of one body, seen from one link, share its motion
    """

    def __init__(self, tree: Tree, v: Any, paths: Iterable[Path]) -> None:
        self.tree, self.joints = tree, tree.joint_motions(v)
        self._count = Counter(_key(path) for path in paths)
        self._bodies: dict[tuple[int, ...], Body] = {}

    def point(self, path: Path) -> tuple[Vector, Vector]:
        """The velocity and the acceleration of the origin of `of`, as `seen_from` sees it."""
        point = self._inner_point(path)
        for i in path.outwards:
            point = self._outwards(i, point)
        R = Matrix(path.seen_from.R)
        return R.down(point.u), R.down(point.a)

    def spin(self, path: Path) -> Motion:
        """The angular velocity and acceleration of `of`, as `seen_from` sees it."""
        w, dw = self._inner_spin(path)
        for i in path.outwards:
            R, turn = self.tree.branches[i].rotation, self.joints[i][0]
            w = down(R, w)
            w, dw = sub(w, turn), sub(down(R, dw), cross(turn, w))
        R = Matrix(path.seen_from.R)
        return R.down(w), R.down(dw)

    def _inner_point(self, path: Path) -> Point:
        """The motion of the origin of `of`, as the nearest common ancestor sees it."""
        zero = self.tree.zero3
        if self._is_shared(path):
            x = path.of.p
            for i in path.inwards:
                branch = self.tree.branches[i]
                x = add(branch.p, up(branch.rotation, x))
            return self._body(path).point(x)
        point = Point(path.of.p, zero, zero)
        for i in path.inwards:
            point = self._inwards(i, point)
        return point

    def _is_shared(self, path: Path) -> bool:
        """Whether its points cost less by the motion of their body than each by itself."""
        n, offset = 0, 0
        for i in path.inwards:
            n += not all(map(is_zero, self.joints[i][0]))
            offset += not all(map(is_zero, self.tree.branches[i].p)) or bool(offset)
        points = self._count[_key(path)]
        return POINT * n * points > SPIN * n + POINT * offset + BODY + OF_BODY * points

    def _body(self, path: Path) -> Body:
        """The motion of the body of `of`, as the nearest common ancestor sees it."""
        key = _key(path)
        if key not in self._bodies:
            zero = self.tree.zero3
            origin = Point(zero, zero, zero)
            for i in path.inwards:
                origin = self._inwards(i, origin)
            w, dw = self._inner_spin(path)
            self._bodies[key] = Body(origin, w, _rows(w, dw))
        return self._bodies[key]

    def _inner_spin(self, path: Path) -> Motion:
        """The angular velocity and acceleration of `of`, as the nearest common ancestor sees it."""
        w = dw = self.tree.zero3
        for i in path.inwards:
            outer, own = self._split(i)
            turn, w, dw = self.joints[i][0], up(own, w), up(own, dw)
            w, dw = up(outer, add(w, turn)), up(outer, add(dw, cross(turn, w)))
        return w, dw

    def _inwards(self, i: int, point: Point) -> Point:
        """What the parent of link i sees of a point that link i sees."""
        (outer, own), (turn, shift) = self._split(i), self.joints[i]
        x, before, a = (up(own, y) for y in point)
        u = add(add(before, cross(turn, x)), shift)
        a = add(a, cross(turn, add(before, u)))
        return Point(add(self.tree.branches[i].p, up(outer, x)), up(outer, u), up(outer, a))

    def _split(self, i: int) -> tuple[Rotation, Rotation]:
        """The rotation of link i in two factors: the second turns about the joint's own axes.

        Such a turn leaves ω as it is, so that it comes first and what ω adds is not turned. The shift of
        a joint that turns is along the same axis.
        """
        R, (turn, shift) = self.tree.branches[i].rotation, self.joints[i]
        last = R[-1] if R else None
        if isinstance(last, Turn) and all(_is_along(last.axis, x) for x in (turn, shift)):
            return R[:-1], (last,)
        return R, ()

    def _outwards(self, i: int, point: Point) -> Point:
        """What link i sees of a point that its parent sees."""
        branch, (turn, shift) = self.tree.branches[i], self.joints[i]
        x, before, a = (down(branch.rotation, y) for y in (sub(point.x, branch.p), point.u, point.a))
        u = sub(sub(before, cross(turn, x)), shift)
        return Point(x, u, sub(a, cross(turn, add(u, before))))


def _key(path: Path) -> tuple[int, ...]:
    return tuple(path.inwards)


def _is_along(axis: int, vector: Vector) -> bool:
    return all(is_zero(x) for k, x in enumerate(vector) if k != axis)


def _rows(w: Vector, dw: Vector) -> Rows:
    """B: with the acceleration of the origin it gives that of every point."""
    (x, y, z), (dx, dy, dz) = w, dw
    xx, yy, zz, xy, xz, yz = x * x, y * y, z * z, x * y, x * z, y * z
    return (-(yy + zz), xy - dz, xz + dy), (xy + dz, -(xx + zz), yz - dx), (xz - dy, yz + dx, -(xx + yy))
