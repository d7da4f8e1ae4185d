"""Explicit runs of equations that switch, with a tape of their steps for going back.

f has modes: what it would decide by comparing is held in an array instead, one number per guard,
1 where the guard is positive and 0 where not. So f is smooth along a step, also behind a guard's
zero, and the place of that zero and all derivatives are as good as the step. A step ends where a
guard passes zero, and only then the mode changes. At terminal guards the caller changes it. A step
that was cut there is made once more with its new length: so every step is one of the method's own,
and can be differentiated as such.

A row of the tape is t, h, the modes and y at the start of a step.
"""

from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Kernel, at, constant, later, native, record, sized
from hapsis.motion.solvers.events.dense_output import normalised
from hapsis.motion.solvers.integrators.explicit import ExplicitMemory, advance_explicit, stages
from hapsis.motion.solvers.run.integration import Integration
from hapsis.motion.solvers.run.run_memory import EVENT, PAUSED

FIRST_ROOM = 1024  # rows
TAPE_FULL = 9  # what `advance` answers where the tape must grow


@record
class SwitchedMemory:
    """An explicit run, the modes of its equations, and its tape."""

    run: ExplicitMemory
    size: int = constant()
    modes: Array = later()  # one for each event
    stored: int = 0  # rows of the tape that are written
    room: int = 0  # rows there are; 0: nothing is written
    tape: Array = later()
    origin: Array = sized("size")  # the state that the step starts from


@native
def advance_switched(f: Kernel, g: Kernel, switched: SwitchedMemory) -> int:
    """The answer after at most `budget` tried steps; see `run_memory`."""
    run = switched.run
    budget = run.budget
    run.budget = 1
    for _ in range(budget):
        row = at(switched.tape, switched.stored * (2 + run.event_count + run.size))
        if switched.room > 0:
            if switched.stored == switched.room:
                return TAPE_FULL
            write_row(switched, row)
        before = run.steps
        t = run.t
        for j in range(run.size):
            switched.origin[j] = run.y[j]
        answer = advance_explicit(f, g, run)
        if run.steps > before:
            if not run.fresh:
                once_more(f, t, switched)
            if switched.room > 0:
                row[1] = run.dt if run.fresh else run.t - t
                switched.stored += 1
            if answer != EVENT:
                switch(switched)
        if answer != PAUSED:
            return answer
    return PAUSED


@native
def write_row(switched: SwitchedMemory, row: Array) -> None:
    """The state that a step starts from, on the tape; its length comes later."""
    run = switched.run
    row[0] = run.t
    for j in range(run.event_count):
        row[2 + j] = switched.modes[j]
    for j in range(run.size):
        row[2 + run.event_count + j] = run.y[j]


@native
def once_more(f: Kernel, t: float, switched: SwitchedMemory) -> None:
    """y at run.t by one step from `origin` at t; its first slope is still there."""
    run = switched.run
    end = run.t
    step = run.dt
    run.t = t
    run.dt = end - t
    stages(f, run, switched.origin, run.y)
    normalised(run.quaternion_count, run.quaternions, run.y)
    run.t = end
    run.dt = step


@native
def switch(switched: SwitchedMemory) -> None:
    """The modes are those of the guards' signs; f is evaluated again where one has changed."""
    run = switched.run
    for j in range(run.event_count):
        side = run.side[j]
        if side != 0.0:
            mode = 1.0 if side > 0.0 else 0.0
            if mode != switched.modes[j]:
                switched.modes[j] = mode
                run.fresh = False


class SwitchedRun:
    """An explicit run of equations with `modes`, and its tape if it shall have one."""

    def __init__(self, run: Integration, modes: Any, *, taped: bool = False) -> None:
        self.run, self.modes = run, modes
        self.width = 2 + len(modes) + run.size
        self.memory = SwitchedMemory(
            run=run.memory,  # pyright: ignore[reportArgumentType] (the record refuses others)
            size=run.size,
            modes=modes,
            room=FIRST_ROOM if taped else 0,
            tape=np.zeros(self.width * (FIRST_ROOM if taped else 1)),
        )
        run.lead(advance_switched, self.memory)

    @property
    def stored(self) -> int:
        """Steps on the tape."""
        return int(self.memory.stored)

    @property
    def tape(self) -> Any:
        """Rows of t, h, the modes and y at the start of a step, one behind the other."""
        return self.memory.tape

    def grow(self) -> None:
        """Twice the room on the tape."""
        self.memory.tape = np.concatenate([self.tape, np.zeros_like(self.tape)])
        self.memory.room *= 2

    def sides(self) -> Any:
        """The modes that the guards' signs say, where they have been seen."""
        side = self.run.memory.side
        return np.where(side == 0.0, self.modes, (side > 0.0).astype(float))
