"""Contacts of all pairs of shapes: distances by an oracle, and laws that hold for any of them."""

import itertools

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation
from touching_cases import (
    CONVEX,
    GROUNDS,
    by_gradient,
    carried,
    distance,
    gap_of,
    hills,
    moved,
    pressed,
    random_solid,
    reach,
    solid,
    wrench,
)

from hapsis.errors import ModelError
from hapsis.mechanics.algebra.contact_geometry.solid_pairs import bounding_radius, can_touch, touches
from hapsis.mechanics.algebra.contact_geometry.touch import Solid

SWEPT = ("point", "sphere", "segment", "capsule")
PAIRS = [(a, b) for a, b in itertools.product(CONVEX, CONVEX + GROUNDS)]
EXACT = [(a, b) for a in SWEPT for b in CONVEX]  # shallow contacts of these are exact
SEARCHED = 1e-5  # what the oracle's search leaves, of solids about 1 large


@pytest.mark.parametrize(("first", "second"), EXACT)
def test_gaps_are_distances(first, second):
    """Exact apart and in shallow overlap; where an axis is inside a block, a lower bound."""
    numbers = np.random.default_rng(3)
    for _ in range(8):
        a, b = random_solid(first, numbers), random_solid(second, numbers)
        found, expected = gap_of(a, b), distance(a, b)
        swept = a.size[0] if first in ("sphere", "capsule") else 0.0
        axes = first in ("segment", "capsule") and second in ("box", "cylinder")
        if axes and found < -swept:
            assert found >= expected - SEARCHED
        else:
            assert found == pytest.approx(expected, abs=SEARCHED)


def test_boxes_overlap_by_the_shortest_way_out():
    numbers, apart = np.random.default_rng(4), 0
    for _ in range(40):
        a, b = (random_solid("box", numbers, 0.35) for _ in range(2))
        found, expected = gap_of(a, b), distance(a, b)
        apart += expected > 0
        if expected > SEARCHED:
            assert 0.0 < found <= expected + SEARCHED  # never further than it is
        else:
            assert found == pytest.approx(expected, abs=SEARCHED)
    assert 5 < apart < 35


@pytest.mark.parametrize("second", ["box", "cylinder"])
def test_cylinders_touch_where_they_meet(second):
    """Neither early nor late, and never deeper than they are; further apart is less than they are."""
    numbers, counts = np.random.default_rng(5), [0, 0]
    for _ in range(60):
        a, b = pressed("cylinder", second, numbers, numbers.uniform(-0.02, 0.02))
        found, expected = gap_of(a, b), distance(a, b)
        counts[expected < 0.0] += 1
        if abs(expected) > SEARCHED:
            assert (found < 0.0) == (expected < 0.0)
        assert expected - SEARCHED <= found if expected < 0.0 else found <= expected + SEARCHED
    assert min(counts) > 15


@pytest.mark.parametrize("first", CONVEX)
def test_planes_are_reached_as_far_as_a_solid_reaches(first):
    numbers = np.random.default_rng(6)
    for _ in range(10):
        a, b = random_solid(first, numbers), random_solid("plane", numbers)
        n = np.array(b.R)[:, 2]
        expected = -reach(a, -n[None])[0] - n @ np.array(b.p)
        found = min(touches(a, b), key=lambda t: t.gap)
        assert found.gap == pytest.approx(expected, abs=1e-12)
        np.testing.assert_allclose(found.normal, n, atol=1e-14)


def test_a_ball_finds_its_foot_on_a_hill():
    numbers = np.random.default_rng(7)
    for _ in range(10):
        ball, ground = solid("sphere", numbers.uniform(-0.3, 0.3, 3), (0.3,)), solid("heightfield")
        ball = moved(ball, (0, 0, 0.5))
        x = np.array(ball.p)
        foot = minimize(
            lambda u, x=x: (u[0] - x[0]) ** 2 + (u[1] - x[1]) ** 2 + (hills(*u)[0] - x[2]) ** 2,
            x[:2],
            tol=1e-14,
        )
        (touch,) = touches(ball, ground)
        assert touch.gap == pytest.approx(np.sqrt(foot.fun) - 0.3, abs=2e-3)
        surface = np.array([*foot.x, hills(*foot.x)[0]])
        np.testing.assert_allclose(touch.normal, (x - surface) / np.sqrt(foot.fun), atol=2e-2)


