"""Vectors, rotations and inertias against dense matrices, at random and at special values."""

import math

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hapsis.mechanics.algebra import vectors
from hapsis.mechanics.algebra.articulated_inertia import Articulated, articulated
from hapsis.mechanics.algebra.inertia import Inertia, of_body
from hapsis.mechanics.algebra.rotations import (
    SNAP,
    Matrix,
    Turn,
    cosine_sine,
    down,
    of_quaternion,
    of_rpy,
    product,
    rows_up,
    snapped,
    tensor_sum,
    tensor_up,
    transposed,
    up,
    wrapped,
    z_onto,
    zxz,
)

numbers = np.random.default_rng(1)
QUARTER = math.pi / 2
AXES = np.eye(3)
angles = st.floats(-4, 4) | st.integers(-4, 4).map(lambda k: k * QUARTER)
some = st.floats(-2, 2, allow_subnormal=False) | st.sampled_from((0.0, 1.0, -1.0))


def near(found, expected, gate=1e-14):
    np.testing.assert_allclose(np.array(found, float), expected, rtol=gate, atol=10 * gate)


def turn(axis, angle):
    return Turn(axis, math.cos(angle), math.sin(angle))


def matrix(axis, angle):
    return oracle.turned(AXES[axis], np.float64(angle))


def symmetric(t):
    M = np.empty((3, 3))
    for (i, j), x in zip(oracle.PAIRS, t, strict=True):
        M[i, j] = M[j, i] = x
    return M


def six(M):
    return tuple(float(M[i, j]) for i, j in oracle.PAIRS)


def rotation(count=3):
    """Factors, turns and matrices among them, and their product."""
    factors, R = [], np.eye(3)
    for k in range(count):
        axis, angle = int(numbers.integers(3)), numbers.uniform(-3, 3)
        R = R @ matrix(axis, angle)
        is_matrix = (k + count) % 2 == 0
        factors.append(Matrix(tuple(map(tuple, matrix(axis, angle)))) if is_matrix else turn(axis, angle))
    return tuple(factors), R


def test_vectors():
    a, b = numbers.normal(size=(2, 3))
    near(vectors.add(a, b), a + b)
    near(vectors.sub(a, b), a - b)
    near(vectors.neg(a), -a)
    near(vectors.scaled(2.5, a), 2.5 * a)
    near(vectors.dot(a, b), a @ b)
    near(vectors.cross(a, b), np.cross(a, b))


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("angle", [0.7, -2.1, 0.0, QUARTER, -QUARTER, math.pi])
def test_turns_and_matrices_rotate_vectors_and_tensors(axis, angle):
    R, v, t = matrix(axis, angle), numbers.normal(size=3), numbers.normal(size=6)
    for factor in (turn(axis, angle), Matrix(tuple(map(tuple, R)))):
        near(factor.up(v), R @ v)
        near(factor.down(v), R.T @ v)
        near(symmetric(factor.tensor(tuple(t))), R @ symmetric(t) @ R.T)


@pytest.mark.parametrize("count", range(4))
def test_products_of_factors(count):
    factors, R = rotation(count)
    v, t, B = numbers.normal(size=3), numbers.normal(size=6), numbers.normal(size=(3, 3))
    near(up(factors, v), R @ v)
    near(down(factors, v), R.T @ v)
    near(symmetric(tensor_up(factors, tuple(t))), R @ symmetric(t) @ R.T)
    near(rows_up(factors, tuple(map(tuple, B))), R @ B @ R.T)


def test_small_matrices():
    a, b = numbers.normal(size=(2, 3, 3))
    near(transposed(a), a.T)
    near(product(tuple(map(tuple, a)), tuple(map(tuple, b))), a @ b)
    s, t, u = numbers.normal(size=(3, 6))
    near(tensor_sum(tuple(s), tuple(t)), s + t)
    near(tensor_sum(tuple(s), tuple(t), tuple(u)), s + t + u)


@given(angles, angles, angles)
def test_roll_pitch_yaw(roll, pitch, yaw):
    near(of_rpy(roll, pitch, yaw), matrix(2, yaw) @ matrix(1, pitch) @ matrix(0, roll))


@given(st.tuples(some, some, some, some).filter(lambda q: np.linalg.norm(q) > 0.1))
def test_quaternions(q):
    R = np.array(of_quaternion(*q))
    near(R, oracle.of_quaternion(np.array([q]))[0])
    near(R @ R.T, np.eye(3))
    half = math.atan2(np.linalg.norm(q[1:]), q[0])
    if half > 1e-3 and np.linalg.norm(q[1:]) > 1e-3:
        axis = np.array(q[1:]) / np.linalg.norm(q[1:])
        near(R, oracle.turned(axis, np.float64(2 * half)), gate=1e-12)


