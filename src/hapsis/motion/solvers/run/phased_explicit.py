"""Explicit runs of equations with phases: events reset the state and change the phase in native code.

See `phase_memory` for the vector that is integrated, the Kernels of phases and the results of resets.

An event that repeats has three ways to never end: bounces that come ever faster (Zeno), an event that
its own reset does not leave behind, and many events without any time between them. The first goes on with
the reset of rest where there is one; else the run ends with an answer that says so.
"""

from typing import Any

import numpy as np

from hapsis.compiler.native import Kernel, at, native
from hapsis.motion.solvers.integrators.error_norms import finite
from hapsis.motion.solvers.integrators.explicit import ExplicitMemory, advance_explicit
from hapsis.motion.solvers.integrators.step_control import new_grid
from hapsis.motion.solvers.run.integration import Integration
from hapsis.motion.solvers.run.phase_memory import (
    AFTER,
    BEFORE,
    BOUNCES,
    CHANGE,
    CHATTERING,
    ENERGY,
    ENTRY,
    GAP,
    HEAD,
    INSTANT,
    LOG_FULL,
    MASK,
    OPEN,
    ROW,
    STOP,
    TIME,
    TORN,
    WEAK,
    WHICH,
    ZENO,
    PhasedMemory,
    PhaseKernels,
)
from hapsis.motion.solvers.run.run_memory import EVENT, PAUSED
from hapsis.motion.solvers.run.values_after_resets import goes_on, leaves, rocks, stood

REPEATS = 64  # of one event within instants, or of all events without an instant between them
FIRST_ROOM = 64  # rows of the log


@native
def advance_phased(f: Kernel, g: Kernel, phased: PhasedMemory) -> int:
    """The answer after at most `budget` tried steps; see `run_memory` and the head of this file."""
    run = phased.run
    end = run.steps + run.rejected + run.budget
    while True:
        if phased.waiting == 0:
            if phased.stored + run.event_count > phased.room:
                return LOG_FULL
            run.budget = end - run.steps - run.rejected
            if run.budget <= 0:
                return PAUSED
            run.events = 0
            answer = advance_explicit(f, g, run)
            if answer != EVENT:
                return answer
            phased.waiting, phased.next = 1, 0
        answer = happenings(f, g, phased)
        if answer != PAUSED:
            return answer
        phased.waiting = 0


@native
def happenings(f: Kernel, g: Kernel, phased: PhasedMemory) -> int:
    """All events of this moment that are not done; PAUSED where the run goes on."""
    run = phased.run
    if phased.next == 0 and run.events > 1:
        answer = conditions(phased)
        if answer != PAUSED:
            return answer
    while phased.next < run.events:
        which = run.marks[phased.next]
        if which < 0:
            phased.next += 1
            continue
        if which >= phased.events:
            phased.next += 1
            phased.asked = int(run.y[phased.size])
            return WEAK
        answer = happen(f, g, phased, which)
        if answer != PAUSED:
            return answer
        phased.next += 1
    run.events = 0
    return PAUSED


@native
def conditions(phased: PhasedMemory) -> int:
    """Strikes off events of this moment whose conditions do not hold before any of them acts."""
    run, before = phased.run, int(phased.run.y[phased.size])
    for i in range(1, run.events):
        which = run.marks[i]
        if which < 0 or which >= phased.events:
            continue
        number = phased.reset_of[which * phased.phases + before]
        if number < 0:
            continue
        if not looked_at(phased, number, before):
            return ENTRY
        if phased.result[MASK] == 0.0:
            run.marks[i] = -1
    return PAUSED


@native
def happen(f: Kernel, g: Kernel, phased: PhasedMemory, which: int) -> int:
    """One event: its reset, and the phase after it."""
    run, n = phased.run, phased.size
    before = int(run.y[n])
    number = phased.reset_of[which * phased.phases + before]
    if number < 0:
        return PAUSED
    phased.culprit = which
    answer = result_of(phased, number, before)
    if answer != PAUSED or phased.result[MASK] == 0.0:
        return answer
    number = settled(f, phased, which, number, before)
    if number < 0:
        return -number
    stood(f, phased)
    take(g, phased, which, number, before)
    return STOP if phased.stops[which] != 0 else PAUSED


@native
def result_of(phased: PhasedMemory, number: int, before: int) -> int:
    """PAUSED with the result of a reset, and the vector after it in `trial`; or what prevents it."""
    run, n = phased.run, phased.size
    after = phased.target[number]
    if not looked_at(phased, number, before):
        return ENTRY
    if phased.result[MASK] == 0.0:
        return PAUSED
    for j in range(n):
        phased.trial[j] = phased.result[HEAD + j]
    phased.trial[n] = float(after)
    phased.trial[n + 1] = run.t if after != before else run.y[n + 1]
    phased.trial[n + 2] = run.y[n + 2] - phased.result[CHANGE]
    if not finite(n + 3, phased.trial):
        return ENTRY  # a partition that is singular there gives none, another may
    phased.kernels.watches[after](run.clock, phased.trial, at(phased.trial, n + 1), phased.values)
    if not phased.values[phased.events] > 0.0:
        return ENTRY
    if not phased.result[GAP] <= TORN:
        return OPEN
    return PAUSED


