"""The relay: whatever happens to the commands, what reaches the device keeps limit and slew."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from children import PATIENCE, usual_signals
from samples import sample

from hapsis.compiler.native import Array, Ints, native
from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices import native_relay, wire
from hapsis.touch.haptics.devices.native_relay import RAMP, decide_force, decide_position, has_ended
from hapsis.touch.haptics.devices.relay import Relay
from hapsis.touch.haptics.devices.simulated_hand import SimulatedHand
from hapsis.touch.realtime.device import Capabilities

HERE = Path(__file__).parents[1]
MS = 1_000_000  # ns


def a_relay(axes="x", max_force=20.0, **settings):
    hand = SimulatedHand(aim=0.0, axes=axes, max_force=max_force)
    return Relay(hand, ("127.0.0.1", 0), ("127.0.0.1", 9), **settings)


class Bench:
    """A relay without clocks and sockets: commands come when a test says so."""

    def __init__(self, relay):
        self.relay, self.own, self.link = relay, relay.memory, relay.link
        self.now, self.commands = 10**12, []
        relay.tank.fill(relay._energy)
        self.own.sample[:] = 0.0

    def tick(self, command=None, x=None, good=True):
        """One tick; a command that comes, where the hand is, whether the sample is good."""
        self.now += int(self.own.period)
        n = int(self.own.axes)
        if command is not None:
            self.link.heard, self.link.fresh = True, self.now
            self.link.latest[:n] = command
        if x is not None:
            self.own.sample[:n] = x
        decide_force(good, self.now, self.own)
        self.commands.append(np.array(self.own.command))
        return self.commands[-1]

    @property
    def written(self):
        return np.array(self.commands)


def test_after_a_silence_the_force_comes_on_a_ramp():
    """At the start, and when commands were lost for 150 ms: 20 N take 20 ms, not one tick."""
    bench = Bench(a_relay(energy=1e3))
    for k in range(500):
        silent = 200 <= k < 350
        bench.tick(None if silent else 20.0)
    force = bench.written[:, 0]
    assert np.abs(np.diff(force, prepend=0.0)).max() <= 2.0 + 1e-12
    assert force[0] == pytest.approx(1.0) and force[25] == 20.0  # the start
    assert force[224] == 20.0 and force[260] == 0.0  # held, then gone
    assert force[350] == pytest.approx(1.0) and (np.diff(force[349:370]) > 0).all() and force[370] == 20.0


@pytest.mark.parametrize("seed", range(sample(200, 3000)))
def test_limit_slew_and_energy_whatever_comes(seed):
    """Random forces, losses, bad samples, numbers that are none, several axes, a stop at the end."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 4))
    most, rate = rng.uniform(1.0, 50.0, n), float(rng.choice([200.0, 1000.0, 4000.0]))
    slew = rng.uniform(1.0, 4.0, n) * most / RAMP if rng.random() < 0.5 else None
    relay = a_relay(tuple("abc"[:n]), most, rate=rate, energy=5e-4, slew=slew, hold=rng.uniform(0.0, 0.03))
    bench, x, v, loss = Bench(relay), np.zeros(n), np.zeros(n), 0
    for _ in range(150):
        loss = max(0, loss - 1) if rng.random() < 0.98 else int(rng.integers(0, 80))
        wild = rng.choice([1.0, 5.0, 100.0, 1e12, np.inf, np.nan], p=[0.5, 0.2, 0.15, 0.05, 0.05, 0.05])
        wanted = wild * rng.normal(size=n) * most
        good = rng.random() < 0.95
        force = bench.tick(None if loss else wanted, x, good)
        v = 0.95 * v + (force / 0.2 + rng.normal(size=n)) / rate
        x = x + v / rate
    relay.memory.stop = 1
    ticks = 0
    while not has_ended(relay.memory):
        bench.tick(wanted, x)
        ticks += 1
        assert ticks <= RAMP * rate + 2
    written = bench.written
    limits = np.maximum(2000.0, most / RAMP) if slew is None else slew
    assert np.isfinite(written).all() and (np.abs(written) <= most).all()
    changes = np.abs(np.diff(written, axis=0, prepend=np.zeros((1, n))))
    assert (changes <= limits / rate * (1 + 1e-9)).all()
    assert (written[-1] == 0.0).all()


