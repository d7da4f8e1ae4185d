"""Wheels and balls that roll: what touches stands still, and coins go round as Euler says."""

import math

import numpy as np
import pytest
from travelling import Travel, check_rates

import hapsis as hs
from hapsis.mechanics.algebra.quaternions import quaternions
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names

R, M, G = 0.3, 2.0, 9.81
Z = np.array([0.0, 0.0, 1.0])


def coin(axis="y", ground=hs.WORLD):
    """A thin disc across its y axis, free but for its rolling; or a ball."""
    across, along = M * R * R / 4, M * R * R / 2
    return hs.Model(
        hs.Body("coin", mass=M, inertia=(across, along, across)),
        hs.Free("coin", hs.WORLD, "coin"),
        hs.Rolling("roll", "coin", ground, R, axis=axis),
    )


def held(model, q, v):
    """Accelerations under gravity and the rows, and the rows: M a + c = Jᵀ λ, J a + γ = 0."""
    rows = hs.compile(hs.constraints(model))(q, v)
    mass, bias = hs.compile(hs.mass_matrix(model))(q), hs.compile(hs.bias(model))(q, v)
    n, m = len(v), len(rows.gamma)
    K = np.block([[mass, rows.J.T], [rows.J, np.zeros((m, m))]])
    return np.linalg.solve(K, np.concatenate([-bias, -rows.gamma]))[:n], rows


def leaning(lean, heading, turn):
    """Of a coin: up in its plane, its axis, and all its axes; it heads along t, t = e × a."""
    t = np.array([math.cos(heading), math.sin(heading), 0.0])
    e = math.cos(lean) * Z + math.sin(lean) * np.cross(Z, t)
    a = np.cross(t, e)  # so that the normal is cos(lean) e + sin(lean) a
    x = math.cos(turn) * t + math.sin(turn) * e
    return e, a, np.column_stack([x, a, np.cross(x, a)])


def test_a_coin_goes_round_as_euler_says():
    """Steady circles: (3/2) r w Ω cos θ - (r/4) Ω² sin θ cos θ + g sin θ = 0, for a thin disc.

    θ is the lean, Ω the precession about the vertical, w the turning about the coin's own axis.
    """
    model = coin()
    names = constraint_names(model)
    assert names == ("roll.touch", "roll.slip.x", "roll.slip.y")
    for lean, precession, heading, turn in (
        (0.3, 2.0, 0.0, 0.0),
        (-0.7, 5.0, 1.1, 0.4),
        (1.2, -3.0, -2.0, 2.5),
    ):
        e, a, axes = leaning(lean, heading, turn)
        s, c = math.sin(lean), math.cos(lean)
        spin = (R / 4 * precession**2 * s * c - G * s) / (1.5 * R * precession * c)
        w = precession * c * e + spin * a
        u = np.cross(w, R * e)  # the lowest point stands still
        around = precession * Z
        dw, du = np.cross(around, w), np.cross(around, u)
        q = np.concatenate([[0.2, -0.4, R * c], quaternions(axes)])
        v = np.concatenate([axes.T @ w, axes.T @ u])
        found, rows = held(model, q, v)
        assert np.abs(rows.h).max() < 1e-15 and np.abs(rows.J @ v).max() < 1e-14
        # speeds are in the axes of the coin
        expected = np.concatenate([axes.T @ dw, axes.T @ (du - np.cross(w, u))])
        assert found == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("axis", ["y", "-x", (0.36, -0.48, 0.8), None])
def test_what_touches_stands_still(axis):
    """Whatever speeds the rows allow: the point of the wheel that is lowest has no velocity."""
    model = coin(axis)
    rows, pose, velocity = (
        hs.compile(f) for f in (hs.constraints(model), hs.pose(model, "coin"), hs.velocity(model, "coin"))
    )
    direction = {"y": (0, 1, 0), "-x": (-1, 0, 0)}.get(axis, axis)
    draw = np.random.default_rng(4)
    for _ in range(5):
        q = draw.normal(size=7)
        q[3:] /= np.linalg.norm(q[3:])
        p, A = pose(q)
        n = Z
        if axis is not None:
            a = A @ np.array(direction)
            n = (Z - (Z @ a) * a) / np.linalg.norm(Z - (Z @ a) * a)
        lowest = p - R * n
        J = rows(q, np.zeros(6)).J
        assert rows(q, np.zeros(6)).h[0] == pytest.approx(lowest[2], abs=1e-14)
        free = np.linalg.svd(J)[2][3:]
        assert np.linalg.matrix_rank(J, tol=1e-9) == 3
        for v in free:
            w, u = np.split(velocity(q, v), 2)
            assert np.abs(u + np.cross(w, lowest - p)).max() < 1e-14