@native
def looked_at(phased: PhasedMemory, number: int, before: int) -> bool:
    """Whether the result of a reset could be computed; not where its Kernels are missing."""
    run, n = phased.run, phased.size
    after = phased.target[number]
    phased.asked, phased.number = after, number
    if phased.ready[after] == 0 or phased.written[number] == 0:
        return False
    run.clock[0] = run.t
    for j in range(n + 3):
        phased.closed[j] = run.y[j]
    if phased.constrained[before] != 0:
        phased.kernels.closings[before](run.clock, run.y, phased.closed)
    phased.resets[number](run.clock, phased.closed, at(run.y, n + 1), phased.result)
    return True


@native
def settled(f: Kernel, phased: PhasedMemory, which: int, number: int, before: int) -> int:
    """The reset to take: this one, or that of rest where bounces come to an end; minus an answer if none.

    A strike must leave its event behind: where the values go on to change as they did, the event would
    never happen again, though its condition stays broken.
    """
    run = phased.run
    if run.t - phased.latest > INSTANT:
        phased.crowd = 0
    phased.crowd += 1
    if phased.crowd > REPEATS:
        return -CHATTERING
    pause = run.t - phased.last[which]
    quick = pause < INSTANT
    if quick:
        phased.repeats[which] += 1
    else:
        phased.repeats[which] = 0
    if phased.strikes[number] == 0:
        if phased.repeats[which] > REPEATS:
            return -CHATTERING
        # a bounce that is written as a reset must not go through the ground where it ends
        return -ZENO if quick and not leaves(f, phased, which) else number
    stuck = not leaves(f, phased, which) and not goes_on(f, phased, which, before)
    if not stuck and not quick and not rocks(f, phased, which):
        return number
    rest = phased.rest[number]
    if rest < 0:
        return -ZENO if phased.strikes[number] == BOUNCES else -CHATTERING
    answer = result_of(phased, rest, before)
    return rest if answer == PAUSED else -answer


@native
def take(g: Kernel, phased: PhasedMemory, which: int, number: int, before: int) -> None:
    """Writes the log, and goes on from the state after the event."""
    run, n = phased.run, phased.size
    after = phased.target[number]
    row = at(phased.log, phased.stored * (ROW + 2 * n + phased.impulses))
    row[TIME] = run.t
    row[WHICH] = float(which)
    row[BEFORE] = float(before)
    row[AFTER] = float(after)
    row[ENERGY] = phased.result[CHANGE]
    for j in range(n):
        row[ROW + j] = run.y[j]
        row[ROW + n + j] = phased.trial[j]
    for j in range(phased.impulses):
        row[ROW + 2 * n + j] = phased.result[HEAD + n + j]
    phased.stored += 1
    phased.pause[which] = run.t - phased.last[which]
    phased.last[which] = run.t
    phased.latest = run.t
    for j in range(n + 3):
        run.y[j] = phased.trial[j]
    restart(g, run)
    for i in range(phased.events):
        if phased.held[i] != 0:
            run.side[i] = run.direction[i]


@native
def restart(g: Kernel, run: ExplicitMemory) -> None:
    """As `Integration.restart`: events compare with the signs that they have now."""
    run.fresh = False
    run.retry = False
    run.sloped = False
    run.hump = False
    run.waves = False
    run.stiff_hits = 0
    run.stiff_misses = 0
    run.past = 1.0
    run.clock[0] = run.t
    g(run.clock, run.y, run.g_now)
    for i in range(run.event_count):
        value = run.g_now[i]
        run.side[i] = 1.0 if value > 0.0 else -1.0 if value < 0.0 else 0.0
    if run.zones.count > 0:
        run.zones.approach(run.clock, run.y, run.zones.gap, run.zones.speed)
    if not run.adaptive:
        new_grid(run)


class PhasedRun:
    """An explicit run of equations with phases; `kernels` are those that its f and g call."""

    def __init__(self, run: Integration, kernels: PhaseKernels, **fields: Any) -> None:
        self.run = run
        width = ROW + 2 * kernels.size + fields["impulses"]
        self.memory = PhasedMemory(
            run=run.memory,  # pyright: ignore[reportArgumentType] (the record refuses others)
            kernels=kernels,
            size=kernels.size,
            room=FIRST_ROOM,
            log=np.zeros(width * FIRST_ROOM),
            **fields,
        )
        self.width = width
        self.memory.last[:] = self.memory.latest = -np.inf
        run.lead(advance_phased, self.memory)

    def grow(self) -> None:
        """Twice the room in the log."""
        self.memory.log = np.concatenate([self.memory.log, np.zeros_like(self.memory.log)])
        self.memory.room *= 2

    def rows(self, first: int = 0) -> Any:
        """The rows of the log from one of them on."""
        return self.memory.log.reshape(-1, self.width)[first : self.memory.stored].copy()
