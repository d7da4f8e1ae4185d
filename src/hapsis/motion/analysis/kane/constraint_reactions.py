"""The verb `constraint_reactions`: chosen reactions brought into evidence, and how efforts change them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, SolveError
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.dynamics.carriers import check_carries
from hapsis.mechanics.formalisms.kane.evident_reactions import evident_reactions
from hapsis.mechanics.model.model import Model
from hapsis.motion.analysis.assembly.loop_numbers import Array, Loops
from hapsis.motion.analysis.assembly.reduce import best_partition
from hapsis.motion.analysis.kane.independent_speeds import given_pose

SHARED = 1e-9  # of a multiplier that costs nothing: a larger part of it is on a row


@verb
def constraint_reactions(
    model: Model, names: Sequence[str], frame: str | None = None, at: Any = None
) -> Function:
    """(q, v, tau) -> wrenches, slopes: reactions of joints and constraints, and how efforts change them.

    names    of the joints and constraints; wrenches has a row for each of them, moment and force of its first
             end on its second, at the origin of the first end, as `hs.reaction` gives it
    frame    other axes: "second", "world", or a frame by name
    at       the closed pose on which rows are chosen, as for `hs.kane_equations`

    v are closed speeds, those of drives as these have them. slopes has six rows for each name and a column
    for each effort: the wrenches are linear in tau. They follow from the equations of the dependent speeds,
    after the accelerations; where redundant rows share a reaction, so that it is not determined, an error
    says so.
    """
    if isinstance(names, str):
        raise ModelError("names are several", remedy=f'("{names[:60]}",)')
    if not names:
        raise ModelError("no reaction is asked for", expected="names of joints and constraints")
    for name in names:
        check_carries(model, name)
    loops = Loops(model)
    part, q = Partition((), ()), given_pose(loops, at)
    if loops.names:
        part = best_partition(loops, q, preferred=model.independent)
        _check_determined(model, loops, q, names)
    return evident_reactions(model, tuple(names), frame, part)


def _check_determined(model: Model, loops: Loops, q: Array, names: Sequence[str]) -> None:
    """Raises an error for a reaction of which redundant rows have a part."""
    J = np.delete(loops.relative_jacobian(q), loops.held, axis=1)
    U, sizes, _ = np.linalg.svd(J)
    rank = int((sizes > SHARED * sizes.max(initial=0.0)).sum())
    if rank == len(J):
        return
    shared = np.abs(U[:, rank:]).max(axis=1) > SHARED
    owners = {name.rpartition(".")[0] for name, both in zip(loops.names, shared, strict=True) if both}
    closing = {joint.name for joint in model.cuts} | {*model.constraints}
    for name in names:
        if name in owners or name not in closing:
            raise SolveError(
                f'the reaction of "{name[:60]}" is not determined: it is shared by redundant rows of '
                f"{', '.join(sorted(owners))[:200]}",
                remedy="see hs.unique_reactions, or leave a redundant constraint out",
            )
