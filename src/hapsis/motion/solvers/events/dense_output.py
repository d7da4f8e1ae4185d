"""The dense output of a step: y at any time inside it, for samples and events.

Every method describes a step by the same polynomial in θ = (t - t₀) / h,

    y(θ) = y₀ + θ (F₀ + (1-θ) (F₁ + θ (F₂ + (1-θ) (F₃ + ...)))),    F₀ = y₁ - y₀

so that samples and events are written once. A method builds the rows F only for the steps where
`samples_and_events` asks for them.
"""

from hapsis.compiler.native import Array, Ints, at, native, sqrt
from hapsis.motion.solvers.run.run_memory import RunMemory


@native
def normalised(groups: int, quaternions: Ints, y: Array) -> None:
    """The groups of four numbers that start at the given places get length 1."""
    for i in range(groups):
        k = int(quaternions[i])
        w = 1.0 / sqrt(y[k] * y[k] + y[k + 1] * y[k + 1] + y[k + 2] * y[k + 2] + y[k + 3] * y[k + 3])
        y[k] *= w
        y[k + 1] *= w
        y[k + 2] *= w
        y[k + 3] *= w


@native
def inside(run: RunMemory, theta: float, out: Array) -> None:
    """The state at the part `theta` of the step, in `out`."""
    n = run.size
    last = run.dense_rows - 1
    dense = run.dense
    for j in range(n):
        out[j] = dense[last * n + j]
    for i in range(last, 0, -1):
        w = theta if i % 2 == 0 else 1.0 - theta
        row = at(dense, (i - 1) * n)
        for j in range(n):
            out[j] = row[j] + w * out[j]
    for j in range(n):
        out[j] = run.y[j] + theta * out[j]
    normalised(run.quaternion_count, run.quaternions, out)


@native
def hermite(run: RunMemory, f: Array, f_new: Array) -> None:
    """The first three rows of the dense output: the cubic that fits y and f at both ends."""
    h = run.dt
    second = at(run.dense, run.size)
    third = at(run.dense, 2 * run.size)
    for j in range(run.size):
        difference = run.y_new[j] - run.y[j]
        run.dense[j] = difference
        second[j] = h * f[j] - difference
        third[j] = 2.0 * difference - h * (f[j] + f_new[j])


@native
def write_samples(run: RunMemory) -> None:
    """The states at the sample times up to the end of the step."""
    while run.sample < run.sample_count:
        time = run.sample_times[run.sample]
        if run.sign * (time - run.t_new) > 0.0:
            return
        row = at(run.samples, run.sample * run.size)
        if time == run.t_new:
            for j in range(run.size):
                row[j] = run.y_new[j]
        else:
            inside(run, (time - run.t) / run.dt, row)
        run.sample += 1
