"""Prints how near nine particles come to the inertia of random cells with six faces.

python tools/cell_statistics.py

Ten thousand cubes whose corners moved by up to a part of the edge; and how much the error grows where one
particle of an exact cell moves by a tenth.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "src")]

from hapsis.motion.particles.filling.hexahedra import cut_in_24, nine_masses  # noqa: E402
from hapsis.motion.particles.objects.moments import moments_of, tetrahedra_moments, volumes  # noqa: E402

CUBE = np.array([(k >> 2 & 1, k >> 1 & 1, k & 1) for k in range(8)], float)
COUNT = 10_000


def difference(have: Any, exact: Any) -> float:
    """Of two inertias, relative."""
    return float(np.linalg.norm(have.inertia - exact.inertia) / np.linalg.norm(exact.inertia))


def random_cells(part: float) -> Any:
    """The errors of cells whose corners moved by up to this part of the edge."""
    x = CUBE + np.random.default_rng(1).uniform(-part, part, (COUNT, 8, 3))
    hexes = np.arange(8 * COUNT).reshape(-1, 8)
    corners, centers, middle = nine_masses(x.reshape(-1, 3), hexes)
    places, tets, _ = cut_in_24(x.reshape(-1, 3), hexes)
    errors = np.zeros(COUNT)
    for k in range(COUNT):
        exact = tetrahedra_moments(places, tets[k], volumes(places, tets[k]))
        have = moments_of(np.vstack([x[k], middle[k]]), np.append(corners[k], centers[k]))
        errors[k] = difference(have, exact)
    return errors


def moved_particle() -> Any:
    """The errors of a cube's nine particles after one corner moved by a tenth of the edge."""
    rng = np.random.default_rng(2)
    hexes = np.arange(8)[None]
    corners, centers, middle = nine_masses(CUBE, hexes)
    masses = np.append(corners[0], centers[0])
    _, tets, _ = cut_in_24(CUBE, hexes)
    errors = np.zeros(COUNT)
    for k in range(COUNT):
        x = np.vstack([CUBE, middle])
        way = rng.normal(size=3)
        x[rng.integers(8)] += 0.1 * way / np.linalg.norm(way)
        places, _, _ = cut_in_24(x[:8], hexes)
        v = volumes(places, tets[0])
        exact = tetrahedra_moments(places, tets[0], v / v.sum())
        errors[k] = difference(moments_of(x, masses), exact)
    return errors


if __name__ == "__main__":
    for part in (0.02, 0.06, 0.1):
        errors = random_cells(part)
        print(f"corners moved by up to {part:.0%}: mean {errors.mean():.1e}, largest {errors.max():.1e}")
    errors = moved_particle()
    print(f"one corner moved by 10 % later: mean {errors.mean():.1e}, largest {errors.max():.1e}")
