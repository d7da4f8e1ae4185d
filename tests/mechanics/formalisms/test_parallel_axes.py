"""Frames of links on parallel axes, which in the cheapest form do not turn with their links."""

import numpy as np
import pytest

import hapsis as hs

L = 1.5


@pytest.fixture(scope="module")
def arm():
    return hs.Model(
        hs.Rod("upper", L, 1.0),
        hs.Rod("lower", L, 1.0),
        hs.Revolute("shoulder", hs.WORLD, "upper"),
        hs.Revolute("elbow", "upper.end", "lower"),
    )


def turn(angle):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def test_pose(arm):
    q = np.array([0.3, 0.4])
    p, R = hs.compile(hs.pose(arm, "lower.end"), "python")(q)
    np.testing.assert_allclose(R, turn(0.7), atol=1e-15)
    np.testing.assert_allclose(p, L * (turn(0.3) + turn(0.7))[:, 0], atol=1e-15)


@pytest.mark.parametrize("axes", ["world", "frame"])
def test_velocity_acceleration_and_jacobian(arm, axes):
    q, v, a = np.array([0.3, 0.4]), np.array([0.5, -0.8]), np.array([0.2, 0.9])
    side, along = L * (turn(0.3)[:, 1] * 0.5 + turn(0.7)[:, 1] * -0.3), [0, 0, -0.3]
    pull = L * (turn(0.3)[:, 0] * -(0.5**2) + turn(0.7)[:, 0] * -(0.3**2))
    push = L * (turn(0.3)[:, 1] * 0.2 + turn(0.7)[:, 1] * 1.1)
    V, A = np.array([along, side]), np.array([[0, 0, 1.1], pull + push])
    if axes == "frame":
        V, A = V @ turn(0.7), A @ turn(0.7)

    def found(make, *inputs):
        return hs.compile(make(arm, "lower.end", axes=axes), "python")(*inputs)

    np.testing.assert_allclose(found(hs.velocity, q, v), V.ravel(), atol=1e-15)
    np.testing.assert_allclose(found(hs.acceleration, q, v, a), A.ravel(), atol=1e-15)
    J, dJ = found(hs.jacobian, q), found(hs.jacobian_rate, q, v)
    np.testing.assert_allclose(J @ v, V.ravel(), atol=1e-15)
    h = 1e-6
    slope = (found(hs.jacobian, q + h * v) - found(hs.jacobian, q - h * v)) / (2 * h)
    np.testing.assert_allclose(dJ, slope, atol=1e-9)
