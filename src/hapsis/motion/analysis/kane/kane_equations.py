"""The verbs `kane_equations`, `linear_equations` and `partial_velocities`."""

from collections.abc import Sequence
from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.formalisms.forces.imposed_motion import imposed_motion
from hapsis.mechanics.formalisms.kane.partial_velocities import free_partial_velocities
from hapsis.mechanics.formalisms.kane.reduced_equations import (
    linear_matrices,
    reduced_equations,
    reduced_partial_velocities,
)
from hapsis.mechanics.formalisms.kane.speed_basis import speed_basis
from hapsis.mechanics.formalisms.tree.kinematics import check_axes
from hapsis.mechanics.model.model import Model
from hapsis.motion.analysis.kane.independent_speeds import independent_partition


@verb
def kane_equations(model: Model, independent: Sequence[str] | None = None, at: Any = None) -> Function:
    """(q, speeds) -> M, f, B, v, b: Kane's equations M u̇ + f = B τ of the independent speeds u.

    independent  the generalized speeds that lead: `Speed`s, speeds of the model's own or coordinates; the
                 model's own choice or the best ones if not given (see `hs.independent_speeds`)
    at           the closed pose on which the choice is made, as for `hs.independent_speeds`

    q is a closed pose, with driven coordinates where the drives have them at t. v are all of the model's
    speeds, and their rates are Bᵀ u̇ + b. f has gravity, forces, damping and friction. There are no
    multipliers and no efforts of drives: these do no work on the motions that are left.
    """
    part = independent_partition(model, at, independent)
    return reduced_equations(model, part, speed_basis(model).own)


@verb
def linear_equations(model: Model, independent: Sequence[str] | None = None, at: Any = None) -> Function:
    """(q, tau) -> M, C, K, B at rest: small motions M ẍ + C ẋ + K x = B δτ about a pose of balance.

    ẋ are the independent speeds, chosen as by `hs.kane_equations`. K is the derivative of f - B τ along the
    motions that the rows allow, C its derivative by the speeds. Drives must stand still.
    """
    moving = [name for name in model.drives if name not in imposed_motion(model)[1]]
    if moving:
        raise ModelError(
            f'drive "{moving[0][:60]}" moves, and these are small motions about rest',
            remedy="use hs.linearize, or a drive with a constant position",
        )
    part = independent_partition(model, at, independent)
    return linear_matrices(model, part, speed_basis(model).own)


@verb
def partial_velocities(
    model: Model, frame: str, *, axes: str = "world", independent: Sequence[str] | None = None, at: Any = None
) -> Function:
    """(q, t) -> angular, linear: the partial velocities of a frame, a row of each for every speed.

    frame        its name, such as "hand" or "arm.end"
    axes         "world", or "frame": those in which they are written
    independent  without it by all generalized speeds, in the order of `hs.generalized_speeds`, as if there
                 were no rows; with it by these independent speeds, the others following from the rows
    at           the pose on which rows are chosen, as for `hs.kane_equations`
    """
    check_axes(axes)
    own = speed_basis(model).own
    if independent is None:
        return free_partial_velocities(model, frame, axes, own)
    part = independent_partition(model, at, independent)
    return reduced_partial_velocities(model, frame, axes, part, own)
