"""How a mechanism answers to small changes: its rates in a form whose first derivatives are exact.

A pose that is closed already needs no step of Newton, and then nothing would tell how the dependent
coordinates follow the others. One step that is always made does: at a closed pose its value is the
pose itself, and its derivative is

    dq_v = -J_v⁻¹ J_u dq_u        whatever q_v was

so that the derivatives of all that follows, the speeds' B u among it, come out by the chain rule.
"""

from collections.abc import Mapping
from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.gc_pause import uncollected
from hapsis.mechanics.formalisms.constraints.constrained_dynamics import least_multipliers
from hapsis.mechanics.formalisms.constraints.constraint_rows import linearized
from hapsis.mechanics.formalisms.constraints.reduced_dynamics import Pose
from hapsis.mechanics.formalisms.constraints.reduction import Partition, newton, total
from hapsis.mechanics.formalisms.dynamics.state_rates import motion, moving
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.forces.drive_motion import imposed
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.model import Model


def response(model: Model, part: Partition, carried: bool = False) -> Function:
    """(q, v, tau, z, u, t) -> q, v, dq, a, dz, efforts, lam: all rates after one step of Newton.

    Of q and v only the independent ones count, as everywhere; q must be closed, or nearly. efforts
    are those of drives; lam, of all rows, is there only if `carried`.
    """
    with uncollected():
        outer = posed_tree(model)
        v, tau = outer.symbols("v"), outer.symbols("tau")
        applied = moving(outer, v)
        if not (model.cuts or model.constraints or model.drives):
            at, q, told = motion(model), list(outer.q), list(v)
        else:
            at = cheapest(model, lambda tree: _rates(tree, part, carried))
            q, told = _led(model, part, outer, applied, v)
        given = {"q": q, "v": told, "tau": tau, **applied.inputs()}
        found = at(**{port.name: given[port.name] for port in at.inputs})
        outputs = dict(zip([port.name for port in at.outputs], found, strict=True))
        outputs.pop("loss", None)
        return applied.function(
            "response", {"q": outer.q, "v": v, "tau": tau}, {"q": q, "v": told, **outputs}
        )


def _led(
    model: Model, part: Partition, outer: Tree, applied: AppliedForces, v: Any
) -> tuple[list[Any], list[Any]]:
    """Coordinates with those of drives in their place and the others after one step, and speeds."""
    q, told = list(outer.q), list(v)
    for drive in imposed(applied).values():
        q[drive.place] = outer.q[drive.place] if drive.position is None else drive.position
        told[drive.slot] = v[drive.slot] if drive.velocity is None else drive.velocity
    if not part.of_positions(model).rows:
        return q, told
    step = newton(posed_tree(model), part)
    more = [applied.time] if len(step.inputs) == 2 else []
    return list(step(q, *more)[0]), told


def _rates(tree: Tree, part: Partition, carried: bool) -> Function:
    """(q, v, tau, ...) -> v, dq, a, dz, efforts, lam at a closed pose."""
    v, tau = tree.symbols("v"), tree.symbols("tau")
    pose = Pose(tree, part, v, tau, sticking=True, carried=True)
    outputs: dict[str, Any] = {"dq": pose.dq, "a": pose.a, **_more(pose, carried)}
    inputs = {"q": tree.q, "v": pose.symbols, "tau": tau}
    at = pose.applied.function("at", inputs, outputs)
    found = at(q=tree.q, v=pose.v, tau=tau, **pose.applied.inputs())
    told = dict(zip(outputs, found, strict=True))
    return pose.applied.function("rates", {"q": tree.q, "v": v, "tau": tau}, {"v": pose.v, **told})


def _more(pose: Pose, carried: bool) -> Mapping[str, Any]:
    """States of laws, efforts of drives, and what all rows carry, as little as it can be."""
    found: dict[str, Any] = {}
    if pose.applied.states:
        found["dz"] = [pose.applied.rates[name] for name in pose.applied.states]
    if pose.drives:
        found["efforts"] = [pose.efforts[name] for name in pose.drives]
    if carried and pose.lam:
        columns = range(pose.tree.n_v)
        pulls = [total(pose.tree, [row[k] for row in pose.found.J], pose.lam) for k in columns]
        J = linearized(pose.tree, pose.rows, pose.rows.names, pose.symbols).J
        found["lam"] = least_multipliers(pose.tree, J, pulls)
    return found
