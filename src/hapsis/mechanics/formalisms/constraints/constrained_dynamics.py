"""Accelerations and multipliers of models with loops, without a partition.

Wanted are a and the smallest λ with

    M a + c = τ + Jᵀ λ        J a + γ = 0

Rows may be redundant, and M singular as long as it is positive on what the rows leave free. One
factorisation serves all steps (augmented Lagrangian): with A = M + α JᵀJ

    A δa = r₁ + α Jᵀ r₂        δλ = α (r₂ - J δa)

where r₁, r₂ are what is missing in the two equations. A step leaves of the error about 1/α times
the ratio of masses to rows; after some rounds nothing but rounding is left. Only near a pose where
the rows lose rank one part of the error stays nearly as it was: it is seen from two steps and
extrapolated to its end. Kept is only Jᵀλ, so that what contradicts itself in redundant rows
(rounding, gaps) has no effect; λ follows from it by the same steps and is J times something, hence
the smallest of all that do.
Reference: [Bayo]; [Wojtyra] for what the smallest λ means.
"""

from collections.abc import Callable, Sequence
from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import abs, where
from hapsis.errors import ModelError
from hapsis.mechanics.formalisms.constraints.constraint_rows import LinearRows, linearized, rows_of
from hapsis.mechanics.formalisms.constraints.ldlt import LDLT, Entries
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import efforts
from hapsis.mechanics.formalisms.dynamics.mass_matrix import in_body_frames
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero
from hapsis.mechanics.model.model import Model

STIFF = 1e8  # α |J|² over |M|, by their traces
ROUNDS = 2  # of two steps and an extrapolation each
NOISE = 1e-13  # relative; a residual that is smaller is rounding, and shows no trend
FARTHEST = 1e6  # steps; what would take longer is a redundant row in a pose that is not quite closed

Vector = list[Any]


def has_rows(model: Model) -> bool:
    """Whether loops or constraints ask anything of the coordinates."""
    return bool(model.cuts or model.constraints)


def linearized_rows(tree: Tree, v: Any, applied: AppliedForces) -> LinearRows:
    """All rows at the speeds v, with the time of the forces."""
    rows = rows_of(tree, lambda: applied.time)
    return linearized(tree, rows, rows.names, v)


def constrained(
    tree: Tree, v: Any, tau: Sequence[Any], passive: bool, applied: AppliedForces
) -> tuple[list[Any], list[Any]]:
    """a and the smallest λ at a closed pose with closed speeds v."""
    linear = linearized_rows(tree, v, applied)
    M = in_body_frames(tree)
    c = efforts(tree, v, None, passive, applied)
    held = Augmented(tree, M, linear.J)
    right = [t - x for t, x in zip(tau, c, strict=True)]

    def missing(x: Vector) -> Vector:
        return [-g - y for g, y in zip(linear.gamma, held.rates(x[:n]), strict=True)]

    def step(x: Vector) -> Vector:
        a, force, torn = x[:n], x[n:], missing(x)
        short = [t + f - y for t, f, y in zip(right, force, times(tree, M, a), strict=True)]
        pull = held.pulls(torn)
        change = held.solved([y + held.stiff * z for y, z in zip(short, pull, strict=True)])
        left = held.pulls([y - z for y, z in zip(torn, held.rates(change), strict=True)])
        return [*plus(a, change), *plus(force, left, held.stiff)]

    def size(x: Vector) -> Any:
        return dot(tree, linear.gamma, linear.gamma) + held.size * dot(tree, x[:n], x[:n])

    n = tree.n_v
    both = refined(tree, [tree.zero] * (2 * n), step, missing, size)  # a and Jᵀ λ
    return both[:n], held.multipliers(both[n:])


def refined(
    tree: Tree,
    x: Vector,
    step: Callable[[Vector], Vector],
    missing: Callable[[Vector], Vector],
    size: Callable[[Vector], Any],
) -> Vector:
    """Two steps and an extrapolation (Aitken's), `ROUNDS` times.

    missing    what a step makes smaller
    size       the square of what it is compared with
    """
    for _ in range(ROUNDS):
        before = step(x)
        x = step(before)
        r, r_before = missing(x), missing(before)
        trend = [a - b for a, b in zip(r, r_before, strict=True)]
        clear = dot(tree, r, r) > NOISE * NOISE * size(x)
        square = where(clear, dot(tree, trend, trend), tree.one)
        far = dot(tree, r, trend) / square
        far = where(clear * (abs(far) < FARTHEST), far, tree.zero)
        x = [a - far * (a - b) for a, b in zip(x, before, strict=True)]
    return x


