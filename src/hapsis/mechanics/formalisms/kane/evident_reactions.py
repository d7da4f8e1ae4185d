"""Reactions as Functions of the efforts: accelerations and multipliers by a partition, then wrenches.

    J_vᵀ λ = (M a + c - τ)_dependent

gives the multipliers of the rows of the partition; those of redundant rows are zero.
"""

from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.gc_pause import uncollected
from hapsis.mechanics.formalisms.constraints.constraint_rows import linearized, rows_of
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.constraints.reduction import reduced
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.formalisms.dynamics.reactions import reaction
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.forces.drive_motion import driven_motions
from hapsis.mechanics.formalisms.kane.reduced_equations import new_inputs
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.model import Model


@kept_verb
def evident_reactions(model: Model, names: tuple[str, ...], frame: str | None, part: Partition) -> Function:
    """(q, v, tau, z, u, t) -> wrenches, slopes of these joints and constraints."""
    loads = cheapest(model, lambda tree: _loads(tree, part))
    with uncollected():
        graph_inputs = loads.input_symbols()
        values = loads.outputs_by_name(loads(**graph_inputs))
        wrenches: list[Any] = []
        for name in names:
            f = reaction(model, name, frame)
            known = {**graph_inputs, **values}
            missing = [port for port in f.inputs if port.name not in known]
            graph_inputs |= {p.name: new_inputs(p, loads.graph) for p in missing}
            known |= graph_inputs
            wrenches.append(list(f(**{port.name: known[port.name] for port in f.inputs})))
        inputs = graph_inputs
        defaults = loads.defaults
        flat = [x for wrench in wrenches for x in wrench]
        whole = Function("wrenches", inputs, {"flat": flat}, defaults=defaults)
        slopes = whole.jacobian("flat", "tau")(**inputs)
        outputs = {"wrenches": wrenches, "slopes": slopes}
        return Function("constraint_reactions", inputs, outputs, defaults=defaults)


def _loads(tree: Tree, part: Partition) -> Function:
    """(q, v, tau, z, u, t) -> a, lam of all rows, at a closed pose with closed speeds."""
    v, tau = tree.symbols("v"), tree.symbols("tau")
    applied = AppliedForces(tree, v)
    rows = rows_of(tree, lambda: applied.time)
    linear = linearized(tree, rows, part.rows, v)
    active = [t - loss for t, loss in zip(tau, tree.passive(v), strict=True)]
    a, lam, _ = reduced(tree, linear, part, v, active, applied, driven_motions(applied), carried=True)
    named = dict(zip(part.rows, lam, strict=True))
    every = [named.get(name, tree.zero) for name in constraint_names(tree.links.model)]
    outputs: dict[str, Any] = {"a": a, **({"lam": every} if every else {})}
    return applied.function("loads", {"q": tree.q, "v": v, "tau": tau}, outputs)
