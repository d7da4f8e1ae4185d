"""What the tests of the guard share: the same ticks natively and as Python, and a device."""

import dis
import sys
from collections import defaultdict

import numpy as np
from scipy.linalg import expm

from hapsis.touch.realtime.guard import Guard, tick
from hapsis.touch.realtime.guard_memory import GuardCounts, GuardMemory

PERIOD = 1e-3
NAN = float("nan")


def contents(guard):
    """All bytes of a guard's memory, by the names of the fields."""
    memory = guard.memory
    pairs = [(memory, name) for name in GuardMemory.__annotations__ if name != "counts"]
    pairs += [(memory.counts, name) for name in GuardCounts.__annotations__]
    return {name: np.asarray(getattr(part, name)).tobytes() for part, name in pairs}


def finite(guard):
    """Whether all state of a guard is finite."""
    memory = guard.memory
    names = ("force", "target", "change", "position", "velocity", "energy", "lowest_energy", "lowest_total")
    return all(np.isfinite(getattr(memory, name)).all() for name in names)


class Twin:
    """A guard twice, run natively and as Python; every tick compares all their bits."""

    def __init__(self, max_force=(10.0,), period=PERIOD, **settings):
        self.guards = [Guard(max_force, period, **settings) for _ in range(2)]
        self.axes = len(self.guards[0].axes)
        self.counter = 0.0

    def poison(self, name, value=NAN):
        for one in self.guards:
            if isinstance(getattr(one.memory, name), np.ndarray):
                getattr(one.memory, name)[0] = value
            else:
                setattr(one.memory, name, value)

    def say(self, word, *args):
        for one in self.guards:
            getattr(one, word)(*args)

    def tick(self, wanted, position=0.0, velocity=NAN, status=0.0, counter=None, missed=0):
        n = self.axes
        self.counter += 1.0
        sample = np.full(3 * n + 2, NAN)
        sample[:n], sample[n : 2 * n], sample[3 * n] = position, velocity, status
        sample[3 * n + 1] = self.counter if counter is None else counter
        force = np.array(np.broadcast_to(np.asarray(wanted, float), n))
        safe = [np.zeros(n), np.zeros(n)]
        for one in self.guards:
            one.memory.missed = missed
        native, python = self.guards
        native.kernel(force, sample, safe[0])
        tick.python(force, sample, safe[1], python.memory)
        assert safe[0].tobytes() == safe[1].tobytes()
        assert contents(native) == contents(python)
        return safe[0]


class Branches:
    """Which ways the conditional jumps of some native functions went, run as Python."""

    def __init__(self, *functions):
        self.codes = {f.__wrapped__.__code__: f.__name__ for f in functions}
        self.jumps = {code: self._conditional(code) for code in self.codes}
        self.taken = defaultdict(set)

    @staticmethod
    def _conditional(code):
        """Line of each conditional jump, by its offset or that of its prefix."""
        found, first = {}, None
        for op in dis.get_instructions(code):
            first = op.offset if first is None else first
            if op.opname != "EXTENDED_ARG":
                if ("JUMP" in op.opname and "IF" in op.opname) or op.opname == "FOR_ITER":
                    found[first] = op.positions.lineno, op.offset
                first = None
        return found

    def __enter__(self):
        self.before = sys.gettrace()
        sys._getframe().f_trace_opcodes = True  # Python 3.12 looks for one before it traces
        sys.settrace(self._called)
        return self

    def __exit__(self, *problem):
        sys.settrace(self.before)

    def _called(self, frame, event, arg):
        code = frame.f_code
        if code not in self.codes:
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        jumps, last, within = self.jumps[code], -1, ()

        def local(frame, event, arg):
            nonlocal last, within
            if event == "opcode" and frame.f_lasti not in within:
                if last in jumps:
                    self.taken[code, last].add(frame.f_lasti)
                last = frame.f_lasti
                within = range(last + 1, jumps[last][1] + 1) if last in jumps else ()
            return local

        return local

    def missing(self):
        """Functions and lines with a jump that did not go both ways."""
        return sorted(
            f"{name}, line {line}: {len(self.taken[code, offset])} of 2 ways"
            for code, name in self.codes.items()
            for offset, (line, _) in self.jumps[code].items()
            if len(self.taken[code, offset]) < 2
        )

    def count(self):
        return sum(len(jumps) for jumps in self.jumps.values())


class Press:
    """A device of mass and damping, pushed against a wall at x > 0 by a constant force.

    Force is held over each period and the motion in between is exact, so energy is too.
    """

    def __init__(self, mass=0.1, damping=0.5, push=1.0, x=-0.005, v=0.2, period=PERIOD):
        flow = np.array([[0, 1, 0], [0, -damping / mass, 1 / mass], [0, 0, 0.0]])
        self.over, self.push, self.x, self.v = expm(period * flow), push, x, v
        self.given, self.most = 0.0, 0.0

    def move(self, force):
        x, self.v, _ = self.over @ [self.x, self.v, force + self.push]
        self.given += force * (x - self.x)
        self.most, self.x = max(self.most, self.given), x
