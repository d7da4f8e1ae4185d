"""How a mechanism answers to small changes: its rates in a form whose first derivatives are exact.

A pose that is closed already needs no step of Newton, and then nothing would tell how the dependent
coordinates follow the others. One step that is always made does: at a closed pose its value is the
pose itself, and its derivative is

    dq_v = -J_v⁻¹ J_u dq_u        whatever q_v was

so that the derivatives of all that follows, the speeds' B u among it, come out by the chain rule.
"""

from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.gc_pause import uncollected
from hapsis.mechanics.formalisms.constraints.reduced_dynamics import ClosedPose
from hapsis.mechanics.formalisms.constraints.reduction import Partition, newton
from hapsis.mechanics.formalisms.dynamics.state_rates import all_forces, state_rates
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.forces.drive_motion import driven_motions, driven_state
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.model import Model


def reduced_response(model: Model, part: Partition, carried: bool = False) -> Function:
    """(q, v, tau, z, u, t) -> q, v, dq, a, dz, efforts, lam: all rates after one step of Newton.

    Of q and v only the independent ones count, as everywhere; q must be closed, or nearly. efforts
    are those of drives; lam, of all rows, is there only if `carried`.
    """
    with uncollected():
        outer = posed_tree(model)
        v, tau = outer.symbols("v"), outer.symbols("tau")
        applied = all_forces(outer, v)
        if not (model.cuts or model.constraints or model.drives):
            at, q, told = state_rates(model), list(outer.q), list(v)
        else:
            at = cheapest(model, lambda tree: _rates(tree, part, carried))
            q, told = _led(model, part, outer, applied, v)
        given = {"q": q, "v": told, "tau": tau, **applied.inputs()}
        outputs = at.outputs_by_name(at(**{port.name: given[port.name] for port in at.inputs}))
        outputs.pop("loss", None)
        return applied.function(
            "response", {"q": outer.q, "v": v, "tau": tau}, {"q": q, "v": told, **outputs}
        )


def _led(
    model: Model, part: Partition, outer: Tree, applied: AppliedForces, v: Any
) -> tuple[list[Any], list[Any]]:
    """Coordinates with those of drives in their place and the others after one step, and speeds."""
    q, told = driven_state(driven_motions(applied).values(), outer.q, v)
    if not part.of_positions(model).rows:
        return q, told
    step = newton(posed_tree(model), part)
    more = [applied.time] if len(step.inputs) == 2 else []
    return list(step(q, *more)[0]), told


def _rates(tree: Tree, part: Partition, carried: bool) -> Function:
    """(q, v, tau, ...) -> v, dq, a, dz, efforts, lam at a closed pose."""
    v, tau = tree.symbols("v"), tree.symbols("tau")
    pose = ClosedPose(tree, part, v, tau, sticking=True, carried=True)
    lam = pose.all_multipliers if carried else {}
    # in this order: dz, efforts, lam
    outputs = {"dq": pose.dq, "a": pose.a, **pose.state_rates, **pose.drive_efforts, **lam}
    return pose.at_closed_speeds("rates", v, outputs)
