"""The dense output of a step, and what is written with it.

Every method describes a step by the same polynomial in θ = (t - t₀) / h,

    y(θ) = y₀ + θ (F₀ + (1-θ) (F₁ + θ (F₂ + (1-θ) (F₃ + ...)))),    F₀ = y₁ - y₀

so that samples and events are written once. A method builds the rows F only for the steps where
`watching` asks for them.
"""

from hapsis.compiler.native import Array, Ints, at, native, sqrt
from hapsis.motion.solvers.run.run_memory import DT, QUATERNIONS, ROWS, SAMPLE, SAMPLES, SIGN, SIZE, T_NEW, T


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
def inside(count: Ints, theta: float, y: Array, dense: Array, quaternions: Ints, out: Array) -> None:
    """The state at the part `theta` of the step, in `out`."""
    n = count[SIZE]
    last = count[ROWS] - 1
    for j in range(n):
        out[j] = dense[last * n + j]
    for i in range(last, 0, -1):
        w = theta if i % 2 == 0 else 1.0 - theta
        row = at(dense, (i - 1) * n)
        for j in range(n):
            out[j] = row[j] + w * out[j]
    for j in range(n):
        out[j] = y[j] + theta * out[j]
    normalised(count[QUATERNIONS], quaternions, out)


@native
def hermite(n: int, h: float, y: Array, y_new: Array, f: Array, f_new: Array, dense: Array) -> None:
    """The first three rows of the dense output: the cubic that fits y and f at both ends."""
    second = at(dense, n)
    third = at(dense, 2 * n)
    for j in range(n):
        difference = y_new[j] - y[j]
        dense[j] = difference
        second[j] = h * f[j] - difference
        third[j] = 2.0 * difference - h * (f[j] + f_new[j])


@native
def write_samples(
    real: Array,
    count: Ints,
    y: Array,
    y_new: Array,
    dense: Array,
    samples: Array,
    sampled: Array,
    quaternions: Ints,
) -> None:
    """The states at the sample times up to the end of the step."""
    n = count[SIZE]
    while count[SAMPLE] < count[SAMPLES]:
        time = samples[count[SAMPLE]]
        if real[SIGN] * (time - real[T_NEW]) > 0.0:
            return
        row = at(sampled, count[SAMPLE] * n)
        if time == real[T_NEW]:
            for j in range(n):
                row[j] = y_new[j]
        else:
            inside(count, (time - real[T]) / real[DT], y, dense, quaternions, row)
        count[SAMPLE] += 1
