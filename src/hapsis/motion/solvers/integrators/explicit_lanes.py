"""Explicit Runge-Kutta methods with adaptive steps for several runs at a time, side by side.

Each lane is a run of its own: its time, its step, its error. The lanes have f in common, which computes all
of them at once, and the times at which samples are wanted. A lane that has come to its end, or cannot go on,
stands still until the others have. All is as for one run (`explicit`), without events: the same bits, however
the runs are put into lanes.
"""

from hapsis.compiler.native import Array, Ints, Kernel, at, constant, isfinite, native, record, sized
from hapsis.motion.solvers.integrators.explicit import HITS, LOOK, MISSES
from hapsis.motion.solvers.integrators.explicit_tables import ExplicitRows
from hapsis.motion.solvers.integrators.lane_sums import (
    lane_finite,
    lanes_moved,
    lanes_normalised,
    lanes_squares,
    lanes_total,
)
from hapsis.motion.solvers.integrators.step_control import (
    LEAST_PART,
    QUARTER,
    RESOLUTION,
    SAFE,
    STRETCH,
    multiplied,
    root,
)
from hapsis.motion.solvers.run.run_memory import DONE, NOT_FINITE, PAUSED, SMALL_STEP, STIFF, TOO_MANY


@record
class LaneMemory:
    """The numbers and arrays of some runs side by side."""

    table: ExplicitRows
    lanes: int = constant()
    size: int = constant()  # components of y
    slope_count: int = constant()
    dense_rows: int = constant()
    quaternion_count: int = constant()
    sample_count: int = constant()
    t_end: float = 0.0
    least_step: float = 0.0
    rtol: float = 0.0
    mean: float = 0.0
    grow: float = 1.0
    shrink: float = 1.0
    halvings: int = 0
    power: int = 0
    past_power: int = 0
    stable: float = 0.0
    watch_stiffness: bool = False
    limit: int = 2**62
    fresh: bool = False
    # of each lane
    answer: Ints = sized("lanes")  # PAUSED while it goes on
    t: Array = sized("lanes")
    t_new: Array = sized("lanes")
    dt: Array = sized("lanes")
    h: Array = sized("lanes")
    past: Array = sized("lanes")
    retry: Ints = sized("lanes")
    trouble: Ints = sized("lanes")
    steps: Ints = sized("lanes")
    rejected: Ints = sized("lanes")
    evaluations: Ints = sized("lanes")
    stiff_hits: Ints = sized("lanes")
    stiff_misses: Ints = sized("lanes")
    sample: Ints = sized("lanes")
    error: Array = sized("lanes")
    second: Array = sized("lanes")
    sums: Array = sized("4 * lanes")
    clock: Array = sized("lanes")
    # states
    y: Array = sized("size * lanes")
    y_new: Array = sized("size * lanes")
    atol: Array = sized("size * lanes")
    per: Array = sized("size * lanes")
    spot: Array = sized("size * lanes")
    slopes: Array = sized("slope_count * size * lanes")
    dense: Array = sized("dense_rows * size * lanes")
    quaternions: Ints = sized("quaternion_count")
    sample_times: Array = sized("sample_count")
    samples: Array = sized("lanes * sample_count * size")  # rows of one lane after those of another


@native
def advance_lanes(f: Kernel, run: LaneMemory, budget: int) -> int:
    """DONE when no lane goes on, PAUSED when so many steps have been tried."""
    w = run.lanes
    count = run.size * w
    end = at(run.slopes, run.table.stages * count)
    for _ in range(budget):
        if not next_steps(run):
            return DONE
        if not run.fresh:
            for k in range(w):
                run.clock[k] = run.t[k]
                run.evaluations[k] += 1
            f(run.clock, run.y, run.slopes)
            run.fresh = True
        lane_stages(f, run)
        for k in range(w):
            run.clock[k] = run.t_new[k]
        f(run.clock, run.y_new, end)
        lane_errors(run)
        wanted = False
        for k in range(w):
            if run.answer[k] == PAUSED:
                judge(run, k, end)
                if run.answer[k] == PAUSED and run.retry[k] == 0 and sampled_in(run, k):
                    wanted = True
        if wanted:
            lane_polynomial(f, run, end)
        for k in range(w):
            if run.dt[k] != 0.0 and run.retry[k] == 0:
                make_lane_step(run, k, end)
    return PAUSED


