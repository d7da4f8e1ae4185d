"""How the values of events go on after a reset: back to where they came from, on, or through zero.

Rates are those of the motion after it, by its slope over a short time; parabolas are those of two of them.
"""

from hapsis.compiler.native import Array, Kernel, at, native
from hapsis.motion.solvers.run.phase_memory import INSTANT, MASK, PhasedMemory

REACH = 1e-5  # s; over which the rates of values after a reset are taken
STILL = 1e-3  # of the rate after an impact: a value that changed no faster before it stood still
KEPT = 0.5  # of the rate before an impact: a value that changes so fast has not been turned back
DEEP = 4.0  # times the value where a strike was located: a bounce must go higher


@native
def leaves(f: Kernel, phased: PhasedMemory, which: int) -> bool:
    """Whether the value of an event is or goes, after the reset, where it came from; or does not count."""
    run, n = phased.run, phased.size
    after = int(phased.trial[n])
    again = phased.reset_of[which * phased.phases + after]
    value = phased.values[which]
    if again < 0 or run.side[which] * value < 0.0:  # the side is that after the event
        return True
    if flies(f, phased, which, after, value):
        return True
    if phased.written[again] == 0:
        return True
    phased.resets[again](run.clock, phased.closed, at(phased.closed, n + 1), phased.spare)
    return phased.spare[MASK] == 0.0


@native
def goes_on(f: Kernel, phased: PhasedMemory, which: int, before: int) -> bool:
    """Whether the value of an event goes on to change as it did, as a time does: nothing turned it back."""
    run, n, side = phased.run, phased.size, phased.run.side[which]
    ahead = side * rate_of(f, phased, which, before, run.y)
    return ahead > 0.0 and side * rate_of(f, phased, which, int(phased.trial[n]), phased.trial) > KEPT * ahead


@native
def rate_of(f: Kernel, phased: PhasedMemory, which: int, phase: int, y: Array) -> float:
    """The rate of a value at a state of a phase."""
    run, n = phased.run, phased.size
    run.clock[0] = run.t
    phased.kernels.watches[phase](run.clock, y, at(y, n + 1), phased.values)
    value = phased.values[which]
    f(run.clock, y, phased.slope)
    for j in range(n + 3):
        phased.closed[j] = y[j] + REACH * phased.slope[j]
    run.clock[0] = run.t + REACH
    phased.kernels.watches[phase](run.clock, phased.closed, at(phased.closed, n + 1), phased.values)
    run.clock[0] = run.t
    rate = (phased.values[which] - value) / REACH
    phased.values[which] = value
    return rate


@native
def flies(f: Kernel, phased: PhasedMemory, which: int, after: int, value: float) -> bool:
    """Whether the value of an event goes back beyond zero, for longer than an instant.

    The parabola is that of the value's rate now and after some time, by slopes of the motion.
    """
    run, n, side = phased.run, phased.size, phased.run.side[which]
    run.clock[0] = run.t
    f(run.clock, phased.trial, phased.slope)
    for j in range(n + 3):
        phased.closed[j] = phased.trial[j] + REACH * phased.slope[j]
    phased.kernels.watches[after](run.clock, phased.closed, at(phased.closed, n + 1), phased.values)
    rate = -side * (phased.values[which] - value) / REACH
    if not rate > 0.0:
        return False
    f(run.clock, phased.closed, phased.slope)
    for j in range(n + 3):
        phased.closed[j] = phased.trial[j] + REACH * phased.slope[j]
    phased.kernels.watches[after](run.clock, phased.closed, at(phased.closed, n + 1), phased.values)
    bend = (rate + side * (phased.values[which] - value) / REACH) / REACH  # how fast the rate falls
    if not bend > 0.0:
        return True
    return 2.0 * rate > INSTANT * bend and 0.5 * rate * rate > DEEP * abs(value) * bend


@native
def rocks(f: Kernel, phased: PhasedMemory, which: int) -> bool:
    """Whether another strike would come within an instant: its value leaves zero and is back, by a parabola.

    So what rocks from one point to another comes to rest, though each of them is struck less often.
    """
    run, n = phased.run, phased.size
    after = int(phased.trial[n])
    run.clock[0] = run.t
    phased.kernels.watches[after](run.clock, phased.trial, at(phased.trial, n + 1), phased.values)
    f(run.clock, phased.trial, phased.slope)
    for j in range(n + 3):
        phased.closed[j] = phased.trial[j] + REACH * phased.slope[j]
    phased.kernels.watches[after](run.clock, phased.closed, at(phased.closed, n + 1), phased.ahead)
    f(run.clock, phased.closed, phased.slope)
    for j in range(n + 3):
        phased.closed[j] += REACH * phased.slope[j]
    phased.kernels.watches[after](run.clock, phased.closed, at(phased.closed, n + 1), phased.farther)
    for i in range(phased.events):
        again = phased.reset_of[i * phased.phases + after]
        if i == which or again < 0 or phased.strikes[again] == 0 or phased.written[again] == 0:
            continue
        rate = (phased.ahead[i] - phased.values[i]) / REACH
        bend = (phased.farther[i] - 2.0 * phased.ahead[i] + phased.values[i]) / (REACH * REACH)
        if not rate * run.direction[i] < 0.0 or not rate * bend < 0.0:
            continue
        if abs(phased.values[i]) <= INSTANT * abs(rate) and 2.0 * abs(rate) < INSTANT * abs(bend):
            phased.resets[again](run.clock, phased.trial, at(phased.trial, n + 1), phased.spare)
            if phased.spare[MASK] != 0.0:
                return True
    return False


@native
def stood(f: Kernel, phased: PhasedMemory) -> None:
    """Writes down which values stood at zero, as of feet that were held, and go through it after the reset.

    They are beyond zero from the start, on whichever side of it rounding has put them.
    """
    run, n = phased.run, phased.size
    after = int(phased.trial[n])
    run.clock[0] = run.t
    phased.kernels.watches[after](run.clock, run.y, at(phased.trial, n + 1), phased.values)
    f(run.clock, run.y, phased.slope)
    for j in range(n + 3):
        phased.closed[j] = run.y[j] + REACH * phased.slope[j]
    phased.kernels.watches[after](run.clock, phased.closed, at(phased.trial, n + 1), phased.ahead)
    for i in range(phased.events):
        phased.ahead[i] -= phased.values[i]
    phased.kernels.watches[after](run.clock, phased.trial, at(phased.trial, n + 1), phased.values)
    f(run.clock, phased.trial, phased.slope)
    for j in range(n + 3):
        phased.closed[j] = phased.trial[j] + REACH * phased.slope[j]
    phased.kernels.watches[after](run.clock, phased.closed, at(phased.trial, n + 1), phased.farther)
    for i in range(phased.events):
        rate = (phased.farther[i] - phased.values[i]) / REACH
        through = rate * run.direction[i] > 0.0 and abs(phased.values[i]) <= INSTANT * abs(rate)
        phased.held[i] = 1 if through and abs(phased.ahead[i]) <= STILL * REACH * abs(rate) else 0
