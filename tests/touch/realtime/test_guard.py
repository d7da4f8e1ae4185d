"""The guard: each rule, each fault and its cause, latching and re-arming."""

import numpy as np
import pytest
from guard_bench import NAN, PERIOD, Press, Twin, finite

from hapsis.errors import DeviceError
from hapsis.touch.realtime import guard_memory as causes
from hapsis.touch.realtime.guard import Guard

RAMP = 20  # ticks of 1 ms
STEP = 2.0  # N in a tick, at 2 kN/s


def settled(force=8.0, **settings):
    """A guard that has let a force through for a while; nothing moves."""
    guard = Guard((10.0,), PERIOD, **settings)
    for _ in range(10):
        safe = guard([force], [0.01])
    assert safe == force and guard.fault == 0
    return guard


def ramped(guard, start=8.0, **tick):
    """The force goes to zero on a straight line, from this tick on."""
    given = {"wanted": [3.0], "position": [0.01], **tick}
    forces = [guard(**given)[0] for _ in range(RAMP + 3)]
    expected = start * np.maximum(0.0, 1.0 - np.arange(1, RAMP + 4) / RAMP)
    np.testing.assert_allclose(forces, expected, atol=1e-14)
    assert forces[RAMP - 1] == 0.0 and "fault" in repr(guard)


# --- transparent while nothing is wrong ---


def test_a_harmless_force_passes_with_all_its_bits():
    guard = Guard({"x": 10.0, "y": 5.0}, PERIOD)
    rng = np.random.default_rng(3)
    force, x = np.zeros(2), np.zeros(2)
    for _ in range(500):
        force = np.clip(force + rng.uniform(-0.5, 0.5, 2), -4, 4)
        x = x - 1e-5 * np.sign(force)  # pushed back: the model takes energy
        assert guard(force, x).tobytes() == force.tobytes()
    counted = {k: n for k, n in guard.report().items() if n}
    assert counted == {"ticks": 500} and guard.cause == "" and repr(guard) == "Guard(x, y; armed)"


# --- faults 1 to 8, 10 and 12 ---


@pytest.mark.parametrize(
    "value, cause, number",
    [(NAN, "not a number", 1), (np.inf, "infinite", 2), (-np.inf, "infinite", 2), (2e10, "1e10", 2)],
)
def test_faults_1_and_2_a_force_that_is_no_number(value, cause, number):
    guard = settled()
    ramped(guard, wanted=[value])
    assert guard.fault == number and cause in guard.cause
    seen = guard.report()
    assert seen["force not a number"] + seen["force infinite or huge"] == RAMP + 3
    assert finite(guard)


def test_fault_1_stays_when_the_model_is_well_again():
    guard = settled()
    guard([NAN], [0.01])
    for _ in range(100):
        guard([3.0], [0.01])
    assert guard.fault == 1 and guard.force == {"axis 1": 0.0}


def test_fault_1_on_one_axis_takes_all_forces():
    guard = Guard(10.0, PERIOD, axes=("x", "y"))
    for _ in range(10):
        guard([3.0, 4.0], [0.0, 0.0])
    assert guard([3.0, NAN], [0.0, 0.0]) == pytest.approx([3.0 * 19 / 20, 4.0 * 19 / 20])


def test_fault_3_stale_counter_is_held_then_safe():
    guard = settled()
    assert guard([3.0], [0.01], fresh=False) == 8.0 and guard.fault == 0
    assert guard([3.0], [0.01], fresh=False) == 8.0 and guard.fault == 0
    ramped(guard, fresh=False)
    assert guard.fault == causes.STALE_SAMPLE and "counter" in guard.cause
    assert guard.report()["force held"] == 2


def test_fault_3_position_that_is_no_number():
    for bad in (NAN, np.inf, 1e300):
        guard = settled()
        assert guard([3.0], [bad]) == 8.0 and guard([3.0], [bad]) == 8.0
        assert guard.fault == 0
        ramped(guard, position=[bad])
        assert guard.fault == causes.BAD_POSITION and guard.report()["bad positions"] == 25
        assert finite(guard)


def test_two_lost_samples_are_forgiven():
    guard = settled()
    for _ in range(50):
        guard([3.0], [NAN])
        guard([3.0], [0.01], status=7)
        guard([3.0], [0.01])
    assert guard.fault == 0 and guard.report()["force held"] == 100


def test_troubles_of_different_kinds_add_up():
    guard = settled()
    guard([3.0], [NAN], fresh=False)
    guard([3.0], [0.01], fresh=False, status=7)
    guard([3.0], [0.01], fresh=False)
    assert guard.fault == causes.STALE_SAMPLE


