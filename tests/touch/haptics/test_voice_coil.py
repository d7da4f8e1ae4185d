"""A voice coil against its differential equation, its energy, and the plain actuator; and in the loop."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

import hapsis as hs
from hapsis.errors import DeviceError, ModelError
from hapsis.touch import haptics
from hapsis.touch.haptics.conditioning.stage import rows
from hapsis.touch.realtime.loop import Loop

PERIOD = 1e-3
COIL = haptics.VoiceCoil(constant=8.0, resistance=4.0, inductance=3e-3, current=2.0, voltage=12.0)


def driven(coil, command, velocity, period=PERIOD):
    t = np.arange(len(command)) * period
    return coil.stage(period).apply(t, np.stack([command, velocity], axis=1))


@settings(max_examples=40, deadline=None)
@given(
    st.floats(0.1, 50.0),
    st.floats(0.5, 50.0),
    st.floats(0.0, 1e-2),
    st.floats(0.0, 5e-3),
    st.floats(0.1, 5.0),
    st.integers(0, 999),
)
def test_at_rest_with_voltage_enough_it_is_a_lag_behind_a_delay(
    constant, resistance, time, delay, current, seed
):
    coil = haptics.VoiceCoil(constant, resistance, time * resistance, current, delay=delay)
    command = np.repeat(np.random.default_rng(seed).normal(size=20), 5) * 2.0 * constant * current
    force = driven(coil, command, np.zeros(100))
    assert coil.time == pytest.approx(time)
    plain = coil.actuator().stage(PERIOD)
    expected = plain.apply(np.arange(100) * PERIOD, command)
    assert force == pytest.approx(expected, abs=1e-9 * constant * current)
    stage = coil.stage(PERIOD)
    assert stage.delay == pytest.approx(plain.delay, rel=1e-6)
    assert stage.response()[:, 0, 0] == pytest.approx(
        np.resize(np.pad(plain.response()[:, 0, 0], (0, 10**4)), len(stage.response())), abs=1e-9
    )


@pytest.mark.parametrize("feedforward", [True, False])
@pytest.mark.parametrize("delay", [0.0, 0.4e-3, 2.7e-3])
def test_the_force_is_that_of_the_differential_equation(delay, feedforward):
    """Voltages as the amplifier gives them, the current by an integrator that knows nothing of it."""
    coil = haptics.VoiceCoil(8.0, 4.0, 3e-3, current=50.0, voltage=12.0, delay=delay, feedforward=feedforward)
    random = np.random.default_rng(5)
    command, v = random.normal(size=60) * 20.0, random.normal(size=60) * 0.5
    u = np.clip(4.0 * command / 8.0 + (8.0 * v if feedforward else 0.0), -12.0, 12.0)
    assert (np.abs(u) == 12.0).any() and (np.abs(u) < 12.0).any()

    def rate(t, i, k):
        past = int(np.floor((t - delay) / PERIOD + 1e-9))
        return ((u[past] if past >= 0 else 0.0) - 4.0 * i - 8.0 * v[k]) / 3e-3

    i, forces = 0.0, [0.0]
    for k in range(59):
        switch = k * PERIOD + delay % PERIOD
        for a, b in ((k * PERIOD, switch), (switch, (k + 1) * PERIOD)):
            if b - a > 1e-12:
                middle = 0.5 * (a + b)
                fixed = solve_ivp(
                    lambda t, y, m=middle, k=k: [rate(m, y[0], k)], (a, b), [i], rtol=1e-11, atol=1e-12
                )
                i = fixed.y[0, -1]
        forces.append(8.0 * i)
    assert driven(coil, command, v) == pytest.approx(np.array(forces), abs=1e-7)


def test_electric_power_goes_into_heat_field_and_motion():
    """∫ u i = ∫ R i² + L i²/2 + ∫ F v, with samples so dense that sums are integrals."""
    period = 1e-6
    t = np.arange(40_000) * period
    command, v = 10.0 * np.sin(60 * t), 0.3 * np.cos(90 * t)
    i = driven(COIL, command, v, period) / 8.0
    u = np.clip(4.0 * command / 8.0 + 8.0 * v, -12.0, 12.0)
    put_in = np.sum(u * i) * period
    heat, moved = np.sum(4.0 * i**2) * period, np.sum(8.0 * i * v) * period
    assert put_in == pytest.approx(heat + moved + 0.5 * 3e-3 * i[-1] ** 2, rel=1e-4)


def test_the_limits_of_force():
    assert COIL.force_limit == 16.0 and COIL.time == 0.75e-3
    for v in (0.0, 0.4, 1.0, -1.0, 2.0):
        force = driven(COIL, np.full(200, np.copysign(100.0, v)), np.full(200, v))
        assert force[-1] * np.copysign(1.0, v) == pytest.approx(COIL.largest_force(v), abs=1e-9)
        assert np.abs(force).max() <= 16.0 + 1e-12
    assert COIL.largest_force(0.0) == 16.0 and COIL.largest_force(1.0) == 8.0
    assert COIL.largest_force(2.0) == -8.0 and COIL.largest_force(9.0) == -16.0  # it brakes
    # a motion against the force helps the amplifier
    assert driven(COIL, np.full(200, 100.0), np.full(200, -1.0))[-1] == 16.0


def test_missing_numbers_and_python():
    random = np.random.default_rng(2)
    x = random.normal(size=(200, 2)) * [20.0, 0.5]
    x[50:60], x[80, 1], x[90, 0] = np.nan, np.nan, np.nan
    coil = haptics.VoiceCoil(8.0, 4.0, 3e-3, 2.0, 12.0, delay=1.5e-3)
    t, y, z = np.arange(200) * PERIOD, np.empty(200), np.empty(200)
    stage = coil.stage(PERIOD)
    rows(stage.kernel(), 200, 2, 1, t, x.ravel(), y)
    rows.python(stage.kernel(), 200, 2, 1, t, x.ravel(), z)
    assert y.tobytes() == z.tobytes() and np.isfinite(y).all()
    held = x.copy()
    for k in range(1, 200):
        held[k] = np.where(np.isnan(held[k]), held[k - 1], held[k])
    settled = np.r_[0:50, 100:200]
    assert y[settled[-80:]] == pytest.approx(stage.apply(t, held)[settled[-80:]], abs=0.05)


def crank_step(rate):
    model = hs.Model(
        hs.Body("key", mass=0.05, inertia=(1e-5, 1e-5, 1e-5)),
        hs.Prismatic("dip", hs.WORLD, "key", axis="z", damping=2.0),
        hs.JointSpring("return", "dip", stiffness=300.0),
        hs.Drive("finger", "dip", position="input", tracking=300.0),
        gravity=(0, 0, 0),
    )
    return hs.stepper(model, 1 / rate, inputs=["finger.position"], outputs=["finger.force"])


def test_a_hand_behind_a_coil_feels_its_force():
    """Two axes' worth of checks on one: what the hand got is the stage over the recorded commands."""
    coil = haptics.VoiceCoil(8.0, 4.0, 3e-3, 2.0, 12.0, delay=1.5e-3)
    hand = haptics.SimulatedHand(speed=0.05, travel=9e-3, mass=0.3, stiffness=800.0, damping=20.0)
    device = haptics.Actuated(hand, coil.stage(PERIOD))
    loop = Loop(crank_step(1000.0), 1000.0, paced=False).connect(device)
    loop.run(0.4)
    report = loop.report()
    x = np.stack([report["hand.x.command"], report["hand.x.velocity"]], axis=1)
    felt = coil.stage(PERIOD).apply(report["t"], x)
    again = haptics.SimulatedHand(speed=0.05, travel=9e-3, mass=0.3, stiffness=800.0, damping=20.0)
    seen = []
    for t, force in zip(report["t"], felt, strict=True):
        seen.append(again.sample(t)["position"][0])
        again.command(force, t)
    assert np.array_equal(report["hand.x.position"], seen)
    assert np.abs(felt - report["hand.x.command"]).max() > 0.05
    assert device.capabilities.facts["actuator delay"] == pytest.approx(coil.stage(PERIOD).delay)


