"""Signed distances to shapes, against the nearest points of their surfaces and their own differences."""

import numpy as np
import pytest

import hapsis as hs
from hapsis.motion.particles.objects.particle_object import ParticleObject
from hapsis.motion.particles.scenes.body_contact import BodyContact
from hapsis.motion.particles.scenes.scene import Scene
from hapsis.motion.particles.scenes.scene_shapes import obstacle_memory
from hapsis.motion.solvers.particles.bodies.shape_distance import shape_distance

SHAPES = {
    "sphere": hs.Sphere(0.3),
    "box": hs.Box((0.4, 0.6, 0.8)),
    "capsule": hs.Capsule(0.2, 0.5),
    "cylinder": hs.Cylinder(0.3, 0.5),
    "plane": hs.Plane(),
    "heightfield": hs.Heightfield(lambda x, y: 0.1 * hs.sin(2.0 * x) * hs.cos(1.5 * y)),
}


def known(name, p):
    """The signed distance of a point, by formulas of its own."""
    x, y, z = p
    if name == "sphere":
        return np.linalg.norm(p) - 0.3
    if name == "box":
        q = np.abs(p) - (0.2, 0.3, 0.4)
        return np.linalg.norm(np.maximum(q, 0.0)) + min(q.max(), 0.0)
    if name == "capsule":
        return np.linalg.norm((x, y, z - np.clip(z, -0.25, 0.25))) - 0.2
    if name == "cylinder":
        q = np.array((np.hypot(x, y) - 0.3, abs(z) - 0.25))
        return np.linalg.norm(np.maximum(q, 0.0)) + min(q.max(), 0.0)
    if name == "plane":
        return z
    X, Y = np.meshgrid(x + np.linspace(-0.3, 0.3, 1201), y + np.linspace(-0.3, 0.3, 1201))
    ground = 0.1 * np.sin(2.0 * X) * np.cos(1.5 * Y)
    near = np.sqrt(((X - x) ** 2 + (Y - y) ** 2 + (ground - z) ** 2).min())
    return near if z > 0.1 * np.sin(2.0 * x) * np.cos(1.5 * y) else -near


@pytest.mark.parametrize("name", SHAPES)
def test_distance_and_normal(name):
    point = ParticleObject("p", [(0.0, 0.0, 0.0)], [1.0])
    memory = obstacle_memory(Scene(point, BodyContact(1.0, bodies=SHAPES[name])), 1)
    random = np.random.default_rng(3)
    gap, moved = np.zeros(4), np.zeros(4)
    for _ in range(15):
        p = random.uniform(-0.6, 0.6, 3)
        if name == "heightfield":
            p[2] = 0.1 * np.sin(2 * p[0]) * np.cos(1.5 * p[1]) + random.uniform(-0.15, 0.2)
        shape_distance(memory, 0, p, gap)
        assert gap[0] == pytest.approx(known(name, p), abs=1e-5 if name == "heightfield" else 1e-12)
        assert np.linalg.norm(gap[1:]) == pytest.approx(1.0, abs=1e-12)
        shape_distance(memory, 0, p + 1e-6 * gap[1:], moved)
        assert (moved[0] - gap[0]) / 1e-6 == pytest.approx(1.0, abs=1e-4)
