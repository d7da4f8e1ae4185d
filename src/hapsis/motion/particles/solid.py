"""Solids: shapes as objects of particles."""

from itertools import combinations

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.model.shapes.shapes import Box, Shape
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.particles.connectors import Connectors
from hapsis.motion.particles.particle_object import ParticleObject


@verb
def solid(name: str, shape: Shape, *, mass: float, stiffness: float, damping: float = 0.0) -> ParticleObject:
    """A shape as particles that have its mass, centre and inertia.

    name                 of the object
    mass                 kg
    stiffness, damping   of each linear spring/damper, N/m and N s/m
    """
    if not isinstance(shape, Box):
        raise ModelError(f"a solid takes a Box, not {described(shape)}")
    total = real(mass, "mass")
    half = 0.5 * np.array([float(x) for x in shape.size])
    signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=float)
    points = np.concatenate([signs * half, np.zeros((1, 3))])
    masses = np.array([total / 24.0] * 8 + [2.0 * total / 3.0])
    ends = list(combinations(range(9), 2))
    rest = [float(np.linalg.norm(points[a] - points[b])) for a, b in ends]
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    facets = [t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]
    springs = Connectors.of(ends, rest, stiffness, damping)
    return ParticleObject(name, points, masses, springs, facets=np.array(facets))