@given(st.tuples(some, some, some).filter(lambda a: np.linalg.norm(a) > 0.1))
def test_z_onto_an_axis(axis):
    unit = np.array(axis) / np.linalg.norm(axis)
    R = np.array(z_onto(tuple(unit)))
    near(R[:, 2], unit)
    near(R @ R.T, np.eye(3))
    near(np.linalg.det(R), 1.0)


@pytest.mark.parametrize("k", range(3))
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_z_onto_a_letter_is_exact(k, sign):
    axis = tuple(sign * AXES[k])
    R = np.array(z_onto(axis))
    assert tuple(R[:, 2]) == axis and set(np.abs(R).ravel()) == {0.0, 1.0}
    assert (R @ R.T == np.eye(3)).all() and np.linalg.det(R) == 1.0
    if axis == (0, 0, 1):
        assert (R == np.eye(3)).all()


def test_an_axis_almost_along_z_is_kept():
    for tilt in (1e-7, 1e-12, 1e-14, 3e-15):
        R = np.array(z_onto((tilt, 0.0, 1.0)))
        assert R[0, 2] == tilt
        R = np.array(z_onto((0.0, -tilt, -1.0)))
        assert R[1, 2] == -tilt and R[2, 2] == -1.0
    assert z_onto((1e-16, -1e-16, 1.0)) == ((1, 0, 0), (0, 1, 0), (0, 0, 1))
    assert z_onto((SNAP, 0.0, 1.0)) == z_onto((0.0, SNAP, 1.0)) == z_onto((0.0, 0.0, 1.0))


def test_rounding_is_snapped_and_nothing_else():
    quarter = of_rpy(QUARTER, -QUARTER, math.pi)
    assert all(x in (0.0, 1.0, -1.0) for row in snapped(quarter) for x in row)
    near(snapped(quarter), quarter)
    kept = ((1e-14, 1 - 1e-14, -1 + 1e-14), (3e-15, 0.5, -0.25), (1.0, -1.0, 0.0))
    assert snapped(kept) == kept
    assert snapped(((SNAP, 1 - 0.9 * SNAP, -SNAP), *kept[1:]))[0] == (0.0, 1.0, 0.0)
    assert str(snapped(((-1e-17, 1.0, 0.0), *kept[1:]))[0][0]).strip("-") == "0.0"


@given(angles, angles, angles)
def test_three_turns_make_any_rotation(roll, pitch, yaw):
    R = snapped(of_rpy(roll, pitch, yaw))
    a, b, c = zxz(R)
    assert 0.0 <= b <= math.pi
    near(matrix(2, a) @ matrix(0, b) @ matrix(2, c), R, gate=2e-14)


@pytest.mark.parametrize("a", [-2.0, 0.0, 0.5, QUARTER, 3.0])
@pytest.mark.parametrize("b", [0.0, 1e-7, 0.4, QUARTER, 2.0, math.pi])
@pytest.mark.parametrize("c", [-1.0, 0.0, QUARTER])
def test_angles_of_three_turns_are_found_again(a, b, c):
    found = zxz(snapped(matrix(2, a) @ matrix(0, b) @ matrix(2, c)))
    if b in (0.0, math.pi):
        # the z axes are parallel: only the sum (or difference) of the other two is known
        rest = c + a if b == 0.0 else c - a
        a, c = 0.0, math.remainder(rest, 2 * math.pi)
    assert found[0] == pytest.approx(a, abs=1e-7 if b < 1e-3 else 1e-14)
    assert found[1] == pytest.approx(b, abs=1e-14)
    assert math.remainder(found[2] - c, 2 * math.pi) == pytest.approx(0, abs=1e-7 if b < 1e-3 else 1e-13)


def test_quarter_turns_are_exact():
    exact = {0: (1, 0), 1: (0, 1), 2: (-1, 0), 3: (0, -1)}
    for k in range(-6, 7):
        assert cosine_sine(k * QUARTER) == exact[k % 4]
    for angle in (0.3, QUARTER + 1e-12, -2.0, 1e-9, 1e-14):
        assert cosine_sine(angle) == (math.cos(angle), math.sin(angle))
    assert cosine_sine(1e-16) == (1, 0) and cosine_sine(QUARTER * (1 + 2e-15))[1] == 1


def pseudo(S):
    """The 4 x 4 matrix of moments."""
    P = np.empty((4, 4))
    P[:3, :3], P[:3, 3], P[3, :3], P[3, 3] = symmetric(S.Sigma), S.h, S.h, S.m
    return P


def some_masses():
    points, masses = numbers.normal(size=(5, 3)), numbers.uniform(0.1, 1, 5)
    J = (points.T * masses) @ points
    return Inertia(six(J), tuple(masses @ points), masses.sum()), points, masses


def moved(factors, R, p, P):
    H = oracle.homogeneous(R, p)
    return H @ P @ H.T


