"""Actuators: exact between ticks, the same in a model, found again in a record."""

import numpy as np
import pytest
from scipy.stats import chi2

import hapsis as hs
from hapsis.errors import ModelError, SolveError
from hapsis.touch import haptics
from hapsis.touch.haptics.conditioning.stage import rows

DT = 1e-3
TRUE = {"gain": 0.9, "time": 4e-3, "delay": 2.3e-3}


def steps(count, seed=0, every=50):
    """Commands that jump now and then."""
    random = np.random.default_rng(seed)
    return np.repeat(random.normal(size=count // every), every)


@pytest.mark.parametrize("delay", [0.0, 0.4e-3, 1e-3, 2.3e-3, 7e-3])
@pytest.mark.parametrize("time", [0.0, 0.3e-3, 4e-3])
def test_a_step_is_that_of_the_continuous_actuator(delay, time):
    stage = haptics.Actuator(gain=0.9, time=time, delay=delay).stage(DT)
    t = np.arange(60) * DT
    y = stage.apply(t, np.where(t > 9.5 * DT, 2.0, 0.0))
    since = t - 10 * DT - delay
    smooth = 1.0 - np.exp(-np.maximum(since, 0) / time) if time else np.ones(60)
    # a force that jumps is shown as it was just before the tick
    assert y == pytest.approx(np.where(since > 1e-12, 1.8 * smooth, 0.0), abs=1e-12)


def test_stated_delay_and_noise():
    stage = haptics.Actuator(**TRUE).stage(DT)
    t = np.arange(1000) * DT
    y = stage.apply(t, t)
    assert t[-1] - y[-1] / 0.9 == pytest.approx(stage.delay, rel=1e-6)
    assert stage.delay == pytest.approx(4e-3 + 2.3e-3 + DT / 2, rel=1e-3)
    noise = np.random.default_rng(0).normal(size=100_000)
    y = stage.apply(np.arange(100_000) * DT, noise)
    assert y.std() == pytest.approx(stage.noise_gain, rel=0.03)


def test_limits_missing_commands_and_skipped_ticks():
    actuator = haptics.Actuator(gain=2.0, limit=1.0)
    y = actuator.stage(DT).apply(np.arange(6) * DT, [5.0, -5.0, 0.25, np.nan, np.inf, 0.0])
    assert y.tolist() == [0.0, 1.0, -1.0, 0.5, 0.5, 0.5]
    # commands are held while ticks are left out
    stage, u = haptics.Actuator(**TRUE).stage(DT), steps(100, every=10)
    t, kept = np.arange(100) * DT, np.r_[0:42, 49:100]
    assert stage.apply(t, u)[kept] == pytest.approx(stage.apply(t[kept], u[kept]), abs=1e-14)


def test_native_and_python_give_the_same_bits():
    stage, u = haptics.Actuator(**TRUE, limit=1.0).stage(DT), steps(100, every=5)
    u[20:30] = np.nan
    t, y, z = np.arange(100) * DT, np.empty(100), np.empty(100)
    rows(stage.kernel(), 100, 1, 1, t, u, y)
    rows.python(stage.kernel(), 100, 1, 1, t, u, z)
    assert y.tobytes() == z.tobytes()


def pushed(actuator, command, until=0.5):
    """The force on a block so heavy that it does not move."""
    model = hs.Model(
        hs.Body("block", mass=1e9, inertia=(1, 1, 1)),
        hs.Prismatic("x", hs.WORLD, "block", axis="x"),
        hs.JointForce("motor", "x", law=actuator.law(command)),
        gravity=(0, 0, 0),
    )
    result = hs.simulate(model, until=until, every=DT, tolerance=1e-9, start={"x.v": 0.1})
    return result.t, result["x"], result["motor.effort"]


@pytest.mark.filterwarnings("ignore::hapsis.errors.Notice")
@pytest.mark.parametrize("kind", [{}, {"time": 4e-3}, {"delay": 4e-3}, TRUE])
def test_the_law_in_a_model_has_the_same_response(kind):
    """At 20 rad/s amplitude and phase are those of the transfer function."""
    actuator = haptics.Actuator(**{"gain": 0.9, **kind})
    t, _, force = pushed(actuator, lambda x, v, t: hs.sin(20 * t))
    s = 20j
    H = actuator.gain * np.exp(-s * actuator.delay) / (1 + s * actuator.time)
    settled = t > 0.2
    wanted = np.abs(H) * np.sin(20 * t + np.angle(H))
    assert force[settled] == pytest.approx(wanted[settled], abs=1e-5)


@pytest.mark.filterwarnings("ignore::hapsis.errors.Notice")
def test_limit_friction_and_cogging_in_a_model():
    actuator = haptics.Actuator(limit=0.5, friction=0.2, creep=1e-3, cogging=0.1, pitch=0.01)
    t, x, force = pushed(actuator, lambda x, v, t: 2.0 * hs.sin(20 * t))
    wanted = np.clip(2 * np.sin(20 * t), -0.5, 0.5) - 0.2 + 0.1 * np.sin(2 * np.pi * x / 0.01)
    assert force == pytest.approx(wanted, abs=1e-6)


def test_compensation_makes_the_lag_shorter():
    """The wanted force passes the compensation and then the actuator: what is left is a lag of
    `within`, the delay, and half a period."""
    actuator = haptics.Actuator(**TRUE)
    lead = actuator.compensation(DT, within=1e-3)
    chain = haptics.Filters(lead, actuator.stage(DT))
    assert chain.delay == pytest.approx(1e-3 + 2.3e-3 + DT / 2, rel=2e-3)
    t = np.arange(2000) * DT
    wanted = np.sin(40 * t)
    plain = np.abs(actuator.stage(DT).apply(t, wanted / 0.9) - wanted)[500:].max()
    better = np.abs(chain.apply(t, wanted) - wanted)[500:].max()
    assert better < 0.62 * plain
    assert chain.apply(t, t)[-1] == pytest.approx(t[-1] - chain.delay, abs=1e-6)
    assert lead.noise_gain > 3.0  # its price


# identification -------------------------------------------------------------------------------


@pytest.mark.slow
def test_known_constants_come_back_within_their_errors():
    """Chi-square over seeds, of all four together and of each alone."""
    stage, t = haptics.Actuator(**TRUE).stage(DT), np.arange(600) * DT
    truth, total, single, seeds = np.array([*TRUE.values(), 0.1]), 0.0, np.zeros(4), 20
    for seed in range(seeds):
        u = steps(600, seed)
        y = stage.apply(t, u - u[0]) + 0.9 * u[0] + 0.1
        y += 0.02 * np.random.default_rng(seed + 99).normal(size=600)
        found = haptics.identify_actuator(t, u, y, longest=0.02)
        error = np.array(list(found.values.values())) - truth
        total += error @ np.linalg.solve(found.covariance, error)
        single += (error / list(found.errors.values())) ** 2
        assert found.noise["force"] == pytest.approx(0.02, rel=0.2) and found.unclear == ()
    low, high = chi2.ppf([1e-4, 1 - 1e-4], 4 * seeds)
    assert low < total < high
    low, high = chi2.ppf([1e-4, 1 - 1e-4], seeds)
    assert (low < single).all() and (single < high).all()


def test_a_single_step_without_noise_is_found_exactly():
    actuator, t = haptics.Actuator(gain=-2.0, time=0.02, delay=0.0107), np.arange(400) * DT
    u = np.where(t > 0.05, 3.0, 0.0)
    found = haptics.identify_actuator(t, u, actuator.stage(DT).apply(t, u))
    assert found["gain"] == pytest.approx(-2.0, rel=1e-6)
    assert found["time"] == pytest.approx(0.02, rel=1e-5)
    assert found["delay"] == pytest.approx(0.0107, rel=1e-5)
    assert found.sensor.time == found["time"]


def test_errors_of_times_do_not_change_with_the_unit_of_force():
    t, u = np.arange(600) * DT, steps(600)
    y = haptics.Actuator(**TRUE).stage(DT).apply(t, u - u[0])
    y += 0.02 * np.random.default_rng(5).normal(size=600)
    one, ten = (haptics.identify_actuator(t, u, k * y, longest=0.02).errors for k in (1.0, 10.0))
    for name, factor in (("time", 1.0), ("delay", 1.0), ("gain", 10.0), ("offset", 10.0)):
        assert ten[name] == pytest.approx(factor * one[name], rel=1e-3)


@pytest.mark.slow
def test_a_frequency_response_tells_the_same():
    random, total = np.random.default_rng(0), 0.0
    f = np.geomspace(1.0, 300.0, 40)
    s = 2j * np.pi * f
    H = 0.9 * np.exp(-s * 2.3e-3) / (1 + s * 4e-3)
    for _ in range(30):
        noise = 0.01 * (random.normal(size=40) + 1j * random.normal(size=40))
        found = haptics.identify_response(f, H + noise)
        error = np.array(list(found.values.values())) - list(TRUE.values())
        total += error @ np.linalg.solve(found.covariance, error)
    low, high = chi2.ppf([1e-4, 1 - 1e-4], 90)
    assert low < total < high
    assert found.sensor.delay == pytest.approx(2.3e-3, rel=0.05)


def test_a_command_that_never_changes_tells_nothing():
    t = np.arange(100) * DT
    found = haptics.identify_actuator(t, np.ones(100), np.random.default_rng(0).normal(size=100))
    assert found.errors["gain"] == found.errors["delay"] == float("inf")
    assert "command must vary more" in found.unclear[0]
    with pytest.raises(SolveError, match="record a richer motion"):
        _ = found.sensor


T = np.arange(50) * DT


@pytest.mark.parametrize(
    "make, told",
    [
        (lambda: haptics.Actuator(gain=0.0), "gain is zero"),
        (lambda: haptics.Actuator(time=-1.0), "Actuator: time must be zero or more"),
        (lambda: haptics.Actuator(delay=np.nan), "Actuator: delay must be finite"),
        (lambda: haptics.Actuator(limit=0.0), "Actuator: limit must be positive"),
        (lambda: haptics.Actuator(cogging=1.0), "cogging needs the pitch"),
        (lambda: haptics.Actuator(creep=0.0), "Actuator: creep must be positive"),
        (lambda: haptics.Actuator(friction=1.0).stage(DT), "need the motion"),
        (lambda: haptics.Actuator(delay=100.0).stage(DT), "at most 10000"),
        (lambda: haptics.Actuator().compensation(DT), "nothing to compensate"),
        (lambda: haptics.identify_actuator(T, T, T[1:]), "vectors of one length"),
        (lambda: haptics.identify_actuator(T**2, T, T), "not at equal distances"),
        (lambda: haptics.identify_actuator(T, T, T * np.nan), "not finite"),
        (lambda: haptics.identify_actuator("abc", T, T), "the times must be numbers"),
        (lambda: haptics.identify_response([1, 2], [1, 2]), "four or more"),
        (lambda: haptics.identify_response([0, 1, 2, 3], [1, 2, 3, 4]), "must be positive"),
    ],
)
def test_what_is_refused(make, told):
    with pytest.raises(ModelError) as error:
        make()
    assert told in str(error.value)
