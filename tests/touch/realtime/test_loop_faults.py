"""Faults of the loop itself: late, slow, refused, starved, told to end. Nothing is timed here."""

import contextlib
import ctypes
import resource
import signal
import subprocess
import sys
import threading
import time
import warnings
from pathlib import Path

import numpy as np
import pytest
from children import PATIENCE, until, usual_signals
from hand import KEPT, Hand, crank_loop
from hypothesis import given
from hypothesis import strategies as st

from hapsis.errors import DeviceError, Notice
from hapsis.touch.realtime import loop as loop_module
from hapsis.touch.realtime import native_loop, priority
from hapsis.touch.realtime.baseline_loops import idle_memory, no_guard, no_step
from hapsis.touch.realtime.guard_memory import STALLED, TOO_SLOW
from hapsis.touch.realtime.loop_memory import HEAD
from hapsis.touch.realtime.priority import Granted
from hapsis.touch.realtime.ring import Ring

REFUSED = Granted("no priority: ask somebody", "memory is not locked: ask somebody", "")
HERE = Path(__file__).parents[1]


def ran(loop, seconds):
    """The loop after a run, and what it told."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", Notice)
        loop.run(seconds)
    return [str(w.message) for w in caught]


# 9: delayed -----------------------------------------------------------------------------------


class Clock:
    """Time that passes only where a test says so."""

    def __init__(self, sleeps):
        self.now, self.sleeps = 123_456_789, list(sleeps)

    def read(self):
        return self.now

    def wait(self, moment):
        self.now = max(self.now, moment) + (self.sleeps.pop(0) if self.sleeps else 0)


def scheduled(period, sleeps, works):
    """Runs the loop in Python on a clock of its own: deadline, wake and end of each tick."""
    clock, ticks, missed, left = Clock(sleeps), [], [], list(works)

    def read(t, sample):
        woke = clock.now
        clock.now += left.pop(0)
        ticks.append((loop.start + round(t[0] * 1e9), woke, clock.now))

    def guard(wanted, sample, safe):
        missed.append(int(loop.guard.missed))

    loop = idle_memory(period, len(works), Ring(4, HEAD + 2), read=read, guard_tick=guard)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native_loop, "clock", clock.read)
        patch.setattr(native_loop, "wait_until", clock.wait)
        native_loop.run.python(loop)
    return np.array(ticks), loop, missed


delays = st.one_of(st.integers(0, 50), st.integers(0, 900), st.integers(900, 10_000))


@given(st.integers(100, 1000), st.lists(st.tuples(delays, delays), min_size=1, max_size=30))
def test_phase_is_kept_and_nothing_is_caught_up(period, pairs):
    """Deadlines stay on the grid, each period has one tick at most, and none begins early."""
    sleeps, works = zip(*pairs, strict=True)
    ticks, loop, missed = scheduled(period, sleeps, works)
    deadline, woke, done = ticks.T
    steps = (deadline - loop.start) / period
    assert (steps == np.round(steps)).all() and steps[0] == 0
    assert (np.diff(steps) >= 1).all() and (woke >= deadline).all()
    # the next deadline is the first that is not over when the command is written
    assert (deadline[1:] >= done[:-1]).all()
    late = done > deadline + period
    assert (np.diff(steps)[~late[:-1]] == 1).all()
    assert (deadline[1:] - period < done[:-1])[late[:-1]].all()
    assert loop.misses == late.sum() and loop.ticks == len(works)
    assert missed == [0, *(np.diff(steps).astype(int) - 1)]
    after = max(0, -((deadline[-1] + period - done[-1]) // period))  # behind the last tick
    assert loop.skips == sum(missed) + after
    rows = "".join("x" if x else " " for x in late).split()
    assert loop.longest == max(map(len, rows), default=0)
    assert loop.spent == done[-1] - loop.start + period


def test_a_delay_of_5_ms_skips_periods():
    """No period has two ticks, and the time that the model sees stays on the grid."""
    hand = Hand(delay=(20, 21, 5_000_000))
    loop = crank_loop().connect(hand)
    ran(loop, 0.1)
    period = 1_000_000
    places = (hand.moments - loop.memory.start) // period
    assert len(places) == 100 and (np.diff(places) >= 1).all() and places[0] >= 0
    assert places[21] - places[20] >= 5
    report = loop.report()
    assert report.misses >= 1 and report.skips >= 5
    steps = report["t"] * 1000.0
    assert np.allclose(steps, np.round(steps), atol=1e-6)
    assert np.round(steps[21] - steps[20]) >= 6


def test_a_fade_after_a_long_delay_comes_back():
    """A row of missed periods takes force away, without a fault; it comes back in steps."""
    hand = Hand(delay=(30, 31, 8_000_000))
    loop = crank_loop().connect(hand)
    ran(loop, 0.2)
    if loop.report().misses == 1:  # an undisturbed run
        force = np.abs(hand.commands)
        assert force[30] > 1.5 and force[31] < 0.7 * force[30]
        assert loop.guard.fault == 0 and force[-2] > 1.5


# 12, 32: too slow -----------------------------------------------------------------------------


def test_a_model_that_is_too_slow_loses_its_force():
    """Steps of one and a half periods: the bucket fills, the cause is named, the pace is told."""
    for _ in range(20):
        hand = Hand(delay=(30, 10**6, 1_500_000))
        loop = crank_loop().connect(hand)
        told = ran(loop, 0.15)
        report = loop.report()
        if loop.guard.fault != STALLED:
            break  # else this machine was late itself: again
    assert loop.guard.fault == TOO_SLOW and "too slow" in report.cause
    assert (hand.commands[-20:] == 0.0).all()
    assert np.abs(np.diff(hand.commands[:-1])).max() <= 2.0 + 1e-12  # 2000 N/s in 1 ms
    assert report.longest >= 20 and report.misses >= 100
    assert report.factor < 0.8 and report.factor == report.held / 1000.0
    assert "slow motion" in str(report) and "of 1e+03 microseconds" in report.slow
    assert any("slow motion" in line and "of real time" in line for line in told)


def test_the_pace_of_a_good_loop_is_one():
    loop = crank_loop(rate=200.0).connect(Hand())
    ran(loop, 0.25)
    report = loop.report()
    assert report.ticks == 50 and report.factor <= 1.0
    if report.skips == 0:
        assert report.slow == "" and report.factor > 0.9


def test_time_is_counted_over_several_runs():
    """The second run does not hide the first, nor count what lay between."""
    loop = crank_loop(rate=500.0).connect(Hand())
    ran(loop, 0.05)
    time.sleep(0.2)
    ran(loop, 0.05)
    report = loop.report()
    periods = report.ticks + report.skips
    assert report.ticks == 50 and report.held <= 500.0
    if report.skips == 0:
        assert report.held > 0.9 * 500.0 * report.ticks / periods


# 13: refused ----------------------------------------------------------------------------------


@pytest.fixture
def refused(monkeypatch):
    monkeypatch.setattr(loop_module, "ask", lambda core=None: REFUSED)


def test_hardware_is_not_armed_without_priority(refused):
    hand = Hand(hardware=True)
    loop = crank_loop().connect(hand)
    with pytest.raises(DeviceError) as problem:
        loop.start()
    line = str(problem.value)
    assert "\n" not in line and "not armed" in line and "soft=True" in line
    assert REFUSED.priority in line and REFUSED.memory in line
    assert hand.calls == ["open", "close"] and loop.memory.ticks == 0
    assert len(hand.moments) == 0 and hand.last == 0.0
    with pytest.raises(DeviceError):  # nor the second time
        loop.run(0.1)


@pytest.mark.parametrize("settings", [{"hardware": False}, {"hardware": True, "soft": True}])
def test_soft_real_time_says_so(refused, settings):
    loop = crank_loop(soft=settings.pop("soft", False)).connect(Hand(**settings))
    told = ran(loop, 0.02)
    assert f"soft real time: {REFUSED.priority}" in told
    report = loop.report()
    assert report.ticks >= 20 and report.missing == REFUSED.missing
    assert f"soft real time: {REFUSED.memory}" in str(report)


def test_what_the_system_refuses_is_one_line_with_a_remedy(monkeypatch):
    def no(*arguments):
        raise PermissionError(1, "Operation not permitted")

    class Library:
        def mlockall(self, flags):
            return -1

        munlockall = prctl = lambda self, *arguments: 0

    monkeypatch.setattr(priority.os, "sched_setscheduler", no)
    monkeypatch.setattr(priority.ctypes, "CDLL", lambda *arguments, **options: Library())
    granted = priority.ask(10_000)
    priority.release()
    assert not granted.hard and len(granted.missing) == 3
    for line, word in zip(granted, ("rtprio", "memlock", "core 10000"), strict=True):
        assert word in line and "\n" not in line


def test_memory_is_unlocked_behind_the_last_loop(monkeypatch):
    calls = []

    class Library:
        def __getattr__(self, name):
            return lambda *arguments: calls.append(name) or 0

    monkeypatch.setattr(priority.ctypes, "CDLL", lambda *arguments, **options: Library())
    monkeypatch.setattr(priority.os, "sched_setscheduler", lambda *arguments: None)
    priority.ask()
    priority.ask()
    priority.release()
    assert "munlockall" not in calls
    priority.release()
    assert calls.count("munlockall") == 1 and calls.count("mlockall") == 2
    priority.release()  # one too many does nothing
    assert calls.count("munlockall") == 1


# 14: the wall clock ---------------------------------------------------------------------------


def test_nobody_looks_at_the_wall_clock(monkeypatch):
    """Set back by an hour, or not there at all: deadlines are on the clock that never goes back."""

    def gone(*arguments):
        raise AssertionError("the wall clock was read")

    loop = crank_loop().connect(Hand())
    ran(loop, 0.05)  # code is compiled and kept on disk, with times of files
    loop.report()
    loop = crank_loop().connect(Hand())
    for name in ("time", "time_ns"):
        monkeypatch.setattr(time, name, gone)
    before = time.monotonic_ns()
    ran(loop, 0.05)
    after = time.monotonic_ns()
    assert before < loop.memory.start < after
    assert loop.memory.spent < after - before
    assert loop.report().ticks == 50


# 15, 17: other threads ------------------------------------------------------------------------


@contextlib.contextmanager
def running(loop):
    loop.start()
    try:
        loop.wait(20)
        yield
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loop.stop()


def test_ticks_go_on_while_the_interpreter_is_held():
    """`PyDLL` keeps the interpreter's lock during the call: no Python thread runs meanwhile."""
    loop = crank_loop().connect(Hand())
    with running(loop):
        ticks = 0
        for _ in range(100):  # many only where the machine is busy
            before = loop.memory.beat
            ctypes.PyDLL(None).usleep(200_000)
            after = loop.memory.beat
            ticks += after - before
            if ticks >= 100:
                break
    assert ticks >= 100
    assert loop.report().ticks >= after


