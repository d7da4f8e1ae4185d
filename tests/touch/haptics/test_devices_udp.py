"""Another machine: what arrives late, twice, in another order or broken does no harm."""

import contextlib
import copy
import heapq
import random
import socket
import threading
import time

import numpy as np
import pytest
from children import PATIENCE, until

from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices import link_state, wire
from hapsis.touch.haptics.devices.native_relay import kept_part
from hapsis.touch.haptics.devices.relay import Relay
from hapsis.touch.haptics.devices.simulated_hand import SimulatedHand
from hapsis.touch.haptics.devices.udp_device import UdpDevice
from hapsis.touch.haptics.energy_tank import EnergyTank, limit_force

LIMIT = 1e-3  # J that a hand may be given


def a_tank():
    """A tank whose forces may change at once."""
    most, slew = np.array([1e6]), np.array([np.inf])
    return EnergyTank(axes=1, energy=5e-4, most=1.0, mass=0.05, damping=20.0, largest=most, slew=slew)


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@contextlib.contextmanager
def listening(**settings):
    """A UdpDevice, and a plain socket as its peer."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as far:
        far.bind(("127.0.0.1", 0))
        far.settimeout(PATIENCE)
        here = ("127.0.0.1", free_port())
        device = UdpDevice(
            far.getsockname(), here, max_force=10.0, **{"timeout": PATIENCE, "max_age": PATIENCE, **settings}
        )
        device.open(wait=0.0)
        far.connect(here)
        try:
            yield device, far
        finally:
            device.close()


def frame(counter, position=0, **more):
    return wire.pack(wire.Frame(wire.SAMPLE, (position,), counter=counter, **more))


def send(far, device, *datagrams):
    for data in datagrams:
        far.send(data)
        time.sleep(0.0005)
        device.sample()
    return device.sample()


def test_samples_and_commands():
    with listening() as (device, far):
        seen = send(far, device, frame(7, 20_000_000, velocities=(-3_000_000,), time=99))
        assert seen["position"] == [2.0] and seen["velocity"] == [-3.0] and seen["status"] == 0
        assert np.isnan(seen["force"]).all() and seen["counter"] == 1
        device.command(-2.5)
        told = wire.unpack(far.recv(999))
        assert told.kind == wire.COMMAND and told.values == (-2_500_000,) and told.echo == 99
        for wanted, got in ((1e9, 10_000_000), (float("nan"), 0), (float("-inf"), 0)):
            device.command(wanted)
            assert wire.unpack(far.recv(999)).values == (got,)
        answer = frame(8, time=100, echo=told.time)
        assert send(far, device, answer)["status"] == 0 and device.round_trip > 0


def test_old_frames_are_rejected():
    with listening() as (device, far):
        send(far, device, frame(10, 1), frame(12, 3), frame(11, 2), frame(12, 9), frame(10, 9))
        assert device.sample()["position"] == pytest.approx(3e-7)
        counts = device.counts
        assert (counts["good"], counts["old"], counts["lost"]) == (2, 3, 1)
        send(far, device, frame(2**32 - 1, 5))  # far behind
        assert device.counts["old"] == 4
    with listening() as (device, far):  # counters go round
        send(far, device, frame(2**32 - 1, 1), frame(0, 2), frame(2**32 - 2, 3))
        assert device.sample()["position"] == pytest.approx(2e-7) and device.counts["old"] == 1


def test_late_answers_are_rejected():
    with listening(max_age=1.0) as (device, far):
        now = link_state.microseconds()
        send(far, device, frame(1, 1, echo=now - 1000), frame(2, 2, echo=now - 2_000_000))
        assert device.counts["stale"] == 1 and device.sample()["position"] == pytest.approx(1e-7)
        send(far, device, frame(3, 3, echo=now + 10_000_000))  # of the future
        assert device.counts["stale"] == 2


def test_silence_is_told():
    with listening(timeout=0.02) as (device, far):
        send(far, device, frame(1))
        until(lambda: device.sample()["status"] == link_state.SILENT)
    with listening() as (device, far):
        assert send(far, device, frame(1))["status"] == 0
        assert send(far, device, frame(2, status=9))["status"] == link_state.OWN + 9


GOOD = frame(1, 5)
BAD = {
    "empty": b"",
    "one byte": GOOD[:1],
    "no check": GOOD[:-1],
    "cut": GOOD[:17],
    "long": GOOD + b"\0",
    "wrong kind": wire.pack(wire.Frame(wire.COMMAND, (5,), counter=1)),
    "unknown kind": wire.pack(wire.Frame(77, (5,), counter=1)),
    "other axes": wire.pack(wire.Frame(wire.SAMPLE, (5, 6), counter=1)),
    "other version": GOOD[:2] + b"\x02" + GOOD[3:],
    "wrong check": GOOD[:-1] + bytes([GOOD[-1] ^ 1]),
    "one bit": GOOD[:20] + bytes([GOOD[20] ^ 4]) + GOOD[21:],
    "the greatest": GOOD + bytes(65507 - len(GOOD)),
    "text": b"GET / HTTP/1.1\r\n\r\n",
}


@pytest.mark.parametrize("data", BAD.values(), ids=BAD)
def test_a_peer_that_sends_rubbish_is_closed(data):
    with listening() as (device, far):
        send(far, device, GOOD, *[data] * 9)
        assert device.counts["malformed"] == 9 and device.sample()["status"] == 0
        seen = send(far, device, data, frame(2, 7), frame(3, 8))
        assert seen["status"] == link_state.REFUSED and seen["counter"] == 1
        assert device.counts["malformed"] == 10 and device.counts["good"] == 1
        device.close()
        device.open(wait=0.0)  # by the user's wish it is heard again
        assert send(far, device, GOOD)["status"] == 0


def test_nobody_else_is_heard():
    with listening() as (device, far):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
            for _ in range(20):
                other.sendto(b"rubbish", device.here)
            other.sendto(GOOD, device.here)
        assert send(far, device, frame(1, 3))["counter"] == 1
        assert device.counts["malformed"] == 0


def test_a_flood_takes_no_longer_than_it_may():
    with listening() as (device, far):
        for k in range(500):
            far.send(frame(k + 1, k))
        before = device.counts["good"]
        device.sample()
        assert device.counts["good"] - before <= 32


def test_what_cannot_be():
    with pytest.raises(DeviceError, match="no sample came from"):
        UdpDevice(("127.0.0.1", free_port()), max_force=1.0).open(wait=0.05)
    with pytest.raises(DeviceError, match="an address is"):
        UdpDevice(("127.0.0.1", 99999), max_force=1.0).open()
    with pytest.raises(DeviceError, match="cannot be opened"):
        UdpDevice(("127.0.0.1", 9), ("192.0.2.1", 5), max_force=1.0).open()
    with pytest.raises(DeviceError, match="max_age is -1"):
        UdpDevice(("127.0.0.1", 9), max_force=1.0, max_age=-1)


class Network:
    """Between two ends: loses, doubles, delays and reorders what goes through."""

    def __init__(self, a, b, seed=0, drop=0.1, delay=0.05, double=0.1, jitter=0.01):
        self.random = random.Random(seed)
        self.drop, self.delay, self.double, self.jitter = drop, delay, double, jitter
        self.ends = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
        for end, (inner, outer) in zip(self.ends, (a, b), strict=True):
            end.bind(("127.0.0.1", inner))
            end.connect(("127.0.0.1", outer))
            end.settimeout(0.02)
        self.waiting, self.stop, self.lock, self.number = [], False, threading.Lock(), 0
        self.threads = [threading.Thread(target=self._take, args=(k,)) for k in range(2)]
        self.threads.append(threading.Thread(target=self._give))

    def _take(self, side):
        while not self.stop:
            try:
                data = self.ends[side].recv(2048)
            except OSError:
                continue
            with self.lock:
                if self.random.random() < self.drop:
                    continue
                for _ in range(2 if self.random.random() < self.double else 1):
                    self.number += 1
                    due = time.monotonic() + self.delay + self.random.random() * self.jitter
                    heapq.heappush(self.waiting, (due, self.number, 1 - side, data))

    def _give(self):
        while not self.stop:
            with self.lock:
                due = []
                while self.waiting and self.waiting[0][0] <= time.monotonic():
                    due.append(heapq.heappop(self.waiting))
            for _, _, side, data in due:
                with contextlib.suppress(OSError):
                    self.ends[side].send(data)
            time.sleep(0.001)

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        return self

    def __exit__(self, *_):
        self.stop = True
        for thread in self.threads:
            thread.join()
        for end in self.ends:
            end.close()


def over_a_network(stiffness, seconds=1.2, max_age=0.5, timeout=0.2, energy=None, **network):
    """A hand bounces on a wall that is computed at the other end of a bad network."""
    near, far, left, right = (free_port() for _ in range(4))
    hand = SimulatedHand(
        speed=0.2, travel=0.02, hold=9.0, mass=0.4, stiffness=60.0, damping=1.0, max_force=20.0
    )
    relay = Relay(
        hand,
        ("127.0.0.1", far),
        ("127.0.0.1", right),
        max_age=max_age,
        **({} if energy is None else {"energy": energy}),
    )
    device = UdpDevice(
        ("127.0.0.1", left), ("127.0.0.1", near), max_force=20.0, max_age=max_age, timeout=timeout
    )
    statuses = []
    with Network((left, near), (right, far), **network), relay:
        device.open()
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            seen = device.sample()
            statuses.append(seen["status"])
            x = float(seen["position"][0]) - 0.01
            force = -stiffness * x if x > 0.0 and seen["status"] == 0 else 0.0
            device.command(force)
            time.sleep(0.001)
        counts = (device.counts, relay.counts)
        device.close()
    return relay, relay.rows(), statuses, counts


@pytest.mark.parametrize("stiffness", [400.0, 3000.0])
def test_a_bad_network_creates_no_energy(stiffness):
    """A stiff wall 100 ms away would throw the hand back; the tank lets it not."""
    relay, rows, _, counts = over_a_network(stiffness, seed=int(stiffness))
    x, force = rows[:, 1], rows[:, 2]
    work = force[:-1] * np.diff(x)
    # where this machine let the relay itself wait, its last force was held: that is another fault
    stalled = np.diff(rows[:, 0]) > 1.5e-3
    assert np.cumsum(work).max() <= LIMIT + np.maximum(0.0, work[stalled]).sum()
    assert np.abs(force).max() > 0.5  # the wall was there
    assert relay.given == pytest.approx(work.sum(), abs=1e-4)
    for one in counts:
        assert one["good"] > 50 and one["old"] > 5 and one["malformed"] == 0


@pytest.mark.parametrize("stiffness", [50.0, 400.0, 3000.0, 1e5])
@pytest.mark.parametrize("mass", [0.1, 0.4, 2.0])
def test_no_energy_in_simulated_time(stiffness, mass):
    """The same hand, wall and network without clocks and sockets: every tick is in time."""
    for seed in range(2):
        rng, dt = random.Random(seed), 1e-3
        hand = SimulatedHand(speed=0.2, travel=0.02, hold=9.0, mass=mass, stiffness=60.0, damping=1)
        account = a_tank()
        there, back, newest = [], [], [-1, -1]
        wall = told = given = most = felt = x = 0.0
        force = np.zeros(1)
        for k in range(1500):
            place = hand.sample(k * dt)["position"]
            given, x = given + float(force[0]) * (place[0] - x), place[0]
            most, felt = max(most, given), max(felt, abs(force[0]))
            for queue, value in ((there, x), (back, wall)):
                for _ in range(0 if rng.random() < 0.1 else 1 + (rng.random() < 0.1)):
                    heapq.heappush(queue, (k + 50 + rng.randrange(11), k, value))
            for which, queue in enumerate((there, back)):
                while queue and queue[0][0] <= k:
                    _, number, value = heapq.heappop(queue)
                    if number > newest[which]:
                        newest[which] = number
                        wall = -stiffness * max(0.0, value - 0.01) if which == 0 else wall
                        told = value if which == 1 else told
            force[0] = max(-20.0, min(20.0, told))
            limit_force(dt, place, force, account)
            hand.command(force, k * dt)
        assert most <= LIMIT and felt > 0.1


def test_without_the_tank_it_would():
    _, rows, _, _ = over_a_network(400.0, energy=1e3, seed=3)
    assert np.cumsum(rows[:-1, 2] * np.diff(rows[:, 1])).max() > 2 * LIMIT


def test_a_network_that_is_too_slow_moves_nothing():
    _, rows, statuses, (_, far) = over_a_network(400.0, max_age=0.05, seconds=0.5)
    assert np.abs(rows[:, 2]).max() == 0.0 and far["good"] == 0 and far["stale"] > 5
    assert statuses[-1] == link_state.OWN + 251


def test_a_good_network_is_hardly_felt():
    _, rows, statuses, _ = over_a_network(400.0, drop=0.0, delay=0.0, double=0.0, jitter=0.0)
    assert set(statuses) <= {0} | ({link_state.SILENT} if statuses.count(link_state.SILENT) < 9 else set())
    assert np.abs(rows[:, 2]).max() > 0.8  # 60 N/m over 2 cm against 400 N/m


def test_the_far_end_lets_go_when_nobody_speaks():
    near, far = free_port(), free_port()
    hand = SimulatedHand(aim=0.02, mass=0.4, stiffness=60.0, damping=1.0)
    device = UdpDevice(("127.0.0.1", far), ("127.0.0.1", near), max_force=20.0)
    with Relay(hand, ("127.0.0.1", far), ("127.0.0.1", near), energy=1.0) as relay:
        device.open()

        def pushed():
            device.sample()
            device.command(-1.0)
            return relay.rows()[:, 2].min(initial=0.0) == -1.0

        until(pushed)
        until(lambda: any(force == 0.0 for force in relay.rows()[-1:, 2]))
        device.close()


def test_a_command_is_held_and_then_goes_in_a_ramp():
    link = link_state.new_link(1.0, [[1.0]], [[1.0]], [1.0])
    link.heard, link.fresh = True, 1_000_000_000
    for age, part in ((0, 1.0), (25, 1.0), (35, 0.5), (40, 0.25), (45, 0.0), (9000, 0.0)):
        now = 1_000_000_000 + age * 1_000_000
        assert kept_part(link, 0.025, now) == pytest.approx(part, abs=1e-12)
    link.closed = True
    assert kept_part(link, 0.025, 1_000_000_000) == 0.0
    link.closed = link.heard = False
    assert kept_part(link, 0.025, 1_000_000_000) == 0.0


def test_the_tank_by_itself():
    """Any forces on any motion: what is given stays below what was there."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        account = a_tank()
        same, dt, mass = copy.deepcopy(account), 1e-3, 0.06
        x, v, given = np.zeros(1), 0.0, 0.0
        for k in range(400):
            wanted = rng.normal(size=1) * 30.0 if k % 7 else np.full(1, 50.0 * np.sign(v))
            again = wanted.copy()
            limit_force(dt, x, wanted, account)
            limit_force.python(dt, x, again, same)
            assert wanted[0] == again[0] and repr(account) == repr(same)
            before, push = x[0], 2.0 * np.sin(0.03 * k)
            a = (wanted[0] + push) / mass
            x[0] += v * dt + 0.5 * a * dt * dt
            v += a * dt
            given += wanted[0] * (x[0] - before)
            assert given <= LIMIT
