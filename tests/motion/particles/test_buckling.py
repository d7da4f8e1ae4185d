"""Rests that are stable: columns below and above their critical load, things that stand on their heads."""

import warnings

import numpy as np
import pytest

import hapsis as hs
from hapsis.motion.particles.runs.curvature import falling_direction

P = hs.particles
SIDE, HIGH, E = 0.05, 0.06, 1e9
CRITICAL = np.pi**2 * E * HIGH * SIDE**3 / 12 / 4  # Euler's, of a column that is clamped below, 1 m long


def column(load):
    """The way of the free end of a column along x, under an axial load in parts of the critical one."""
    bar = P.solid("bar", hs.Box((1.0, SIDE, HIGH)), material=P.Material(E, 0.0, 1000.0), cells=(20, 1, 1))
    foot, end = (np.flatnonzero(s * bar.points[:, 0] > 0.499).tolist() for s in (-1, 1))
    push = {f"bar.{k}": (-load * CRITICAL / len(end), 0, 0) for k in end}
    answer = P.rest(P.Scene(bar.holding(*foot), gravity=(0, 0, 0)), push)
    return (answer.points - bar.points)[end].mean(axis=0)


def test_a_column_stays_straight_below_its_critical_load():
    with warnings.catch_warnings():
        warnings.simplefilter("error", hs.Notice)
        way = column(0.97)
    assert abs(way[1]) < 1e-9 and way[0] == pytest.approx(-0.97 * CRITICAL / (E * SIDE * HIGH), rel=0.02)


# the elastica [Timoshenko]: P / P_critical, the height and the side of the end over the length
@pytest.mark.parametrize(("load", "high", "aside"), [(1.293, 0.560, 0.719), (1.884, 0.123, 0.803)])
def test_a_column_bends_beyond_it_like_the_elastica(load, high, aside):
    with pytest.warns(hs.Notice, match="the scene is not stable: rest goes on"):
        way = column(load)
    assert 1.0 + way[0] == pytest.approx(high, abs=0.05) and abs(way[1]) == pytest.approx(aside, abs=0.03)
    assert abs(way[2]) < 1e-6  # about its weak axis


def test_what_stands_on_its_head_falls():
    spring = P.Connectors.of([(0, 1)], 1.0, 1e4, 1.0)
    chain = P.ParticleObject("c", [(0, 0, 0), (0, 0, 1)], [1.0, 1.0], spring, held=(0,))
    with pytest.warns(hs.Notice, match="not stable"):
        answer = P.rest(P.Scene(chain))
    assert answer.points[1] == pytest.approx((0, 0, -1.0 - 9.81e-4), abs=1e-8)


def test_directions_in_which_the_energy_falls():
    """Of random sparse symmetric matrices: found if and only if an eigenvalue is negative."""
    from scipy.sparse import csr_array

    rng = np.random.default_rng(0)
    for _ in range(60):
        n = int(rng.integers(2, 30))
        A = np.where(rng.random((n, n)) < 0.3, rng.normal(size=(n, n)), 0.0)
        K = A + A.T + rng.uniform(-1, 4) * np.eye(n)
        d = falling_direction(csr_array(K))
        assert (d is not None) == (np.linalg.eigvalsh(K).min() < 0.0)
        assert d is None or d @ K @ d < 0.0