def dot(tree: Tree, x: Vector, y: Vector) -> Any:
    """x · y."""
    return sum((a * b for a, b in zip(x, y, strict=True)), tree.zero)


def plus(x: Vector, y: Vector, factor: Any = None) -> Vector:
    """x + factor y."""
    return [a + (b if factor is None else factor * b) for a, b in zip(x, y, strict=True)]


class Augmented:
    """M and rows J, with the factors of M + α JᵀJ."""

    def __init__(self, tree: Tree, M: Entries, J: Sequence[Sequence[Any]]) -> None:
        self.tree = tree
        self.rows = [[(k, x) for k, x in enumerate(row) if not is_zero(x)] for row in J]
        squares: dict[tuple[int, int], Any] = {}
        for row in self.rows:
            for place, (i, x) in enumerate(row):
                for j, y in row[place:]:
                    squares[i, j] = squares.get((i, j), tree.zero) + x * y
        n = tree.n_v
        mass = sum((M[k, k] for k in range(n) if (k, k) in M), tree.zero)
        size = sum((squares[k, k] for k in range(n) if (k, k) in squares), tree.zero)
        self.size, self.stiff = size, STIFF * mass / size
        A = {at: self.stiff * x for at, x in squares.items()}
        for (i, j), x in M.items():
            if i <= j:
                A[i, j] = A[i, j] + x if (i, j) in A else x
        self.factors = LDLT(tree, A, n)

    def rates(self, x: Sequence[Any]) -> list[Any]:
        """J x."""
        zero = self.tree.zero
        return [sum((y * x[k] for k, y in row if not is_zero(x[k])), zero) for row in self.rows]

    def pulls(self, x: Sequence[Any]) -> list[Any]:
        """Jᵀ x."""
        y: list[Any] = [self.tree.zero] * self.tree.n_v
        for row, each in zip(self.rows, x, strict=True):
            for k, entry in row:
                y[k] = y[k] + entry * each
        return y

    def solved(self, b: Sequence[Any]) -> list[Any]:
        """x with (M + α JᵀJ) x = b."""
        return self.factors.solved(b)

    def multipliers(self, force: Sequence[Any]) -> list[Any]:
        """The smallest λ with Jᵀ λ = force, or as near to it as it can be."""

        def missing(x: Vector) -> Vector:
            return [f - y for f, y in zip(force, self.pulls(x), strict=True)]

        def step(x: Vector) -> Vector:
            return plus(x, self.rates(self.solved(missing(x))), self.stiff)

        square = dot(self.tree, list(force), list(force))
        start: Vector = [self.tree.zero] * len(self.rows)
        return refined(self.tree, start, step, missing, lambda x: square)


def multipliers(model: Model, *, passive: bool = True) -> Function:
    """(q, v, a, tau) -> lam: the smallest λ with M a + c = tau + Jᵀ λ, of a motion that is known.

    passive    damping and dry friction of the joints included in c
    """
    if not has_rows(model):
        raise ModelError("the model has no loops and no constraints, so that it has no multipliers")

    def emit(tree: Tree) -> Function:
        v, a, tau = tree.symbols("v"), tree.symbols("a"), tree.symbols("tau")
        applied = AppliedForces(tree, v)
        needed = efforts(tree, v, a, passive, applied)
        armature = tree.armature()
        force = [x + m * rate - t for x, m, rate, t in zip(needed, armature, a, tau, strict=True)]
        lam = least_multipliers(tree, linearized_rows(tree, v, applied).J, force)
        inputs = {"q": tree.q, "v": v, "a": a, "tau": tau}
        return applied.function("multipliers", inputs, {"lam": lam})

    return cheapest(model, emit)


def least_multipliers(tree: Tree, J: Sequence[Sequence[Any]], force: Sequence[Any]) -> list[Any]:
    """The smallest λ with Jᵀ λ = force; no masses needed."""
    return Augmented(tree, {(k, k): tree.one for k in range(tree.n_v)}, J).multipliers(force)


def times(tree: Tree, M: Entries, x: Sequence[Any]) -> list[Any]:
    """M x, of both triangles of M."""
    y: list[Any] = [tree.zero] * tree.n_v
    for (i, j), entry in M.items():
        if not is_zero(x[j]) and not is_zero(entry):
            y[i] = y[i] + entry * x[j]
    return y