@pytest.mark.parametrize("axis", ["y", (0.36, -0.48, 0.8), None])
def test_rates_of_the_rows(axis):
    """By differences, on a plane that leans and moves itself."""
    model = hs.Model(
        hs.Body("coin", mass=M, inertia=(1, 1, 1)),
        hs.Body("board", mass=1, inertia=(1, 1, 1)),
        hs.Revolute("tilt", hs.WORLD, "board", axis="x"),
        hs.Free("coin", hs.WORLD, "coin"),
        hs.Rolling(
            "roll",
            ("coin", hs.Frame((0.1, 0, 0.2), (0.1, 0.2, 0.3))),
            ("board", hs.Frame((0, 0, 0.1), (0.2, 0.1, 0))),
            "r",
            axis=axis,
        ),
        parameters={"r": R},
    )
    draw = np.random.default_rng(8)
    q, v, a = draw.uniform(-1, 1, 8), draw.uniform(-1, 1, 7), draw.uniform(-1, 1, 7)
    q[4:] /= np.linalg.norm(q[4:])
    check_rates(model, q, v, a)


def test_a_wheel_goes_straight_on():
    """x = r θ: by the rows, and by the acceleration down a slope, (2/3) g sin(slope) of a disc."""
    slope = 0.3
    model = hs.Model(
        hs.Body("wheel", mass=M, inertia=(1, M * R * R / 2, 1)),
        hs.Chain("c", hs.WORLD.at(0, 0, 0, rpy=(0, slope, 0)), "wheel", "Tx Tz Ry"),
        hs.Rolling("roll", "wheel", hs.WORLD.at(0, 0, 0, rpy=(0, slope, 0)), R),
    )
    assert constraint_names(model) == ("roll.touch", "roll.slip.x")  # it cannot slip sideways
    q, v = np.array([0.4, R, 1.0]), np.array([R * 2.0, 0.0, 2.0])
    a, rows = held(model, q, v)
    assert rows.h == pytest.approx([0.0, 0.0], abs=1e-15)
    assert rows.J @ v == pytest.approx([0.0, 0.0], abs=1e-15)
    down = 2 / 3 * G * math.sin(slope)
    assert a == pytest.approx([down, 0.0, down / R])


def test_energy_stays_while_a_coin_wobbles():
    """Rows do no work: the power of gravity is all that changes the kinetic energy."""
    model = coin()
    _, _, axes = leaning(0.4, 0.2, 0.7)
    q = np.concatenate([[0.0, 0.0, R * math.cos(0.4)], quaternions(axes)])
    rows = hs.compile(hs.constraints(model))(q, np.zeros(6))
    v = np.linalg.svd(rows.J)[2][3:].T @ np.array([1.0, -2.0, 0.5])
    a, _ = held(model, q, v)
    energy = hs.compile(hs.energy(model))
    travel, h = Travel(model, q, v, a), 1e-3
    after, before = (sum(energy(*travel(t))) for t in (h, -h))
    assert (after - before) / (2 * h) == pytest.approx(0.0, abs=1e-4 * sum(energy(q, v)))


def test_a_ball_keeps_its_spin_and_its_way():
    """A ball on a level plane: no acceleration, whatever it does."""
    model = coin(None)
    draw = np.random.default_rng(1)
    rows = hs.compile(hs.constraints(model))
    q = np.concatenate([[0.1, 0.2, R], [1.0, 0.0, 0.0, 0.0]])
    v = np.linalg.svd(rows(q, np.zeros(6)).J)[2][3:].T @ draw.normal(size=3)
    round_ball = model.replace("coin", inertia=(0.1, 0.1, 0.1))
    a, _ = held(round_ball, q, v)
    w, u = v[:3], v[3:]
    assert a == pytest.approx([0, 0, 0, *(-np.cross(w, u))], abs=1e-12)


def test_errors():
    with pytest.raises(hs.ModelError, match='rolling "r": axis must be x, y, z'):
        hs.Rolling("r", "a", hs.WORLD, 1.0, axis="w")
    with pytest.raises(hs.ModelError, match="has no direction"):
        hs.Rolling("r", "a", hs.WORLD, 1.0, axis=(0, 0, 0))
    with pytest.raises(hs.ModelError, match="radius is -1; it must be positive"):
        coin() + hs.Rolling("r", "coin", hs.WORLD, -1.0)
