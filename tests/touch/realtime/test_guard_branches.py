"""Every condition of the guard and of the watchdog has been taken both ways."""

import numpy as np
from guard_bench import NAN, Branches, Twin

from hapsis.compiler.native import Native
from hapsis.touch.realtime import guard as guard_module
from hapsis.touch.realtime import guard_layout as layout
from hapsis.touch.realtime import guard_rules, supervisor
from hapsis.touch.realtime.guard import guard

RULES = [thing for thing in vars(guard_rules).values() if isinstance(thing, Native)]
INF = float("inf")


def timing():
    """Misses alone, in a row, too many."""
    twin = Twin()
    for missed in (0, 1, 0, 1, 1, 1, 2, 0, 0, *[1] * 30):
        twin.tick(5.0, missed=missed)
    assert twin.guards[0].fault == layout.TOO_SLOW


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
    assert twin.guards[0].fault == layout.STALE_SAMPLE
    twin = Twin()
    for _ in range(4):
        twin.tick(1.0, position=NAN)
    assert twin.guards[0].fault == layout.BAD_POSITION


def forces():
    """No numbers, huge ones; saturation and steps, for the vector and for each axis."""
    for wanted in ((NAN, INF), (INF, NAN), (INF, INF), (0.0, 2e10)):
        for limits in (10.0, (10.0, 5.0)):
            twin = Twin(limits, axes=("x", "y"))
            for _ in range(6):
                twin.tick((30.0, 1.0))
            for _ in range(25):
                twin.tick(wanted)
            assert twin.guards[0].fault in (layout.NAN_FORCE, layout.HUGE_FORCE)


def energies():
    """Pushed along the motion both ways, and not moving at all; observer only."""
    for passive in (True, False):
        twin = Twin(passive=passive)
        for wanted, x in ((1.0, 0.0), (1.0, 0.01), (1.0, 0.0), (-1.0, -0.01), (1.0, -0.01)):
            twin.tick(wanted, position=x)
        twin.poison(layout.ENERGY, -1.0)
        twin.tick(0.0, position=-0.01)


def letters():
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
    twin.poison(layout.LAST)
    twin.tick(1.0)
    twin.poison(layout.ENERGY)
    twin.tick(1.0)
    assert twin.guards[0].fault == layout.MEMORY


def test_every_branch_of_the_guard_is_taken_both_ways():
    with Branches(guard, *RULES) as seen:
        for story in (timing, samples, forces, energies, letters):
            story()
    assert seen.missing() == []
    assert len(RULES) == 12 and seen.count() > 60
    # the guard calls nothing else that is native
    named = {name for name in vars(guard_module) if isinstance(vars(guard_module)[name], Native)}
    assert named == {"guard", *(f.__name__ for f in RULES)} - {"moved", "share"}


class Clock:
    """A clock for `watch` that runs only when it waits, and a loop that beats until some time."""

    def __init__(self, monkeypatch, beats_until, period=1_000_000):
        self.now, self.until, self.period = 0, beats_until, period
        self.beat, self.ends = np.zeros(1, np.int64), 10**18
        self.watched = np.zeros(supervisor.PLACES, np.int64)
        self.letters = np.zeros(layout.COUNTS, np.int64)
        self.written = []
        monkeypatch.setattr(supervisor, "clock", lambda: self.now)
        monkeypatch.setattr(supervisor, "wait_until", self.wait)

    def wait(self, moment):
        self.now = moment
        self.beat[0] = min(self.now, self.until) // self.period
        self.watched[supervisor.END] = self.now >= self.ends

    def write(self, t, command):
        self.written.append((self.now, command.copy()))

    def watch(self, checks):
        return supervisor.watch.python(
            self.write,
            self.beat,
            0,
            23_000_000,
            1_000_000,
            checks,
            self.watched,
            self.letters,
            np.zeros(1),
            np.zeros(2),
        )


def test_every_branch_of_the_watchdog_is_taken_both_ways(monkeypatch):
    with Branches(supervisor.watch) as seen:
        clock = Clock(monkeypatch, beats_until=0)
        assert clock.watch(100) == supervisor.ALIVE and not clock.written  # it never began
        clock.until = clock.now + 50_000_000
        assert clock.watch(40) == supervisor.ALIVE and clock.letters[layout.STOP] == 0
        assert clock.watch(100) == supervisor.STILL
        ((when, command),) = clock.written
        assert 0 < when - clock.until <= 25_000_000 and not command.any()
        assert clock.letters[layout.STOP] == layout.STALLED
        assert clock.watched[supervisor.STALLS] == 1
        assert clock.watch(100) == supervisor.ALIVE  # told once
        clock.until = 10**17  # it wakes, and stalls again
        assert clock.watch(10) == supervisor.ALIVE
        clock.until = clock.now
        assert clock.watch(100) == supervisor.STILL and len(clock.written) == 2
        clock.ends = clock.now + 5_000_000
        assert clock.watch(100) == supervisor.ENDED
    assert seen.missing() == [] and seen.count() >= 5


def test_a_branch_that_is_not_taken_is_found():
    with Branches(guard, *RULES) as seen:
        timing()
    assert any(line.startswith("rearmed") for line in seen.missing())
