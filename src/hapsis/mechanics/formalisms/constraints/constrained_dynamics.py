"""Accelerations and multipliers of models with loops, without a partition.

It computes a, and the λ of least norm, with

    M a + c = τ + Jᵀ λ        J a + γ = 0

Rows may be redundant, and M may be singular as long as it is positive definite on the motions that the
rows allow. One factorisation serves all steps (augmented Lagrangian): with A = M + α JᵀJ

    A δa = r₁ + α Jᵀ r₂        δλ = α (r₂ - J δa)

where r₁, r₂ are the residuals of the two equations. A step reduces the error by a factor of about 1/α
times the ratio of masses to rows, so that after a few rounds only rounding is left. Near a pose where
the rows lose rank one component of the error decreases slowly; it is estimated from two steps and
extrapolated to its limit. Only Jᵀλ is iterated, so that contradictions between redundant rows (rounding,
gaps) have no effect. λ follows from Jᵀλ by similar steps; it is in the range of J and therefore the
solution of least norm. Rows and coordinates are measured in the model's own units (see `row_units`), so
that one α serves lengths and angles, and the norm of λ does not depend on the size of the model.
Reference: [Bayo]; [Wojtyra] for the meaning of the λ of least norm.
"""

from collections.abc import Callable, Sequence
from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.elementary_functions import abs, where
from hapsis.errors import ModelError
from hapsis.mechanics.formalisms.constraints.constraint_rows import linearized, rows_of
from hapsis.mechanics.formalisms.constraints.ldlt import LDLT, Entries
from hapsis.mechanics.formalisms.constraints.row_units import row_units
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import efforts
from hapsis.mechanics.formalisms.dynamics.mass_matrix import in_body_frames
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.units import speed_units

STIFF = 1e8  # α |J|² / |M|, measured by their traces
ROUNDS = 2  # of two steps and an extrapolation each
NOISE = 1e-13  # relative; a smaller residual is rounding and is not extrapolated
FARTHEST = 1e6  # steps; a slower error is that of a redundant row in a pose that is not exactly closed

Vector = list[Any]


def has_rows(model: Model) -> bool:
    """Whether the model has loops or constraints."""
    return bool(model.cuts or model.constraints)


def constrained(
    tree: Tree, v: Any, tau: Sequence[Any], passive: bool, applied: AppliedForces
) -> tuple[list[Any], list[Any]]:
    """a and the λ of least norm, at a closed pose with closed speeds v."""
    rows = rows_of(tree, lambda: applied.time)
    linear = linearized(tree, rows, rows.names, v)
    M = in_body_frames(tree)
    c = efforts(tree, v, None, passive, applied)
    augmented = Augmented(tree, M, linear.J, rows.names)
    right = [t - x for t, x in zip(tau, c, strict=True)]
    gamma = augmented.in_units(linear.gamma)

    def missing(x: Vector) -> Vector:
        return [-g - y for g, y in zip(gamma, augmented.rates(x[:n]), strict=True)]

    def step(x: Vector) -> Vector:
        a, force, gap = x[:n], x[n:], missing(x)
        residual = [t + f - y for t, f, y in zip(right, force, times(tree, M, a), strict=True)]
        pull = augmented.pulls(gap)
        change = augmented.solved([y + augmented.stiff * z for y, z in zip(residual, pull, strict=True)])
        left = augmented.pulls([y - z for y, z in zip(gap, augmented.rates(change), strict=True)])
        return [*plus(a, change), *plus(force, left, augmented.stiff)]

    def size(x: Vector) -> Any:
        units = augmented.units
        a = [y if unit == 1.0 else (1.0 / unit) * y for y, unit in zip(x[:n], units, strict=True)]
        return dot(tree, gamma, gamma) + augmented.size * dot(tree, a, a)

    n = tree.n_v
    both = refined(tree, [tree.zero] * (2 * n), step, missing, size)  # a and Jᵀ λ
    return both[:n], augmented.multipliers(both[n:])