def test_ticks_go_on_beside_a_busy_thread():
    loop, stop = crank_loop().connect(Hand()), threading.Event()

    def busy():
        while not stop.is_set():
            sum(range(1000))

    thread = threading.Thread(target=busy)
    with running(loop):
        before = loop.memory.beat
        thread.start()
        until(lambda: loop.memory.beat - before >= 100)
        stop.set()
        thread.join()


def test_a_large_allocation_elsewhere_does_not_fault_the_loop(monkeypatch):
    """The loop touches no page for the first time while another thread takes a gigabyte."""
    faults, real = [], native_loop.run

    class Counted:
        address = real.address

        def __call__(self, *arguments):
            before = resource.getrusage(resource.RUSAGE_THREAD)  # pyright: ignore
            real(*arguments)
            after = resource.getrusage(resource.RUSAGE_THREAD)  # pyright: ignore
            faults.append((after.ru_minflt - before.ru_minflt, after.ru_majflt - before.ru_majflt))

    monkeypatch.setattr(native_loop, "run", Counted())
    monkeypatch.setattr(loop_module, "ask", lambda core=None: REFUSED)  # not by locked memory alone
    loop = crank_loop().connect(Hand())
    with running(loop):
        before = loop.memory.beat
        np.ones(1 << 27)
        loop.wait(before + 200)
        assert loop.memory.beat > before
    small, large = faults[0]
    assert small <= 30 and large == 0  # a first lap over the ring alone would be thousands of rows