def test_a_flat_heightfield_is_a_plane():
    numbers, slope = np.random.default_rng(8), 0.4
    R = Rotation.from_euler("y", -np.arctan(slope)).as_matrix()
    field = Solid("heightfield", solid("point").R, (0.0, 0.0, 0.0), (), lambda x, y: (slope * x, slope, 0.0))
    for kind in (*SWEPT, "box"):
        a = random_solid(kind, numbers)
        for s, t in zip(touches(a, field), touches(a, solid("plane", R=R)), strict=True):
            assert s.gap == pytest.approx(t.gap, abs=1e-14)
            np.testing.assert_allclose([*s.normal, *s.point], [*t.normal, *t.point], atol=1e-14)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_exchanging_the_solids_turns_the_forces_round(first, second):
    numbers = np.random.default_rng(9)
    for _ in range(5):
        a, b = random_solid(first, numbers, 0.3), random_solid(second, numbers, 0.3)
        forth, back = wrench(a, b), wrench(b, a)
        np.testing.assert_allclose(forth, -back, atol=1e-9)


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_a_common_motion_changes_nothing(first, second):
    numbers = np.random.default_rng(10)
    R, p = Rotation.random(random_state=numbers).as_matrix(), numbers.normal(size=3)
    for _ in range(4):
        a, b = random_solid(first, numbers, 0.3), random_solid(second, numbers, 0.3)
        there = touches(carried(a, R, p), carried(b, R, p))
        for s, t in zip(touches(a, b), there, strict=True):
            assert (s.gap, s.distance, s.share) == pytest.approx((t.gap, t.distance, t.share), abs=1e-9)
            if by_gradient(first, second):
                continue  # on a fold their normals and points are those of either side
            np.testing.assert_allclose(R @ np.array(s.normal), t.normal, atol=1e-8)
            np.testing.assert_allclose(R @ np.array(s.point) + p, t.point, atol=1e-8)


@pytest.mark.parametrize(("first", "second"), [p for p in PAIRS if not by_gradient(*p)])
def test_the_gap_grows_along_the_normal(first, second):
    """d gap / d place of the first = normal, to what a bent heightfield leaves."""
    numbers, h = np.random.default_rng(11), 1e-6
    loose = 0.2 if second == "heightfield" else 1e-6

    def deepest(a, b):
        return min((t for t in touches(a, b) if t.share > 1e-9), key=lambda t: t.gap)

    for _ in range(4):
        if second in GROUNDS or "point" in (first, second):
            a, b = random_solid(first, numbers), random_solid(second, numbers)
        else:
            a, b = pressed(first, second, numbers, 0.02)
        best = deepest(a, b)
        assert np.linalg.norm(best.normal) == pytest.approx(1.0, abs=1e-12)
        slopes = [
            (deepest(moved(a, h * e), b).gap - deepest(moved(a, -h * e), b).gap) / (2 * h) for e in np.eye(3)
        ]
        np.testing.assert_allclose(slopes, best.normal, atol=loose)


@pytest.mark.parametrize(("first", "second"), [(a, b) for a, b in PAIRS if b not in GROUNDS])
def test_bounding_balls_hold_all_contacts(first, second):
    """Nothing touches where the balls do not."""
    numbers = np.random.default_rng(12)
    for _ in range(10):
        a, b = random_solid(first, numbers), random_solid(second, numbers)
        far = np.subtract(a.p, b.p)
        size = bounding_radius(a) + bounding_radius(b) + 1e-6
        a = moved(b, 0)._replace(kind=a.kind, R=a.R, size=a.size)
        a = moved(a, size * far / np.linalg.norm(far))
        assert gap_of(a, b) > 0.0
    assert bounding_radius(solid("plane")) is None


def test_what_cannot_touch_says_what_can():
    with pytest.raises(ModelError, match=r"a plane cannot touch a heightfield; it can touch point"):
        touches(solid("plane"), solid("heightfield"))
    with pytest.raises(ModelError, match="allowed are point, sphere"):
        touches(solid("mesh"), solid("plane"))
    assert can_touch("plane", "box") and not can_touch("plane", "plane")
