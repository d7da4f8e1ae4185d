"""The gap of two convex solids against the largest one along any direction, by sampled support functions."""

import itertools

import numpy as np
import pytest

from hapsis.motion.solvers.contact.geometry.solids import (
    BOX,
    CYLINDER,
    ELLIPSOID,
    HEIGHTFIELD,
    HULL,
    NAMES,
    PLANE,
    POINT,
    SEGMENT,
    can_touch,
)
from tests.motion.solvers.contact.solid_scenes import (
    CONVEX,
    NO_SIZE,
    Solid,
    gaps,
    largest_gap,
    points_of,
    random_pair,
    random_rotation,
    random_solid,
    reach,
)

PAIRS = [pair for pair in itertools.combinations_with_replacement(CONVEX, 2) if pair != (POINT, POINT)]
EXACT = 5e-7  # of the size


def ids(pair):
    return f"{NAMES[pair[0]]}-{NAMES[pair[1]]}"


@pytest.mark.parametrize("pair", PAIRS, ids=ids)
@pytest.mark.parametrize("seed", range(4))
def test_the_least_gap_is_the_largest_along_an_axis(pair, seed):
    draw = np.random.default_rng([*pair, seed])
    scale = 10.0 ** draw.uniform(-6, 3)
    flat = {POINT, SEGMENT}.issuperset(pair)  # these never overlap
    # apart, nearly touching, a shallow overlap, a touch that cannot be told from zero
    gap = (0.2, 1e-5, 1e-3 if flat else -1e-3, 0.0)[seed] * scale
    a, b = random_pair(draw, *pair, scale, gap)
    points = points_of(a, b, scale)
    assert len(points)
    least = points[points[:, 6].argmin()]
    n = least[3:6]
    assert abs(np.linalg.norm(n) - 1.0) < 1e-14
    # the gap is that along its own normal, and no direction that was tried has a larger one
    slack = 2e-3 * abs(least[6]) if pair == (BOX, BOX) else 0.0  # a face is chosen rather than an edge
    assert abs(least[6] - gaps(a, b, n[None])[0]) <= EXACT * scale + slack
    assert largest_gap(a, b, draw)[0] - least[6] <= EXACT * scale + slack


@pytest.mark.parametrize("pair", PAIRS, ids=ids)
def test_points_lie_on_both_solids_and_overlap_no_more_than_the_solids(pair):
    draw = np.random.default_rng([*pair, 17])
    for gap in (0.05, 1e-4, -1e-3):
        a, b = random_pair(draw, *pair, 1.0, gap)
        n = np.vstack([random_rotation(draw) for _ in range(200)])
        for x, y, z, *normal, found in points_of(a, b, 0.3):
            place, normal = np.array([x, y, z]), np.array(normal)
            for solid, side in ((a, 0.5), (b, -0.5)):
                on = place + side * found * normal
                assert (n @ (on - solid.p) - reach(solid, n)).max() < 1e-6
            assert found >= gaps(a, b, normal[None])[0] - 1e-6


@pytest.mark.parametrize("kind", CONVEX, ids=lambda kind: NAMES[kind])
def test_on_a_plane_the_deepest_point_is_exact(kind):
    draw = np.random.default_rng(kind)
    for _ in range(10):
        scale = 10.0 ** draw.uniform(-6, 3)
        a = random_solid(draw, kind, scale)._replace(p=scale * draw.normal(size=3))
        plane = Solid(PLANE, NO_SIZE, random_rotation(draw), scale * draw.normal(size=3))
        n = plane.R[:, 2]
        gap = float(n @ (a.p - plane.p) - reach(a, -n[None])[0])
        points = points_of(a, plane, gap + 0.5 * scale)
        assert abs(points[:, 6].min() - gap) <= 2e-7 * scale
        assert np.abs(points[:, 3:6] - n).max() < 1e-15
        # each point is halfway to the plane
        assert np.abs((points[:, :3] - plane.p) @ n - 0.5 * points[:, 6]).max() <= 1e-14 * (scale + abs(gap))
        assert len(points_of(a, plane, gap - 1e-6 * scale)) == 0


def test_overlaps_of_cylinders_are_felt_at_once():
    draw = np.random.default_rng(5)
    for _ in range(40):
        a, b = random_pair(
            draw, CYLINDER, (BOX, CYLINDER)[int(draw.integers(2))], 1.0, -(10.0 ** draw.uniform(-6, -2))
        )
        depth = -largest_gap(a, b, draw)[0]
        assert abs(points_of(a, b, 0.0)[:, 6].min() + depth) <= 1e-6 + 0.2 * depth


def test_what_can_touch():
    grounds = (PLANE, HEIGHTFIELD)
    assert all(can_touch(a, b) for a in CONVEX for b in (*CONVEX, *grounds))
    assert not any(can_touch(a, b) for a in grounds for b in grounds)
    assert {ELLIPSOID, HULL} <= set(CONVEX)


def test_deep_overlaps_find_the_least_depth():
    draw = np.random.default_rng(11)
    wrong = 0
    for k in range(100):
        kinds = ((SEGMENT, CYLINDER), (BOX, CYLINDER), (CYLINDER, HULL), (HULL, HULL))[k % 4]
        a, b = random_pair(draw, *kinds, 1.0, -draw.uniform(0.01, 0.05))
        wrong += largest_gap(a, b, draw)[0] - points_of(a, b, 0.0)[:, 6].min() > 1e-4
    # another axis may be missed, seldom; from a single axis it is missed several times as often
    assert wrong <= 1