@native
def next_steps(run: LaneMemory) -> bool:
    """Whether a lane goes on; the step of each to try is in dt and t_new, 0 where it stands still."""
    going = False
    for k in range(run.lanes):
        t = run.t[k]
        run.dt[k] = 0.0
        run.t_new[k] = t
        if run.answer[k] == PAUSED:
            h = run.h[k]
            if t == run.t_end:
                run.answer[k] = DONE
            elif run.steps[k] + run.rejected[k] >= run.limit:
                run.answer[k] = TOO_MANY
            elif not h > max(RESOLUTION * abs(t), run.least_step):
                run.answer[k] = NOT_FINITE if run.trouble[k] == NOT_FINITE else SMALL_STEP
            else:
                going = True
                if STRETCH * h >= abs(run.t_end - t):
                    run.dt[k] = run.t_end - t
                    run.t_new[k] = run.t_end
                else:
                    run.dt[k] = h
                    run.t_new[k] = t + h
    return going


@native
def lane_stages(f: Kernel, run: LaneMemory) -> None:
    """The slopes after the first, and y_new; the state of the last stage stays in `spot`."""
    w, n = run.lanes, run.size
    count = n * w
    s = run.table.stages
    for i in range(1, s):
        lanes_moved(run.table, i - 1, w, run.dt, run.slopes, run.y, run.spot, n)
        for k in range(w):
            run.clock[k] = run.t[k] + run.table.nodes[i] * run.dt[k]
        f(run.clock, run.spot, at(run.slopes, i * count))
    lanes_total(run.table, s - 1, n, w, run.slopes, run.y_new)
    for j in range(n):
        for k in range(w):
            run.y_new[j * w + k] = run.y[j * w + k] + run.dt[k] * run.y_new[j * w + k]
    lanes_normalised(run.quaternion_count, run.quaternions, w, run.y_new)


@native
def lane_errors(run: LaneMemory) -> None:
    """The mean square of the error of each step, in tolerances."""
    w, n = run.lanes, run.size
    row = run.table.stages
    for j in range(n * w):
        run.per[j] = 1.0 / (run.atol[j] + run.rtol * max(abs(run.y[j]), abs(run.y_new[j])))
    lanes_total(run.table, row, n, w, run.slopes, run.dense)
    lanes_squares(n, w, run.dense, run.per, run.sums, run.error)
    if run.table.errors > 1:
        lanes_total(run.table, row + 1, n, w, run.slopes, run.dense)
        lanes_squares(n, w, run.dense, run.per, run.sums, run.second)
    for k in range(w):
        scale = run.dt[k] * run.dt[k] * run.mean
        first = run.error[k]
        if run.table.errors == 1 or first == 0.0:
            run.error[k] = first * scale
        else:
            run.error[k] = first * (first / (first + 0.01 * run.second[k])) * scale


@native
def judge(run: LaneMemory, k: int, end: Array) -> None:
    """Accepts or rejects the step of a lane; `retry` is 0 where it is accepted. The next h is chosen."""
    error = run.error[k]
    run.evaluations[k] += run.table.stages - 1
    if error > 1.0 and isfinite(error):
        if run.table.uses_end:
            run.evaluations[k] += 1
        factor = SAFE / multiplied(root(error, run.halvings), run.power)
        run.h[k] = abs(run.dt[k]) * min(1.0, max(run.shrink, factor))
        run.rejected[k] += 1
        run.retry[k] = 1
        run.trouble[k] = SMALL_STEP
        return
    run.evaluations[k] += 1
    w, n = run.lanes, run.size
    sound = isfinite(error) and lane_finite(n, w, k, run.y_new) and lane_finite(n, w, k, end)
    if not sound:
        run.h[k] = QUARTER * abs(run.dt[k])
        run.rejected[k] += 1
        run.retry[k] = 1
        run.trouble[k] = NOT_FINITE
        return
    if lane_stiff(run, k, end):
        run.answer[k] = STIFF
    part = root(error, run.halvings)
    factor = SAFE * run.past[k] / multiplied(part, run.power)
    factor = min(run.grow, max(run.shrink, factor))
    if run.retry[k] != 0:
        factor = min(factor, 1.0)
    h = abs(run.dt[k]) * factor
    run.h[k] = max(h, run.h[k]) if run.t_new[k] == run.t_end and run.retry[k] == 0 else h
    run.past[k] = multiplied(max(part, LEAST_PART), run.past_power)
    run.retry[k] = 0
    run.trouble[k] = 0


