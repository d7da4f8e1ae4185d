"""What acts from outside and by laws: inputs, controllers, filters, motors, dry friction."""

import math

import numpy as np
import pytest

import hapsis as hs

ZERO = hs.LawState(0.0)


def block(*facts, mass=2.0):
    """A block on a slide without friction."""
    slide = hs.Prismatic("x", hs.WORLD, "block", axis="x")
    return hs.Model(hs.Body("block", mass=mass), slide, *facts)


# inputs ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["x", "x.effort"])
def test_inputs_of_every_kind(name):
    """A number, a function of time and a table, each twice integrated by hand."""
    t = np.linspace(0, 2, 10001)
    table = (np.array([0.5, 1.0, 1.25]), np.array([2.0, -1.0, 0.5]))
    for given, expected in (
        (3.0, 0.5 * 3.0 / 2.0 * t**2),
        (lambda t: hs.sin(3 * t), (t / 3 - np.sin(3 * t) / 9) / 2.0),
        (table, _twice(t, table) / 2.0),
    ):
        result = hs.simulate(block(), until=2.0, inputs={name: given})
        assert np.array_equal(result.t, t)
        assert np.abs(result["x"] - expected).max() < 1e-9
        assert result["work"][-1] == pytest.approx(result["kinetic"][-1], abs=1e-9)
        assert result["x.effort"][0] == (given if given == 3.0 else (0.0, 2.0)[given is table])


def _twice(t, table):
    """A table of straight pieces, constant before and after, integrated twice."""
    fine = np.unique(np.concatenate([t, table[0], np.linspace(0, 2, 40001)]))
    f = np.interp(fine, *table)
    h = np.diff(fine)
    v = np.concatenate([[0], np.cumsum(h * (f[1:] + f[:-1]) / 2)])
    # x grows by v h + f h²/3 + f_next h²/6 over a straight piece
    x = np.concatenate([[0], np.cumsum(v[:-1] * h + h**2 * (f[:-1] / 3 + f[1:] / 6))])
    return np.interp(t, fine, x)


def test_table_that_begins_late_and_ends_early():
    """Before its first time the first value holds, after its last the last one."""
    result = hs.simulate(block(), until=2.0, inputs={"x": ([0.5, 1.0], [1.0, 3.0])}, every=0.25)
    assert result["x.effort"] == pytest.approx([1, 1, 1, 2, 3, 3, 3, 3, 3])


# controllers -------------------------------------------------------------------------------------


def test_sampled_controller_is_the_discrete_one():
    """Between samples the effort is held: the exact discrete-time motion of a double integrator."""
    rate, m, k, c = 20.0, 2.0, 30.0, 9.0
    calls = []

    def law(s):
        calls.append(s.t)
        assert set(s) == {"x", "x.v"} and len(s) == 2
        return {"x": -k * s["x"] - c * s["x.v"]}

    model = block(hs.Controller("hand", law, rate=rate, efforts=("x",)))
    result = hs.simulate(model, until=2.0, start={"x": 0.5}, every=1 / rate)
    h = 1 / rate
    state, expected = np.array([0.5, 0.0]), []
    for _ in range(41):
        expected.append(state)
        u = -k * state[0] - c * state[1]
        state = np.array([state[0] + h * state[1] + h * h / 2 * u / m, state[1] + h * u / m])
    expected = np.array(expected)
    assert np.abs(result["x"] - expected[:, 0]).max() < 1e-10
    assert np.abs(result["x.v"] - expected[:, 1]).max() < 1e-10
    assert calls == pytest.approx(np.arange(40) / rate, abs=1e-12)
    assert "hand.x" in result
    assert result.success and result.energy_drift < 1e-9


def test_controllers_of_several_rates_and_tables_meet():
    """Times that are the same but for rounding: each controller is asked once for each sample."""
    calls = {"fast": [], "slow": []}

    def remember(name):
        def law(s):
            calls[name].append(s.t)
            return {"x": 0.1}

        return law

    model = block(
        hs.Controller("fast", remember("fast"), rate=30.0, efforts=("x",)),
        hs.Controller("slow", remember("slow"), rate=10.0, efforts=("x",)),
    )
    times = np.arange(0, 1.05, 0.1)  # 0.30000000000000004, ...
    result = hs.simulate(model, until=1.0, inputs={"x": (times, np.sin(times))})
    assert result.success
    assert calls["fast"] == pytest.approx(np.arange(30) / 30, abs=1e-9)
    assert calls["slow"] == pytest.approx(np.arange(10) / 10, abs=1e-9)


def test_sampled_and_traced_controllers_agree_at_high_rates():
    def law(s):
        return {"x": -20.0 * s["x"] - 3.0 * s["x.v"] + math.sin(1.0) * s.t}

    traced = hs.simulate(block(hs.Controller("c", law)), until=1.0, start={"x": 0.3})
    model = block(hs.Controller("c", law, rate=2000.0, efforts=("x",)))
    sampled = hs.simulate(model, until=1.0, start={"x": 0.3})
    assert np.abs(sampled["x"] - traced["x"]).max() < 1e-3
    assert sampled["c.x"] == pytest.approx(traced["c.x"], abs=2e-2)