def test_a_slower_device_is_not_stale():
    guard = Guard((10.0,), PERIOD, sample_every=4)
    for k in range(100):
        guard([3.0], [0.0], fresh=k % 4 == 0)
    assert guard.fault == 0 and guard.report()["force held"] == 0
    for _ in range(9):
        guard([3.0], [0.0], fresh=False)
    assert guard.fault == causes.STALE_SAMPLE


def test_fault_4_device_unplugged():
    guard = settled()
    for _ in range(2):
        assert guard([3.0], [0.01], status=5) == 8.0
    ramped(guard, status=5)
    assert guard.fault == causes.DEVICE and "unplugged" in guard.cause
    # it comes back only with re-arming
    for _ in range(30):
        assert guard([0.0], [0.01]) == 0.0
    guard.rearm()
    guard([0.1], [0.01])
    assert guard.fault == 0 and guard.report()["re-armed"] == 1


def test_fault_5_a_jump_is_flagged_and_the_step_of_force_limited():
    guard = Guard((10.0,), PERIOD)
    guard([0.0], [0.0])
    forces = [guard([-10.0], [0.06])[0] for _ in range(8)]
    assert forces == [-2.0, -4.0, -6.0, -8.0, -10.0, -10.0, -10.0, -10.0]
    assert guard.report()["position jumps"] == 1 and guard.fault == 0
    assert guard.energy == {"axis 1": 0.0}  # not counted: nobody's hand moves like that
    turned = Guard((10.0,), PERIOD, units=["rad"])
    turned([0.0], [0.0]), turned([0.0], [0.06])
    assert turned.report()["position jumps"] == 0


def test_fault_6_ten_times_the_largest_force_keeps_its_direction():
    guard = Guard(10.0, PERIOD, axes=("x", "y"))
    for _ in range(20):
        safe = guard([60.0, 80.0], [0.0, 0.0])
    assert safe == pytest.approx([6.0, 8.0]) and guard.report()["force saturated"] == 20
    each = Guard((10.0, 2.0), PERIOD)
    for _ in range(20):
        safe = each([60.0, 80.0], [0.0, 0.0])
    assert safe == pytest.approx([1.5, 2.0])


def test_fault_7_a_step_of_force_is_limited():
    guard = Guard((10.0,), PERIOD)
    assert [guard([10.0], [0.0])[0] for _ in range(6)] == [2.0, 4.0, 6.0, 8.0, 10.0, 10.0]
    assert guard.report()["force step limited"] == 4  # the fifth arrives
    both = Guard(10.0, PERIOD, axes=("x", "y"))
    assert both([6.0, 8.0], [0.0, 0.0]) == pytest.approx([1.2, 1.6])


@pytest.mark.parametrize("stiffness", [1500.0, 3000.0, 10000.0])
def test_fault_8_an_overstiff_wall_gives_no_energy(stiffness):
    """Device b = 0.5 N·s/m: walls above 1000 N/m are not passive."""
    net, most = {}, {}
    for passive in (True, False):
        guard, device = Guard((20.0,), PERIOD, passive=passive), Press()
        for _ in range(3000):
            device.move(guard([-stiffness * max(0.0, device.x)], [device.x])[0])
        guard([0.0], [device.x])
        assert -guard.energy["axis 1"] == pytest.approx(device.given, abs=1e-12)
        assert guard.given["axis 1"] == pytest.approx(device.most, abs=1e-12)
        net[passive], most[passive] = device.given, device.most
        assert (guard.report()["damping injected"] > 100) == passive
    assert net[True] <= 1e-3 < 0.02 < net[False]
    # at no time more, unless the wall falls off faster than the force may: K v against the slew
    assert most[True] <= 1e-3 or stiffness > 5000.0


def test_the_leak_of_a_sampled_spring_is_measured_and_removed():
    """1000 N/m pressed 20 mm deep at 0.1 m/s and let back: K v T d = 2.0 mJ."""
    path = np.concatenate([np.arange(201), np.arange(199, -1, -1)]) * 1e-4
    for passive in (False, True):
        guard = Guard((100.0,), PERIOD, passive=passive)
        for x in path:
            guard([-1000.0 * x], [x])
        if passive:
            assert guard.given["axis 1"] < 1e-12 and guard.report()["damping injected"] > 0
        else:
            assert guard.energy["axis 1"] == pytest.approx(-2.0e-3, rel=1e-12)


def test_a_reserve_may_be_given_and_no_more():
    for reserve in (0.0, 1e-3):
        guard, x = Guard((10.0,), PERIOD, reserve=reserve), 0.0
        for _ in range(1000):
            guard([1.0], [x])
            x += 1e-5  # the hand gives way at 0.01 m/s
        assert guard.given["axis 1"] == pytest.approx(reserve, abs=5e-5)