@native
def lane_stiff(run: LaneMemory, k: int, end: Array) -> bool:
    """Whether stability has limited the steps of a lane for a while, see `explicit.stiff`."""
    if not run.watch_stiffness:
        return False
    if run.steps[k] % LOOK != 0 and run.stiff_hits[k] == 0:
        return False
    w = run.lanes
    last = at(run.slopes, (run.table.stages - 1) * run.size * w)
    above, below = 0.0, 0.0
    for i in range(run.size):
        j = i * w + k
        d = end[j] - last[j]
        above += d * d
        d = run.y_new[j] - run.spot[j]
        below += d * d
    if run.dt[k] * run.dt[k] * above > run.stable * run.stable * below:
        run.stiff_misses[k] = 0
        run.stiff_hits[k] += 1
        if run.stiff_hits[k] == HITS:
            run.stiff_hits[k] = 0
            return True
    elif run.stiff_hits[k] > 0:
        run.stiff_misses[k] += 1
        if run.stiff_misses[k] == MISSES:
            run.stiff_hits[k] = 0
            run.stiff_misses[k] = 0
    return False


@native
def sampled_in(run: LaneMemory, k: int) -> bool:
    """Whether the next sample of a lane lies before the end of its step."""
    s = run.sample[k]
    return s < run.sample_count and run.sample_times[s] < run.t_new[k]


@native
def lane_polynomial(f: Kernel, run: LaneMemory, end: Array) -> None:
    """The dense output of all steps, see `explicit.polynomial`; `clock` and `spot` are used."""
    w, n = run.lanes, run.size
    count = n * w
    s = run.table.stages
    second = at(run.dense, count)
    third = at(run.dense, 2 * count)
    for j in range(n):
        for k in range(w):
            i = j * w + k
            difference = run.y_new[i] - run.y[i]
            run.dense[i] = difference
            second[i] = run.dt[k] * run.slopes[i] - difference
            third[i] = 2.0 * difference - run.dt[k] * (run.slopes[i] + end[i])
    row = s + run.table.errors
    for i in range(run.table.extras):
        lanes_moved(run.table, row + i, w, run.dt, run.slopes, run.y, run.spot, n)
        for k in range(w):
            run.clock[k] = run.t[k] + run.table.nodes[s + i] * run.dt[k]
        f(run.clock, run.spot, at(run.slopes, (s + 1 + i) * count))
    row += run.table.extras
    for i in range(run.table.more):
        out = at(run.dense, (3 + i) * count)
        lanes_total(run.table, row + i, n, w, run.slopes, out)
        for j in range(n):
            for k in range(w):
                out[j * w + k] *= run.dt[k]
    for k in range(w):
        if run.answer[k] == PAUSED and run.retry[k] == 0 and sampled_in(run, k):
            run.evaluations[k] += run.table.extras


@native
def make_lane_step(run: LaneMemory, k: int, end: Array) -> None:
    """Writes the samples of a lane and moves it to the end of its step."""
    w, n = run.lanes, run.size
    while run.sample[k] < run.sample_count and run.sample_times[run.sample[k]] <= run.t_new[k]:
        time = run.sample_times[run.sample[k]]
        row = at(run.samples, (k * run.sample_count + run.sample[k]) * n)
        if time == run.t_new[k]:
            for j in range(n):
                row[j] = run.y_new[j * w + k]
        else:
            lane_inside(run, k, (time - run.t[k]) / run.dt[k], row)
        run.sample[k] += 1
    for j in range(n):
        run.y[j * w + k] = run.y_new[j * w + k]
        run.slopes[j * w + k] = end[j * w + k]
    run.t[k] = run.t_new[k]
    run.steps[k] += 1


@native
def lane_inside(run: LaneMemory, k: int, theta: float, out: Array) -> None:
    """The state of a lane at the part `theta` of its step, see `dense_output.inside`."""
    w, n = run.lanes, run.size
    last = run.dense_rows - 1
    for j in range(n):
        out[j] = run.dense[(last * n + j) * w + k]
    for i in range(last, 0, -1):
        x = theta if i % 2 == 0 else 1.0 - theta
        for j in range(n):
            out[j] = run.dense[((i - 1) * n + j) * w + k] + x * out[j]
    for j in range(n):
        out[j] = run.y[j * w + k] + theta * out[j]
    lanes_normalised(run.quaternion_count, run.quaternions, 1, out)
