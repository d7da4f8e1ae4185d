"""Segments by their two ends: where they lie, and where a ball touches them."""

import pickle

import numpy as np
import pytest

import hapsis as hs
from hapsis.mechanics.formalisms.dynamics.state_rates import signals


def ends(segment):
    """Both ends in the frame of the body."""
    frame = segment.at
    (roll, pitch, yaw), p = frame.rpy, np.array(frame.at)
    cr, sr, cp, sp, cy, sy = (f(x) for x in (roll, pitch, yaw) for f in (np.cos, np.sin))
    axis = np.array([cy * sp * cr + sy * sr, sy * sp * cr - cy * sr, cp * cr])
    half = 0.5 * segment.length * axis
    return p - half, p + half


def test_it_goes_from_one_to_the_other():
    draw = np.random.default_rng(4)
    pairs = [draw.normal(size=(2, 3)) * 10 ** draw.uniform(-3, 1) for _ in range(50)]
    pairs += [np.array([[0, 0, 0], axis], float) for axis in ((1, 0, 0), (0, -2, 0), (0, 0, 3), (0, 0, -1))]
    for a, b in pairs:
        found = ends(hs.Segment.between(a, b))
        size = np.abs([a, b]).max()
        assert np.abs(found[0] - a).max() < 1e-14 * size and np.abs(found[1] - b).max() < 1e-14 * size


def gap_and_push(ball, radius, a, b, turned=0.3):
    """Gap and force of a ball on a segment of a body that is turned."""
    made = hs.Model(
        hs.Body("bar", mass=1.0, inertia=(1, 1, 1)),
        hs.Revolute("turn", hs.WORLD.at(0.1, 0.2, 0.0), "bar"),
        hs.Contact(
            "c", (hs.WORLD.at(*ball), hs.Sphere(radius)), ("bar", hs.Segment.between(a, b)), hs.Linear(1.0)
        ),
    )
    function = signals(made)
    told = hs.compile(function)([turned], [0.0])
    told = dict(zip([port.name for port in function.outputs], told, strict=True))
    return told["c.gap"], told["c.push"]


def test_the_nearest_point_is_clamped_to_the_ends():
    """As the formula of a circle on a segment in the plane has it."""
    draw, seen = np.random.default_rng(7), set()
    for _ in range(40):
        a, b, ball = (np.append(draw.uniform(-0.5, 0.5, 2), 0.0) for _ in range(3))
        radius, turned = draw.uniform(0.3, 1.0), 0.3
        R = np.array([[np.cos(turned), -np.sin(turned), 0], [np.sin(turned), np.cos(turned), 0], [0, 0, 1]])
        first, second = (np.array([0.1, 0.2, 0.0]) + R @ x for x in (a, b))
        way = second - first
        s = (ball - first) @ way / (way @ way)
        seen.add(np.sign(np.clip(s, 0, 1) - s))
        p = first + np.clip(s, 0, 1) * way
        far = np.linalg.norm(ball - p)
        gap, push = gap_and_push(ball, radius, a, b)
        assert gap == pytest.approx(far - radius, abs=1e-12)
        assert push == pytest.approx(max(radius - far, 0.0) * (ball - p) / far, abs=1e-12)
    assert seen == {-1.0, 0.0, 1.0}  # on the segment and beyond both ends


@pytest.mark.parametrize("radius", [0.0, 0.05])
def test_a_ball_under_a_ceiling(radius):
    made = hs.Model(
        hs.Body("b", mass=1.0),
        hs.Prismatic("y", hs.WORLD, "b", axis="y"),
        hs.Contact("c", ("b", hs.Sphere(radius)), hs.WORLD.plane("-y", at=(0, 0.2, 0)), hs.Linear(10.0)),
    )
    function = signals(made)
    for y in (0.1, 0.19, 0.21):
        told = hs.compile(function)([y], [0.0])
        told = dict(zip([port.name for port in function.outputs], told, strict=True))
        depth = y + radius - 0.2
        assert told["c.gap"] == pytest.approx(-depth, abs=1e-15)
        assert told["c.push"] == pytest.approx([0, -10 * max(depth, 0.0), 0], abs=1e-14)


def test_files_pickles_and_errors(tmp_path):
    segment = hs.Segment.between((0, 0, 0), (0.1, 0.2, 0.0), color=(1, 0, 0))
    assert segment.color == (1, 0, 0) and segment.length == pytest.approx(0.05**0.5)
    made = hs.Model(
        hs.Body("b", mass=1.0), hs.Prismatic("y", hs.WORLD, "b", axis="y"),
        hs.Contact("c", ("b", segment), hs.WORLD.plane()),
    )  # fmt: skip
    hs.save(made, tmp_path / "m.yaml")
    for other in (hs.load(tmp_path / "m.yaml"), pickle.loads(pickle.dumps(made))):
        assert other.contacts["c"].first == made.contacts["c"].first
    with pytest.raises(hs.ModelError, match="segment: a and b are the same point"):
        hs.Segment.between((1, 2, 3), (1, 2, 3))
    with pytest.raises(hs.ModelError, match='segment: b must be numbers, not the formula "x"'):
        hs.Segment.between((1, 2, 3), (1, "x", 3))
