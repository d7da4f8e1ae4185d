"""Explicit runs of equations that switch, with a tape of their steps for going back.

f has modes: what it would decide by comparing is held in an array instead, one number per guard,
1 where the guard is positive and 0 where not. So f is smooth along a step, also behind a guard's
zero, and the place of that zero and all derivatives are as good as the step. A step ends where a
guard passes zero, and only then the mode changes. At terminal guards the caller changes it. A step
that was cut there is made once more with its new length: so every step is one of the method's own,
and can be differentiated as such.

A row of the tape is t, h, the modes and y at the start of a step.
"""

import dataclasses
from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, Kernel, at, native
from hapsis.motion.solvers.events.dense_output import normalised
from hapsis.motion.solvers.integrators.explicit import advance_explicit, stages
from hapsis.motion.solvers.run.integration import Run
from hapsis.motion.solvers.run.run_memory import (
    DT,
    EVENT,
    FRESH,
    PAUSED,
    QUATERNIONS,
    SIDE,
    SIGNALS,
    SIZE,
    STEPS,
    T,
)

# places in `tally`
STORED = 0  # rows of the tape that are written
ROOM = 1  # rows there are; 0: nothing is written
FIRST_ROOM = 1024  # rows
TAPE_FULL = 9  # what `advance` answers where the tape must grow


@native
def advance_modal(
    f: Kernel,
    g: Kernel,
    prepare: Kernel,
    budget: int,
    real: Array,
    count: Ints,
    shape: Ints,
    places: Ints,
    weights: Array,
    slopes: Array,
    modes: Array,
    tape: Array,
    tally: Ints,
    origin: Array,
    y: Array,
    y_new: Array,
    atol: Array,
    dense: Array,
    spot: Array,
    samples: Array,
    sampled: Array,
    signals: Array,
    marks: Ints,
    records: Array,
    quaternions: Ints,
    clock: Array,
) -> int:
    """The answer after at most `budget` tried steps; see `layout`."""
    ng, n = count[SIGNALS], count[SIZE]
    for _ in range(budget):
        row = at(tape, tally[STORED] * (2 + ng + n))
        if tally[ROOM] > 0:
            if tally[STORED] == tally[ROOM]:
                return TAPE_FULL
            row[0] = real[T]
            for j in range(ng):
                row[2 + j] = modes[j]
            for j in range(n):
                row[2 + ng + j] = y[j]
        before = count[STEPS]
        t = real[T]
        for j in range(n):
            origin[j] = y[j]
        answer = advance_explicit(
            f,
            g,
            prepare,
            1,
            real,
            count,
            shape,
            places,
            weights,
            slopes,
            y,
            y_new,
            atol,
            dense,
            spot,
            samples,
            sampled,
            signals,
            marks,
            records,
            quaternions,
            clock,
        )
        if count[STEPS] > before:
            if count[FRESH] == 0:
                once_more(
                    f, t, real, count, shape, places, weights, origin, y, slopes, spot, quaternions, clock
                )
            if tally[ROOM] > 0:
                row[1] = real[DT] if count[FRESH] != 0 else real[T] - t
                tally[STORED] += 1
            if answer != EVENT:
                switch(real, count, signals, modes)
        if answer != PAUSED:
            return answer
    return PAUSED


@native
def once_more(
    f: Kernel,
    t: float,
    real: Array,
    count: Ints,
    shape: Ints,
    places: Ints,
    weights: Array,
    origin: Array,
    y: Array,
    slopes: Array,
    spot: Array,
    quaternions: Ints,
    clock: Array,
) -> None:
    """y at real[T] by one step from `origin` at t; its first slope is still there."""
    end = real[T]
    step = real[DT]
    real[T] = t
    real[DT] = end - t
    stages(f, real, count, shape, places, weights, origin, y, slopes, spot, clock)
    normalised(count[QUATERNIONS], quaternions, y)
    real[T] = end
    real[DT] = step


@native
def switch(real: Array, count: Ints, signals: Array, modes: Array) -> None:
    """The modes are those of the guards' signs; f is asked again where one has changed."""
    ng = count[SIGNALS]
    for j in range(ng):
        side = signals[SIDE * ng + j]
        if side != 0.0:
            mode = 1.0 if side > 0.0 else 0.0
            if mode != modes[j]:
                modes[j] = mode
                count[FRESH] = 0


class Modal:
    """An explicit run made modal: its `modes`, and its tape if it shall have one."""

    def __init__(self, run: Run, modes: Any, *, taped: bool = False) -> None:
        self.run, self.modes = run, modes
        self.width = 2 + len(modes) + run.size
        self.tally = np.array([0, FIRST_ROOM if taped else 0], np.int64)
        self.tape = np.zeros(self.width * (FIRST_ROOM if taped else 1))
        self._own, self._origin = run.arrays, np.zeros(run.size)
        run.family = dataclasses.replace(run.family, function=advance_modal)
        self._arrays()

    def _arrays(self) -> None:
        self.run.arrays = (*self._own, self.modes, self.tape, self.tally, self._origin)

    @property
    def stored(self) -> int:
        """Steps on the tape."""
        return int(self.tally[STORED])

    def grow(self) -> None:
        """Twice the room on the tape."""
        self.tape = np.concatenate([self.tape, np.zeros_like(self.tape)])
        self.tally[ROOM] *= 2
        self._arrays()

    def sides(self) -> Any:
        """The modes that the guards' signs say, where they have been seen."""
        ng = len(self.modes)
        side = self.run.signals[SIDE * ng : (SIDE + 1) * ng]
        return np.where(side == 0.0, self.modes, (side > 0.0).astype(float))