def test_the_store_bounds_what_may_be_given_back():
    guard = Guard((10.0,), PERIOD, store=1e-4)
    for k in range(100):
        guard([-1.0], [1e-4 * k])
    assert guard.energy["axis 1"] == 1e-4


def test_damping_uses_the_velocity_that_the_device_measures():
    guard = Guard((10.0,), PERIOD, damping=3.0, slew=1e6)
    guard([0.0], [0.0])
    # moving at 1 m/s by its own account: a push along it is taken away
    assert guard([1.0], [0.0], velocity=[1.0]) == pytest.approx(0.0, abs=1e-15)
    assert guard([-1.0], [0.0], velocity=[-1.0]) == pytest.approx(0.0, abs=1e-15)
    # with 1 mJ to get back: α = 1; with more than that: α = 3, the limit
    for energy, force in ((-1e-3, -1.0), (-1.0, -3.0)):
        guard.memory.energy[0] = energy
        assert guard([0.0], [0.0], velocity=[1.0]) == pytest.approx(force)


def test_fault_10_the_supervisor_s_request():
    guard = settled()
    guard.stop(causes.STALLED)
    ramped(guard)
    assert guard.fault == 10 and "stood still" in guard.cause


def test_a_ramp_starts_from_what_the_device_has():
    """Whoever wrote last: the supervisor left 3 of 8 N, or nothing; the guard goes on from there."""
    for left in (3.0, 0.0):
        guard = settled()
        guard.memory.force[:] = left
        guard.stop(causes.STALLED)
        ramped(guard, start=left)
        guard.memory.force[:] = 1.0  # in the middle of a fault too
        assert guard([3.0], [0.01]) == 0.0


def test_a_fault_has_gone_when_the_force_has():
    """Missed periods end the ramp sooner than the slew limit allows."""
    guard = settled()
    guard.stop()
    forces = []
    for k in range(4):
        guard.rearm()
        forces.append(guard([0.0], [0.01], missed=100 * (k == 0))[0])
        assert guard.fault == causes.ASKED and guard.gone == (forces[-1] == 0.0)
    assert forces == pytest.approx([6.0, 4.0, 2.0, 0.0])
    assert guard.report()["re-arming refused"] == 3  # the first one had nothing to end
    guard.rearm()
    guard([0.0], [0.01])
    assert guard.fault == 0


def test_a_restart_ends_a_stop_that_was_asked_for_and_no_other_fault():
    guard = settled()
    guard.stop()
    for _ in range(RAMP):
        guard([8.0], [0.01])
    guard.restart()
    forces = [guard([8.0], [0.01])[0] for _ in range(RAMP)]
    assert guard.fault == 0 and forces == pytest.approx(8.0 * np.arange(1, RAMP + 1) / RAMP)
    assert guard.report()["re-armed"] == 1
    guard([NAN], [0.5])
    guard.restart()
    for _ in range(RAMP):
        guard([8.0], [0.5])
    assert guard.fault == causes.NAN_FORCE and guard.gone


def test_a_stop_behind_the_last_tick_of_a_run():
    guard = settled()
    guard.stop()
    guard.end_run()
    assert guard.memory.stop_request == guard.fault == 0  # obeyed
    guard.stop(causes.STALLED)
    guard.end_run()
    assert guard.memory.stop_request == 0 and guard.fault == causes.STALLED
    guard.memory.force[:] = 0.0  # as the loop leaves it
    guard.rearm()
    guard([0.0], [0.01])
    assert guard.fault == 0


def test_fault_12_the_bucket_runs_over():
    guard = settled()
    for k in range(19):
        guard([8.0], [0.01], missed=1)
        guard([8.0], [0.01])
        assert guard.fault == 0, k
    for _ in range(2):
        guard([8.0], [0.01], missed=1)
    guard([8.0], [0.01], missed=1)
    assert guard.fault == causes.TOO_SLOW and "too slow" in guard.cause
    assert guard.report()["late ticks"] == 22


def test_one_overrun_in_ten_is_endured():
    guard = settled()
    for k in range(5000):
        guard([8.0], [0.01], missed=k % 11 == 0)
    assert guard.fault == 0 and guard.report()["longest row of misses"] == 1


