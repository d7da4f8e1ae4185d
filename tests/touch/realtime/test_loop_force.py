"""What the loop does to the force at its device: at the end of a run, in the next one, with a second
loop, with another step; and which live parameters it takes. The device keeps every command."""

import itertools
import os
import signal
import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest
from children import PATIENCE, usual_signals
from force_laws.laws import broken
from force_laws.loops import step
from force_laws.recorder import Recorder
from hand import undisturbed
from shared_models import library

import hapsis as hs
from hapsis.touch.realtime.device import behind
from hapsis.touch.realtime.guard_memory import NAN_FORCE, STALLED
from hapsis.touch.realtime.loop import Loop

ENVIRONMENT = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
ENDURING = {"passive": False, "bucket": 1e6, "misses": 100_000}


def loop_on(device, rate=1000.0, guard=ENDURING, **settings):
    return Loop(step(rate, 1), rate, guard=guard, soft=True, **settings).connect(device)


# --- the end of a run ---


@pytest.mark.parametrize("paced", [True, False])
@pytest.mark.parametrize("ramp", [0.02, 0.7])
def test_no_end_of_a_run_cuts_the_force(paced, ramp):
    """By its number of ticks or by a stop, however long the ramp is."""
    held = []

    def connected():
        device = Recorder((50.0,), kept=20_000 if paced else 4_000_000)  # unpaced, a million in a second
        return loop_on(device, guard={**ENDURING, "ramp": ramp}, paced=paced)

    def use(loop):
        loop.run(0.05)
        loop.start()
        loop.wait(150)
        held.append(abs(loop.device.commands[-1]))
        loop.stop()

    loop = undisturbed(connected, use)
    commands = loop.device.commands
    assert held[-1] > 15.0 and broken(loop.guard, commands) == []
    assert not commands[-1].any() and not any(loop.guard.force.values())


def test_a_stalled_loop_loses_its_force_in_steps_and_does_not_get_it_back():
    for _ in range(50):  # until this machine is not late before
        device = Recorder((50.0,))
        device.memory.read_stalls[200] = 80_000_000
        loop = loop_on(device)
        loop.start()
        loop.wait(260)
        assert loop.guard.fault == STALLED and not device.commands[-1].any()
        loop.stop()
        assert broken(loop.guard, device.commands, device.times) == []
        if np.abs(device.commands).max() > 25.0:
            break
    assert np.abs(device.commands).max() > 25.0


def test_a_stop_is_stopped_once_whoever_asks():
    device = Recorder((50.0,))
    loop = loop_on(device, 500.0).start()
    loop.wait(30)
    threads = [threading.Thread(target=loop.stop) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert device.calls == ["open", "close"] and not loop.running


# --- the next run ---


@pytest.mark.parametrize("hardware", [True, False])
def test_the_second_run_has_force_too(hardware):
    def run_twice(loop):
        for _ in range(2):
            ends.append(len(loop.device.commands))
            loop.start()
            loop.wait(int(loop.memory.ticks) + 150)
            loop.stop()

    ends = []
    loop = undisturbed(lambda: loop_on(Recorder((50.0,), hardware=hardware)), run_twice)
    commands, end = loop.device.commands, ends[-1]
    assert np.abs(commands[:end]).max() > 15.0 and np.abs(commands[end:]).max() > 15.0
    assert broken(loop.guard, commands) == []


def test_a_run_without_force_is_told_at_its_start_and_at_its_end():
    device = Recorder((50.0,))
    loop = loop_on(device, paced=False)
    with pytest.warns(hs.Notice, match="the force was taken away: the model's force is not a number"):
        loop.memory.output_gains[0] = np.nan
        loop.run(0.05)
    loop.memory.output_gains[0] = 1.0
    with pytest.warns(hs.Notice, match="starts without force: the model's force is not a number"):
        loop.run(0.05)
    assert loop.guard.fault == NAN_FORCE and not device.commands.any()
    device.memory.place = 0.0  # the model wants no force there
    loop.memory.state.y[:] = 0.0
    loop.guard.rearm()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hs.Notice)
        loop.run(0.05)
    assert loop.guard.fault == 0


@pytest.mark.parametrize("answered", [True, False])
def test_a_fault_stays_whatever_is_connected(answered):
    """Latched, or requested and answered by no tick: only re-arming ends it, behind any device."""
    first, second = Recorder((50.0,)), Recorder((50.0,))
    loop = loop_on(first, paced=False)
    loop.guard.stop(STALLED)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hs.Notice)
        if answered:
            loop.run(0.05)
        for device in (first, second, first):
            loop.connect(device)
            with pytest.raises(hs.Error):  # and is not lost with a connection that is refused
                loop.connect(device, gains={"nothing": 1.0})
            loop.run(0.05)
            assert loop.guard.fault == STALLED and not device.commands.any()
        loop.connect(second)
        second.memory.place = 0.0  # the model wants no force there
        loop.memory.state.y[:] = 0.0
        loop.guard.rearm()
        loop.run(0.05)
        assert loop.guard.fault == 0
        second.memory.place = 0.3
        loop.connect(second).run(0.05)
    assert np.abs(second.commands).max() > 15.0 and broken(loop.guard, second.commands) == []