@pytest.mark.parametrize("seed", range(sample(50, 1000)))
def test_the_tank_gives_only_what_it_holds(seed):
    """A hand that moves as hands do, forces that want to push it: energy stays below the limit."""
    rng = np.random.default_rng(seed)
    relay, dt, mass = a_relay(max_force=50.0, energy=5e-4), 1e-3, 0.06
    bench, x, v, given, most, largest = Bench(relay), np.zeros(1), 0.0, 0.0, 0.0, 0.0
    for k in range(800):
        wanted = rng.normal() * 30.0 if k % 7 else 50.0 * np.sign(v)
        force = float(bench.tick(None if 300 < k < 420 else wanted, x)[0])
        a = (force + 2.0 * np.sin(0.03 * k)) / mass
        moved = v * dt + 0.5 * a * dt * dt
        x, v, given = x + moved, v + a * dt, given + force * moved
        most, largest = max(most, given), max(largest, abs(force))
    assert most <= 1e-3 and largest > 0.5


def test_a_device_that_takes_positions_stays_where_it_is():
    """Nothing heard: where it is measured to be. Commands lost: where it was told last. No jump."""
    hand = SimulatedHand(aim=0.4, stiffness=100.0, causality="admittance")
    relay = Relay(hand, ("127.0.0.1", 0), ("127.0.0.1", 9))
    own, link, rows = relay.memory, relay.link, []
    own.sample[:] = [0.4, 0.0, 0.0, 0.0, 1.0]
    for k in range(300):
        link.heard, link.latest[0] = k >= 50, 0.5
        decide_position(own)
        rows.append(float(own.command[0]))
    assert rows[:50] == [0.4] * 50 and rows[-1] == 0.5
    assert np.abs(np.diff(rows)).max() <= 1e-3 * (1 + 1e-9)
    own.stop = 1
    assert has_ended(own)


def test_what_cannot_be():
    for settings, words in (
        ({"slew": 10.0}, "slew is 10"),
        ({"slew": -1.0}, "slew is -1"),
        ({"slew": float("nan")}, "slew must be finite"),
        ({"rate": 1e300}, "rate is 1e"),
    ):
        with pytest.raises(DeviceError, match=words):
            a_relay(**settings)


@pytest.mark.parametrize(("late", "part"), [(5 * MS, 1.0), (24 * MS, 1.0), (40 * MS, 0.0), (900 * MS, 0.0)])
def test_a_relay_that_stood_still_begins_anew(monkeypatch, late, part):
    """Its own lateness is a silence: what the device has done meanwhile is not known."""
    relay, now = a_relay(), [0]
    relay.memory.part, seen = 1.0, []

    def tick(own):
        seen.append(own.part)
        now[0] += late if len(seen) == 3 else 0
        own.stop = int(len(seen) == 5)

    monkeypatch.setattr(native_relay, "clock", lambda: now[0])
    monkeypatch.setattr(native_relay, "wait_until", lambda moment: now.__setitem__(0, max(now[0], moment)))
    monkeypatch.setattr(native_relay, "tick", tick)
    native_relay.relay.python(relay.memory)
    assert seen == [1.0, 1.0, 1.0, part, part]


def test_a_device_has_one_relay():
    hand = SimulatedHand(aim=0.0)
    with Relay(hand, free_address(), free_address()):
        with pytest.raises(DeviceError, match="is in use by a relay"):
            Relay(hand, free_address(), free_address()).start()
    with Relay(hand, free_address(), free_address()):  # it is free again
        pass


