"""Solids on heightfields against planes, and balls against the nearest point by minimisation."""

import numpy as np
import pytest
from scipy.optimize import minimize

import hapsis as hs
from hapsis.compiler.native import bound
from hapsis.motion.solvers.contact.geometry.manifold import manifold
from hapsis.motion.solvers.contact.geometry.solids import HEIGHTFIELD, NAMES, PLANE, SPHERE
from tests.motion.solvers.contact.solid_scenes import (
    CONVEX,
    NO_SIZE,
    Solid,
    memory,
    random_rotation,
    random_solid,
)


def kernel(height):
    field = hs.Heightfield(height)
    x, y = hs.symbol("x"), hs.symbol("y")
    z, zx, zy = field.surface(x, y)
    surface = hs.Function("surface", {"x": x, "y": y}, {"z": z, "zx": zx, "zy": zy})
    return bound(hs.compile(surface), vary=("x", "y", "z", "zx", "zy"))


def rolling(x, y):
    return 0.1 * np.sin(3 * x) * np.cos(2 * y) + 0.2 * x


def points_on(solids, a, b, margin):
    points = np.zeros(56)
    count = manifold(solids, a, b, margin, points)
    return points.reshape(8, 7)[:count]


def test_balls_on_hills():
    draw = np.random.default_rng(1)
    hills = kernel(lambda x, y: 0.1 * hs.sin(3 * x) * hs.cos(2 * y) + 0.2 * x)
    for _ in range(30):
        ball = random_solid(draw, SPHERE, 0.5)._replace(p=draw.normal(size=3) * 0.5)
        solids = memory(ball, Solid(HEIGHTFIELD, NO_SIZE))
        solids.surfaces = [hills]
        c = ball.p

        def squared(u, c=c):
            return (u[0] - c[0]) ** 2 + (u[1] - c[1]) ** 2 + (rolling(*u) - c[2]) ** 2

        starts = c[:2] + np.array([(0, 0), (0.2, 0), (-0.2, 0), (0, 0.2), (0, -0.2)])
        least = min((minimize(squared, start, tol=1e-12) for start in starts), key=lambda end: end.fun)
        gap = np.sign(c[2] - rolling(*c[:2])) * np.sqrt(least.fun) - ball.size[0]
        (point,) = points_on(solids, 0, 1, 10.0)
        assert abs(point[6] - gap) < 1e-7
        assert np.abs(point[:3] - 0.5 * gap * point[3:6] - [*least.x, rolling(*least.x)]).max() < 1e-4


@pytest.mark.parametrize("kind", CONVEX, ids=lambda kind: NAMES[kind])
def test_a_flat_heightfield_is_a_plane(kind):
    draw = np.random.default_rng(kind)
    slope = kernel(lambda x, y: 0.3 * x - 0.1 * y + 0.05)
    up = np.array([-0.3, 0.1, 1.0]) / np.linalg.norm([-0.3, 0.1, 1.0])
    for _ in range(5):
        a = random_solid(draw, kind, 0.5)._replace(p=0.5 * draw.normal(size=3))
        R, p = random_rotation(draw), draw.normal(size=3)
        z = R @ up
        x = np.cross(z, R[:, 0]) / np.linalg.norm(np.cross(z, R[:, 0]))
        plane = Solid(PLANE, NO_SIZE, np.stack([x, np.cross(z, x), z], axis=1), p + 0.05 * R[:, 2])
        solids = memory(a, Solid(HEIGHTFIELD, NO_SIZE, R, p), plane)
        solids.surfaces = [slope]
        ground, flat = points_on(solids, 0, 1, 20.0), points_on(solids, 0, 2, 20.0)
        assert abs(ground[:, 6].min() - flat[:, 6].min()) < 1e-7
        assert np.abs(ground[:, 3:6] - z).max() < 1e-12
        turned = points_on(solids, 1, 0, 20.0)
        assert np.array_equal(turned[:, 3:6], -ground[:, 3:6])


def test_machine_code_and_python_agree():
    draw = np.random.default_rng(3)
    hills = kernel(lambda x, y: 0.1 * hs.sin(3 * x) * hs.cos(2 * y))
    for kind in CONVEX:
        solids = memory(random_solid(draw, kind, 0.5), Solid(HEIGHTFIELD, NO_SIZE))
        solids.surfaces = [hills]
        one, other = np.zeros(56), np.zeros(56)
        count = manifold(solids, 0, 1, 1.0, one)
        assert manifold.python(solids, 0, 1, 1.0, other) == count > 0
        assert np.array_equal(one, other)
