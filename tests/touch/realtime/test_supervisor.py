"""The supervisor's thread: it takes the force away when the loop stands still (fault 10)."""

import ctypes
import threading

import numpy as np
import pytest

from hapsis.compiler.native import Array, Ints, clock, native, publish
from hapsis.errors import DeviceError, Notice
from hapsis.touch.realtime.guard import Guard
from hapsis.touch.realtime.guard_memory import STALLED
from hapsis.touch.realtime.supervisor import Supervisor

LONG = 30.0  # s, for what comes soon


@native
def note(t: Array, command: Array, written: Array, count: Ints) -> None:
    written[0] = command[0]
    count[0] += 1
    count[1] = clock()


def beating(beat, beats):
    for _ in range(beats):
        publish(beat, 0, int(beat[0]) + 1)
        threading.Event().wait(0.002)


def test_fault_10_a_stalled_loop_loses_its_force():
    beat, written, count = np.zeros(1, np.int64), np.full(1, 7.0), np.zeros(2, np.int64)
    guard, stopped, threads = Guard((10.0,), 0.001), threading.Event(), []
    for _ in range(5):
        guard([8.0], [0.0])
    write = note.bound(vary=("t", "command"), written=written, count=count)
    with Supervisor(
        beat,
        write=write,
        stop=stopped.set,
        guard=guard,
        limit=0.2,
        prepare=lambda: threads.append(threading.current_thread().name),
    ) as watching:
        beating(beat, 10)
        assert stopped.wait(LONG)
    # 8 N in steps of 2 N
    assert written[0] == 0.0 and count[0] == 4 * watching.stalls >= 4 and threads == ["supervisor"]
    # the loop wakes: the fault is there in its first tick, and the force stays where it is
    for _ in range(30):
        assert guard([8.0], [0.0]) == 0.0
    assert guard.fault == STALLED and guard.cause.startswith("the loop stood still")


def test_an_emergency_stop_leaves_no_force_for_the_guard_to_go_on_from():
    beat, stopped = np.zeros(1, np.int64), threading.Event()
    guard = Guard((10.0,), 0.001)
    for _ in range(5):
        guard([8.0], [0.0])
    with Supervisor(beat, stop=stopped.set, guard=guard, limit=0.2):
        beating(beat, 10)
        assert stopped.wait(LONG)
    assert guard([8.0], [0.0]) == 0.0 and guard.fault == STALLED


def test_python_code_that_keeps_the_interpreter_does_not_delay_it():
    beat, count = np.zeros(1, np.int64), np.zeros(2, np.int64)
    write = note.bound(vary=("t", "command"), written=np.zeros(1), count=count)
    with Supervisor(beat, write=write, limit=0.05):
        beating(beat, 5)
        ctypes.PyDLL(None).usleep(900_000)  # a call that does not let go of the interpreter
        ended = clock()
    assert 0 < count[1] < ended


def test_nothing_is_expected_before_the_first_beat_nor_after_the_end():
    beat, calls = np.full(1, 41, np.int64), []
    watching = Supervisor(beat, stop=lambda: calls.append(1), limit=0.002).start()
    threading.Event().wait(0.05)
    with pytest.raises(DeviceError, match="already"):
        watching.start()
    watching.close()
    watching.close()
    assert calls == [] and watching.stalls == 0


def test_an_emergency_stop_that_fails_is_told_and_the_watch_goes_on(recwarn):
    beat, twice = np.zeros(1, np.int64), threading.Event()

    def stop():
        if watching.stalls > 1:
            twice.set()
        raise OSError("cable")

    with Supervisor(beat, stop=stop, limit=0.05) as watching:
        for _ in range(200):
            beating(beat, 2)
            if twice.wait(0.3):
                break
    assert twice.is_set() and isinstance(watching.problem, OSError)
    assert any(issubclass(w.category, Notice) and "cable" in str(w.message) for w in recwarn)


@pytest.mark.parametrize(
    "given, message",
    [
        (dict(stop=None), "needs a way to take the force away"),
        (dict(limit=0.0), "expected 0.001 to 10"),
        (dict(beat=np.zeros(1)), "a place in an array of int64"),
        (dict(place=3), "a place in an array of int64"),
    ],
)
def test_wrong_settings_of_a_supervisor(given, message):
    with pytest.raises(DeviceError, match=message):
        Supervisor(**{"beat": np.zeros(1, np.int64), "stop": print, **given})