# 25: the end ----------------------------------------------------------------------------------


def ended(tmp_path, way, number=None):
    """The child's status and output, and the commands that its device got."""
    file = tmp_path / "commands"
    child = subprocess.Popen(
        [sys.executable, str(HERE / "ended.py"), str(file), way],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=usual_signals,
    )
    try:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n", child.communicate()[1]
        if number is not None:
            until(lambda: np.count_nonzero(np.fromfile(file)) >= 40)  # it ticks
            child.send_signal(number)
        out, problems = child.communicate(timeout=PATIENCE)
    finally:
        child.kill()
    return child.returncode, out, problems, np.fromfile(file)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("way", "name"),
    [
        ("run", "SIGTERM"),
        ("run", "SIGHUP"),
        ("run", "SIGINT"),
        ("start", "SIGTERM"),
        ("start", "SIGINT"),
        ("raise", ""),
    ],
)
def test_the_force_goes_softly_when_the_process_ends(tmp_path, way, name):
    """On a ramp, then the process ends as it would have: by the signal, or with its exception."""
    number = getattr(signal, name) if name else None
    for _ in range(20):
        status, out, problems, written = ended(tmp_path, way, number)
        assert written[0] == 0.0
        force, places = np.abs(written[1 : 1 + KEPT]), np.round(500.0 * written[1 + KEPT :])
        ticks = int(places.argmax())  # the last one; behind it device.close is near
        if (np.diff(places[max(0, ticks - 20) : ticks + 1]) == 1.0).all():
            break  # else the machine was late, and the supervisor's steps are not in this record: again
    assert ticks > 20 and force[ticks] == 0.0 and force.max() > 1.5
    # 20 ms at 500 per second: a tenth for each period, those that the machine missed among them
    first = ticks
    while force[first] == 0.0 or force[first - 1] - force[first] > 0.05:
        first -= 1
    fall, periods = -np.diff(force[first : ticks + 1]), np.diff(places[first : ticks + 1])
    assert (fall >= 0.0).all() and (fall <= 0.1 * periods * force.max() + 1e-9).all()
    assert places[ticks] - places[first] >= 10
    if (way, name) == ("run", "SIGINT"):
        assert status == 0 and out == "came back\n" and "stopped by the user" in problems
    elif name in ("SIGTERM", "SIGHUP"):
        assert status == -number and "Traceback" not in problems
    else:
        assert status != 0 and ("RuntimeError" in problems or "KeyboardInterrupt" in problems)


