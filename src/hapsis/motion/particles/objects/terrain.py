"""Ground of facets: a heightfield as an object that is held."""

from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.model.shapes.heightfield import Heightfield
from hapsis.mechanics.model.values.numbers import described
from hapsis.motion.particles.objects.particle_object import ParticleObject


@verb
def terrain(name: str, ground: Heightfield, *, x: Any = None, y: Any = None) -> ParticleObject:
    """A heightfield as an object whose particles are all held, two facets in each cell, normals upwards.

    name, ground   of the object, and the Heightfield
    x, y           m, the lines of the grid; those of a heightfield of numbers if not given
    """
    if not isinstance(ground, Heightfield):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"terrain takes a Heightfield, not {described(ground)}")
    grid = ground.grid
    lines: list[Any] = [float_array(grid[c] if given is None else given) for c, given in (("x", x), ("y", y))]
    for axis, line in zip("xy", lines, strict=True):
        if line is None or line.ndim != 1 or len(line) < 2 or not (np.diff(line) > 0.0).all():
            raise ModelError(f"lines along {axis} must be at least two numbers that increase", where=name)
    heights = np.array([[ground.surface(a, b)[0] for b in lines[1]] for a in lines[0]])
    if not np.isfinite(heights).all():
        raise ModelError("a height is not finite", where=f'terrain "{str(name)[:60]}"')
    points = np.stack([*np.meshgrid(*lines, indexing="ij"), heights], axis=-1).reshape(-1, 3)
    across = len(lines[1])
    corner = (np.arange(len(lines[0]) - 1)[:, None] * across + np.arange(across - 1)).ravel()
    a, b, c, d = corner, corner + across, corner + across + 1, corner + 1
    facets = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    return ParticleObject(name, points, np.ones(len(points)), facets=facets, held=tuple(range(len(points))))
