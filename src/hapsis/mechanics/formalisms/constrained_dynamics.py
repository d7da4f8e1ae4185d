"""Accelerations and multipliers of models with loops, without a partition.

Wanted are a and the smallest λ with

    M a + c = τ + Jᵀ λ        J a + γ = 0

Rows may be redundant, and M singular as long as it is positive on what the rows leave free. One
factorisation serves all steps (augmented Lagrangian): with A = M + α JᵀJ

    A δa = r₁ + α Jᵀ r₂        δλ = α (r₂ - J δa)

where r₁, r₂ are what is missing in the two equations. A step leaves of the error about 1/α times
the ratio of masses to rows; refined `ROUNDS` times nothing but rounding is left. Kept is only Jᵀλ,
so that what contradicts itself in redundant rows (rounding, gaps) has no effect; λ follows from it
by the same steps and is J times something, hence the smallest of all that do.
Reference: [Bayo]; [Wojtyra] for what the smallest λ means.
"""

from collections.abc import Sequence
from typing import Any

from hapsis.compiler.ir.function import Function
from hapsis.errors import ModelError
from hapsis.mechanics.formalisms.acting import Acting
from hapsis.mechanics.formalisms.choice import cheapest
from hapsis.mechanics.formalisms.constraints import Rates, linearized, rows_of
from hapsis.mechanics.formalisms.inverse_dynamics import efforts
from hapsis.mechanics.formalisms.mass_matrix import in_body_frames
from hapsis.mechanics.formalisms.symmetric import Entries, Symmetric
from hapsis.mechanics.formalisms.tree import Tree, is_zero
from hapsis.mechanics.model.model import Model

STIFF = 1e7  # α |J|² over |M|, by their traces
ROUNDS = 3  # of refinement; two suffice for all mechanisms of the library


def has_rows(model: Model) -> bool:
    """Whether loops or constraints ask anything of the coordinates."""
    return bool(model.cuts or model.constraints)


def linearized_rows(tree: Tree, v: Any, acting: Acting) -> Rates:
    """All rows at the speeds v, with the time of the forces."""
    rows = rows_of(tree, lambda: acting.time)
    return linearized(tree, rows, rows.names, v)


def constrained(
    tree: Tree, v: Any, tau: Sequence[Any], passive: bool, acting: Acting
) -> tuple[list[Any], list[Any]]:
    """a and the smallest λ at a closed pose with closed speeds v."""
    found = linearized_rows(tree, v, acting)
    M = in_body_frames(tree)
    c = efforts(tree, v, None, passive, acting)
    held = Held(tree, M, found.J)
    right = [t - x for t, x in zip(tau, c, strict=True)]
    a: list[Any] = [tree.zero] * tree.n_v
    force = list(a)  # Jᵀ λ
    for _ in range(ROUNDS):
        inertia = times(tree, M, a)
        missing = [t + f - x for t, f, x in zip(right, force, inertia, strict=True)]
        torn = [-g - x for g, x in zip(found.gamma, held.rates(a), strict=True)]
        pull = held.pulls(torn)
        step = held.solved([x + held.stiff * y for x, y in zip(missing, pull, strict=True)])
        a = [x + d for x, d in zip(a, step, strict=True)]
        left = [x - y for x, y in zip(torn, held.rates(step), strict=True)]
        force = [f + held.stiff * x for f, x in zip(force, held.pulls(left), strict=True)]
    return a, held.multipliers(force)


class Held:
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
        self.stiff = STIFF * mass / size
        A = {at: self.stiff * x for at, x in squares.items()}
        for (i, j), x in M.items():
            if i <= j:
                A[i, j] = A[i, j] + x if (i, j) in A else x
        self.factors = Symmetric(tree, A, n)

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
        found: list[Any] = [self.tree.zero] * len(self.rows)
        for _ in range(ROUNDS):
            left = [f - x for f, x in zip(force, self.pulls(found), strict=True)]
            step = self.rates(self.solved(left))
            found = [x + self.stiff * d for x, d in zip(found, step, strict=True)]
        return found


def multipliers(model: Model, *, passive: bool = True) -> Function:
    """(q, v, a, tau) -> lam: the smallest λ with M a + c = tau + Jᵀ λ, of a motion that is known.

    passive    damping and dry friction of the joints included in c
    """
    if not has_rows(model):
        raise ModelError("the model has no loops and no constraints, so that it has no multipliers")

    def emit(tree: Tree) -> Function:
        v, a, tau = tree.symbols("v"), tree.symbols("a"), tree.symbols("tau")
        acting = Acting(tree, v)
        needed = efforts(tree, v, a, passive, acting)
        armature = tree.armature()
        force = [x + m * rate - t for x, m, rate, t in zip(needed, armature, a, tau, strict=True)]
        lam = least_multipliers(tree, linearized_rows(tree, v, acting).J, force)
        inputs = {"q": tree.q, "v": v, "a": a, "tau": tau}
        return acting.function("multipliers", inputs, {"lam": lam})

    return cheapest(model, emit)


def least_multipliers(tree: Tree, J: Sequence[Sequence[Any]], force: Sequence[Any]) -> list[Any]:
    """The smallest λ with Jᵀ λ = force; no masses needed."""
    return Held(tree, {(k, k): tree.one for k in range(tree.n_v)}, J).multipliers(force)


def times(tree: Tree, M: Entries, x: Sequence[Any]) -> list[Any]:
    """M x, of both triangles of M."""
    y: list[Any] = [tree.zero] * tree.n_v
    for (i, j), entry in M.items():
        if not is_zero(x[j]) and not is_zero(entry):
            y[i] = y[i] + entry * x[j]
    return y
