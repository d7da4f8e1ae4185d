"""Anchors proposed at holes and shafts, from cylindrical faces of any kind."""

import math

import numpy as np
import pytest

from hapsis.mechanics.formats.design.round_anchors import round_anchors
from hapsis.mechanics.model.frames import rotation


def face(point, axis, radius=2.0, hole=True, turn=2 * math.pi, ends=(0.0, 10.0)):
    return {"point": point, "axis": axis, "radius": radius, "hole": hole, "turn": turn, "ends": ends}


@pytest.mark.parametrize("seed", range(10))
def test_a_cylinder_in_pieces_is_one_anchor(seed):
    """Halves that are given from other points of the axis, one of them backwards."""
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    point = rng.uniform(-50, 50, 3)
    halves = [
        face(point, axis, turn=math.pi, ends=(2.0, 12.0)),
        face(point + 5 * axis, -axis, turn=math.pi, ends=(-7.0, 3.0)),
    ]
    anchors = round_anchors(halves, [], 1e-3)[0]
    assert list(anchors) == ["hole1"]
    frame = anchors["hole1"]
    assert np.allclose(frame.at, 1e-3 * (point + 7 * axis), atol=1e-12)
    z = np.array(rotation(frame.rpy))[:, 2]
    assert np.allclose(np.cross(z, axis), 0, atol=1e-12) and z[np.argmax(np.abs(z))] > 0


def test_what_is_no_hole():
    quarter = face((0, 0, 0), (0, 0, 1), turn=math.pi / 2)
    assert round_anchors([quarter, quarter], [], 1e-3)[0] == {}
    other = face((0, 0, 0), (0, 0, 1), turn=math.pi), face((0, 0, 0), (0, 0, 1), radius=2.1, turn=math.pi)
    assert round_anchors([*other], [], 1e-3)[0] == {}


def test_names_follow_places():
    faces = [face((x, 0, 0), (0, 0, -1), hole=x != 20) for x in (30, 20, 10)]
    anchors = round_anchors(faces, [], 1e-3)[0]
    assert list(anchors) == ["hole1", "hole2", "shaft1"]
    assert [a.at for a in anchors.values()] == [(0.01, 0.0, -0.005), (0.03, 0.0, -0.005), (0.02, 0.0, -0.005)]
    assert round_anchors(faces[::-1], [], 1e-3)[0] == anchors
