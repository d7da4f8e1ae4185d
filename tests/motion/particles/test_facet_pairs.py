"""Two facets: their energy is that of the overlap, forces are its exact gradient and have no resultant."""

from typing import Any

import numpy as np
import pytest

from hapsis.compiler.native import Array, at, native, sqrt
from hapsis.motion.solvers.particles.touch.facet_pairs import GRADIENT, gradient, overlap
from hapsis.motion.solvers.particles.touch.overlap import DEEPEST, VOLUME
from hapsis.motion.solvers.particles.touch.touch_memory import TouchMemory

STIFFNESS = 7.0
LIFT, SIDE = np.array([0, 0, 0.1]), np.array([2.0, 0, 0])


@native
def energy(touch: TouchMemory, x: Array) -> float:
    for a in range(2):
        p, q, r = at(x, 9 * a), at(x, 9 * a + 3), at(x, 9 * a + 6)
        ax, ay, az = q[0] - p[0], q[1] - p[1], q[2] - p[2]
        bx, by, bz = r[0] - p[0], r[1] - p[1], r[2] - p[2]
        cx, cy, cz = ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx
        size = sqrt(cx * cx + cy * cy + cz * cz)
        touch.size[a] = size
        touch.normal[3 * a], touch.normal[3 * a + 1], touch.normal[3 * a + 2] = (
            cx / size,
            cy / size,
            cz / size,
        )
    if not overlap(touch, x, 0, 1):
        return 0.0
    return gradient(touch, x, 0, 1, STIFFNESS)


@pytest.fixture
def pair() -> TouchMemory:
    sizes = {"law_count": 1, "floor_count": 0, "medium_count": 0, "sample_count": 1}
    touch = TouchMemory(count=6, facet_count=2, levels=0, node_count=1, **sizes)
    touch.ends[:6] = range(6)
    return touch


def random_pairs(count: int, seed: int) -> Any:
    """Triangles that face each other, of all sizes and at all places."""
    rng = np.random.default_rng(seed)
    while count:
        x = rng.normal(size=(6, 3)) * [1, 1, 0.3]
        if np.cross(x[1] - x[0], x[2] - x[0])[2] < 0:
            x[[1, 2]] = x[[2, 1]]
        if np.cross(x[4] - x[3], x[5] - x[3])[2] > 0:
            x[[4, 5]] = x[[5, 4]]
        turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
        turn *= np.linalg.det(turn)
        yield x @ turn.T
        count -= 1


def test_the_force_is_the_gradient_of_the_energy_and_has_no_resultant(pair: TouchMemory) -> None:
    seen = 0
    for points in random_pairs(300, 1):
        x = points.ravel().copy()
        if energy(pair, x) < 1e-4:
            continue
        seen += 1
        g = pair.work[GRADIENT : GRADIENT + 18].copy()
        scale = abs(g).max()
        slope = np.zeros(18)
        for k in range(18):
            ends = []
            for step in (1e-6, -1e-6):
                y = x.copy()
                y[k] += step
                ends.append(energy(pair, y))
            slope[k] = (ends[0] - ends[1]) / 2e-6
        assert np.abs(slope - g).max() < 2e-6 * scale
        forces = g.reshape(6, 3)
        assert np.abs(forces.sum(axis=0)).max() < 1e-13 * scale
        assert np.abs(np.cross(points, forces).sum(axis=0)).max() < 1e-12 * scale
    assert seen > 80


def test_parallel_facets_have_the_force_of_the_volume_at_its_centre(pair: TouchMemory) -> None:
    # X under Y, which is tilted about its own x axis only as far as depths differ: a prism cut at an angle
    x = np.array([(0, 0, 0.03), (2, 0, 0.03), (0, 2, 0.03), (-5, 5, 0), (5, 5, 0), (0, -9, 0)], float)
    x = x.ravel()
    u = energy(pair, x)
    assert u == pytest.approx(0.5 * STIFFNESS * 2.0 * 0.03**2, rel=1e-12)
    assert pair.work[VOLUME] == pytest.approx(2.0 * 0.03, rel=1e-12)
    assert pair.work[DEEPEST] == pytest.approx(0.03, rel=1e-12)
    g = pair.work[GRADIENT : GRADIENT + 18].reshape(6, 3)
    assert g[:3, 2].sum() == pytest.approx(STIFFNESS * 2.0 * 0.03, rel=1e-12)
    assert g[:3, 2] == pytest.approx([STIFFNESS * 2.0 * 0.03 / 3] * 3, rel=1e-12)
    points = x.reshape(6, 3)
    center = (g[3:, 2] @ points[3:, :2]) / g[3:, 2].sum()
    assert center == pytest.approx([2 / 3, 2 / 3], rel=1e-12)


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e3])
def test_scales_turns_and_the_order_of_corners_do_not_matter(pair: TouchMemory, scale: float) -> None:
    for points in random_pairs(60, 2):
        u = energy(pair, points.ravel().copy())
        large = scale * points[[1, 2, 0, 4, 5, 3]] + 10 * scale
        assert energy(pair, large.ravel().copy()) == pytest.approx(
            u * scale**4, rel=1e-9, abs=1e-12 * scale**4
        )


def test_facets_that_look_the_same_way_or_are_apart_have_none(pair: TouchMemory) -> None:
    up = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)], float)
    down = up[[0, 2, 1]]
    assert energy(pair, np.concatenate([up + LIFT, up]).ravel()) == 0.0
    assert energy(pair, np.concatenate([up - LIFT, down]).ravel()) == 0.0
    assert energy(pair, np.concatenate([up + LIFT + SIDE, down]).ravel()) == 0.0
    assert energy(pair, np.concatenate([up + LIFT, down]).ravel()) > 0.0
    assert energy(pair, np.concatenate([up, down]).ravel()) == 0.0  # coplanar: no depth
