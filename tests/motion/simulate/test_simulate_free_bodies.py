"""Bodies that turn freely, by closed forms: Poinsot's motion and the spinning top."""

import math

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import hapsis as hs

G = 9.81


def free(inertia, **start):
    """A body that nothing holds, and nothing pulls."""
    body = hs.Body("body", mass=2.0, inertia=inertia)
    model = hs.Model(body, hs.Free("j", hs.WORLD, "body"), gravity=(0, 0, 0))
    return model, {f"j.{name}": value for name, value in start.items()}


def rotations(result, joint):
    """The rotation matrices of a joint with a quaternion."""
    w, x, y, z = (result[f"{joint}.q{letter}"] for letter in "wxyz")
    return np.moveaxis(
        np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
            ]
        ),
        -1,
        0,
    )


def spin(result):
    return np.stack([result[f"j.w{letter}"] for letter in "xyz"], -1)


def check_kept(result, inertia):
    """Energy, and the angular momentum in the world."""
    w, R = spin(result), rotations(result, "j")
    momentum = np.einsum("tij,tj->ti", R, w * np.array(inertia))
    assert np.abs(momentum - momentum[0]).max() < 1e-8 * np.abs(momentum[0]).max()
    energy = result["kinetic"]
    assert np.abs(energy / energy[0] - 1).max() < 1e-8
    assert np.abs(R @ R.swapaxes(1, 2) - np.eye(3)).max() < 1e-13


@pytest.mark.parametrize("third", [0.5, 1.5])
def test_symmetric_body(third):
    """The angular velocity goes round the axis at Ω = (I3 - I1)/I1 ω3; flat and long bodies."""
    I1, n, w3 = 1.0, 0.7, 4.0
    model, start = free((I1, I1, third), wx=n, wz=w3, vx=0.3, vz=-0.2, y=1.0)
    result = hs.simulate(model, until=10.0, start=start)
    rate = (third - I1) / I1 * w3
    expected = [n * np.cos(rate * result.t), n * np.sin(rate * result.t), w3 + 0 * result.t]
    assert np.abs(spin(result) - np.transpose(expected)).max() < 1e-7
    check_kept(result, (I1, I1, third))
    # the axis of the body goes round the momentum at |L| / I1, keeping its angle
    axis = rotations(result, "j")[:, :, 2]
    L = np.array([I1 * n, 0, third * w3])
    along = axis @ L / np.linalg.norm(L)
    assert np.abs(along - along[0]).max() < 1e-8
    turn = np.linalg.norm(L) / I1
    across = axis - along[:, None] * L / np.linalg.norm(L)
    angle = np.unwrap(np.arctan2(*_plane(across, L)))
    assert np.abs(angle - angle[0] - turn * result.t).max() < 1e-6
    # and its centre goes straight on
    start_v = np.array([0.3, 0, -0.2])
    for k, name in enumerate("xyz"):
        line = (0.0, 1.0, 0.0)[k] + start_v[k] * result.t
        assert np.abs(result[f"j.{name}"] - line).max() < 1e-7


def _plane(x, L):
    """The two components across a vector, sine first."""
    e = np.cross([0, 1, 0], L)
    e /= np.linalg.norm(e)
    f = np.cross(L / np.linalg.norm(L), e)
    return x @ f, x @ e


@pytest.mark.parametrize("method", ["auto", "stiff"])
@pytest.mark.parametrize("w", [(0.2, 0.0, 3.0), (1.0, 0.0, 1.0), (3.0, 0.0, 0.1)])
def test_asymmetric_body(w, method):
    """Jacobi's elliptic functions; about the long axis, the short one and close to the middle one.

    Reference: Landau and Lifshitz, Mechanics, paragraph 37; starting with ω2 = 0.
    """
    I = 0.5, 1.0, 1.3
    model, start = free(I, wx=w[0], wy=w[1], wz=w[2])
    result = hs.simulate(model, until=8.0, start=start, method=method)
    check_kept(result, I)
    E2, M2 = np.dot(I, np.square(w)), np.dot(np.square(I), np.square(w))
    swapped = M2 < E2 * I[1]  # then the motion is about the first axis
    a, c = (2, 0) if swapped else (0, 2)
    J = (I[a], I[1], I[c])
    speed = math.sqrt((J[2] - J[1]) * (M2 - E2 * J[0]) / (J[0] * J[1] * J[2]))
    k2 = (J[1] - J[0]) * (E2 * J[2] - M2) / ((J[2] - J[1]) * (M2 - E2 * J[0]))
    # at t = 0 ω2 is zero, as sn is
    sn, cn, dn, _ = ellipj(speed * result.t, k2)
    second = math.sqrt((E2 * J[2] - M2) / (J[1] * (J[2] - J[1])))
    expected = np.empty((len(result.t), 3))
    expected[:, a] = w[a] * cn
    expected[:, c] = w[c] * dn
    expected[:, 1] = second * sn
    assert np.abs(spin(result) - expected).max() < 1e-6
    assert 0 < k2 < 1 and 4 * ellipk(k2) / speed < 40