def refined(
    tree: Tree,
    x: Vector,
    step: Callable[[Vector], Vector],
    missing: Callable[[Vector], Vector],
    size: Callable[[Vector], Any],
) -> Vector:
    """The vector after `ROUNDS` rounds of two steps and an extrapolation (Aitken) each.

    missing    the residual, which a step reduces
    size       the square of the magnitude that the residual is compared with
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
    """The matrix M and the rows J of these names, each in its unit, with the factors of M + α JᵀJ.

    units    of the speeds
    """

    def __init__(self, tree: Tree, M: Entries, J: Sequence[Sequence[Any]], names: Sequence[str]) -> None:
        self.tree, model = tree, tree.links.model
        self.units, of_rows = speed_units(model), row_units(model)
        self.row_units = [of_rows[name] for name in names]
        self.rows = [
            [(k, x if unit == 1.0 else (1.0 / unit) * x) for k, x in enumerate(row) if not is_zero(x)]
            for row, unit in zip(J, self.row_units, strict=True)
        ]
        squares: dict[tuple[int, int], Any] = {}
        for row in self.rows:
            for place, (i, x) in enumerate(row):
                for j, y in row[place:]:
                    squares[i, j] = squares.get((i, j), tree.zero) + x * y
        n = tree.n_v
        mass, size = self._trace(M), self._trace(squares)
        self.size, self.stiff = size, STIFF * mass / size
        A = {at: self.stiff * x for at, x in squares.items()}
        for (i, j), x in M.items():
            if i <= j:
                A[i, j] = A[i, j] + x if (i, j) in A else x
        self.factors = LDLT(tree, A, n)

    def _trace(self, A: Entries) -> Any:
        """The sum of the diagonal, in the units of the speeds."""
        parts = [(A[k, k], unit) for k, unit in enumerate(self.units) if (k, k) in A]
        return sum((x if unit == 1.0 else (unit * unit) * x for x, unit in parts), self.tree.zero)

    def in_units(self, x: Sequence[Any]) -> list[Any]:
        """A number for each row, in its unit."""
        return [y if unit == 1.0 else (1.0 / unit) * y for y, unit in zip(x, self.row_units, strict=True)]

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
        """The λ of least norm with Jᵀ λ = force, in the least-squares sense."""

        def missing(x: Vector) -> Vector:
            return [f - y for f, y in zip(force, self.pulls(x), strict=True)]

        def measured(x: Vector) -> Vector:
            return [y if unit == 1.0 else unit * y for y, unit in zip(x, self.units, strict=True)]

        def step(x: Vector) -> Vector:
            return plus(x, self.rates(self.solved(missing(x))), self.stiff)

        square = dot(self.tree, measured(list(force)), measured(list(force)))
        start: Vector = [self.tree.zero] * len(self.rows)
        lam = refined(self.tree, start, step, lambda x: measured(missing(x)), lambda x: square)
        return self.in_units(lam)


@verb
@kept_verb
def multipliers(model: Model, *, passive: bool = True) -> Function:
    """(q, v, a, tau) -> lam: the λ of least norm with M a + c = tau + Jᵀ λ, for a given motion.

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
        rows = rows_of(tree, lambda: applied.time)
        J = linearized(tree, rows, rows.names, v).J
        lam = least_multipliers(tree, J, rows.names, force)
        inputs = {"q": tree.q, "v": v, "a": a, "tau": tau}
        return applied.function("multipliers", inputs, {"lam": lam})

    return cheapest(model, emit)


def least_multipliers(
    tree: Tree, J: Sequence[Sequence[Any]], names: Sequence[str], force: Sequence[Any]
) -> list[Any]:
    """The λ of least norm of the rows of these names with Jᵀ λ = force; masses are not needed."""
    units = enumerate(speed_units(tree.links.model))
    ones = {(k, k): tree.one if unit == 1.0 else tree.one / (unit * unit) for k, unit in units}
    return Augmented(tree, ones, J, names).multipliers(force)


def times(tree: Tree, M: Entries, x: Sequence[Any]) -> list[Any]:
    """M x; M has both triangles."""
    y: list[Any] = [tree.zero] * tree.n_v
    for (i, j), entry in M.items():
        if not is_zero(x[j]) and not is_zero(entry):
            y[i] = y[i] + entry * x[j]
    return y
