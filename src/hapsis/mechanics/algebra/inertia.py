"""Inertia of a body as moments of its mass: m = ∫dm, h = ∫r dm, Σ = ∫r rᵀ dm (pseudo-inertia).

Unlike the usual inertia tensor I = tr(Σ) 1 - Σ, each element of Σ is additive over bodies that move
together, which regrouping of parameters needs. The elements of I are sums of two elements of Σ.
Reference: [Featherstone]; the pseudo-inertia matrix is [Wensing].
"""

from typing import Any, NamedTuple

from hapsis.mechanics.algebra.rotations import Rotation, Tensor, tensor_sum, tensor_up, up
from hapsis.mechanics.algebra.vectors import Vector, add, cross, scaled


class Inertia(NamedTuple):
    """Moments about the origin of some frame, in its axes.

    The moments of inertia about the axes are sums of two elements of Σ. They are stored as well, so
    that the moments that a user gave are used exactly, not recomputed from Σ with rounding.
    """

    Sigma: Tensor
    h: Vector
    m: Any
    known: Vector | None = None  # Ixx Iyy Izz, where they need not be summed from Σ

    @property
    def axial(self) -> Vector:
        """The moments of inertia about the axes."""
        xx, yy, zz, *_ = self.Sigma
        return self.known or (yy + zz, xx + zz, xx + yy)

    def plus(self, other: "Inertia") -> "Inertia":
        """The sum of both."""
        Sigma, h = tensor_sum(self.Sigma, other.Sigma), add(self.h, other.h)
        return Inertia(Sigma, h, self.m + other.m, add(self.axial, other.axial))

    def up(self, rotation: Rotation, p: Vector) -> "Inertia":
        """The same about the parent's origin and in its axes; p and rotation place our frame in it."""
        h, m = up(rotation, self.h), self.m
        q = add(h, scaled(m, p))  # first moment in the parent's frame
        # Σ + p hᵀ + h pᵀ + m p pᵀ, written as Σ + p qᵀ + h pᵀ
        x, y, z = (p[k] * (q[k] + h[k]) for k in range(3))
        shift = (x, y, z, p[0] * q[1] + h[0] * p[1], p[0] * q[2] + h[0] * p[2], p[1] * q[2] + h[1] * p[2])
        Sigma = tensor_sum(tensor_up(rotation, self.Sigma), shift)
        I = add(tensor_up(rotation, self.rigid().I), (y + z, x + z, x + y))
        return Inertia(Sigma, q, m, I)

    def rigid(self) -> "Rigid":
        """The same with the inertia tensor, for formulas of rigid bodies."""
        return Rigid((*self.axial, -self.Sigma[3], -self.Sigma[4], -self.Sigma[5]), self.h, self.m)


class Rigid(NamedTuple):
    """The inertia tensor I = tr(Σ) 1 - Σ about the origin, with its elements as in a matrix; h and m.

    A rotation about an axis does not change the moment about that axis, so a planar mechanism needs
    no other element of I; for this reason composite bodies use this form.
    """

    I: Tensor
    h: Vector
    m: Any

    def plus(self, other: "Rigid") -> "Rigid":
        """The sum of both."""
        return Rigid(tensor_sum(self.I, other.I), add(self.h, other.h), self.m + other.m)

    def up(self, rotation: Rotation, p: Vector) -> "Rigid":
        """The same about the parent's origin and in its axes; p and rotation place our frame in it."""
        h, m = up(rotation, self.h), self.m
        q = add(h, scaled(m, p))
        x, y, z = (p[k] * (q[k] + h[k]) for k in range(3))
        shift = (
            y + z,
            x + z,
            x + y,
            -(p[0] * q[1] + h[0] * p[1]),
            -(p[0] * q[2] + h[0] * p[2]),
            -(p[1] * q[2] + h[1] * p[2]),
        )
        return Rigid(tensor_sum(tensor_up(rotation, self.I), shift), q, m)

    def momentum(self, angular: Vector, linear: Vector) -> tuple[Vector, Vector]:
        """The angular and linear momentum I V about the origin, for the velocity (angular, linear)."""
        xx, yy, zz, xy, xz, yz = self.I
        x, y, z = angular
        turning = (xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z)
        return (add(turning, cross(self.h, linear)), add(scaled(self.m, linear), cross(angular, self.h)))


def of_body(mass: Any, com: Vector, inertia: Tensor) -> Inertia:
    """Moments about the body's origin, from its inertia tensor about the centre of mass."""
    xx, yy, zz, xy, xz, yz = inertia
    h = scaled(mass, com)
    x, y, z = (h[k] * com[k] for k in range(3))
    Sigma = (
        0.5 * (yy + zz - xx) + x,
        0.5 * (xx + zz - yy) + y,
        0.5 * (xx + yy - zz) + z,
        h[0] * com[1] - xy,
        h[0] * com[2] - xz,
        h[1] * com[2] - yz,
    )
    return Inertia(Sigma, h, mass, (xx + (y + z), yy + (x + z), zz + (x + y)))