def test_three_misses_in_a_row_fade_the_force_and_it_comes_back():
    guard = settled()
    assert guard([8.0], [0.01], missed=1) == 8.0 and guard([8.0], [0.01], missed=1) == 8.0
    forces = [guard([8.0], [0.01], missed=1)[0] for _ in range(RAMP // 2)]
    # each tick stands for two periods: zero within 20 ms of the clock
    assert forces == pytest.approx(8.0 * (1 - np.arange(1, RAMP // 2 + 1) / (RAMP // 2)))
    back = [guard([8.0], [0.01])[0] for _ in range(RAMP)]
    assert back == pytest.approx(8.0 * np.arange(1, RAMP + 1) / RAMP) and guard.fault == 0
    long = settled()
    long([8.0], [0.01], missed=100)  # a stall: the step stays limited
    assert long.force["axis 1"] == 8.0 - STEP and long.fault == 0


def test_a_stop_that_was_asked_for():
    guard = settled()
    guard.stop()
    ramped(guard)
    assert guard.fault == causes.ASKED
    with pytest.raises(DeviceError, match="there is no cause 99; expected one of 1, 2"):
        guard.stop(99)
    guard.memory.fault = 77
    assert guard.cause == "fault 77"


# --- latching and re-arming ---


def test_rearming_needs_a_request_a_small_force_and_a_good_sample():
    guard = settled()
    guard([NAN], [0.01])
    guard.rearm()
    assert guard([0.0], [0.01])[0] > 0 and guard.fault == 1  # still on its way to zero
    for _ in range(RAMP):
        guard([0.1], [0.01])
    assert guard.fault == 1  # small, but nobody asked again
    refused = [dict(wanted=[0.3]), dict(wanted=[NAN]), dict(fresh=False), dict(status=1)]
    for tick in refused:
        guard.rearm()
        guard(**{"wanted": [0.1], "position": [0.01], **tick})
        assert guard.fault == 1, tick
    assert guard.report()["re-arming refused"] == 5
    guard.rearm()
    guard([0.2], [0.01])
    assert guard.fault == 0 and guard.cause == "" and guard.report()["faults"] == 1
    assert [guard([8.0], [0.01])[0] for _ in range(RAMP)][-1] == 8.0  # fades in
    guard.rearm()  # nothing to end
    assert guard([8.0], [0.01]) == 8.0 and guard.report()["re-armed"] == 1


def test_the_first_cause_is_kept():
    guard = settled()
    guard([NAN], [0.01])
    guard.stop()
    guard([np.inf], [NAN])
    assert guard.fault == 1 and guard.report()["faults"] == 1


def test_memory_that_is_no_number_is_a_fault_and_cleared_by_rearming_only():
    for name in ("force", "position", "velocity", "energy", "lowest_energy"):
        twin = Twin()
        for _ in range(5):
            twin.tick(1.0)
        twin.poison(name)
        for _ in range(40):
            assert np.isfinite(twin.tick(1.0)).all()
        guard = twin.guards[0]
        assert guard.fault == causes.MEMORY and "memory" in guard.cause
        assert np.isfinite(getattr(guard.memory, name)[0]) == (name in ("force", "position", "velocity"))
        twin.say("rearm")
        twin.tick(0.1)
        assert guard.fault == 0 and finite(guard)


# --- settings ---


@pytest.mark.parametrize(
    "given, message",
    [
        (dict(max_force=0.0), "max_force of axis 1: it is 0.0; expected a positive number up to"),
        (dict(max_force=(1.0, NAN)), "max_force of axis 2: it is nan"),
        (dict(max_force=True), "expected a positive number"),
        (dict(max_force={"x": 1.0}, slew={"z": 9}), 'slew: there is no axis "z"'),
        (dict(max_force=(1.0, 2.0), jump=(1.0,)), "jump: 1 numbers for 2 axes"),
        (dict(max_force=(1.0,), axes=("x", "x")), "expected names, each once"),
        (dict(max_force=(1.0, 1.0), axes=("x",)), "max_force: 2 numbers for 1 axes"),
        (dict(max_force=1.0, axes="xy"), "expected names"),
        (dict(period=-1), "period: it is -1; expected a positive number"),
        (dict(period=0.1), "a ramp of 0.02 s is shorter than a period of 0.1 s"),
        (dict(slew=100.0), "a slew of 100 N/s cannot take the largest force away in 0.02 s"),
        (dict(units=["inch"]), 'expected "m" or "rad" for each'),
        (dict(patience=0), "patience: it is 0; expected a whole number from 1 on"),
        (dict(misses=2.5), "misses: it is 2.5"),
        (dict(bucket="full"), "bucket: it is 'full'"),
        (dict(store=-1.0), "store: it is -1.0"),
        (dict(reserve=[1]), "reserve: it is "),
        (dict(small_force=None, damping={"axis 1": None}), "damping of axis 1: it is None"),
    ],
)
def test_wrong_settings_are_told_in_one_line(given, message):
    with pytest.raises(DeviceError) as caught:
        Guard(**{"max_force": (10.0,), "period": PERIOD, **given})
    assert message in str(caught.value)


def test_the_default_slew_is_enough_for_the_ramp():
    guard = Guard((10.0, 100.0), PERIOD)
    assert guard.memory.max_step == pytest.approx([2.0, 5.0])
