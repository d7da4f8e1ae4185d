"""Derivatives of inverse and forward dynamics with respect to positions, speeds and the third input.

Derivatives with respect to positions are taken in the tangent space, along the speeds: a quaternion has
four components but three tangent directions, so every derivative is a square matrix.
`f.jacobian("tau", "q")` gives the derivatives with respect to the components instead.
"""

from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.expr import Array
from hapsis.errors import check_known
from hapsis.mechanics.formalisms.derivatives.effort_derivatives import Entries, Partials, sensitivities
from hapsis.mechanics.formalisms.derivatives.tree_solution import TreeSolution
from hapsis.mechanics.formalisms.dynamics.forward_dynamics import (
    Factors,
    by_articulated_bodies,
    factors,
    solved,
)
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import efforts
from hapsis.mechanics.formalisms.dynamics.mass_matrix import LONG
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import Start, cheapest, cheapest_start
from hapsis.mechanics.formalisms.tree.coordinate_rates import tangent
from hapsis.mechanics.formalisms.tree.model_checks import check_open, check_size
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero
from hapsis.mechanics.model.model import Model

OF = ("inverse_dynamics", "forward_dynamics")
SHORT = 24  # speeds; above it solutions are kernels mapped over columns: far less code, and faster
BRIEF = 12  # speeds; below it the form in the root frame has never been the cheaper one


@verb
@kept_verb
def derivatives(model: Model, of: str = "inverse_dynamics", *, passive: bool = True) -> Function:
    """The derivatives of inverse or forward dynamics with respect to positions, speeds and the third input.

    of    "inverse_dynamics": (q, v, a) -> dtau_dq, dtau_dv, dtau_da (the mass matrix)
          "forward_dynamics": (q, v, tau) -> da_dq, da_dv, da_dtau (its inverse)
    passive  damping and dry friction of the joints included
    Dry friction is discontinuous at zero speed; its derivative is taken as zero everywhere.
    """
    check_open(model)
    check_known(of, OF, "there are no derivatives of {}", expected=" or ".join(OF))
    n = len(model.speeds)
    check_size(model, n, "a derivative")
    forms = [in_root for in_root in (False, True) if (n <= LONG, n >= BRIEF)[in_root]]
    if of == OF[0]:
        return cheapest(model, *(_of_inverse(passive, in_root) for in_root in forms))
    starts = [_of_forward(passive, in_root) for in_root in forms]
    if n > SHORT:
        return cheapest_start(model, *starts)
    return cheapest(model, *((lambda tree, start=start: start(tree).finish()) for start in starts))


def _of_inverse(passive: bool, in_root: bool) -> Any:
    def emit(tree: Tree) -> Function:
        v, a = tree.symbols("v"), tree.symbols("a")
        applied = AppliedForces(tree, v)
        by_q, by_v, M = partials(tree, v, a, passive, in_root, applied)
        outputs = {"dtau_dq": by_q, "dtau_dv": by_v, "dtau_da": M}
        return applied.function(
            "inverse_dynamics_derivatives",
            {"q": tree.q, "v": v, "a": a},
            {name: tree.matrix(x) for name, x in outputs.items()},
        )

    return emit


def _of_forward(passive: bool, in_root: bool) -> Any:
    """Emitter of ∂a/∂x = -M⁻¹ ∂tau/∂x, at the acceleration that tau causes; it starts with ∂tau/∂x."""

    def emit(tree: Tree) -> Start:
        v, tau = tree.symbols("v"), tree.symbols("tau")
        applied = AppliedForces(tree, v)
        a = by_articulated_bodies(tree, v, tau, passive, applied)
        by_q, by_v, M = partials(tree, v, a, passive, in_root, applied)
        inputs = {"q": tree.q, "v": v, "tau": tau}

        def finish() -> Function:
            da_dq, da_dv, da_dtau = _solved(tree, by_q, by_v, factors(tree, M))
            outputs = {"da_dq": da_dq, "da_dv": da_dv, "da_dtau": da_dtau}
            return applied.function("forward_dynamics_derivatives", inputs, outputs)

        def part() -> Function:
            parts = {name: tree.matrix(x) for name, x in (("by_q", by_q), ("by_v", by_v), ("M", M))}
            return applied.function("partials", inputs, parts)

        return Start(part, finish)

    return emit


def _solved(tree: Tree, by_q: Entries, by_v: Entries, split: Factors) -> list[Array]:
    """-M⁻¹ ∂tau/∂q, -M⁻¹ ∂tau/∂v and M⁻¹."""
    if tree.n_v > SHORT and len(split[1]) == tree.n_v:
        solution = TreeSolution(tree, *split)
        return [*solution.of(by_q, by_v), solution.identity()]

    def solution_of(right: Entries) -> Array:
        columns = [solved(tree, split, column) for column in tree.matrix(right).T]
        return tree.matrix({(i, j): x for j, c in enumerate(columns) for i, x in enumerate(c)})

    unit = {(i, i): tree.one for i in range(tree.n_v)}
    negative = ({key: -x for key, x in entries.items()} for entries in (by_q, by_v))
    return [*map(solution_of, negative), solution_of(unit)]


def partials(tree: Tree, v: Any, a: Any, passive: bool, in_root: bool, applied: AppliedForces) -> Partials:
    """∂tau/∂q, ∂tau/∂v and M by (row, column), armatures, damping and forces included."""
    if any(branch.link.flipped for branch in tree.branches):
        by_q, by_v, M = _by_differentiating(tree, v, a)
    else:
        by_q, by_v, M = sensitivities(tree, v, a, in_root)
    for slot, (armature, damping) in enumerate(zip(tree.armature(), tree.damping(), strict=True)):
        M[slot, slot] = M[slot, slot] + armature
        if passive:
            by_v[slot, slot] = by_v[slot, slot] + damping
    if applied.model.forces or applied.model.contacts:
        _add_forces(tree, v, applied, by_q, by_v)
    return Partials(by_q, by_v, M)


def _add_forces(tree: Tree, v: Any, applied: AppliedForces, by_q: Entries, by_v: Entries) -> None:
    """Subtracts the derivatives of the forces from those of the efforts."""
    f = applied.function("f", {"q": tree.q, "v": v}, {"Q": applied.generalized()})
    inputs = {"q": tree.q, "v": v, **applied.inputs()}
    along_q = f.jacobian("Q", "q")(**inputs) @ tangent(tree)
    along_v = f.jacobian("Q", "v")(**inputs)
    for entries, change in ((by_q, along_q), (by_v, along_v)):
        for at in np.ndindex(change.shape):
            if not is_zero(change[at]):
                entries[at] = entries.get(at, tree.zero) - change[at]


def _by_differentiating(tree: Tree, v: Any, a: Any) -> Partials:
    """The same by automatic differentiation, for joints whose axes rotate with another link."""
    free = tree.symbols("acceleration")
    f = Function("f", {"q": tree.q, "v": v, "a": free}, {"tau": efforts(tree, v, free, passive=False)})

    def entries(output: Array) -> Entries:
        return {(i, j): output[i, j] for i in range(tree.n_v) for j in range(tree.n_v)}

    by_q = f.jacobian("tau", "q")(tree.q, v, a) @ tangent(tree)
    by_v, M = f.jacobian("tau", "v")(tree.q, v, a), f.jacobian("tau", "a")(tree.q, v, a)
    return Partials(entries(by_q), entries(by_v), entries(M))
