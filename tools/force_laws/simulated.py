"""The loop and its supervisor in simulated time, as the Python that they also are.

Threads are starved, the device stalls, the process is stopped, the model and the device give bad
numbers, somebody stops, re-arms and starts again: in any order, at any time.
"""

import random
import threading
from functools import partial
from typing import Any
from unittest import mock

import numpy as np

from force_laws.laws import broken, kept_after_faults
from force_laws.turns import Turns
from hapsis.compiler.native import place
from hapsis.touch.realtime import native_loop, supervisor
from hapsis.touch.realtime.connection import longest_stall
from hapsis.touch.realtime.guard import Guard, tick
from hapsis.touch.realtime.loop_memory import FAULT, HEAD, LATE, TIME, LoopMemory, ModelState
from hapsis.touch.realtime.ring import Ring
from hapsis.touch.realtime.supervisor import CHECKS, ENDED, Supervisor

MS = 1_000_000  # ns
TIMES = (1, 3, 8, 15, 24, 26, 40, 60, 300)  # ms, of a stall
EVENTS = ("starve", "read", "write", "late write", "freeze", "doze", "stop", "rearm", "nan", "sample", "want")
LATEST = 300_000  # ns that a thread wakes late though nothing is wrong
NAN = float("nan")


def guard_of(draw: random.Random) -> Guard:
    """A guard with random settings."""
    n, rate = draw.choice((1, 1, 2, 3)), draw.choice((1000.0, 1000.0, 4000.0, 200.0))
    most: Any = tuple(draw.choice((2.0, 10.0, 50.0)) for _ in range(n))
    ramp = draw.choice((0.02, 0.02, 0.02, 0.05, 0.3))
    given: dict[str, Any] = {"axes": tuple("xyz"[:n]), "ramp": ramp, "passive": draw.random() < 0.3}
    if draw.random() < 0.4:
        most = max(most)
    if draw.random() < 0.3:
        given["slew"] = 50.0 / ramp * draw.choice((1.0, 1.5, 10.0))
    if draw.random() < 0.7:
        given |= {"bucket": 1e6, "misses": 100_000}
    if draw.random() < 0.3:
        given["patience"] = draw.choice((1, 10, 100))
    return Guard(most, 1.0 / rate, **given)