def test_a_stop_before_the_start_is_kept():
    device = Recorder((50.0,))
    loop = loop_on(device, paced=False)
    loop.guard.stop()
    loop.run(0.05)
    assert not device.commands.any()


# --- one writer ---


def test_a_device_has_one_loop():
    device = Recorder((50.0,))
    first, second = loop_on(device, 200.0), loop_on(device, 200.0)
    first.start()
    with pytest.raises(hs.DeviceError, match='"recorder" is in use by a loop that runs; stop that first'):
        second.start()
    assert device.calls == ["open"] and not second.running
    first.stop()
    second.start()
    second.stop()
    assert device.calls == ["open", "close"] * 2


def test_a_device_behind_a_filter_or_a_frame_is_the_same_device():
    hand = hs.haptics.SimulatedHand(aim=0.1, unit="rad", axes="x")
    filtered = hs.haptics.Conditioned(hand, hs.haptics.SavitzkyGolay(1e-3, window=9))
    again = hs.haptics.Conditioned(filtered, hs.haptics.SavitzkyGolay(1e-3, window=9))
    assert behind(again) == [again, filtered, hand]
    for one, other in itertools.permutations((hand, filtered, again), 2):
        loop = loop_on(one, paced=False).start()
        with pytest.raises(hs.DeviceError, match='"hand" is in use'):
            loop_on(other, paced=False).start()
        for call in (lambda other=other: other.command(1.0), other.sample):
            with pytest.raises(hs.DeviceError, match='"hand" is in use'):
                call()
        loop.stop()
        other.command(0.0)


def test_a_device_is_not_closed_under_a_loop():
    hand = hs.haptics.SimulatedHand(aim=0.1, unit="rad", axes="x")
    with pytest.raises(hs.DeviceError, match="stop that first"), hand:
        loop = loop_on(hand, paced=False).start()
    loop.stop()
    with pytest.raises(ZeroDivisionError), hand:
        loop = loop_on(hand, paced=False).start()
        _ = 1 / 0
    assert loop.running
    loop.stop()


