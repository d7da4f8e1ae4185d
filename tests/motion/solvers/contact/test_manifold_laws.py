"""Laws of contact points: exchange, rigid motions, paths, and the same bits by machine code and by Python."""

import itertools

import numpy as np
import pytest

from hapsis.motion.solvers.contact.geometry.manifold import manifold
from hapsis.motion.solvers.contact.geometry.solids import NAMES, PLANE, POINT
from tests.motion.solvers.contact.solid_scenes import (
    CONVEX,
    NO_SIZE,
    Solid,
    gaps,
    memory,
    points_of,
    random_pair,
    random_rotation,
    random_solid,
    rotation,
)

PAIRS = [pair for pair in itertools.combinations_with_replacement(CONVEX, 2) if pair != (POINT, POINT)]
PAIRS += [(kind, PLANE) for kind in CONVEX]


def ids(pair):
    return f"{NAMES[pair[0]]}-{NAMES[pair[1]]}"


def scene(draw, pair, gap):
    if pair[1] == PLANE:
        a = random_solid(draw, pair[0], 1.0)
        return a._replace(p=np.array([0, 0, 0.3])), Solid(PLANE, NO_SIZE, random_rotation(draw))
    return random_pair(draw, *pair, 1.0, gap)


@pytest.mark.parametrize("pair", PAIRS, ids=ids)
def test_exchanged_solids_have_the_same_points(pair):
    draw = np.random.default_rng([*pair, 1])
    for gap in (0.1, -0.01):
        solids = memory(*scene(draw, pair, gap))
        one, other = np.zeros(56), np.zeros(56)
        count = manifold(solids, 0, 1, 0.5, one)
        assert manifold(solids, 1, 0, 0.5, other) == count > 0
        one, other = one.reshape(8, 7), other.reshape(8, 7)
        other[:count, 3:6] *= -1.0
        assert np.array_equal(one, other)


@pytest.mark.parametrize("pair", PAIRS, ids=ids)
def test_a_rigid_motion_moves_the_points(pair):
    draw = np.random.default_rng([*pair, 2])
    for gap in (0.1, -0.001):
        a, b = scene(draw, pair, gap)
        R, p = random_rotation(draw), draw.normal(size=3)
        moved = points_of(*(solid._replace(R=R @ solid.R, p=R @ solid.p + p) for solid in (a, b)), 0.5)
        still = points_of(a, b, 0.5)
        k, m = still[:, 6].argmin(), moved[:, 6].argmin()
        assert abs(moved[m, 6] - still[k, 6]) < 1e-6
        assert np.abs(moved[m, 3:6] - R @ still[k, 3:6]).max() < 2e-3


@pytest.mark.parametrize("pair", PAIRS, ids=ids)
def test_the_gap_follows_a_path_without_jumps(pair):
    draw = np.random.default_rng([*pair, 3])
    a, b = scene(draw, pair, 0.01)
    way, axis = draw.normal(size=3), draw.normal(size=3)
    way /= np.linalg.norm(way)
    solids, points = memory(a, b), np.zeros(56)
    size, step, last = 3.0, 1e-4, None
    for t in np.arange(-100, 100) * step:
        solids.poses[:12] = [*(rotation(axis, t) @ a.R).ravel(), *(a.p + t * way)]
        count = manifold(solids, 0, 1, 0.1, points)
        gap = points.reshape(8, 7)[:count, 6].min() if count else 0.1
        # no point of a moves faster than 1 + size
        assert last is None or abs(gap - last) <= step * (1.0 + size) + 2e-6
        last = gap


@pytest.mark.parametrize("pair", PAIRS, ids=ids)
def test_machine_code_and_python_agree(pair):
    draw = np.random.default_rng([*pair, 4])
    solids = memory(*scene(draw, pair, (0.1, -5e-4)[sum(pair) % 2]))
    one, other = np.zeros(56), np.zeros(56)
    assert manifold(solids, 0, 1, 0.3, one) == manifold.python(solids, 0, 1, 0.3, other)
    assert np.array_equal(one, other)


@pytest.mark.parametrize("pair", PAIRS, ids=ids)
def test_concentric_solids_have_finite_points(pair):
    a, b = (random_solid(np.random.default_rng(9), kind, 1.0) if kind != PLANE else Solid(PLANE, NO_SIZE)
            for kind in pair)  # fmt: skip
    for R in (a.R, np.eye(3), b.R):
        points = points_of(a._replace(R=R), b, 0.1)
        assert len(points) and np.isfinite(points).all()
        assert np.abs(np.linalg.norm(points[:, 3:6], axis=1) - 1.0).max() < 1e-12


@pytest.mark.parametrize("seed", range(4))
def test_sizes_of_zero_and_poses_on_a_grid(seed):
    draw = np.random.default_rng(seed)
    turns = [np.eye(3), rotation([1, 1, 1], 2 * np.pi / 3), rotation([0, 0, 1], np.pi / 2)]
    for _ in range(150):
        a, b = (random_solid(draw, int(draw.choice(CONVEX)), 1.0) for _ in range(2))
        a, b = (
            solid._replace(
                size=np.round(2 * solid.size) / 2 * (draw.random(3) < 0.7),
                R=turns[draw.integers(3)] if draw.random() < 0.7 else solid.R,
                p=np.round(2 * draw.normal(size=3)) / 2 + 1e-9 * draw.integers(2),
            )
            for solid in (a, b)
        )
        points = points_of(a, b, 0.3)
        assert np.isfinite(points).all()
        for *_, found in points:
            assert found <= 0.3
        if len(points):
            deepest = points[points[:, 6].argmin()]
            own = gaps(a, b, deepest[None, 3:6])[0]
            assert abs(np.linalg.norm(deepest[3:6]) - 1.0) < 1e-9
            assert abs(own - deepest[6]) <= 2e-5 + 3e-3 * abs(own)
