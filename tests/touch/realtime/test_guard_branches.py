"""Every condition of the guard and of the watchdog has been taken both ways."""

import numpy as np
from guard_bench import NAN, Branches, Twin

from hapsis.compiler.native import Native
from hapsis.touch.realtime import guard, guard_faults, guard_forces, supervisor
from hapsis.touch.realtime import guard_memory as causes
from hapsis.touch.realtime.guard_memory import STALLED, GuardMemory
from hapsis.touch.realtime.supervisor import WatchMemory


def natives(module):
    return {thing for thing in vars(module).values() if isinstance(thing, Native)}


RULES = natives(guard_faults) | natives(guard_forces)
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
    for _ in range(20):
        twin.tick(0.0)
    for tick in (dict(status=1.0), dict(wanted=3.0), dict(wanted=0.0)):
        twin.say("rearm")
        twin.tick(**{"wanted": 0.0, **tick})
    assert twin.guards[0].fault == 0
    for name in ("force", "ramp_start", "position", "velocity", "energy", "lowest_energy"):
        twin.poison(name)
        twin.tick(1.0)
        twin.poison(name, 0.0)
    assert twin.guards[0].fault == causes.MEMORY


def test_every_branch_of_the_guard_is_taken_both_ways():
    with Branches(guard.tick, *RULES) as seen:
        for story in (timing, samples, forces, energies, requests):
            story()
    assert seen.missing() == []
    assert len(RULES) == 12 and seen.count() > 60
    # the guard calls nothing else that is native
    assert natives(guard) <= RULES | {guard.tick}


class Clock:
    """A clock for `watch` that runs only when it waits, and a loop that beats until some time."""

    def __init__(self, monkeypatch, beats_until, period=1_000_000):
        self.now, self.until, self.period = 0, beats_until, period
        self.beat, self.ends, self.written = np.zeros(1, np.int64), 10**18, []
        self.guard = GuardMemory()
        self.watched = WatchMemory(
            axes=2, limit=23_000_000, pause=1_000_000, beat=self.beat, write=self.write, guard=self.guard
        )
        monkeypatch.setattr(supervisor, "clock", lambda: self.now)
        monkeypatch.setattr(supervisor, "wait_until", self.wait)

    def wait(self, moment):
        self.now = moment
        self.beat[0] = min(self.now, self.until) // self.period
        self.watched.end = int(self.now >= self.ends)

    def write(self, t, command):
        self.written.append((self.now, command.copy()))

    def watch(self, checks):
        return supervisor.watch.python(self.watched, checks)


def test_every_branch_of_the_watchdog_is_taken_both_ways(monkeypatch):
    with Branches(supervisor.watch) as seen:
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
        clock.ends = clock.now + 5_000_000
        assert clock.watch(100) == supervisor.ENDED
    assert seen.missing() == [] and seen.count() >= 5


def test_a_branch_that_is_not_taken_is_found():
    with Branches(guard.tick, *RULES) as seen:
        timing()
    assert any(line.startswith("answer_rearming") for line in seen.missing())
