"""Every condition of the guard and of the watchdog has been taken both ways."""

import numpy as np
from guard_bench import NAN, Branches, Twin

from hapsis.compiler.native import Native
from hapsis.touch.realtime import guard, guard_faults, guard_forces, supervisor
from hapsis.touch.realtime import guard_memory as causes
from hapsis.touch.realtime.guard_memory import STALLED
from hapsis.touch.realtime.supervisor import WatchMemory


def natives(module):
    return {thing for thing in vars(module).values() if isinstance(thing, Native)}


RULES = natives(guard_faults) | natives(guard_forces)
WATCHDOG = {supervisor.watch, supervisor.patience, supervisor.take_force, supervisor.note_stopped}
WATCHDOG |= {supervisor.write_nothing}
INF = float("inf")


def timing():
    """Misses alone, in a row, too many."""
    twin = Twin()
    for missed in (0, 1, 0, 1, 1, 1, 2, 0, 0, *[1] * 30):
        twin.tick(5.0, missed=missed)
    assert twin.guards[0].fault == causes.TOO_SLOW


def samples():
    """Errors, bad positions, a counter that stands still or is no number."""
    twin = Twin((10.0, 10.0))
    for tick in (
        dict(status=1.0),
        dict(position=(0.0, NAN)),
        dict(),
        dict(counter=NAN),
        dict(position=(0.01, 0.0)),
        dict(position=(0.2, 0.0)),
        dict(position=(0.2, 0.001), velocity=(0.1, INF)),
        *[dict(counter=-1.0)] * 4,
    ):
        twin.tick((1.0, 2.0), **tick)
    assert twin.guards[0].fault == causes.STALE_SAMPLE
    twin = Twin()
    for _ in range(4):
        twin.tick(1.0, position=NAN)
    assert twin.guards[0].fault == causes.BAD_POSITION


def forces():
    """No numbers, huge ones; saturation and steps, for the vector and for each axis."""
    for wanted in ((NAN, INF), (INF, NAN), (INF, INF), (0.0, 2e10)):
        for limits in (10.0, (10.0, 5.0)):
            twin = Twin(limits, axes=("x", "y"))
            for _ in range(6):
                twin.tick((30.0, 1.0))
            for _ in range(25):
                twin.tick(wanted)
            assert twin.guards[0].fault in (causes.NAN_FORCE, causes.HUGE_FORCE)


def energies():
    """Pushed along the motion both ways, and not moving at all; observer only."""
    for passive in (True, False):
        twin = Twin(passive=passive)
        for wanted, x in ((1.0, 0.0), (1.0, 0.01), (1.0, 0.0), (-1.0, -0.01), (1.0, -0.01)):
            twin.tick(wanted, position=x)
        twin.poison("energy", -1.0)
        twin.tick(0.0, position=-0.01)
    twin = Twin((10.0, 10.0), axes=("x", "y"), passive="together")  # all axes share one energy
    for wanted, x in ((1.0, 0.0), (1.0, 0.01), (-1.0, 0.005), (-1.0, 0.005)):
        twin.tick((wanted, 0.5), position=(x, 0.0))


def requests():
    """Stops, requests that are refused and one that is not, memory that is no number."""
    twin = Twin()
    twin.say("rearm")
    twin.tick(3.0)
    twin.say("stop")
    twin.tick(3.0)
    twin.say("stop")
    twin.say("rearm")
    twin.tick(0.0)
    twin.poison("force", 8.0)
    twin.tick(0.0, missed=100)  # the ramp is over, and the force is not
    twin.say("rearm")
    twin.tick(0.0)
    for _ in range(20):
        twin.tick(0.0)
    for tick in (dict(status=1.0), dict(wanted=3.0), dict(wanted=0.0)):
        twin.say("rearm")
        twin.tick(**{"wanted": 0.0, **tick})
    assert twin.guards[0].fault == 0
    for name in ("force", "position", "velocity", "energy", "lowest_energy", "lowest_total"):
        twin.poison(name)
        twin.tick(1.0)
        twin.poison(name, 0.0)
    assert twin.guards[0].fault == causes.MEMORY


def falling():
    """Commands without a tick, natively and as Python: from what the device has, in steps."""
    for limits in (10.0, (10.0, 5.0)):
        twin, commands = Twin(limits, axes=("x", "y")), [np.zeros(2), np.zeros(2)]
        for _ in range(8):
            twin.tick((6.0, 3.0))
        native, python = (one.memory for one in twin.guards)
        steps = 0
        while not guard_forces.gone.python(python):
            before = python.force.copy()
            guard_forces.fall(native, commands[0])
            guard_forces.fall.python(python, commands[1])
            assert commands[0].tobytes() == commands[1].tobytes() == python.force.tobytes()
            assert np.abs(commands[1] - before).max() <= 2.0 * (1 + 1e-12)
            steps += 1
        assert steps >= 3 and guard_forces.gone(native)


