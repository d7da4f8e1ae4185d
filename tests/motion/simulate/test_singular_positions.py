"""Runs that start in a singular position, or step over some: against the motion of one pendulum.

A row of parallel rods moves as one rod of its inertia, θ'' = k sin θ, as long as it stays on its
branch; where all rods lie in line it may fold.
"""

import numpy as np
import pytest
from samples import sample
from scipy.integrate import solve_ivp

import hapsis as hs


def parallel_rods(count, L=1.0):
    """Rods of length L that stand on the ground, joined at the top."""
    quarter = np.pi / 2
    facts = []
    for k in range(count + 1):
        base = hs.WORLD.at(k * L, 0, 0, rpy=(0, 0, quarter))
        facts += [hs.Rod(f"up{k}", L, 1.0), hs.Revolute(f"u{k}", base, f"up{k}", axis="z")]
    for k in range(count):
        top = (f"up{k}", hs.Frame((L, 0, 0), rpy=(0, 0, -quarter)))
        facts += [hs.Rod(f"bar{k}", L, 1.0), hs.Revolute(f"b{k}", top, f"bar{k}", axis="z")]
    facts += [hs.Revolute(f"c{k}", f"bar{k}.end", f"up{k + 1}.end", axis="z") for k in range(count)]
    return hs.Model(*facts, gravity=(0, -9.81, 0))


def exact(count, until, angle, speed, L=1.0):
    """Angle and speed of the pendulum of the same inertia."""
    k = 9.81 / L * ((count + 1) / 2 + count) / ((count + 1) / 3 + count)

    def rate(_, y):
        return [y[1], k * np.sin(y[0])]

    return solve_ivp(rate, (0.0, until), [angle, speed], method="DOP853", rtol=1e-13, atol=1e-14).y[:, -1]


@pytest.mark.parametrize("seed", range(sample(4, 60)))
def test_a_start_in_a_singular_position(seed):
    draw = np.random.default_rng(seed)
    count, L = int(draw.integers(1, 4)), float(10.0 ** draw.uniform(-3, 3))
    angle = float(draw.choice([-1, 1])) * np.pi / 2
    # it comes to such a position again, and must not turn back right beyond it
    speed = float(draw.choice([-1, 1]) * draw.uniform(2.6, 6.0)) / np.sqrt(L)
    model, until = parallel_rods(count, L), 3.0 * np.sqrt(L)
    start = {}
    for k in range(count + 1):
        start |= {f"u{k}": angle, f"u{k}.v": speed}
    for k in range(count):
        start |= {f"b{k}": -angle, f"b{k}.v": -speed}
    assert hs.assemble(model, start).report.singular
    result = hs.simulate(model, until=until, start=start, every=until / 30)
    assert result.success, result.message
    wanted = exact(count, until, angle, speed, L)
    assert abs(result["u0"][-1] - wanted[0]) <= 1e-6
    assert abs(result["u0.v"][-1] - wanted[1]) <= 1e-6 * max(1.0, abs(speed))
    for k in range(count):  # all rows, the first one too
        assert np.abs(result[f"u{k + 1}"] - result["u0"]).max() <= 1e-8


def test_other_verbs_refuse_such_a_start():
    model = parallel_rods(1)
    start = {"u0": np.pi / 2, "u1": np.pi / 2, "b0": -np.pi / 2, "u0.v": 1.0, "u1.v": 1.0, "b0.v": -1.0}
    with pytest.raises(hs.SolveError, match="singular position"):
        hs.stepper(model, 1e-3, start=start)


def test_at_rest_it_is_told_that_nothing_says_which_way_it_goes():
    model = parallel_rods(1)
    start = {"u0": np.pi / 2, "u1": np.pi / 2, "b0": -np.pi / 2}
    with pytest.warns(hs.Notice, match="at rest in a singular position"):
        hs.simulate(model, until=0.01, start=start)


@pytest.mark.parametrize(("count", "drift"), [(2, 1e-10), (8, 5e-9)])
def test_stepping_over_keeps_the_energy(count, drift):
    """Twenty singular positions: what is lost in them does not grow with a smaller tolerance."""
    model = parallel_rods(count)
    for tolerance in (1e-11, 1e-12):
        result = hs.simulate(model, until=20.0, start={"u0.v": -1.0}, tolerance=tolerance, every=1.0)
        assert result.success and result.energy_drift <= drift
        wanted = exact(count, 20.0, 0.0, -1.0)
        assert abs(np.sin(result["u0"][-1]) - np.sin(wanted[0])) <= 1e-6
        assert abs(result["u0.v"][-1] - wanted[1]) <= 1e-6
