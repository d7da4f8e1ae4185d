"""The moving parts of a device: what a hand feels of them, and a step that makes up for them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import hapsis as hs
from hapsis.errors import ModelError
from hapsis.touch import haptics
from hapsis.touch.realtime.loop import Loop

RATE = 4000.0
MASS = 0.3  # kg that move at the device
SPRING = 400.0  # N/m of the model
GUARD = {"passive": False}


def model(stiffness=SPRING, mass=1e-3, velocity=False):
    drive = (
        {"position": "input", "velocity": "input"} if velocity else {"position": "input", "tracking": 2000.0}
    )
    return hs.Model(
        hs.Body("key", mass=mass, inertia=(1e-6, 1e-6, 1e-6)),
        hs.Prismatic("dip", hs.WORLD, "key", axis="z"),
        hs.JointSpring("return", "dip", stiffness=stiffness),
        hs.Drive("finger", "dip", **drive),
        gravity=(0, 0, 0),
    )


def plain_step(velocity=False, **more):
    inputs = ["finger.position", "finger.velocity"][: 1 + velocity]
    return hs.stepper(
        model(velocity=velocity, **more), 1 / RATE, inputs=inputs, outputs=["finger.force", "dip"]
    )


def swinging(step, seconds=0.8, stiffness=1.0, damping=0.0, start=5e-3, **more):
    """A device of MASS that hangs on the model's spring, pulled by `start` and let go."""
    hand = haptics.SimulatedHand(
        motion=([0.0, 1e-3, 2e-3, seconds + 1.0], [start, start, start, start]),
        mass=MASS,
        stiffness=stiffness,
        damping=damping,
        max_force=50.0,
    )
    loop = Loop(step, RATE, paced=False, guard=GUARD | more).connect(hand)
    loop.run(seconds)
    return loop.report()


def frequency(report, middle):
    """Hz, by the zeros of the motion about its middle."""
    t, x = report["t"], report["hand.x.position"]
    x = x[400:] - middle
    up = np.flatnonzero((x[:-1] < 0.0) & (x[1:] >= 0.0))
    assert len(up) >= 3
    moments = t[400:][up] - x[up] / (x[up + 1] - x[up]) / RATE
    return (len(up) - 1) / (moments[-1] - moments[0])


# --- over records ---


@settings(max_examples=50, deadline=None)
@given(
    st.floats(0, 10), st.floats(0.1, 5) | st.floats(-5, -0.1), st.floats(0, 10), st.floats(0, 5),
    st.floats(1e-4, 1.0), st.floats(-10, 10), st.integers(0, 99),
)  # fmt: skip
def test_a_command_is_felt_as_wanted(mass, ratio, damping, friction, creep, weight, seed):
    handle = haptics.Handle(mass, ratio, damping, friction, creep, weight)
    wanted, v, a = np.random.default_rng(seed).normal(size=(3, 50))
    assert handle.felt(handle.command(wanted, v, a), v, a) == pytest.approx(wanted, abs=1e-9)
    still = handle.felt(1.0, 0.0, 0.0)
    assert still == pytest.approx(ratio - weight)


def test_parts_in_a_model_are_felt_as_the_formula_says():
    """A slider of mass and damping between an actuator and a hand that leads it, simulated."""
    device = hs.Model(
        hs.Body("part", mass=MASS, inertia=(1e-5, 1e-5, 1e-5)),
        hs.Prismatic("slide", hs.WORLD, "part", axis="z", damping=3.0),
        hs.JointForce("coil", "slide", lambda position, speed, t: 2.0 * hs.sin(7.0 * t)),
        hs.Drive("hand", "slide", position=lambda t: 4e-3 * hs.sin(11.0 * t)),
        gravity=(0, 0, -9.81),
    )
    result = hs.simulate(device, until=1.0, every=1e-3)
    handle = haptics.Handle(mass=MASS, damping=3.0, weight=MASS * 9.81)
    a = -4e-3 * 11.0**2 * np.sin(11.0 * result.t)
    felt = handle.felt(2.0 * np.sin(7.0 * result.t), result["slide.v"], a)
    assert felt == pytest.approx(-result["hand.effort"], abs=1e-6)