def test_every_branch_of_the_guard_is_taken_both_ways():
    with Branches(guard.tick, *RULES) as seen:
        for story in (timing, samples, forces, energies, requests, falling):
            story()
    assert seen.missing() == []
    assert len(RULES) == 15 and seen.count() > 60
    # the guard calls nothing else that is native
    assert natives(guard) | natives(supervisor) <= RULES | {guard.tick, *WATCHDOG}
    assert natives(guard) <= RULES | {guard.tick}


class Clock:
    """A clock for `watch` that runs only when it waits, and a loop that beats until some time."""

    def __init__(self, monkeypatch, beats_until, period=1_000_000, writes=True):
        self.now, self.until, self.period = 0, beats_until, period
        self.beat, self.ends, self.written = np.zeros(1, np.int64), 10**18, []
        self.guard = guard.Guard((10.0, 50.0), 0.001).memory
        self.watched = WatchMemory(
            axes=2,
            limit=23_000_000,
            soonest=4_000_000,
            pause=1_000_000,
            period=1_000_000,
            writes=writes,
            beat=self.beat,
            write=self.write,
            guard=self.guard,
        )
        self.busy = -1  # until then the loop is inside the device's `write`
        self.wakes = 10**18  # then it beats once
        monkeypatch.setattr(supervisor, "clock", lambda: self.now)
        monkeypatch.setattr(supervisor, "wait_until", self.wait)

    def wait(self, moment):
        self.now = moment
        self.beat[0] = min(self.now, self.until) // self.period + (self.now > self.wakes)
        self.watched.end = int(self.now >= self.ends)
        if self.busy >= 0:
            self.guard.writer = int(self.now < self.busy)

    def write(self, t, command):
        self.written.append((self.now, command.copy()))

    def watch(self, checks):
        return supervisor.watch.python(self.watched, checks)


def test_every_branch_of_the_watchdog_is_taken_both_ways(monkeypatch):
    with Branches(*WATCHDOG) as seen:
        clock = Clock(monkeypatch, beats_until=0)
        assert clock.watch(100) == supervisor.ALIVE and not clock.written  # it never began
        clock.until = clock.now + 50_000_000
        assert clock.watch(40) == supervisor.ALIVE and clock.guard.stop_request == 0
        assert clock.watch(100) == supervisor.STILL
        ((when, command),) = clock.written
        assert 0 < when - clock.until <= 25_000_000 and not command.any()
        assert clock.guard.stop_request == STALLED
        assert clock.watched.stalls == 1
        assert clock.watch(100) == supervisor.ALIVE  # told once
        clock.until = 10**17  # it wakes, and stalls again
        assert clock.watch(10) == supervisor.ALIVE
        clock.until = clock.now
        assert clock.watch(100) == supervisor.STILL and len(clock.written) == 2
        falls(clock)
        clock.ends = clock.now + 20_000_000
        log = stalled(clock, (0.0, 50.0))  # the end comes meanwhile
        assert 0 < len(log) < 20 and clock.watch(100) == supervisor.ENDED
        supervisor.note_stopped.python(clock.guard)
        mute = Clock(monkeypatch, beats_until=0, writes=False)
        assert stalled(mute, (0.0, 5.0)) == []
        clock.guard.writer = 1
        clock.guard.force[:] = 3.0
        supervisor.note_stopped.python(clock.guard)  # not while the loop writes
        assert clock.guard.force.tolist() == [3.0, 3.0]
    assert seen.missing() == []
    assert seen.count() >= 5


def stalled(clock, force, busy=-1, wakes=10**18):
    """Commands and their times since the last beat, of a stall with that force at the device."""
    clock.until, clock.busy = 10**17, -1
    assert clock.watch(10) == supervisor.ALIVE
    clock.until, clock.guard.force[:], clock.written = clock.now, force, []
    clock.busy = clock.now + busy if busy >= 0 else -1
    clock.wakes = clock.now + wakes
    last = clock.now
    assert clock.watch(100) == supervisor.STILL
    return [((when - last) / 1e6, command.tolist()) for when, command in clock.written]


def falls(clock):
    """The more force there is, the sooner it begins: all has gone after 25 ms."""
    for force in (1.0, 5.0, 20.0, 50.0):
        log = stalled(clock, (0.0, force))
        steps = np.diff([force, *(y for _, (_, y) in log)])
        assert log[-1][1] == [0.0, 0.0] and (steps >= -2.5 * (1 + 1e-12)).all() and (steps <= 0.0).all()
        assert 4.0 <= log[0][0] and log[-1][0] <= 25.0 and len(log) == int(np.ceil(force / 2.5))
    # inside the device's `write` nobody else writes; after a while it is given up
    assert stalled(clock, (0.0, 5.0), busy=60_000_000) == []
    assert [x for _, (_, x) in stalled(clock, (0.0, 5.0), busy=30_000_000)] == [2.5, 0.0]
    # the loop goes on: the rest of the force is its own
    log = stalled(clock, (0.0, 50.0), wakes=10_000_000)
    assert 0 < len(log) < 20 and log[-1][1][1] > 0.0


def test_a_branch_that_is_not_taken_is_found():
    with Branches(guard.tick, *RULES) as seen:
        timing()
    assert any(line.startswith("answer_rearming") for line in seen.missing())