@pytest.mark.parametrize(
    "make, told",
    [
        (lambda: haptics.VoiceCoil(0.0, 1.0), "VoiceCoil: constant must be positive"),
        (lambda: haptics.VoiceCoil(1.0, 1.0, -1.0), "VoiceCoil: inductance must be zero or more"),
        (lambda: haptics.VoiceCoil(1.0, 1.0, current=0.0), "VoiceCoil: current must be positive"),
        (
            lambda: haptics.VoiceCoil(1.0, 1.0, feedforward=1),
            "VoiceCoil: feedforward; expected True or False",
        ),
        (lambda: haptics.VoiceCoil(1.0, 1.0, delay=99.0).stage(1e-3), "expected at most 10000"),
        (lambda: haptics.Actuated(haptics.SimulatedHand(aim=0.0), COIL), "actuator.stage(period)"),
        (
            lambda: haptics.Actuated(haptics.SimulatedHand(aim=0.0), haptics.LowPass(1e-3, 10.0)),
            "expected a force of command and position, velocity",
        ),
        (
            lambda: haptics.Actuated(
                haptics.SimulatedHand(aim=0.0, causality="admittance"), COIL.stage(PERIOD)
            ),
            "expected a simulated device that takes forces",
        ),
        (lambda: haptics.VoiceCoil(5.0, 2.0, 1e300).stage(PERIOD), "expected at most 1e+09 periods"),
    ],
)
def test_what_is_refused(make, told):
    with pytest.raises((ModelError, DeviceError)) as error:
        make()
    assert told in str(error.value)