def test_signals_are_as_before_behind_a_loop():
    before = [signal.getsignal(n) for n in (signal.SIGTERM, signal.SIGHUP)]
    first, second = (crank_loop(200.0).connect(Hand()) for _ in range(2))
    first.start()
    second.start()
    assert signal.getsignal(signal.SIGTERM) not in before
    second.stop()
    first.stop()
    assert [signal.getsignal(n) for n in (signal.SIGTERM, signal.SIGHUP)] == before


def test_a_loop_of_another_thread_leaves_signals_alone():
    before, seen = signal.getsignal(signal.SIGTERM), []

    def work():
        loop = crank_loop(200.0).connect(Hand())
        with running(loop):
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [before] and signal.getsignal(signal.SIGTERM) == before


def test_idle_kernels_are_kernels():
    """What the bare loop runs in place of a model does nothing, in Python too."""
    x = np.ones(2)
    no_step.python(x, x, x, x, x)
    no_guard.python(x, x, x)
    assert (x == 1.0).all()


@pytest.mark.parametrize("way", ["run", "start"])
@pytest.mark.parametrize("paced", [True, False])
def test_control_c_while_a_loop_starts_ends_it(monkeypatch, way, paced):
    """The interrupt comes before the first tick: no loop goes on behind it, and the device is closed."""

    def interrupt(_):
        signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        time.sleep(0.05)  # the main thread has it before it hears that the loop is ready
        return Granted("", "", "")

    hand = Hand()
    loop = crank_loop(paced=paced).connect(hand)
    # what the loop's thread does before it is ready
    monkeypatch.setattr(loop_module, "ask" if paced else "Granted", lambda *a: interrupt(a))
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        if way == "run":
            assert "stopped by the user" in ran(loop, 30.0)
        else:
            with pytest.raises(KeyboardInterrupt):
                loop.start()
    finally:
        signal.signal(signal.SIGINT, before)
    assert not loop.running and not any(loop.guard.force.values())
    loop.connect(hand)  # neither the loop nor the device is in use
