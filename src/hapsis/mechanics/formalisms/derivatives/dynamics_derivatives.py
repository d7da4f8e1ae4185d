"""Derivatives of inverse and forward dynamics with respect to positions, speeds and the third input.

Derivatives with respect to positions are taken in the tangent space, along the speeds: a quaternion has
four components but three tangent directions, so every derivative is a square matrix.
`f.jacobian("tau", "q")` gives the derivatives with respect to the components instead.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.expr import Array
from hapsis.errors import check_known
from hapsis.mechanics.formalisms.derivatives.articulated_changes import joints
from hapsis.mechanics.formalisms.derivatives.articulated_response import Response
from hapsis.mechanics.formalisms.derivatives.effort_derivatives import Entries, Partials, sensitivities
from hapsis.mechanics.formalisms.derivatives.tree_limbs import alike
from hapsis.mechanics.formalisms.derivatives.tree_solution import TreeSolution
from hapsis.mechanics.formalisms.dynamics.forward_dynamics import (
    Factors,
    by_articulated_bodies,
    eliminations,
    factors,
    solved,
)
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import efforts
from hapsis.mechanics.formalisms.dynamics.mass_matrix import LONG
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.coordinate_rates import tangent
from hapsis.mechanics.formalisms.tree.model_checks import check_open, check_size
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero
from hapsis.mechanics.model.model import Model

OF = ("inverse_dynamics", "forward_dynamics")
SHORT = 24  # speeds; above it the form by articulated bodies has always been the cheaper one
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
    by_factors = [_of_forward(passive, in_root) for in_root in forms]
    if n > SHORT:
        return cheapest(model, lambda tree: _by_response(tree, passive) or by_factors[-1](tree))
    return cheapest(model, lambda tree: _by_response(tree, passive), *by_factors)


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
    """Emitter of ∂a/∂x = -M⁻¹ ∂tau/∂x, at the acceleration that tau causes."""

    def emit(tree: Tree) -> Function:
        v, tau = tree.symbols("v"), tree.symbols("tau")
        applied = AppliedForces(tree, v)
        a = by_articulated_bodies(tree, v, tau, passive, applied)
        by_q, by_v, M = partials(tree, v, a, passive, in_root, applied)
        da_dq, da_dv, da_dtau = _solved(tree, by_q, by_v, factors(tree, M))
        note = "by the factors of the mass matrix: -M⁻¹ times the derivatives of inverse dynamics"
        return _derived(applied, (tree.q, v, tau), (da_dq, da_dv, da_dtau), note)

    return emit


def _derived(applied: AppliedForces, inputs: Sequence[Any], outputs: Sequence[Any], note: str) -> Function:
    """The Function of forward dynamics; its note says which form it has."""
    names = ("q", "v", "tau"), ("da_dq", "da_dv", "da_dtau")
    ports = (dict(zip(*each, strict=True)) for each in zip(names, (inputs, outputs), strict=True))
    function = applied.function("forward_dynamics_derivatives", *ports)
    function.notes = (note,)
    return function


def _by_response(tree: Tree, passive: bool) -> Function | None:
    """The derivatives by articulated bodies; None where they do not apply."""
    v, tau = tree.symbols("v"), tree.symbols("tau")
    applied = AppliedForces(tree, v)
    swept, before = eliminations(tree, v, tau, passive, applied), len(tree.graph.blocks)
    massless = any(step.inverse is None for steps in swept.steps for step in steps)
    if massless or any(branch.link.flipped for branch in tree.branches):
        return None
    answers = Response(tree, joints(tree, swept, v, applied, alike(tree))).answers()
    more_q: Entries = {}
    more_v = {(k, k): d for k, d in enumerate(tree.damping()) if passive}
    if applied.model.forces or applied.model.contacts:
        _add_forces(tree, v, applied, more_q, more_v)
    for entries, more in ((answers.by_q, more_q), (answers.by_v, more_v)):
        for (i, k), x in more.items():
            for j in range(tree.n_v if not is_zero(x) else 0):
                if (j, i) in answers.by_tau:
                    entries[j, k] = entries.get((j, k), tree.zero) - answers.by_tau[j, i] * x
    maps = len(tree.graph.blocks) - before
    note = "by articulated bodies" + (f", columns side by side in {maps} maps" if maps else ", written out")
    return _derived(applied, (tree.q, v, tau), [tree.matrix(x) for x in answers], note)


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
