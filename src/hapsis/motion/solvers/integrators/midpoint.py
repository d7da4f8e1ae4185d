"""The implicit midpoint rule: symplectic, reversible, order 2, with fixed steps.

    Y = y + h/2 f(t + h/2, Y),    y new = y + h f(t + h/2, Y)

On canonical equations, y = [q, p, ...], it conserves the symplectic form and quadratic invariants,
and energy stays within a bound of order h² for very long times [HLW, VI.4 and IX.8]. These hold
only if Y is found to rounding: the iteration goes on until it changes nothing more. It is a plain
one, Y ← y + h/2 f(Y), so h must resolve the fastest oscillation; where it does not contract the run
says NOT_CONVERGED.
"""

from hapsis.compiler.native import Array, Kernel, native, record, sized
from hapsis.motion.solvers.events.dense_output import hermite, normalised
from hapsis.motion.solvers.events.samples_and_events import make_step, need_of_step
from hapsis.motion.solvers.integrators.error_norms import finite
from hapsis.motion.solvers.integrators.method import Method, register
from hapsis.motion.solvers.integrators.step_control import ended, next_step, prepared
from hapsis.motion.solvers.run.run_memory import DENSE, NOT_CONVERGED, NOT_FINITE, PAUSED, RunMemory

TINY = 1e-300  # so that a component that is and stays zero has a size
REACHED = 2e-17  # in parts of the state: the next change will be no change
ROUNDING = 1e-13  # changes that do not get smaller are rounding errors below this
CLOSE = 1e-9  # and may be, if f itself is not precise, below this
ROUNDS = 200
PATIENCE = 6  # rounds without progress


@record
class MidpointMemory(RunMemory):
    """The memory of a run, and what the implicit midpoint rule needs besides."""

    slope: Array = sized("size")  # at Y
    slope_before: Array = sized("size")  # at Y of the step before
    change_weight: Array = sized("size")  # 1 / the size of a component
    slope_start: Array = sized("size")  # at the ends of the step, for the dense output
    slope_end: Array = sized("size")


@native
def advance_midpoint(f: Kernel, g: Kernel, run: MidpointMemory) -> int:
    """The answer after at most `budget` steps; see `run_memory`."""
    n = run.size
    for _ in range(run.budget):
        answer = next_step(run)
        if answer != PAUSED:
            return answer
        first_guess(f, run)
        if not solved(f, run):
            return NOT_CONVERGED if finite(n, run.slope) else NOT_FINITE
        for j in range(n):
            run.y_new[j] = run.y[j] + run.dt * run.slope[j]
        normalised(run.quaternion_count, run.quaternions, run.y_new)
        need = need_of_step(g, run)
        if need == NOT_FINITE:
            return NOT_FINITE
        if need == DENSE:
            end_slopes(f, run)
            hermite(run, run.slope_start, run.slope_end)
        answer = make_step(g, run)
        if answer != PAUSED:
            return answer
    return ended(run)


@native
def end_slopes(f: Kernel, run: MidpointMemory) -> None:
    """The slopes at the ends of the step, which the method itself does not need."""
    run.clock[0] = run.t
    f(run.clock, run.y, run.slope_start)
    run.clock[0] = run.t_new
    f(run.clock, run.y_new, run.slope_end)
    run.evaluations += 2


@native
def first_guess(f: Kernel, run: MidpointMemory) -> None:
    """The first Y, in `spot`, from the slopes of the two steps before, and the sizes of changes."""
    h = run.dt
    y, before = run.y, run.slope_before
    prepared(run)
    if not run.fresh:
        f(run.clock, y, run.slope)
        run.evaluations += 1
        for j in range(run.size):
            before[j] = run.slope[j]
    for j in range(run.size):
        slope = 2.0 * run.slope[j] - before[j]
        before[j] = run.slope[j]
        run.spot[j] = y[j] + 0.5 * h * slope
        run.change_weight[j] = 1.0 / (run.atol[j] + abs(y[j]) + abs(h * slope) + TINY)


@native
def solved(f: Kernel, run: MidpointMemory) -> bool:
    """Whether Y was found; its slope is then in `slope`.

    Changes may alternate between coordinates and momenta, so progress is judged over some rounds.
    """
    n, spot = run.size, run.spot
    half = 0.5 * run.dt
    best, last, rate, bad = 1e300, 1e300, 1.0, 0
    run.clock[0] = run.t + half
    for _ in range(ROUNDS):
        f(run.clock, spot, run.slope)
        run.evaluations += 1
        change = 0.0
        for j in range(n):
            new = run.y[j] + half * run.slope[j]
            change = max(change, abs(new - spot[j]) * run.change_weight[j])
            spot[j] = new
        if not change < 1e300:
            return False
        # the slower of the last two contractions
        now = change / last
        if change == 0.0 or max(now, rate) * change <= REACHED:
            return finite(n, spot)
        rate = now
        last = change
        if change < best:
            best = change
            bad = 0
        else:
            bad += 1
            if best <= ROUNDING:
                return True
            if bad >= PATIENCE:
                return best <= CLOSE
    return best <= CLOSE


register(Method("symplectic", 2, 0, 3, advance_midpoint, MidpointMemory))
