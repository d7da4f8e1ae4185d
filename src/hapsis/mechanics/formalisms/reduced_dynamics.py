"""The dynamics of a model with loops in one Function: closed, reduced, accelerated."""

from typing import Any

from hapsis.compiler.ir.function import Function
from hapsis.compiler.ir.garbage import uncollected
from hapsis.errors import ModelError
from hapsis.mechanics.formalisms import choice
from hapsis.mechanics.formalisms.acting import Acting
from hapsis.mechanics.formalisms.constraints import rows_of
from hapsis.mechanics.formalisms.reduction import Partition, closed, closed_speeds, reduced
from hapsis.mechanics.model.model import Model


def partitioned_dynamics(model: Model, part: Partition) -> Function:
    """(q, v, tau) -> q, v, a: the pose closed, the speeds closed, all accelerations.

    Of q and v only the independent ones count; the others say where Newton's steps begin.
    """
    if model.drives:
        raise ModelError("the dynamics of drives are not available yet",
                         remedy="leave them out of the model")  # fmt: skip
    with uncollected():
        outer = choice.tree(model)
        v, tau = outer.symbols("v"), outer.symbols("tau")
        acting = Acting(outer, v)
        kinematics, dynamics = _at_closed_pose(model, part)
        timed = any(port.name == "t" for port in kinematics.inputs)
        clock = {"t": acting.time} if timed else {}
        more = acting.inputs()
        # the three steps one after the other
        q = closed(choice.tree(model), part, outer.q, clock.get("t"))
        moving = kinematics(q=q, v=v, **clock)
        a = dynamics(q=q, v=moving, tau=tau, **more)
        inputs: dict[str, Any] = {"q": outer.q, "v": v, "tau": tau}
        return acting.function("reduced_dynamics", inputs, {"q": q, "v": moving, "a": a})


def _at_closed_pose(model: Model, part: Partition) -> tuple[Function, Function]:
    """(q, v) -> v, all speeds from the independent ones; and (q, v, tau) -> a."""
    tree = choice.tree(model)
    v, tau = tree.symbols("v"), tree.symbols("tau")
    acting = Acting(tree, v)
    rows = rows_of(tree, lambda: acting.time)
    clock = {} if rows.time is None else {"t": rows.time}
    speeds = closed_speeds(tree, rows, part, v)
    kinematics = Function("kinematics", {"q": tree.q, "v": v, **clock}, {"v": speeds})
    drive = [t - loss for t, loss in zip(tau, tree.passive(v), strict=True)]
    a = reduced(tree, rows, part, v, drive, acting)
    return kinematics, acting.function("dynamics", {"q": tree.q, "v": v, "tau": tau}, {"a": a})