class Scenario:
    """One scenario: `broken()` runs it, and says which laws it breaks."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        self.guard = guard_of(self.draw)
        self.turns = Turns(self.draw)
        self.axes, self.period = len(self.guard.axes), round(1e9 * self.guard.period)
        self.ring = Ring(4000, HEAD + 3 * self.axes + 2 + self.axes + self.axes)
        self.log: list[tuple[int, str, Any]] = []  # time, thread, command
        self.starts: list[int] = []  # number of the first tick of each run
        self.delays: dict[str, list[int]] = {"loop": [], "read": [], "write": [], "late": [], "watch": []}
        self.wanted = np.zeros(self.axes)
        self.bad_samples = self.bad_forces = 0
        self.inside = 0  # writes under way
        self.together = 0  # writes while another was under way
        self.loop = LoopMemory(
            axes=self.axes,
            inputs=0,
            outputs=self.axes,
            lives=0,
            bins=10,
            period=self.period,
            paced=True,
            stall=round(1e9 * longest_stall(1.0 / self.guard.period)),
            read=self._read,
            step=self._step,
            guard_tick=self._guard_tick,
            write=self._write,
            output_gains=np.ones(self.axes),
            state=ModelState(size=0),
            guard=self.guard.memory,
            telemetry=self.ring.memory,
        )
        self._tick = tick.ready(self.loop.wanted, self.loop.sample, self.loop.command, self.guard.memory)
        self.events = self._events()

    def _events(self) -> list[tuple[int, str, int]]:
        """What happens: time in ns from the start, what, for how long."""
        whole = self.draw.randint(60, 200) * self.period + 100 * MS
        return sorted(
            (self.draw.randrange(whole), self.draw.choice(EVENTS), MS * self.draw.choice(TIMES))
            for _ in range(self.draw.randint(1, 8))
        )

    def broken(self) -> list[str]:
        """Runs the scenario; a sentence for each law that it breaks."""
        waits = {"clock": self.turns.clock, "wait_until": self._wait}
        with mock.patch.multiple(native_loop, **waits), mock.patch.multiple(supervisor, **waits):
            self.turns.start(self._runs, "loop")
            self.turns.start(self._user, "user")
            self.turns.run()
        commands = np.array([command for *_, command in self.log]).reshape(-1, self.axes)
        times = np.array([1e-9 * moment for moment, *_ in self.log])
        rows, _ = self.ring.take()
        sentences = broken(self.guard, commands, times)
        hung = any(what in ("write", "late write") for _, what, _ in self.events)
        left_out = len(rows) if hung else 3
        sentences += kept_after_faults(self.guard, rows[:, FAULT], rows[:, -self.axes :], left_out)
        sentences += self._late_without_fault(rows) + self._force_of_a_stalled_loop()
        if self.together:
            sentences.append(f"{self.together} commands were written while another was under way")
        return sentences

    def _late_without_fault(self, rows: Any) -> list[str]:
        """A sentence if a tick came too long after the one before and there was no fault."""
        woke = 1e9 * (rows[:, TIME] + rows[:, LATE])
        for k in range(1, len(rows)):
            late = woke[k] - woke[k - 1] > self.loop.stall + 10
            if late and k not in self.starts and not rows[k, FAULT]:
                return [
                    f"tick {k} comes {1e-6 * (woke[k] - woke[k - 1]):.1f} ms after the last, without fault"
                ]
        return []

    def _force_of_a_stalled_loop(self) -> list[str]:
        """A sentence if there was a force too long after the loop's last command; not where the
        supervisor could not know or act, as its thread was starved or the device did not come back."""
        if any(what in ("freeze", "doze", "write", "late write") for _, what, _ in self.events):
            return []
        memory = self.guard.memory
        steps = int((memory.max_force / memory.max_step).max()) + 1
        longest = max(self.loop.stall, 2 * self.period + self.loop.stall // 6)
        longest += steps * (self.period + LATEST) + 4 * (self.loop.stall // 25 + LATEST)
        last, force = 0, False
        for moment, thread, command in self.log:
            if force and moment - last > longest:
                return [f"{1e-6 * (moment - last):.1f} ms after the loop's command there is a force"]
            last = moment if thread == "loop" else last
            force = bool(command.any())
        return []

    # --- threads ---

    def _runs(self) -> None:
        """The thread of the loop: some runs, each with its supervisor."""
        for _ in range(self.draw.randint(1, 3)):
            self.guard.restart()
            self.loop.stop = 0
            self.starts.append(int(self.loop.ticks))
            self.loop.limit = self.loop.ticks + self.draw.randint(20, 150)
            ended = threading.Event()
            watch = Supervisor(
                place(self.loop, "pulse"),
                limit=longest_stall(1.0 / self.guard.period),
                write=self._write,
                axes=self.axes,
                guard=self.guard,
            )
            self.turns.start(partial(self._watch, watch, ended), "watch")
            native_loop.run.python(self.loop)
            watch.memory.end = 1
            while not ended.is_set():
                self.turns.wait(self.turns.now + 10_000)
            self.guard.end_run()

    def _watch(self, watch: Supervisor, ended: threading.Event) -> None:
        """The thread of a supervisor."""
        while supervisor.watch.python(watch.memory, CHECKS) != ENDED:
            pass
        ended.set()

    def _user(self) -> None:
        """The thread of somebody who does what `events` say."""
        start = self.turns.now
        for moment, what, time in self.events:
            self.turns.wait(start + moment)
            if what == "freeze":
                self.turns.freeze(time)
            elif what == "stop":
                self.draw.choice((self.guard.stop, self._end))()
            elif what == "rearm":
                self.wanted[:] = 0.0
                self.turns.wait(self.turns.now + 3 * self.period)
                self.guard.rearm()
            elif what == "want":
                self.wanted[:] = self.draw.choice((0.1, 1.0, 100.0)) * self._direction()
            elif what == "nan":
                self.bad_forces = self.draw.randint(1, 5)
            elif what == "sample":
                self.bad_samples = self.draw.randint(1, 8)
            else:
                kinds = {"starve": "loop", "read": "read", "write": "write", "late write": "late"}
                self.delays[kinds.get(what, "watch")].append(time)

    def _direction(self) -> Any:
        return np.array([self.draw.uniform(-10.0, 10.0) for _ in range(self.axes)])

    def _end(self) -> None:
        self.loop.stop = 1

    # --- what the loop and its supervisor call ---

    def _wait(self, moment: int) -> None:
        kind = threading.current_thread().name
        more = self.delays[kind].pop() if self.delays[kind] else self.draw.choice((0, 0, 50_000, LATEST))
        self.turns.wait(moment + more)

    def _read(self, t: Any, sample: Any) -> None:
        self._stall("read")
        n = self.axes
        sample[:n], sample[n : 3 * n], sample[3 * n] = 0.01, NAN, 0.0
        sample[3 * n + 1] += 1.0
        if self.bad_samples:
            self.bad_samples -= 1
            kind = self.draw.randrange(3)
            sample[0] = NAN if kind == 0 else sample[0]
            sample[3 * n] = 7.0 if kind == 1 else 0.0
            sample[3 * n + 1] -= 1.0 if kind == 2 else 0.0

    def _step(self, y: Any, u: Any, live: Any, y_new: Any, out: Any) -> None:
        if self.draw.random() < 0.05:
            self.wanted[:] = self.draw.choice((0.0, 0.1, 1.0, 10.0)) * self._direction()
        out[: self.axes] = self.wanted
        if self.bad_forces:
            self.bad_forces -= 1
            out[self.draw.randrange(self.axes)] = self.draw.choice((NAN, float("inf"), 1e12))

    def _guard_tick(self, wanted: Any, sample: Any, safe: Any) -> None:
        self._tick()

    def _write(self, t: Any, command: Any) -> None:
        self.together += self.inside
        self.inside += 1
        self._stall("write")
        self.log.append((self.turns.now, threading.current_thread().name, np.array(command)))
        self._stall("late")
        self.inside -= 1

    def _stall(self, kind: str) -> None:
        if self.delays[kind]:
            self.turns.wait(self.turns.now + self.delays[kind].pop())
        elif self.draw.random() < 0.2:
            self.turns.wait(self.turns.now + self.draw.choice((100, 5_000, 100_000)))


def scenario(seed: int) -> list[str]:
    """The laws that the scenario of a seed breaks."""
    return Scenario(seed).broken()
