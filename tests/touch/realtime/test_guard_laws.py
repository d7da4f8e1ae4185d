"""Whatever comes in: the force is finite, within its limits, and changes slowly enough."""

import numpy as np
import pytest
from guard_bench import PERIOD, Twin, finite
from hypothesis import given, settings
from hypothesis import strategies as st

import hapsis as hs
from hapsis.touch.realtime.guard import Guard

ANY = st.one_of(
    st.floats(-12.0, 12.0),
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from([0.0, float("nan"), float("inf"), float("-inf"), 1e300, -1e300, 9e9, 5e-324]),
)
TICK = st.fixed_dictionaries(
    {
        "wanted": st.tuples(ANY, ANY),
        "position": st.tuples(ANY, ANY),
        "velocity": st.tuples(ANY, ANY),
        "status": st.one_of(st.just(0.0), ANY),
        "counter": st.one_of(st.none(), ANY),
        "missed": st.sampled_from([0, 0, 0, 1, 3, 100, 2**40, -5]),
        "say": st.sampled_from(["", "", "", "", "rearm", "stop"]),
        "times": st.sampled_from([1, 1, 2, 25]),
    }
)
LIMITS = st.sampled_from([10.0, (10.0, 3.0), (40.0, 1e-3)])
ROUNDING = 1 + 1e-12


def within(limits, safe, change):
    """Whether a force and its step are allowed; both axes at 2 kN/s."""
    if isinstance(limits, float):
        return np.hypot(*safe) <= limits * ROUNDING and np.hypot(*change) <= 2.0 * ROUNDING
    return (abs(safe) <= limits).all() and (abs(change) <= 2.0 * ROUNDING).all()


@settings(max_examples=150)
@given(LIMITS, st.lists(TICK, max_size=40), st.sampled_from([False, True, "together"]))
def test_the_force_is_safe_whatever_comes_in(limits, ticks, passive):
    guard = Guard(limits, PERIOD, axes=("x", "y"), passive=passive)
    before, fault, falling = np.zeros(2), 0, 0
    sample, safe = np.zeros(8), np.zeros(2)
    for k, tick in enumerate(one for one in ticks for _ in range(one["times"])):
        sample[:2], sample[2:4], sample[6] = tick["position"], tick["velocity"], tick["status"]
        sample[7] = k if tick["counter"] is None else tick["counter"]
        guard.memory.missed = tick["missed"]
        if tick["say"]:
            getattr(guard, tick["say"])()
        guard.kernel(np.array(tick["wanted"]), sample, safe)
        assert np.isfinite(safe).all() and finite(guard)
        assert within(limits, safe, safe - before)
        # a fault ends by re-arming only, and takes the force within 20 ticks
        if fault and not guard.fault:
            assert tick["say"] == "rearm" and not before.any()
        falling = falling + 1 if guard.fault else 0
        assert falling < 20 or not safe.any()
        before, fault = safe.copy(), guard.fault


@settings(max_examples=25)
@given(LIMITS, st.lists(TICK, max_size=12), st.sampled_from([True, "together"]))
def test_native_and_python_give_the_same_bits(limits, ticks, passive):
    twin = Twin(limits, axes=("x", "y"), passive=passive)
    for tick in ticks:
        tick = dict(tick)
        say, times = tick.pop("say"), tick.pop("times")
        if say:
            twin.say(say)
        for _ in range(min(times, 4)):
            twin.tick(**tick)  # compares


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.floats(200.0, 3000.0), st.floats(0.0, 0.5), st.floats(0.02, 0.2))
def test_the_controller_keeps_any_wall_passive(seed, stiffness, wall_damping, speed):
    """A hand that moves at random at the wall, at most so fast that the slew limit can follow."""
    rng = np.random.default_rng(seed)
    guard, x, v, old = Guard((20.0,), PERIOD), 0.0, speed, 0.0
    for _ in range(300):
        v = np.clip(v + rng.normal() * 0.005 - 40.0 * x * PERIOD, -0.3, 0.3)
        old, x = x, x + v * PERIOD
        wall = -stiffness * x - wall_damping * (x - old) / PERIOD if x > 0 else 0.0
        guard([wall], [x])
    assert guard.given["axis 1"] <= 1e-3


def led(law, rng, passive, count=400, speed=0.2):
    """The guard of two axes after a smooth motion at random at a law of force."""
    guard = Guard(20.0, PERIOD, axes=("x", "y"), passive=passive, slew=1e5)
    x, v = np.zeros(2), speed * rng.normal(size=2)
    old = x.copy()
    for _ in range(count):
        v = np.clip(v + 0.005 * rng.normal(size=2) - 40.0 * x * PERIOD, -0.4, 0.4)
        old, x = x, x + v * PERIOD
        guard(law(x, (x - old) / PERIOD), x)
    return guard


@settings(max_examples=60)
@given(st.integers(0, 2**32), st.floats(100.0, 1500.0))
def test_the_controller_keeps_any_law_of_several_axes_passive(seed, stiffness):
    """Also of a law that drives whoever goes around: its matrix is not symmetric."""
    rng = np.random.default_rng(seed)
    A = stiffness * rng.normal(size=(2, 2))
    guard = led(lambda x, v: -A @ x, rng, "together")
    assert guard.total_given <= 0.01  # what one tick may miss, at 20 N and 0.4 m/s


def test_a_law_that_drives_whoever_goes_around_drives_no_more():
    A = np.array([[0.0, 400.0], [-400.0, 0.0]])
    free, kept = (
        led(lambda x, v: -A @ x, np.random.default_rng(2), passive, 2000) for passive in (False, "together")
    )
    assert free.total_given > 0.1 and kept.total_given < 5e-3


def test_axes_that_share_their_energy_are_not_braked_for_what_they_pass_on():
    """A spring across both axes, with a damper that makes up for its sampling."""
    K = np.array([[1000.0, 900.0], [900.0, 1000.0]])
    B = 1.5 * K * PERIOD / 2
    apart, together = (
        led(lambda x, v: -K @ x - B @ v, np.random.default_rng(1), passive) for passive in (True, "together")
    )
    assert apart.report()["damping injected"] > 0
    assert together.report()["damping injected"] == 0 and together.total_given <= 1e-6
    assert min(together.energy.values()) < -1e-3


def test_a_setting_that_is_none_is_told():
    with pytest.raises(hs.DeviceError, match=r"passive is 'each'; expected True, False or"):
        Guard(1.0, PERIOD, passive="each")
