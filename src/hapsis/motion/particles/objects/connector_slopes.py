"""Slopes of the energies of connectors, vectorised: forces, and the sparse matrix of second derivatives.

The second derivatives are those of forces by a complex step, exact to rounding.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.motion.particles.scenes.scene import Scene

Array = np.ndarray[Any, Any]
SLOPE = Callable[[Array], Array]  # positions (m, k, 3) of the ends of rows to ∂U/∂x of the same shape
STEP = 1e-30  # of the complex step, relative to the size of what is differentiated


def spring_slopes(rest: Array, stiffness: Array) -> SLOPE:
    """λ (r - r₀) ∂r/∂x."""

    def slopes(x: Array) -> Array:
        d = x[:, 0] - x[:, 1]
        r = np.sqrt((d * d).sum(axis=1))
        pull = (stiffness * (r - rest) / r)[:, None] * d
        return np.stack([pull, -pull], axis=1)

    return slopes


def angle_slopes(rest: Array, stiffness: Array, signed: bool) -> SLOPE:
    """λ (θ - θ₀) ∂θ/∂x, with the angle about the way to a fourth particle where it has a sign."""

    def slopes(x: Array) -> Array:
        i, j = x[:, 0] - x[:, 1], x[:, 2] - x[:, 1]
        cross = np.cross(i, j)
        sine, cosine = np.sqrt((cross * cross).sum(axis=1)), (i * j).sum(axis=1)
        side = np.ones(len(x))
        if signed:
            side = np.where(np.real((cross * (x[:, 3] - x[:, 1])).sum(axis=1)) < 0.0, -1.0, 1.0)
        angle = side * _angle(sine, cosine)
        bend = angle - rest
        if signed:
            bend = bend - 2.0 * np.pi * np.round(np.real(bend) / (2.0 * np.pi))
        ii, jj = (i * i).sum(axis=1), (j * j).sum(axis=1)
        straight = np.abs(sine) <= 1e-9 * np.abs(cosine)
        # (θ - θ₀)/sin θ goes to -1 at π: no direction is needed there
        near = np.where(np.abs(rest - np.pi) < 1e-6, -1.0, 0.0)
        with np.errstate(invalid="ignore", divide="ignore"):
            over = np.where(straight, near / np.sqrt(ii * jj), side * bend / np.where(straight, 1.0, sine))
        along = (stiffness * over)[:, None]
        # sin θ |i||j| ∂θ/∂a = cos θ |i||j| i/|i|² - j
        ga = along * ((cosine / ii)[:, None] * i - j)
        gb = along * ((cosine / jj)[:, None] * j - i)
        parts = [ga, -ga - gb, gb]
        return np.stack([*parts, np.zeros_like(ga)] if signed else parts, axis=1)

    return slopes


def _angle(sine: Array, cosine: Array) -> Array:
    """The angle from 0 to π, also of complex numbers."""
    # 2 atan(s / (r + c)), from the other side where c < 0
    r = np.sqrt(sine * sine + cosine * cosine)
    front = cosine.real >= 0.0
    acute = 2.0 * np.arctan(sine / (r + np.where(front, cosine, -cosine)))
    return np.where(front, acute, np.pi - acute)


def cell_slopes(g: Array, volume: Array, mu: Array, lam: Array) -> SLOPE:
    """V P g of cells, with P = μ F + ((λ + μ)(J - 1) - μ) cof F."""

    def slopes(x: Array) -> Array:
        F = np.einsum("mki,mkj->mij", x - x[:, :1], g)
        K = np.stack([np.cross(F[:, :, k - 2], F[:, :, k - 1]) for k in range(3)], axis=2)
        J = (F[:, :, 0] * K[:, :, 0]).sum(axis=1)
        P = mu[:, None, None] * F + ((lam + mu) * (J - 1.0) - mu)[:, None, None] * K
        return volume[:, None, None] * np.einsum("mij,mkj->mki", P, g)

    return slopes


def families(scene: Scene) -> list[tuple[Array, SLOPE]]:
    """The rows of each kind of connector that is on, and their slopes."""
    gains = np.array([1.0, *(float(each.on) for each in scene.connectors.values())])
    rows: list[tuple[Array, SLOPE]] = []
    for kind in ("springs", "torsions", "joints"):
        table, groups = scene.table(kind)
        stiffness = table.stiffness * gains[groups]
        if kind == "springs":
            rows.append((table.ends, spring_slopes(table.rest, stiffness)))
        else:
            rows.append((table.ends, angle_slopes(table.rest, stiffness, kind == "joints")))
    c = scene.cells
    for which, ends, g in c.groups():
        rows.append((ends, cell_slopes(g, c.volume[which], c.mu[which], c.lam[which])))
    return [(ends, slopes) for ends, slopes in rows if len(ends)]


def slopes_of(scene: Scene, x: Array) -> Array:
    """∂U/∂x of all connectors, (n, 3)."""
    total = np.zeros(x.shape, dtype=x.dtype)
    for ends, slopes in families(scene):
        np.add.at(total, ends.ravel(), slopes(x[ends]).reshape(-1, 3))
    return total


def stiffness_matrix(rows: list[tuple[Array, SLOPE]], x: Array) -> Any:
    """∂²U/∂x² of connectors, a sparse (3n, 3n) matrix."""
    from scipy.sparse import coo_matrix

    size = float(np.ptp(x, axis=0).max()) or 1.0
    data: list[Array] = []
    places: list[tuple[Array, Array]] = []
    for ends, slopes in rows:
        m, k = ends.shape
        coordinates = (3 * ends[:, :, None] + np.arange(3)).reshape(m, 3 * k)
        for column in range(3 * k):
            moved = x[ends].astype(complex)
            moved[:, column // 3, column % 3] += 1j * STEP * size
            data.append((slopes(moved).imag / (STEP * size)).reshape(m, 3 * k).ravel())
            places.append((coordinates.ravel(), np.repeat(coordinates[:, column], 3 * k)))
    i, j = (np.concatenate([place[side] for place in places]) for side in (0, 1))
    n = 3 * len(x)
    matrix = coo_matrix((np.concatenate(data), (i, j)), shape=(n, n)).tocsr()
    return 0.5 * (matrix + matrix.T)
