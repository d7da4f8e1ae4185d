"""A cube of jelly on the ground, to grab, to stretch and to let go."""

from itertools import product

import numpy as np

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb

SIDE = 0.1  # m
DENSITY = 500.0  # kg/m³
MOST = 12  # particles in a row
NEAR = 2.05  # spacings: neighbours in all directions, and the next but one in a row, so that rows do not fold


@verb
def jelly_cube(
    rows: int = 6, stiffness: float = 20.0, damping: float = 0.05, stuck: bool = True
) -> hs.particles.Scene:
    """A scene: a cube of rows³ particles on a floor with friction.

    rows        of particles along an edge, from 2 to 12
    stiffness   of the linear springs between neighbours, N/m, of a cube with 6 rows
    damping     of these, N s/m
    stuck       whether its lowest particles hold to the floor; else it falls on it from 1 cm

    The object is `jelly`. With other rows, springs and masses are those of the same jelly: the side is 0.1 m,
    the density 500 kg/m³. Springs do not tell inside from outside: a corner pushed far into the cube stays.
    """
    if not isinstance(stuck, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise hs.ModelError(f"stuck is {stuck!r:.60}", expected="True or False")
    if isinstance(rows, bool) or not isinstance(rows, int) or not 2 <= rows <= MOST:  # pyright: ignore
        raise hs.ModelError(f"rows is {rows!r:.60}", expected=f"a whole number from 2 to {MOST}")
    scale = 5.0 / (rows - 1)  # a spring of half the length in a cell of half the side is half as stiff
    spacing = SIDE / (rows - 1)
    grid = np.array(list(product(range(rows), repeat=3)))
    points = (grid - 0.5 * (rows - 1)) * spacing
    # the cells around a particle: a corner has an eighth of one inside
    shares = np.prod(np.where((grid == 0) | (grid == rows - 1), 0.5, 1.0), axis=1)
    masses = DENSITY * spacing**3 * shares
    away = np.linalg.norm(grid[:, None] - grid[None], axis=2)
    first, second = np.nonzero(np.triu((away > 0) & (away < NEAR)))
    lengths = away[first, second] * spacing
    springs = hs.particles.Connectors.of(
        np.stack([first, second], 1), lengths, scale * stiffness, scale * damping
    )
    jelly = hs.particles.ParticleObject("jelly", points, masses, springs, facets=_facets(rows))
    jelly = jelly.at(0.0, 0.0, 0.5 * SIDE + (0.0 if stuck else 0.01))
    if stuck:
        jelly = jelly.holding(*np.nonzero(grid[:, 2] == 0)[0].tolist())
    floor = hs.particles.Floor(
        stiffness=4 * stiffness * scale**2, damping=4 * damping * scale**2, friction=0.6
    )
    step = hs.particles.EnergyStep(relative=1e-4)
    return hs.particles.Scene(jelly, floor, step=step)


def _facets(rows: int) -> np.ndarray:
    """Two triangles for each square of the six sides, seen from outside anticlockwise."""
    number = np.arange(rows**3).reshape(rows, rows, rows)
    sides = [(number[-1], False), (number[0], True), (number[:, -1], True)]
    sides += [(number[:, 0], False), (number[:, :, -1], False), (number[:, :, 0], True)]
    triangles = []
    for side, turned in sides:
        a, b, c, d = side[:-1, :-1], side[1:, :-1], side[1:, 1:], side[:-1, 1:]
        for corners in ((a, b, c), (a, c, d)):
            triangle = np.stack([each.ravel() for each in corners], 1)
            triangles.append(triangle[:, ::-1] if turned else triangle)
    return np.concatenate(triangles)