def test_sampled_controller_on_a_stiff_model():
    """Where the method changes on the way, samples are still taken at their times."""
    calls = []

    def law(s):
        calls.append(s.t)
        return {"x": 1.0}

    stiff = hs.JointSpring("k", "y", stiffness=1e7, damping=1e5)
    model = block(
        hs.Body("small", mass=1e-3),
        hs.Prismatic("y", "block", "small", axis="x"),
        stiff,
        hs.Controller("hand", law, rate=10.0, efforts=("x",)),
    )
    result = hs.simulate(model, until=1.0, start={"y": 1e-3})
    assert result.success
    assert "stiff" in result.report["method"]
    assert calls == pytest.approx(np.arange(10) / 10, abs=1e-9)
    assert result["x.v"][-1] == pytest.approx(1.0 / 2.001, rel=1e-4)


def test_going_on_between_two_samples():
    """What a controller gave is held over a pause."""

    def law(s):
        return {"x": 1.0 - s["x.v"]}

    model = block(hs.Controller("hand", law, rate=4.0, efforts=("x",)))
    whole = hs.simulate(model, until=1.0, every=0.05)
    half = hs.simulate(model, until=0.6, every=0.05)
    rest = hs.simulate(model, until=1.0, every=0.05, start=half)
    assert rest.t[0] == 0.6
    assert rest["x"][-1] == pytest.approx(whole["x"][-1], abs=1e-12)
    assert rest["hand.x"][0] == half["hand.x"][-1] != 0.0


# laws with states --------------------------------------------------------------------------------


def test_filter():
    """A force through a first-order filter: the block follows a closed form."""
    time = 0.2

    def filtered(q, v, push=4.0, time=time, y=ZERO):
        return y, {"y": (push - y) / time}

    result = hs.simulate(block(hs.JointForce("f", "x", filtered)), until=1.0)
    t = result.t
    y = 4.0 * (1 - np.exp(-t / time))
    speed = 4.0 / 2.0 * (t - time * (1 - np.exp(-t / time)))
    assert np.abs(result["f.y"] - y).max() < 1e-8
    assert np.array_equal(result["f.effort"], result["f.y"])
    assert np.abs(result["x.v"] - speed).max() < 1e-8
    # states start where they are told
    other = hs.simulate(block(hs.JointForce("f", "x", filtered)), until=1.0, start={"f.y": 4.0})
    assert np.abs(other["x.v"] - 2.0 * t).max() < 1e-9


def test_motor():
    """L di/dt = U - R i - K ω on a wheel: the matrix exponential."""
    from scipy.linalg import expm

    L, R, K, J, U = 0.02, 0.5, 0.3, 0.01, 6.0

    def motor(s, current=ZERO):
        return {"wheel": K * current}, {"current": (U - R * current - K * s["wheel.v"]) / L}

    model = hs.Model(
        hs.Body("disc", mass=1.0, inertia=(J, J, J)),
        hs.Revolute("wheel", hs.WORLD, "disc", axis="z"),
        hs.Controller("motor", motor),
    )
    result = hs.simulate(model, until=0.5, every=0.1)
    A = np.array([[-R / L, -K / L, U / L], [K / J, 0, 0], [0, 0, 0]])
    for k, t in enumerate(result.t):
        current, speed, _ = expm(A * t) @ [0, 0, 1]
        assert result["motor.current"][k] == pytest.approx(current, abs=1e-8)
        assert result["wheel.v"][k] == pytest.approx(speed, abs=1e-7)


# friction that sticks ----------------------------------------------------------------------------


@pytest.mark.parametrize("load", [0.5, 2.9, 3.1, 8.0])
def test_friction_holds_less_than_static(load):
    """Loaded slowly: below 3 N it is held for ever; above it goes, against 2 N."""
    model = block(hs.Friction("f", "x", coulomb=2.0, static=3.0, viscous=0.5))
    slowly = {"x": lambda t: load * hs.minimum(0.1 * t, 1.0)}
    result = hs.simulate(model, until=30.0, inputs=slowly)
    assert result.success
    effort, speed = result["f.effort"][-1], result["x.v"][-1]
    if load < 3.0:
        assert 0 < result["x"][-1] < 1e-3
        assert result["f.bend"][-1] == pytest.approx(load / 2.0 * 1e-4, rel=1e-6)
        assert abs(speed) < 1e-9
        assert effort == pytest.approx(-load, rel=1e-6)
    else:
        assert effort == pytest.approx(-2.0 - 0.5 * speed, rel=1e-9)
        assert speed == pytest.approx((load - 2.0) / 0.5, rel=2e-2)


def test_sudden_loads_break_loose():
    """Bristles swing: a sudden load counts twice."""
    model = block(hs.Friction("f", "x", coulomb=2.0, static=3.0))
    held, gone = (hs.simulate(model, until=1.0, inputs={"x": x})["x"][-1] for x in (1.4, 2.5))
    assert held < 1e-3 < 0.05 < gone


def test_friction_of_a_joint_stops_a_block():
    """Coulomb's deceleration, and rest after it: the way is m v² / 2 F."""
    slide = hs.Prismatic("x", hs.WORLD, "block", axis="x", friction=4.0)
    model = hs.Model(hs.Body("block", mass=2.0), slide)
    result = hs.simulate(model, until=2.0, start={"x.v": 1.0})
    assert result["x"][-1] == pytest.approx(0.25, abs=2e-4)
    assert abs(result["x.v"][-1]) < 1e-6
    assert result["work"][-1] == pytest.approx(-1.0, abs=1e-6)
