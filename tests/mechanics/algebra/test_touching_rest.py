"""Solids at rest on each other: few good supports, which no rounding makes more or fewer."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from touching_cases import CONVEX, GROUNDS, LENGTHS, live, row, solid, told, touches, traced, wrench

from hapsis import compile

DEEP = 1e-4
CORNERS = [(-0.5, -0.5), (-0.5, 0.5), (0.5, -0.5), (0.5, 0.5)]


def turned(angle, axis="z"):
    return Rotation.from_euler(axis, angle).as_matrix()


def supports(a, b):
    """{(x, y): share} of what is pressed, places rounded."""
    found = {}
    for t in live(told(a, b)):
        if t.gap < -1e-3 * DEEP:
            assert t.gap == pytest.approx(-DEEP, rel=0.1)
            np.testing.assert_allclose(t.normal, (0, 0, 1), atol=0.006)
            place = tuple(round(float(x), 2) + 0.0 for x in t.point[:2])
            found[place] = found.get(place, 0.0) + t.share
    return found


def rested(places):
    rounded = [(round(x, 2), round(y, 2)) for x, y in places]
    return pytest.approx(dict.fromkeys(rounded, 1.0), abs=6e-3)  # a side fades from its start


@pytest.mark.parametrize("noise", [0.0, 1e-16, -1e-16, 3e-13, -1e-9])
def test_a_box_on_an_equal_box_has_four_supports(noise):
    below = solid("box", size=(1, 1, 1))
    for offset in ((noise, 0, 1 - DEEP), (noise, -noise, 1 - DEEP)):
        for size in ((1, 1, 1), (1 + noise, 1 - noise, 1)):
            above = solid("box", offset, size, turned(noise) @ turned(noise, "x"))
            assert supports(above, below) == rested(CORNERS)


def test_boxes_rest_on_what_overlaps():
    below = solid("box", size=(1, 1, 1))
    # half over the side; a plank across a plank; a small one on a large one, and a large on a small
    half = solid("box", (0.5, 0, 1 - DEEP), (1, 1, 1))
    assert supports(half, below) == rested([(0, -0.5), (0, 0.5), (0.5, -0.5), (0.5, 0.5)])
    planks = (solid("box", (0, 0, 1 - DEEP), (2, 0.4, 1)), solid("box", size=(0.4, 2, 1)))
    assert supports(*planks) == rested([(x, y) for x in (-0.2, 0.2) for y in (-0.2, 0.2)])
    small = solid("box", (0.1, 0, 1 - DEEP), (0.4, 0.2, 1))
    corners = [(0.1 + x, y) for x in (-0.2, 0.2) for y in (-0.1, 0.1)]
    assert supports(small, below) == rested(corners)
    large = solid("box", (0, 0, 1 - DEEP), (3, 2, 1))
    assert supports(large, below) == rested(CORNERS)
    # a thin rod that crosses a corner region rests on the box, not beside it
    rod = solid("box", (0.3, -0.3, 1 - DEEP), (4, 0.1, 1), turned(np.pi / 4))
    for x, y in supports(rod, below):
        assert max(abs(x), abs(y)) <= 0.51 and abs((x - 0.3) - (y + 0.3)) <= 0.09


def test_turning_a_box_on_a_box_moves_its_supports_without_jumps():
    below, last = solid("box", size=(1, 1, 1)), None
    for angle in np.linspace(0, np.pi / 2, 400):
        found = wrench(solid("box", (0, 0, 1 - DEEP), (1, 1, 1), turned(angle)), below)
        assert 4 * DEEP - 1e-9 <= found[2] <= 8 * DEEP + 1e-9
        assert last is None or abs(found - last).max() < 0.35 * DEEP
        last = found


def test_crossed_edges_touch_once():
    a = solid("box", (0, 0, np.sqrt(2) - DEEP), (1, 1, 1), turned(np.pi / 4, "x"))
    b = solid("box", size=(1, 1, 1), R=turned(np.pi / 4, "y"))
    assert supports(a, b) == rested([(0.0, 0.0)])


LYING = turned(np.pi / 2, "y")


@pytest.mark.parametrize("noise", [0.0, 1e-16, -1e-16, 1e-7, -1e-7])
def test_what_lies_on_a_box_has_two_supports(noise):
    below, R = solid("box", size=(1, 1, 1)), turned(noise, "y") @ LYING
    for kind in ("capsule", "cylinder"):
        inside = solid(kind, (0, 0, 0.7 - DEEP), (0.2, 0.6), R)
        assert supports(inside, below) == rested([(-0.3, 0.0), (0.3, 0.0)])
        across = solid(kind, (0, 0, 0.52 - DEEP), (0.02, 3), R)
        assert supports(across, below) == rested([(-0.5, 0.0), (0.5, 0.0)])
        other = solid("cylinder", size=(0.5, 1.0))
        assert supports(solid(kind, (0, 0, 0.7 - DEEP), (0.2, 0.6), R), other) == rested(
            [(-0.3, 0.0), (0.3, 0.0)]
        )


@pytest.mark.parametrize("noise", [0.0, 1e-16, -1e-16, 1e-9])
def test_what_lies_along_another_has_two_supports(noise):
    R = turned(noise) @ LYING
    for kind in ("capsule", "cylinder"):
        above = solid(kind, (0.2, 0, 0.4 - DEEP), (0.2, 1.0), R)
        below = solid(kind, size=(0.2, 1.0), R=LYING)
        assert supports(above, below) == rested([(-0.3, 0.0), (0.5, 0.0)])
        crossed = solid(kind, (0.2, 0, 0.4 - DEEP), (0.2, 1.0), turned(1.0) @ LYING)
        assert supports(crossed, below) == rested([(0.2, 0.0)])


def test_cylinders_stand():
    ground, box = solid("plane"), solid("box", (0, 0, -0.5), (2, 2, 1))
    other = solid("cylinder", (0, 0, -0.5), (0.3, 1))
    for below in (ground, box, other):
        found = wrench(solid("cylinder", (0, 0, 0.5 - DEEP), (0.3, 1)), below)
        assert found[2] >= 3 * DEEP - 1e-9 and abs(found[3:]).max() < 1e-12
        # tilted, it is pushed back
        tilted = solid("cylinder", (0, 0, 0.5 - DEEP), (0.3, 1), turned(1e-3, "y"))
        assert wrench(tilted, below)[4] < -1e-5


def test_a_cylinder_rolls_on_a_plane_without_losing_height():
    for angle in np.linspace(0, 2 * np.pi, 50):
        R = LYING @ turned(angle)
        found = wrench(solid("cylinder", (0, 0, 0.3 - DEEP), (0.3, 1), R), solid("plane"))
        np.testing.assert_allclose(found, [0, 0, 2 * DEEP, 0, 0, 0], atol=1e-12)


# states without a direction: one place, parallel axes, corner on corner, on an edge, no length
NASTY = [
    ((0, 0, 0), (1, 0, 0, 0), 1.0),
    ((0, 0, 1), (1, 0, 0, 0), 1.0),
    ((1, 0, 0), (1, 0, 0, 0), 1.0),
    ((1, 1, 1), (1, 0, 0, 0), 1.0),
    ((0.5, 0.5, 0.5), (1, 1, 0, 0), 1.0),
    ((0, 0, 2), (0, 1, 0, 0), 1.0),
    ((0, 0.5, 0), (1, 0, 1, 0), 1.0),
    ((0, 0, 0), (1, 0, 0, 1), 0.0),
    ((1e-13, 0, 0), (1, 1e-13, 0, 0), 1.0),
]
ALL = [(a, b) for i, a in enumerate(CONVEX) for b in CONVEX[i:]]
ALL = [(b, a) if (a, b) == ("box", "cylinder") else (a, b) for a, b in ALL]
ALL += [(a, b) for a in CONVEX for b in GROUNDS]


@pytest.mark.parametrize(("first", "second"), ALL)
def test_compiled_contacts_are_the_same_and_finite_with_their_derivatives(first, second):
    f = traced(first, second)
    count = LENGTHS.get(first, 0) + LENGTHS.get(second, 0)
    numbers = np.random.default_rng(13)
    states = [
        (np.array([*p, *q]), np.array([0, 0, 0, 1, 0, 0, 0.0]), np.full(1 + count, k)) for p, q, k in NASTY
    ]
    for _ in range(4):
        R = Rotation.random(2, random_state=numbers).as_quat()[:, [3, 0, 1, 2]]
        x, y = (np.concatenate([numbers.uniform(-0.3, 0.3, 3), q]) for q in R)
        states.append((x, y, numbers.uniform(0.2, 0.8, 1 + count)))
    X, Y, S = (np.array(column, float) for column in zip(*states, strict=True))
    found = compile(f)(X, Y, S)
    slopes = compile(f.jvp("x"))
    for direction in np.eye(7):
        assert np.isfinite(slopes(X, Y, S, np.tile(direction, (len(X), 1)))).all()
    n = 1 + LENGTHS.get(first, 0)
    for (x, y, s), rows in zip(states, found, strict=True):
        a, b = (
            solid(kind, z[:3], size, Rotation.from_quat(z[[4, 5, 6, 3]]).as_matrix())
            for kind, z, size in ((first, x, s[1:n]), (second, y, s[n:]))
        )
        expected = [row(t) for t in touches(a, b)]
        assert np.isfinite(rows).all() and np.isfinite(expected).all()
        if s[0] not in (0.0, 1.0):  # rounding decides nothing there
            np.testing.assert_allclose(rows, expected, atol=1e-7)