def top(l=0.1, m=0.5, I1=0.004, I3=0.001):
    """A heavy symmetric top on a ball joint; I1 is about the tip."""
    at_com = I1 - m * l * l
    model = hs.Model(
        hs.Body("top", mass=m, com=(0, 0, l), inertia=(at_com, at_com, I3)), hs.Ball("j", hs.WORLD, "top")
    )
    return model, m * G * l, I1, I3


@pytest.mark.parametrize("tilt", [0.3, 1.0, math.pi / 2])
def test_steady_precession(tilt):
    """A top started with its rate of precession keeps it: I3 s Ω = m g l + (…) Ω² cos θ."""
    weight, I1, I3 = top(I1=0.006)[1:]
    model = top(I1=0.006)[0]
    fast = 2.0  # rad/s of precession; then the spin follows
    spin_rate = (weight + I1 * fast**2 * math.cos(tilt)) / (I3 * fast)
    start = {"j.qw": math.cos(tilt / 2), "j.qx": math.sin(tilt / 2)}
    # ω = Ω z_world + (spin - Ω cos θ) along the axis, in the axes of the top
    start |= {"j.wy": fast * math.sin(tilt), "j.wz": spin_rate}
    result = hs.simulate(model, until=3.0, start=start)
    axis = rotations(result, "j")[:, :, 2]
    assert np.abs(axis[:, 2] - math.cos(tilt)).max() < 1e-7
    angle = np.unwrap(np.arctan2(axis[:, 1], axis[:, 0]))
    assert np.abs(angle - angle[0] - fast * result.t).max() < 1e-6


def test_top_conserves_and_nutates():
    """Energy, spin and the vertical momentum stay; a fast top nods at I3 s / I1."""
    model, weight, I1, I3 = top(I1=0.006)
    s, tilt = 2000.0, 0.8
    start = {"j.qw": math.cos(tilt / 2), "j.qx": math.sin(tilt / 2), "j.wz": s}
    result = hs.simulate(model, until=0.5, start=start)
    R = rotations(result, "j")
    w = spin(result)
    assert np.abs(w[:, 2] / s - 1).max() < 1e-9
    vertical = np.einsum("ti,ti->t", R[:, 2], w * np.array([I1, I1, I3]))
    assert np.abs(vertical / vertical[0] - 1).max() < 1e-8
    assert result.energy_drift < 1e-8
    height = R[:, 2, 2]
    lows = np.flatnonzero((height[1:-1] < height[:-2]) & (height[1:-1] <= height[2:])) + 1
    period = np.diff(result.t[lows]).mean()
    assert 2 * math.pi / period == pytest.approx(I3 * s / I1, rel=5e-3)
    # it goes round at m g l / (I3 s) on the mean
    angle = np.unwrap(np.arctan2(R[:, 1, 2], R[:, 0, 2]))
    assert (angle[-1] - angle[0]) / 0.5 == pytest.approx(weight / (I3 * s), rel=2e-2)


@pytest.mark.parametrize("spin_rate", [0.9, 1.1])
def test_sleeping_top(spin_rate):
    """Upright it is stable if (I3 s)² > 4 I1 m g l."""
    model, weight, I1, I3 = top(I1=0.006)
    critical = 2 * math.sqrt(I1 * weight) / I3
    start = {"j.wz": spin_rate * critical, "j.wx": 1e-3}
    result = hs.simulate(model, until=4.0, start=start)
    upright = rotations(result, "j")[:, 2, 2].min()
    assert (upright > 0.999) == (spin_rate > 1)
