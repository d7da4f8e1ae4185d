"""Whatever comes in: the force is finite, within its limits, and changes slowly enough."""

import numpy as np
from guard_bench import PERIOD, Twin, finite
from hypothesis import given, settings
from hypothesis import strategies as st

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
@given(LIMITS, st.lists(TICK, max_size=40), st.booleans())
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
@given(LIMITS, st.lists(TICK, max_size=12))
def test_native_and_python_give_the_same_bits(limits, ticks):
    twin = Twin(limits, axes=("x", "y"))
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
