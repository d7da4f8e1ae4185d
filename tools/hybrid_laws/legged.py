"""A planar body with legs, by equations written by hand: coordinates x, z, turn, then an angle for each leg.

A turn about y takes (x, z) of a body to (c x + s z, c z - s x).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]


def turned(angle: float, at: Any, times: int = 0) -> Array:
    """A vector of a body in the plane, or its derivatives by the angle."""
    c, s = np.cos(angle + 0.5 * np.pi * times), np.sin(angle + 0.5 * np.pi * times)
    return np.array([c * at[0] + s * at[1], c * at[1] - s * at[0]])


@dataclass(frozen=True)
class Leg:
    """Where it hangs on the body, its centre of mass and its foot, mass, inertia, spring and damper."""

    hip: tuple[float, float]
    com: tuple[float, float]
    foot: tuple[float, float]
    mass: float
    inertia: float
    stiffness: float
    damping: float


@dataclass(frozen=True)
class Legged:
    """The body, whose origin is its centre of mass, its legs, and gravity."""

    mass: float
    inertia: float
    legs: tuple[Leg, ...]
    g: float

    @property
    def size(self) -> int:
        """Coordinates."""
        return 3 + len(self.legs)

    def point(self, q: Array, v: Array, k: int, at: Any) -> tuple[Array, Array, Array]:
        """Place, Jacobian and acceleration by speeds alone, of a point of a leg."""
        leg, alpha, rate = self.legs[k], q[2] + q[3 + k], v[2] + v[3 + k]
        J = np.zeros((2, self.size))
        J[:, :2] = np.eye(2)
        J[:, 2] = turned(q[2], leg.hip, 1) + turned(alpha, at, 1)
        J[:, 3 + k] = turned(alpha, at, 1)
        own = -turned(q[2], leg.hip) * v[2] ** 2 - turned(alpha, at) * rate**2
        return q[:2] + turned(q[2], leg.hip) + turned(alpha, at), J, own

    def equations(self, q: Array, v: Array) -> tuple[Array, Array]:
        """M and f of M a = f."""
        M = np.diag([self.mass, self.mass, self.inertia] + [0.0] * len(self.legs))
        f = np.zeros(self.size)
        f[1] = -self.mass * self.g
        for k, leg in enumerate(self.legs):
            _, J, own = self.point(q, v, k, leg.com)
            turn = np.zeros(self.size)
            turn[[2, 3 + k]] = 1.0
            M += leg.mass * J.T @ J + leg.inertia * np.outer(turn, turn)
            f -= leg.mass * J.T @ (own + np.array([0.0, self.g]))
            f[3 + k] -= leg.stiffness * q[3 + k] + leg.damping * v[3 + k]
        return M, f

    def acceleration(self, q: Array, v: Array, foot: int | None) -> tuple[Any, float]:
        """The acceleration with a foot held, or none, and the normal force on it."""
        M, f = self.equations(q, v)
        if foot is None:
            return np.linalg.solve(M, f), 0.0
        _, J, own = self.point(q, v, foot, self.legs[foot].foot)
        W = np.linalg.solve(M, J.T)
        free = np.linalg.solve(M, f)
        force = np.linalg.solve(J @ W, -own - J @ free)
        return free + W @ force, float(force[1])

    def caught(self, q: Array, v: Array, foot: int) -> Array:
        """The speeds after a foot is caught by the ground."""
        M, _ = self.equations(q, v)
        _, J, _ = self.point(q, v, foot, self.legs[foot].foot)
        W = np.linalg.solve(M, J.T)
        return v - W @ np.linalg.solve(J @ W, J @ v)

    def bounced(self, q: Array, v: Array, foot: int, e: float, mu: float) -> Array | None:
        """The speeds after a foot has bounced with restitution and Coulomb's friction.

        None where sticking with all of the restitution would add energy, so that there is less of it.
        """
        M, _ = self.equations(q, v)
        _, J, _ = self.point(q, v, foot, self.legs[foot].foot)
        W = np.linalg.solve(M, J.T)
        A, s = J @ W, J @ v
        push = np.linalg.solve(A, [-s[0], -(1.0 + e) * s[1]])
        stuck = v + W @ push
        if mu > 0.0 and stuck @ M @ stuck > v @ M @ v * (1.0 - 1e-6):
            return None
        if abs(push[0]) > mu * push[1]:
            side = np.sign(push[0])
            normal = -(1.0 + e) * s[1] / (A[1, 1] + side * mu * A[1, 0])
            push = np.array([side * mu * normal, normal])
        return v + W @ push