# --- in a loop ---


@pytest.mark.parametrize("velocity", [False, True])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.6])
def test_a_device_feels_lighter_by_the_share(share, velocity):
    """Its frequency on the model's spring is that of the mass that is left, with the lag of the estimate."""
    handle = haptics.Handle(mass=MASS)
    step = haptics.compensated(plain_step(velocity), handle, "finger", frequency=400.0, share=share)
    seen = frequency(swinging(step, damping=2.0), 5e-3 / (SPRING + 1.0))
    w = 800 * np.pi
    filter = np.array([1 / w, 1.0]) if velocity else np.array([1 / w**2, 2**0.5 / w, 1.0])
    body = np.polymul(filter, [MASS, 2.0, SPRING + 1.0])
    roots = np.roots(np.polysub(body, [share * MASS, 0.0, 0.0]))
    slow = min(roots[roots.imag > 0.0], key=abs)
    assert seen == pytest.approx(slow.imag / (2 * np.pi), rel=0.01)
    assert seen == pytest.approx(np.sqrt((SPRING + 1.0) / (MASS * (1 - share))) / (2 * np.pi), rel=0.06)


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
@pytest.mark.parametrize("lag", [4e-3, 12e-3])
def test_the_damping_that_a_late_acceleration_needs(share, lag):
    """A little more and the motion dies away, a little less and it grows."""
    handle = haptics.Handle(mass=MASS)
    least = handle.least_damping(SPRING + 100.0, lag, share)
    roots = np.roots(
        np.polysub(np.polymul([lag, 1.0], [MASS, least, SPRING + 100.0]), [share * MASS, 0.0, 0.0])
    )
    assert np.abs(roots.real).min() < 1e-6 and roots.real.max() < 1e-6  # just between the two
    frequency = 1 / (2 * np.pi * lag)
    step = haptics.compensated(plain_step(True), handle, "finger", frequency=frequency, share=share)
    for part in (0.8, 1.25):
        late = 1.5 / RATE  # of the loop: a force is held for a tick, and acts behind it
        damping = part * handle.least_damping(SPRING + 100.0, lag + late, share)
        x = swinging(step, 2.0, stiffness=100.0, damping=damping, start=1e-3)["hand.x.position"]
        x = np.abs(x - 100.0 / (SPRING + 100.0) * 1e-3)
        grows = x[-1600:].max() / x[1600:3200].max()
        assert grows > 1.0 if part < 1.0 else grows < 1.0
    assert handle.least_damping(500.0, 1e-6, share) == pytest.approx(
        share * 1e-6 * 500.0 / (1 - share), rel=1e-3
    )
    assert handle.least_damping(500.0, 0.0) == haptics.Handle().least_damping(500.0, 1.0) == 0.0


@pytest.mark.parametrize("velocity", [False, True])
def test_nothing_to_make_up_for_is_the_step_as_it_was(velocity):
    plain = plain_step(velocity)
    step = haptics.compensated(plain, haptics.Handle(mass=MASS), "finger", share=0.0)
    one, other = swinging(plain, 0.1), swinging(step, 0.1)
    for name in ("finger.force", "dip", "hand.x.position", "hand.x.command"):
        assert np.array_equal(one[name], other[name]), name
    assert np.array_equal(other["finger.command"], other["finger.force"])
    assert [port.name for port in step.outputs][-1] == "finger.force"