def free_address():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        end.bind(("127.0.0.1", 0))
        return end.getsockname()


@native
def recording_write(t: Array, command: Array, written: Array, count: Ints) -> None:
    written[count[0]] = command[0]
    count[0] += 1


@native
def resting_read(t: Array, sample: Array, count: Ints) -> None:
    sample[0], sample[1], sample[2], sample[3] = 0.0, 0.0, 0.0, 0.0
    sample[4] += 1.0


class Recorded:
    """A device that keeps every command."""

    name, axes = "recorded", ("x",)

    def __init__(self, written=None):
        self.capabilities = Capabilities("impedance", ("position", "velocity"), (20.0,), ("m",), False)
        self.written, self.count = np.zeros(100_000) if written is None else written, np.zeros(1, np.int64)
        self.read = resting_read.bound(vary=("t", "sample"), count=self.count)
        self.write = recording_write.bound(vary=("t", "command"), written=self.written, count=self.count)
        self.closed = 0

    def open(self):
        pass

    def close(self):
        self.closed += 1


class Commander(threading.Thread):
    """The other machine: answers samples with 20 N, except while it is silent."""

    def __init__(self, end):
        super().__init__(daemon=True)
        self.end, self.silent, self.stop, self.sent = end, False, False, 0

    def run(self):
        while not self.stop:
            try:
                sample = wire.unpack(self.end.recv(999))
            except (OSError, ValueError):
                continue
            if not self.silent and sample is not None:
                self.sent += 1
                frame = wire.Frame(wire.COMMAND, (20_000_000,), counter=self.sent, echo=sample.time)
                self.end.send(wire.pack(frame))


def test_commands_lost_and_found_through_sockets():
    """The same with threads, clocks and datagrams, measured at the device."""
    device = Recorded()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
        end.bind(("127.0.0.1", 0))
        here = free_address()
        end.connect(here)
        end.settimeout(0.05)
        far = Commander(end)
        relay = Relay(device, here, end.getsockname(), energy=1e3, max_age=1.0, hold=0.2)
        with relay:
            far.start()
            for silent in (False, True, False):
                far.silent = silent
                stop = time.monotonic() + 30.0
                while abs(relay.tank.force[0] - (0.0 if silent else 20.0)) > 0 and time.monotonic() < stop:
                    time.sleep(0.005)
        far.stop = True
        far.join()
    written = device.written[: device.count[0]]
    assert written.max() == 20.0 and written[-1] == 0.0 and device.closed == 1
    assert np.abs(np.diff(written, prepend=0.0)).max() <= 2.0 + 1e-9


def ended(way, tmp_path):
    """The status and output of a program with a relay that ends that way, and its device's commands."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path, str(HERE)])}
    child = subprocess.Popen(
        [sys.executable, str(HERE / "relayed.py"), str(tmp_path / "commands"), way],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        preexec_fn=usual_signals,
    )
    try:
        assert child.stdout is not None and child.stdout.readline() == "ready\n", child.communicate()[1]
        if way == "SIGTERM":
            child.send_signal(signal.SIGTERM)
        problems = child.communicate(timeout=PATIENCE)[1]
    finally:
        child.kill()
    return child.returncode, problems, np.fromfile(tmp_path / "commands")


@pytest.mark.slow
@pytest.mark.parametrize("way", ["raise", "exit", "SIGTERM"])
def test_a_program_with_a_relay_ends(way, tmp_path):
    """By an exception, at its end, by SIGTERM: it does not hang, and the force goes at the slew."""
    status, problems, written = ended(way, tmp_path)
    assert status == {"raise": 1, "exit": 0, "SIGTERM": -signal.SIGTERM}[way], problems
    count = int(written[0])
    force = written[1 : 1 + count]
    assert force.max() == 20.0 and force[-1] == 0.0
    assert np.abs(np.diff(force, prepend=0.0)).max() <= 2.0 + 1e-9
