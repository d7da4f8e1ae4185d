"""Motions and wrenches as pairs of three-vectors, and their transforms between frames.

A motion is (ω, u): the angular velocity of a body and the velocity of its frame's origin. A wrench is
(n, f): the moment about that origin and the force. R and p are the orientation and position of a child's
frame in its parent's; X is the transform of motions from parent to child. Reference: [RBDA] chapter 2.
"""

from collections.abc import Sequence
from typing import Any

from hapsis.mechanics.algebra.rotations import Rotation, down, up
from hapsis.mechanics.algebra.vectors import Vector, add, cross, dot

Motion = tuple[Vector, Vector]
Wrench = tuple[Vector, Vector]


def motion_down(R: Rotation, p: Vector, V: Motion) -> Motion:
    """X V: a motion given in the parent's frame, in the child's frame."""
    w, u = V
    return down(R, w), down(R, add(u, cross(w, p)))


def motion_up(R: Rotation, p: Vector, V: Motion) -> Motion:
    """X⁻¹ V: a motion given in the child's frame, in the parent's frame."""
    w = up(R, V[0])
    return w, add(up(R, V[1]), cross(p, w))


def wrench_up(R: Rotation, p: Vector, F: Wrench) -> Wrench:
    """Xᵀ F: a wrench given in the child's frame, in the parent's frame."""
    f = up(R, F[1])
    return add(up(R, F[0]), cross(p, f)), f


def motion_cross(V: Motion, W: Motion) -> Motion:
    """V × W of two motions."""
    return cross(V[0], W[0]), add(cross(V[0], W[1]), cross(V[1], W[0]))


def plus(first: Any, *others: Any) -> Any:
    """The sum of motions, or of wrenches."""
    for other in others:
        first = add(first[0], other[0]), add(first[1], other[1])
    return first


def power(V: Motion, F: Wrench) -> Any:
    """Vᵀ F."""
    return dot(V[0], F[0]) + dot(V[1], F[1])


def halves(six: Sequence[Any]) -> tuple[Vector, Vector]:
    """Six numbers as their angular and their linear part."""
    return (six[0], six[1], six[2]), (six[3], six[4], six[5])