def test_moments_of_masses():
    (S, *_), (other, *_) = some_masses(), some_masses()
    near(pseudo(S.plus(other)), pseudo(S) + pseudo(other))
    factors, R = rotation()
    p = numbers.normal(size=3)
    near(pseudo(S.up(factors, p)), moved(factors, R, p, pseudo(S)))
    near(pseudo(S.up((), p)), moved((), np.eye(3), p, pseudo(S)))


def test_moments_of_a_body():
    S, points, masses = some_masses()
    com = masses @ points / S.m
    around = points - com
    J = (around.T * masses) @ around
    found = of_body(S.m, tuple(com), six(np.trace(J) * np.eye(3) - J))
    near(pseudo(found), pseudo(S))


def big(I, h, m):
    """The 6 x 6 inertia."""
    H = oracle.twist(np.array(h), np.zeros(3))[:3, :3]
    return np.block([[symmetric(I), H], [H.T, m * np.eye(3)]])


def shift(R, p):
    """Takes momenta (n, f) from a frame turned by R at p to its parent."""
    P = oracle.twist(np.array(p), np.zeros(3))[:3, :3]
    return np.block([[R, P @ R], [np.zeros((3, 3)), R]])


def test_rigid_bodies():
    S, points, masses = some_masses()
    body = S.rigid()
    J = symmetric(S.Sigma)
    near(symmetric(body.I), np.trace(J) * np.eye(3) - J)
    assert body.h == S.h and body.m == S.m
    other = some_masses()[0].rigid()
    near(big(*body.plus(other)), big(*body) + big(*other))
    factors, R = rotation()
    p = numbers.normal(size=3)
    X = shift(R, p)
    near(big(*body.up(factors, p)), X @ big(*body) @ X.T, gate=1e-13)
    w, u = numbers.normal(size=(2, 3))
    near(np.concatenate(body.momentum(w, u)), big(*body) @ np.concatenate([w, u]))
    # and mass by mass
    speeds = u + np.cross(w, points)
    near(body.momentum(w, u)[0], (masses[:, None] * np.cross(points, speeds)).sum(0), gate=1e-13)
    near(body.momentum(w, u)[1], masses @ speeds, gate=1e-13)


def whole(body):
    return np.array([[body.entry(a, b) for b in range(6)] for a in range(6)])


def some_articulated():
    A = numbers.normal(size=(6, 6))
    A = A @ A.T
    rows = tuple(tuple(map(float, row)) for row in A[:3, 3:])
    return Articulated(six(A[:3, :3]), rows, six(A[3:, 3:])), A


def test_articulated_bodies():
    body, A = some_articulated()
    other, B = some_articulated()
    near(whole(body), A)
    near(whole(body.plus(other)), A + B)
    S = some_masses()[0]
    near(whole(articulated(S, 0.0)), big(*S.rigid()))
    factors, R = rotation()
    p = numbers.normal(size=3)
    X = shift(R, p)
    near(whole(body.up(factors, p)), X @ A @ X.T, gate=1e-13)
    near(whole(body.up((), p)), shift(np.eye(3), p) @ A @ shift(np.eye(3), p).T, gate=1e-13)


def test_an_articulated_body_without_an_axis():
    body, A = some_articulated()
    axis = ((1, 0.5), (2, -1.0), (4, 2.0))
    S = np.zeros(6)
    for k, x in axis:
        S[k] = x
    near(body.times(axis), A @ S)
    near(body.times(((3, 1.0),)), A[:, 3])
    U = A @ S
    near(whole(body.without(U, U / (S @ U), None, 0.0)), A - np.outer(U, U) / (S @ U), gate=1e-13)
    for k in range(6):
        # along a coordinate axis its row and column vanish exactly
        U = A[:, k]
        left = whole(body.without(U, U / U[k], k, 0.0))
        assert (left[k] == 0).all() and (left[:, k] == 0).all()
        near(left, A - np.outer(U, U) / U[k], gate=1e-13)


def test_wrapped_angles():
    quarter = math.pi / 2
    for k in range(-9, 10):
        # whole quarter turns come out exact, within half a turn of zero
        found = wrapped(k * quarter * (1 + 1e-16))
        assert found in [n * quarter for n in range(-2, 3)]
        assert math.isclose(math.cos(found), math.cos(k * quarter), abs_tol=1e-14)
        assert math.isclose(math.sin(found), math.sin(k * quarter), abs_tol=1e-14)
        other = wrapped(k * quarter + 0.3)
        assert abs(other) <= math.pi and math.isclose(math.sin(other), math.sin(k * quarter + 0.3))
        assert math.isclose(math.cos(other), math.cos(k * quarter + 0.3), rel_tol=1e-9)
    assert wrapped(1e-12) == 1e-12