def test_a_device_that_does_not_open_is_free_again():
    device = Recorder((50.0,))
    loop = loop_on(device, paced=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(device, "open", lambda: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            loop.start()
    loop.run(0.01)


# --- the step and its period ---


@pytest.mark.parametrize("dt, rate", [(1e-3, 500.0), (1e-3, 4000.0), (1e-3, 1001.0), (1 / 4000, 1000.0)])
def test_a_step_of_another_dt_is_refused(dt, rate):
    with pytest.raises(hs.ModelError, match=r"the step advances by .* make the step with dt=1/"):
        Loop(step(1.0 / dt, 1), rate)


@pytest.mark.parametrize("rate", [1.0, 30.0, 1000.0, 3000.0, 44_100.0, 1e5])
def test_a_step_of_one_period_is_taken_at_every_rate(rate):
    model = hs.Model(hs.Body("a", mass=1.0), hs.Prismatic("x", hs.WORLD, "a"))
    for dt in (1 / rate, float(np.float32(1 / rate))):
        assert Loop(hs.stepper(model, dt), rate).step.dt == pytest.approx(dt, rel=1e-12)


def test_the_largest_force_can_only_be_less_than_the_device_s():
    device = Recorder((50.0, 20.0))
    guard = {"max_force": {"x": 50.0, "y": 5.0}}
    loop = Loop(step(1000.0, 2), 1000.0, guard=guard, paced=False).connect(device)
    assert loop.guard.memory.max_force.tolist() == [50.0, 5.0]
    for most in (30.0, (60.0, 5.0), {"x": 1.0, "y": 20.1}):
        with pytest.raises(hs.DeviceError, match="max_force of"):
            Loop(step(1000.0, 2), 1000.0, guard={"max_force": most}).connect(device)
    with pytest.raises(hs.DeviceError, match=r'no setting "slow" .*did you mean "slew"'):
        Loop(step(1000.0, 2), 1000.0, guard={"slow": 1.0}).connect(device)
    with pytest.raises(hs.DeviceError, match='no setting "period"'):
        Loop(step(1000.0, 2), 1000.0, guard={"period": 1.0}).connect(device)


# --- live parameters ---


def models():
    """Models whose facts have numbers with a range."""
    yield library.slider_crank()
    yield hs.Model(
        hs.Body("ball", mass=0.5, inertia=(0.1, 0.1, 0.1), shapes=[hs.Sphere(0.1)]),
        hs.Body("plate", mass=1.0, inertia=(0.1, 0.1, 0.1)),
        hs.Prismatic("up", hs.WORLD, "ball", axis="z", damping=0.3),
        hs.Revolute("turn", hs.WORLD, "plate", axis="y", damping=0.1, armature=0.2),
        hs.Spring("s", "ball", "plate", stiffness=10.0, damping=1.0, length=0.1),
        hs.JointSpring("j", "turn", stiffness=3.0, damping=0.1),
        hs.Stop("limit", "turn", low=-1.0, high=1.0, stiffness=100.0, damping=1.0),
        parameters={"k": 2.0},
    )
    yield hs.Model(
        hs.Body("a", mass="m"),
        hs.Prismatic("x", hs.WORLD, "a"),
        hs.JointSpring("j", "x", stiffness="2*k - 5"),
        parameters={"m": 2.0, "k": 4.0},
    )


def refused_by_the_model(model, name, value):
    """Whether the model with that number, or a step of it, is refused: by another route than the loop's."""
    fact, _, field = name.rpartition(".")
    known = any(one.name == fact and hasattr(one, field) for one in model.facts)
    if name not in model.parameters and not known:
        return None
    try:
        if name in model.parameters:
            other = model.replace(parameters={**model.parameters, name: value})
        else:
            other = model.replace(fact, **{field: value})
        if value == 0.0:  # a body may have no mass, until it must be moved
            hs.stepper(other, 1e-3)
    except hs.ModelError:
        return True
    return False


@pytest.mark.parametrize("model", list(models()), ids=["slider-crank", "all", "formulas"])
def test_live_parameters_are_checked_as_the_model_checks_them(model):
    """A number that the model takes is taken, one that it refuses is refused and changes nothing."""
    coordinate = model.coordinates[0]
    made = hs.stepper(model, 1e-3, inputs=[f"{coordinate}"], outputs=[coordinate])
    hand = hs.haptics.SimulatedHand(aim=0.1, stiffness=5.0, causality="admittance", unit="rad")
    loop = Loop(made, 1000.0, live="all", paced=False).connect(hand)
    compared = refused = 0
    for name, now in made.parameters.items():
        for value in (-abs(now) or -1.0, -1e-9, 0.0, 1.5 * now or 1.0, 1e-3):
            answer = refused_by_the_model(model, name, value)
            before = loop.memory.live_aims.copy()
            try:
                loop.set(name, value)
                taken = True
            except hs.ModelError:
                taken = False
                assert (loop.memory.live_aims == before).all()
            loop.set(name, now)
            if answer is not None:
                assert taken is not answer, (name, value)
                compared, refused = compared + 1, refused + answer
    assert compared > 5 and refused >= 2


@pytest.mark.parametrize("over", [np.nan, np.inf, -1.0, "soon", None, True])
def test_the_time_of_a_change_is_a_number(over):
    loop = loop_on(Recorder((50.0,)), live=["spring1.stiffness"], paced=False)
    with pytest.raises(hs.ModelError, match="over"):
        loop.set("spring1.stiffness", 1.0, over=over)
    for value in (np.nan, np.inf, -1.0, "much"):
        with pytest.raises(hs.ModelError):
            loop.set("spring1.stiffness", value)
    loop.run(0.05)
    assert np.isfinite(loop.memory.live).all()


# --- signals ---


@pytest.mark.slow
@pytest.mark.parametrize("thread", ["main", "worker"])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_takes_the_force_away_first_in_whatever_thread_the_loop_was_started(tmp_path, name, thread):
    file = tmp_path / "commands"
    program = [sys.executable, "-m", "force_laws.stopped", str(file), "1", thread, "500"]
    child = subprocess.Popen(
        program,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
        preexec_fn=usual_signals,
    )
    try:
        assert child.stdout is not None and child.stdout.readline() == "ready\n", child.communicate()[1]
        child.send_signal(getattr(signal, name))
        problems = child.communicate(timeout=PATIENCE)[1]
    finally:
        child.kill()
    assert child.returncode == -getattr(signal, name) and "Traceback" not in problems
    rows = np.fromfile(file).reshape(-1, 2)
    commands = rows[rows[:, 0] > 0.0, 1:]
    assert np.abs(commands).max() > 15.0 and not commands[-1].any()
    assert broken(hs.realtime.Guard((50.0,), 1 / 500), commands) == []


def test_a_start_that_fails_leaves_nothing_to_wait_for(monkeypatch):
    device = Recorder((50.0,))
    loop = loop_on(device)

    def refused(self):
        raise OSError("no more handlers")

    monkeypatch.setattr(type(loop._shutdown), "register", refused)
    with pytest.raises(OSError, match="no more handlers"):
        loop.start()
    monkeypatch.undo()
    loop.stop()  # there is no thread, so it returns
    loop.run(0.02)  # and the device is free
    assert not device.commands[-1].any()


def test_a_loop_of_another_thread_handles_signals():
    """Its handler is compiled code, which calls functions of the system."""
    loop, seen = loop_on(Recorder((50.0,))), []

    def work():
        loop.start()
        seen.append(int(loop.memory.ticks))
        loop.stop()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(PATIENCE)
    assert len(seen) == 1
