"""State rates of a mechanism with loops, in a form whose first derivatives are exact.

At a closed pose Newton's method takes no step, and then the derivative of the dependent coordinates with
respect to the others would be lost. So one step is always taken: at a closed pose its value is the pose
itself, and its derivative is

    dq_v = -J_v⁻¹ J_u dq_u        independent of dq_v

so that the derivatives of all that depends on it, B u among it, follow by the chain rule.
"""

from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.gc_pause import uncollected
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.constraints.reduced_dynamics import ClosedPose
from hapsis.mechanics.formalisms.constraints.reduction import newton
from hapsis.mechanics.formalisms.dynamics.state_rates import all_forces, state_rates
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.forces.drive_motion import driven_motions, driven_state
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.model import Model


@kept_verb
def reduced_response(model: Model, part: Partition, carried: bool = False) -> Function:
    """(q, v, tau, z, u, t) -> q, v, dq, a, dz, efforts, lam: all rates after one step of Newton's method.

    Only the independent entries of q and v matter; q must be closed, or nearly. efforts are those of
    drives; lam, of all rows, is an output only if `carried`.
    """
    with uncollected():
        outer = posed_tree(model)
        v, tau = outer.symbols("v"), outer.symbols("tau")
        applied = all_forces(outer, v)
        if not (model.cuts or model.constraints or model.drives):
            at, q, speeds = state_rates(model), list(outer.q), list(v)
        else:
            at = cheapest(model, lambda tree: _rates(tree, part, carried))
            q, speeds = _led(model, part, outer, applied, v)
        arguments = {"q": q, "v": speeds, "tau": tau, **applied.inputs()}
        outputs = at.outputs_by_name(at(**{port.name: arguments[port.name] for port in at.inputs}))
        outputs.pop("loss", None)
        return applied.function(
            "response", {"q": outer.q, "v": v, "tau": tau}, {"q": q, "v": speeds, **outputs}
        )


def _led(
    model: Model, part: Partition, outer: Tree, applied: AppliedForces, v: Any
) -> tuple[list[Any], list[Any]]:
    """The coordinates, driven ones imposed and dependent ones after one step, and the speeds."""
    q, speeds = driven_state(driven_motions(applied).values(), outer.q, v)
    if not part.of_positions(model).rows:
        return q, speeds
    step = newton(posed_tree(model), part)
    more = [applied.time] if len(step.inputs) == 2 else []
    return list(step(q, *more)[0]), speeds


def _rates(tree: Tree, part: Partition, carried: bool) -> Function:
    """(q, v, tau, ...) -> v, dq, a, dz, efforts, lam at a closed pose."""
    v, tau = tree.symbols("v"), tree.symbols("tau")
    pose = ClosedPose(tree, part, v, tau, sticking=True, carried=True)
    lam = pose.all_multipliers if carried else {}
    # in this order: dz, efforts, lam
    outputs = {"dq": pose.dq, "a": pose.a, **pose.state_rates, **pose.drive_efforts, **lam}
    return pose.at_closed_speeds("rates", v, outputs)
