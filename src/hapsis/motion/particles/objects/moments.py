"""Mass, centre and second moments of particles and of tetrahedra; masses that have given ones.

A tetrahedron of mass M has the moments of M/20 at each of its corners and 4M/5 at its centre.
"""

from typing import Any, NamedTuple

import numpy as np

from hapsis.errors import ModelError

Array = np.ndarray[Any, Any]
EXACT = 1e-12


class Moments(NamedTuple):
    """Mass, centre, and ∫ r rᵀ dm about the centre."""

    mass: float
    center: Array
    second: Array

    @property
    def inertia(self) -> Array:
        """The matrix of inertia about the centre."""
        return np.trace(self.second) * np.eye(3) - self.second

    @property
    def axes(self) -> Array:
        """The principal axes as columns, a rotation; the longest is x."""
        _, turn = np.linalg.eigh(self.second)
        turn = turn[:, ::-1]
        return turn * np.sign(np.linalg.det(turn))


def moments_of(points: Array, masses: Array) -> Moments:
    """Those of particles."""
    total = float(masses.sum())
    center = masses @ points / total
    r = points - center
    return Moments(total, center, np.einsum("n,ni,nj->ij", masses, r, r))


def tetrahedra_moments(points: Array, tets: Array, masses: Array) -> Moments:
    """Those of homogeneous tetrahedra."""
    corners = points[tets]
    places = np.concatenate([corners.reshape(-1, 3), corners.mean(axis=1)])
    return moments_of(places, np.concatenate([np.repeat(masses / 20.0, 4), 0.8 * masses]))


def volumes(points: Array, tets: Array) -> Array:
    """The volumes of tetrahedra, negative where they are turned inside out."""
    corners = points[tets]
    return np.linalg.det(corners[:, 1:] - corners[:, :1]) / 6.0


def matched(points: Array, masses: Array, target: Moments, where: str) -> Array:
    """Masses near these that have the moments of the target: m (1 + q(r)) with a quadratic q."""
    if not (np.isfinite(target.mass) and target.mass > 0.0):
        raise ModelError(f"its mass is {target.mass:.6g} kg", where=where, expected="a positive number")
    size = float(np.sqrt(np.trace(target.second) / target.mass))
    r = (points - target.center) / size
    columns = [np.ones(len(r)), *r.T, *(r[:, i] * r[:, j] for i in range(3) for j in range(i, 3))]
    basis = np.array(columns)
    wanted = np.zeros(10)
    wanted[0] = 1.0
    wanted[4:] = [target.second[i, j] / target.mass / size**2 for i in range(3) for j in range(i, 3)]
    m = masses / masses.sum()
    for _ in range(3):
        q = np.linalg.lstsq((basis * m) @ basis.T, wanted - basis @ m, rcond=1e-13)[0]
        m = m * (1.0 + q @ basis)
    left = float(np.abs(basis @ m - wanted).max())
    if left > EXACT:
        raise ModelError(
            f"{len(m)} particles cannot have its inertia: a relative error of {left:.1e} is left",
            where=where,
            remedy="give more cells",
        )
    if not m.min() > 0.0:
        k = int(np.argmin(m))
        raise ModelError(
            f"particle {k} would have the mass {m[k] * target.mass:.4g} kg",
            where=where,
            remedy="give more cells",
        )
    return m * target.mass
