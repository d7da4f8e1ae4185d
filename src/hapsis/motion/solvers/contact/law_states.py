"""States of laws over a step: motors, filters, felts, whatever their time constants.

    (1 - h ∂ż/∂z) (z⁺ - z) = h ż

ż and its slopes are those at z, at the mean speeds of the step: implicit Euler with one step of Newton's
method. What decays faster than a step goes to where it ends and stays there.
"""

from hapsis.compiler.native import Array, Kernel, at, native
from hapsis.motion.solvers.contact.contact_memory import ContactScene
from hapsis.motion.solvers.linear.partial_pivot_lu import factored, solve_factored


@native
def advance_laws(f: Kernel, scene: ContactScene, clock: Array, h: float, y: Array, rates: Array) -> bool:
    """Moves the states of laws in y on by h, and the work behind them; whether they have a next value."""
    f(clock, y, rates)
    n = scene.law_count
    first = scene.n_q + scene.n_v
    y[first + n] += h * rates[first + n]
    if n == 0:
        return True
    J = scene.law_J
    scene.law_slopes(clock, y, J)
    # the transpose of 1 - h J, row by row, is 1 - h J by columns
    M = scene.law_matrix
    for i in range(n):
        for j in range(n):
            M[j * n + i] = (1.0 if i == j else 0.0) - h * J[i * n + j]
    if not factored(n, M, scene.law_pivots):
        return False
    change = at(rates, first)
    for i in range(n):
        change[i] *= h
    solve_factored(n, M, scene.law_pivots, change)
    for i in range(n):
        y[first + i] += change[i]
    return True