def test_the_command_is_the_force_and_the_parts_by_the_lever():
    """The same filter over the recorded motion, by arrays, gives the same command."""
    handle = haptics.Handle(mass=MASS, ratio=2.5, damping=1.5, friction=0.2, creep=0.01, weight=0.4)
    step = haptics.compensated(plain_step(), handle, "finger", frequency=150.0, share=0.7)
    report = swinging(step, 0.2)
    t, x = report["t"], report["finger.position"]
    low = haptics.LowPass(1 / RATE, 150.0, order=2).apply(t, x)
    # the states of that filter once more, by its differential equation and dense steps
    from scipy.integrate import solve_ivp

    w, d = 2 * np.pi * 150.0, 0.5**0.5
    sol = solve_ivp(
        lambda s, y: [y[1], w * w * (np.interp(s, t, x) - y[0]) - 2 * d * w * y[1]],
        (0.0, t[-1]), [x[0], 0.0], t_eval=t, rtol=1e-9, atol=1e-13, max_step=1 / RATE,
    )  # fmt: skip
    assert low == pytest.approx(sol.y[0], abs=1e-9)
    v, a = sol.y[1], w * w * (x - sol.y[0]) - 2 * d * w * sol.y[1]
    a = a / (1.0 - (w / RATE) ** 2 / 12.0)  # samples joined by lines bend less than their curve
    own = handle.mass * a + 1.5 * v + 0.2 * np.tanh(v / 0.01) + 0.4
    assert report["finger.command"] == pytest.approx((report["finger.force"] + 0.7 * own) / 2.5, abs=2e-5)


@pytest.mark.parametrize("delay", [0.0, 0.5e-3, 2e-3])
@pytest.mark.parametrize("share", [0.5, 0.8, 0.95])
def test_a_free_device_is_stable_behind_any_delay(share, delay):
    """Gain below one: without a stiff spring a device that is pushed comes to no oscillation of its own."""
    step = haptics.compensated(plain_step(stiffness=0.0), haptics.Handle(mass=MASS), "finger", share=share)
    hand = haptics.SimulatedHand(
        speed=0.1, travel=0.01, mass=MASS, stiffness=50.0, damping=4.0, max_force=50.0
    )
    device = haptics.Actuated(hand, haptics.Actuator(delay=delay, time=1e-3).stage(1 / RATE))
    loop = Loop(step, RATE, paced=False, guard=GUARD).connect(device)
    loop.run(2.0)
    report = loop.report()
    late = report["t"] > 1.6
    assert np.abs(report["hand.x.velocity"][late]).max() < 0.02
    assert np.abs(report["hand.x.command"]).max() < 50.0


def test_it_begins_at_rest_wherever_the_hand_is():
    step = haptics.compensated(plain_step(), haptics.Handle(mass=MASS), "finger")
    report = swinging(step, 0.05, start=0.02, damping=20.0)
    own = report["finger.command"] - report["finger.force"]
    # never more than the part of the mass in what accelerates it
    assert own[0] == 0.0 and np.abs(own).max() < 4.0 * np.abs(report["finger.force"]).max()
    assert np.abs(own[:20]).max() < 2.0  # a filter that began at zero would give 800 N


def test_a_live_parameter_is_still_one():
    step = haptics.compensated(plain_step(), haptics.Handle(mass=MASS), "finger")
    hand = haptics.SimulatedHand(aim=2e-3, mass=MASS, stiffness=2000.0, damping=60.0)
    loop = Loop(step, RATE, paced=False, live=["return.stiffness"]).connect(hand)
    loop.run(0.3)
    loop.set("return.stiffness", 2 * SPRING)
    loop.run(0.6)
    x, f = loop.report()["hand.x.position"][-1], loop.report()["finger.force"][-1]
    assert f == pytest.approx(-2 * SPRING * x, rel=1e-3)


@pytest.mark.parametrize(
    "make, told",
    [
        (lambda s: haptics.Handle(mass=-1), "Handle: mass must be zero or more"),
        (lambda s: haptics.Handle(ratio=0), "Handle: ratio is zero"),
        (lambda s: haptics.compensated(s, 0.3, "finger"), "takes the Handle of a device"),
        (
            lambda s: haptics.compensated(s, haptics.Handle(), "fingr"),
            'the step has no input "fingr.position"',
        ),
        (lambda s: haptics.compensated(s, haptics.Handle(), "finger", share=1.0), "expected 0.95 at most"),
        (
            lambda s: haptics.compensated(s, haptics.Handle(), "finger", frequency=0),
            "frequency must be positive",
        ),
        (lambda s: haptics.Handle().felt([1, 2], [1, 2, 3], 0.0), "do not fit"),
    ],
)
def test_what_is_refused(make, told):
    step = plain_step()
    with pytest.raises(ModelError) as error:
        make(step)
    assert told in str(error.value)
