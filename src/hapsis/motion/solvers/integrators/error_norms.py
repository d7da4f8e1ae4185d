"""Sizes of vectors: errors in tolerances, and whether all is finite.

Sums run in four lanes, since each addition waits for the one before.
"""

from hapsis.compiler.native import Array, isfinite, native
from hapsis.motion.solvers.run.run_memory import RunMemory


@native
def finite(n: int, x: Array) -> bool:
    """Whether all numbers are finite."""
    result = 0.0
    for j in range(n % 4):
        result += 0.0 * x[j]
    for j in range(n % 4, n, 4):
        result += (0.0 * x[j] + 0.0 * x[j + 1]) + (0.0 * x[j + 2] + 0.0 * x[j + 3])
    return isfinite(result)


@native
def per_tolerance(run: RunMemory, out: Array) -> None:
    """out = 1 / (atol + rtol |y|), with the larger |y| of the two ends of the step."""
    rtol = run.rtol
    for j in range(run.size):
        out[j] = 1.0 / (run.atol[j] + rtol * max(abs(run.y[j]), abs(run.y_new[j])))


@native
def squares(n: int, x: Array, weights: Array) -> float:
    """The sum of the squares of weights times x."""
    a, b, c, d = 0.0, 0.0, 0.0, 0.0
    for j in range(n % 4):
        e = x[j] * weights[j]
        a += e * e
    for j in range(n % 4, n, 4):
        e = x[j] * weights[j]
        a += e * e
        e = x[j + 1] * weights[j + 1]
        b += e * e
        e = x[j + 2] * weights[j + 2]
        c += e * e
        e = x[j + 3] * weights[j + 3]
        d += e * e
    return (a + b) + (c + d)
