"""The motion of each kind of joint: rotation, translation and axes as expressions of q."""

from collections.abc import Callable
from typing import Any

from hapsis.compiler.ir.graph.elementary_functions import cos, sin
from hapsis.mechanics.algebra.rotations import Matrix, Rotation, Turn, cosine_sine, of_quaternion, transposed
from hapsis.mechanics.algebra.vectors import Vector, cross, neg
from hapsis.mechanics.formalisms.tree.links import Link, Links

# an axis of motion, a column of S: components (place among wx wy wz vx vy vz, coefficient)
Axis = tuple[tuple[int, Any], ...]

# a rotation after the fixed one, a translation before it, the axes
JointMotion = tuple[Rotation, Vector, tuple[Axis, ...]]


def turn_of(q: Any, offset: float) -> Turn:
    """The rotation about z by a coordinate plus an offset; multiples of a quarter turn cost nothing."""
    c, s = cosine_sine(offset)
    if abs(c) == 1.0 or abs(s) == 1.0:
        cq, sq = cos(q), sin(q)
        return Turn(2, c * cq - s * sq, s * cq + c * sq)
    return Turn(2, cos(q + offset), sin(q + offset))


Writer = Callable[[Links, Any, Link], JointMotion]


def _revolute(links: Links, q: Any, link: Link) -> JointMotion:
    return (turn_of(q[link.q[0]], link.offset),), links.zero3, (((2, links.one),),)


def _prismatic(links: Links, q: Any, link: Link) -> JointMotion:
    return (), (links.zero, links.zero, q[link.q[0]]), (((5, links.one),),)


def _helical(links: Links, q: Any, link: Link) -> JointMotion:
    rise = (links.zero, links.zero, link.pitch * q[link.q[0]])
    return (turn_of(q[link.q[0]], link.offset),), rise, (((2, links.one), (5, link.pitch)),)


def _ball(links: Links, q: Any, link: Link) -> JointMotion:
    R = of_quaternion(*(q[k] for k in link.q))
    if link.flipped:
        # relative to the second end the first has the rotation Rᵀ and, in its own axes, the velocity -R v
        turning = tuple(_dense(neg(column), links.zero3) for column in transposed(R))
        return (Matrix(transposed(R)),), links.zero3, turning
    return (Matrix(R),), links.zero3, tuple(((k, links.one),) for k in range(3))


def _free(links: Links, q: Any, link: Link) -> JointMotion:
    x, y, z, *quaternion = (q[k] for k in link.q)
    R, p = of_quaternion(*quaternion), (x, y, z)
    if link.flipped:
        columns = transposed(R)
        turning = tuple(_dense(neg(column), cross(column, p)) for column in columns)
        moving = tuple(_dense(links.zero3, neg(column)) for column in columns)
        return (Matrix(columns),), neg(Matrix(columns).up(p)), (*turning, *moving)
    return (Matrix(R),), p, tuple(((k, links.one),) for k in range(6))


def _dense(angular: Vector, linear: Vector) -> Axis:
    return tuple(enumerate((*angular, *linear)))


def _weld(links: Links, q: Any, link: Link) -> JointMotion:
    return (), links.zero3, ()


# {kind of joint: the function that writes its motion}
MOTIONS: dict[str, Writer] = {
    "R": _revolute,
    "P": _prismatic,
    "H": _helical,
    "ball": _ball,
    "free": _free,
    "W": _weld,
}
