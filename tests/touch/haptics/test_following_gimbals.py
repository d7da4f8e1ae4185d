"""Gimbals that follow a frame tick by tick: no jumps, and the axes of the frame, by matrices of numpy."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import hapsis as hs
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.touch.haptics.virtual_mechanisms.following_gimbals import LEAST, FollowingGimbals

DT = 1e-3


def follower():
    graph = Graph()
    angles = symbols("angles", 3, graph=graph)
    before, axes = symbols("before", 3, 3, graph=graph), symbols("axes", 3, 3, graph=graph)
    new, lag = FollowingGimbals(np.eye(3), DT).following(angles, before, axes)
    inputs = {"angles": angles, "before": before, "axes": axes}
    return hs.compile(Function("follow", inputs, {"angles": new, "lag": lag}))


def followed(path):
    """Angles and lags of a path of axes that begins at zero."""
    call, rows = follower(), [(np.zeros(3), 0.0)]
    for before, axes in pairwise(path):
        rows.append(call(rows[-1][0], before, axes))
    return np.array([row[0] for row in rows]), np.array([float(row[1]) for row in rows])


def axes_of(angles):
    return Rotation.from_euler("XYZ", angles).as_matrix()


def missed(angles, path):
    return Rotation.from_matrix(axes_of(angles).swapaxes(1, 2) @ path).magnitude()


@pytest.mark.parametrize("near", [0.0, 1e-9, 1e-4, 0.01, 0.03, 0.1, 0.5])
def test_past_the_line_of_outer_and_inner_axis(near):
    """A turn and a half about an axis that is almost the middle one: the axes are in line three times."""
    turn = np.linspace(0.0, 3 * np.pi, 6001)
    axis = np.array([0.3 * near, np.cos(near), np.sin(near)])
    path = Rotation.from_rotvec(turn[:, None] * axis / np.linalg.norm(axis)).as_matrix()
    angles, lags = followed(path)
    steps = np.abs(np.diff(angles, axis=0)).max(axis=0)
    assert (steps <= 1.05 * (turn[1] / LEAST + DT) + turn[1]).all()
    np.testing.assert_allclose(missed(angles, path), lags, rtol=0, atol=1e-7)
    assert lags.max() < LEAST and lags[-1] < 1e-6


def test_random_motions_are_followed():
    """With any number of turns: the lag says what is missed, and mostly there is none."""
    rng = np.random.default_rng(3)
    turned = 0.0
    for _ in range(20):
        rates = np.cumsum(rng.normal(size=(3000, 3)), axis=0) * 0.05
        path, R = [], Rotation.identity()
        for w in rates:
            path.append(R.as_matrix())
            R = Rotation.from_rotvec(DT * w) * R
        path = np.array(path)
        angles, lags = followed(path)
        np.testing.assert_allclose(missed(angles, path), lags, rtol=0, atol=1e-7)
        assert lags.max() < 2 * LEAST and np.median(lags) < 1e-12
        most = np.abs(np.diff(path, axis=0)).max(axis=(1, 2)) / LEAST + DT
        assert (np.abs(np.diff(angles[:, 0])) <= most + 1e-12).all()
        turned = max(turned, np.abs(angles).max())
    assert turned > 4.0
