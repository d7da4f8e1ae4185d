"""Devices that fail while a loop runs: the guard lets go, and says why."""

import os
import pty
import threading
import time
import tty
import warnings

import numpy as np
import pytest
from hand import crank_loop

from hapsis.touch.haptics.devices import wire
from hapsis.touch.haptics.devices.serial_device import SerialDevice
from hapsis.touch.haptics.devices.simulated_hand import SimulatedHand


@pytest.mark.parametrize("kind", ["stale", "nan", "unplugged"])
def test_a_hand_that_fails_feels_nothing(kind):
    """Faults 3 and 4: held for no more than some ticks, then to zero within 20 ms."""
    loop = crank_loop(paced=False)
    with SimulatedHand(aim=0.3, unit="rad", max_force=50.0) as hand:
        loop.connect(hand)
        loop.run(0.2)
        before = loop.report()
        assert before.cause == "" and abs(before["hand.x.command"][-1]) > 1.0
        hand.fault(kind)
        loop.run(0.1)
    force = loop.report()["hand.x.command"][-100:]
    assert loop.guard.cause != "" and np.isfinite(force).all()
    assert (force[30:] == 0.0).all()  # 3 ticks, and 20 ms
    assert np.abs(np.diff(force)).max() <= 2.5 + 1e-9  # 50 N m in 20 ms


def test_a_jump_is_flagged_and_nothing_more():
    loop = crank_loop(paced=False, guard={"jump": 0.04})
    with SimulatedHand(aim=0.3, unit="rad", max_force=50.0) as hand:
        loop.connect(hand)
        loop.run(0.2)
        hand.fault("jump")
        loop.run(0.1)
    report = loop.report()
    assert report.faults["position jumps"] >= 1
    for run in np.split(report["hand.x.command"], [200]):  # between them the force has gone
        assert np.abs(np.diff(run, prepend=0.0)).max() <= 2.5 + 1e-9


def test_a_serial_line_is_pulled_out():
    """Fault 4: the loop lives, the force goes."""
    far, near = pty.openpty()
    tty.setraw(far)
    stop, commands = threading.Event(), []

    def knob():
        k = 0
        while not stop.is_set():
            k += 1
            os.write(far, wire.pack(wire.Frame(wire.SAMPLE, (3_000_000,), counter=k)))
            time.sleep(0.001)
        while True:  # what it was told so far
            os.set_blocking(far, False)
            try:
                data = os.read(far, 1 << 16)
            except OSError:
                break
            commands.append(data)
        os.close(far)

    thread = threading.Thread(target=knob)
    thread.start()
    device = SerialDevice(os.ttyname(near), max_force=50.0, timeout=0.5)
    loop = crank_loop(soft=True, guard={"sample_every": 100}).connect(device)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            loop.start()
            loop.wait(300)
            stop.set()
            thread.join()
            ticks = int(loop.report().ticks)
            loop.wait(ticks + 100)
            rows = loop.report()
            cause = loop.guard.cause
            loop.stop()
    finally:
        stop.set()
        thread.join()
        os.close(near)
    assert cause != "" and rows["knob.status"][-1] == 2 and rows["knob.x.command"][-1] == 0.0
    told = [
        wire.unpack(b"\xa5\x5a" + part)
        for part in b"".join(commands).split(b"\xa5\x5a")[1:]
        if len(part) == 24
    ]
    assert min(frame.values[0] for frame in told) < -1_000_000  # N m, in steps
