"""The elastic cells of a body with six faces and nine particles, identified in traction, bending and torsion.

Tetrahedra alone are too stiff where the strain varies within a body: a layer of them that bends stores
several times its energy. The mean strain of the body stores none of it, those of its six pyramids between
the faces and the centre somewhat more than it should, and in torsion as much as it should. All are exact in
traction and shear, so the energy is

    U = (1 - p - t) V ψ(mean F) + p Σ V ψ(F of pyramids) + t Σ V ψ(F of tetrahedra)

with t = 0.02 for what pyramids do not see, u = x y z, and the share p for which six bendings uᵢ = κ xᵢ xₖ,
after the particle at the centre has found its place, have in sum the energy of beams, ½ E I κ².
"""

from typing import Any, NamedTuple

import numpy as np

from hapsis.motion.particles.filling.filling import Filling
from hapsis.motion.particles.filling.hexahedra import QUADS
from hapsis.motion.particles.objects.cells import Cells
from hapsis.motion.particles.objects.material import Material

Array = np.ndarray[Any, Any]
TETRAHEDRA = 0.02  # their share
LEAST = 0.05  # of pyramids
CENTER = 8
SIGNS = np.array([(1 if k & 4 else -1, 1 if k & 2 else -1, 1 if k & 1 else -1) for k in range(8)], float)
# the centre and the three neighbours of each corner
CORNERS = np.array(
    [
        (CENTER, *((k ^ 4, k ^ 2, k ^ 1) if bin(k).count("1") % 2 == 0 else (k ^ 4, k ^ 1, k ^ 2)))
        for k in range(8)
    ]
)


class Parts(NamedTuple):
    """Cells of one kind in each body: (c, k) of its nine particles, (m, c, k, 3) slopes, (m, c) volumes."""

    ends: Array
    slopes: Array
    volume: Array


def hexahedron_cells(filling: Filling, material: Material) -> Cells:
    """The cells of bodies whose corners are in `hexes`; their centres are the last particles in turn."""
    m = len(filling.hexes)
    centers = len(filling.points) - m + np.arange(m)
    nine = np.column_stack([filling.hexes, centers])
    x = filling.points[nine]
    pyramids, corners = _pyramids(x), _tetrahedra(x, CORNERS)
    whole = pyramids.volume.sum(axis=1)
    corners = corners._replace(volume=corners.volume * (whole / corners.volume.sum(axis=1))[:, None])
    mean = np.zeros((m, 9, 3))
    for c, row in enumerate(pyramids.ends):
        mean[:, row] += (pyramids.volume[:, c] / whole)[:, None, None] * pyramids.slopes[:, c]
    bulk = Parts(np.arange(8)[None], mean[:, None, :8], whole[:, None])
    share = _share(x, bulk, pyramids, corners, material)
    shares = (1.0 - share - TETRAHEDRA, share, np.full(m, TETRAHEDRA))
    return Cells.joined(
        [
            Cells.mean(
                nine[:, part.ends].reshape(-1, part.ends.shape[1]),
                part.slopes.reshape(-1, part.ends.shape[1], 3),
                (part.volume * s[:, None]).ravel(),
                material,
            )
            for part, s in zip((bulk, pyramids, corners), shares, strict=True)
        ]
    )


def _tetrahedra(x: Array, ends: Array) -> Parts:
    corners = x[:, ends]
    edges = np.swapaxes(corners[:, :, 1:] - corners[:, :, :1], 2, 3)
    inverse = np.linalg.inv(edges)
    slopes = np.concatenate([-inverse.sum(axis=2, keepdims=True), inverse], axis=2)
    return Parts(ends, slopes, np.linalg.det(edges) / 6.0)


def _pyramids(x: Array) -> Parts:
    """The mean of the four tetrahedra that both diagonals of a face make with the centre."""
    ends = np.column_stack([np.full(6, CENTER), QUADS])
    slopes = np.zeros((len(x), 6, 5, 3))
    volume = np.zeros((len(x), 6))
    for k in range(4):
        local = [0, 1 + k, 1 + (k + 1) % 4, 1 + (k + 2) % 4]
        half = _tetrahedra(x, ends[:, local])
        slopes[:, :, local] += half.volume[..., None, None] * half.slopes
        volume += half.volume
    return Parts(ends, slopes / volume[..., None, None], 0.5 * volume)


def _share(x: Array, bulk: Parts, pyramids: Parts, corners: Parts, material: Material) -> Array:
    """The share of pyramids for which bodies bend like beams."""
    # uᵢ = xᵢ xₖ is aᵢ/2 hₖ/2 with the signs of both corners' coordinates; a: mean edges, h: their lengths
    edges = np.einsum("kc,mki->mci", SIGNS, x[:, :8]) / 4.0
    beam = 6.0 * material.E * bulk.volume[:, 0] / 3.0  # Σ E V h²/12 over h²/4
    own = [np.zeros(len(x)) for _ in range(2)]
    # a centre that is free in each kind alone: the shares hardly change where it goes
    for part, energy in zip((pyramids, corners), own, strict=True):
        stiff = _stiffness(part, material)
        for i in range(3):
            for j in range(3):
                if i != j:
                    u = (SIGNS[:, i] * SIGNS[:, j])[:, None] * (0.5 * edges[:, i])[:, None]
                    flat = u.reshape(len(x), 24)
                    energy += np.einsum("mi,mij,mj->m", flat, stiff, flat)
    return np.clip((beam - TETRAHEDRA * own[1]) / own[0], LEAST, 1.0 - TETRAHEDRA)


def _stiffness(part: Parts, material: Material) -> Array:
    """Of the corners of each body with its centre free, (m, 24, 24)."""
    m = len(part.volume)
    mu, lam = material.mu, material.lam
    K = np.zeros((m, 9, 3, 9, 3))
    for c, row in enumerate(part.ends):
        g = part.slopes[:, c]
        gg = np.einsum("mai,mbj->maibj", g, g)
        dot = np.einsum("mai,mbi->mab", g, g)
        # λ gₐ gᵦᵀ + μ gᵦ gₐᵀ + μ (gₐ·gᵦ) 1
        block = lam * gg + mu * np.einsum("maibj->majbi", gg)
        block += mu * dot[:, :, None, :, None] * np.eye(3)[:, None, :]
        K[np.ix_(np.arange(m), row, np.arange(3), row, np.arange(3))] += (
            part.volume[:, c, None, None, None, None] * block
        )
    flat = K.reshape(m, 27, 27)
    inner, coupled = flat[:, 24:, 24:], flat[:, :24, 24:]
    return flat[:, :24, :24] - coupled @ np.linalg.solve(inner, np.swapaxes(coupled, 1, 2))
