"""Partial velocities, generalized momenta and generalized impulses, by generalized speeds.

The velocity of a frame is linear in the generalized speeds u = Y v + w (see `speed_basis`):

    ω = Σ ω_r u_r + ω_t        velocity of the origin = Σ v_r u_r + v_t

ω_r and v_r are its partial velocities: the columns of the Jacobian times Y⁻¹. A force F at the origin and a
moment T have the generalized force v_r · F + ω_r · T, and impulses likewise. Reference: [Kane].
"""

from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.mechanics.formalisms.kane.speed_basis import Combinations, speed_basis
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.kinematics import check_axes, jacobian_rows
from hapsis.mechanics.formalisms.tree.sweeps import joint_wrenches, velocities
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.model import Model


@verb
def generalized_momentum(model: Model) -> Function:
    """(q, v, t) -> p, with p_r = ∂K/∂u_r of the kinetic energy K; the mass matrix times v without `Speed`s.

    One number for each generalized speed, in the order of `hs.generalized_speeds`.
    """
    return _generalized_momentum(model, speed_basis(model).own)


@verb
def generalized_impulse(model: Model, frame: str, *, axes: str = "world") -> Function:
    """(q, impulse, t) -> I, with I_r = ω_r · T + v_r · F of an impulse T, F on a frame.

    impulse has six numbers: of a moment, N m s, and of a force at the frame's origin, N s; in the axes of
    the "world" or of the "frame". Of a moment and a force it is the generalized force. One number for each
    generalized speed, in the order of `hs.generalized_speeds`.
    """
    check_axes(axes)
    return _generalized_impulse(model, frame, axes, speed_basis(model).own)


@kept_verb
def free_partial_velocities(model: Model, frame: str, axes: str, own: tuple[int, ...]) -> Function:
    """(q, t) -> angular, linear: a row for each generalized speed."""

    def emit(tree: Tree) -> Function:
        u = Combinations(tree, own, tree.symbols("v"))
        rows = [u.dual(row) for row in jacobian_rows(tree, frame, axes)]
        return _function("partial_velocities", {"q": tree.q}, u, split(rows))

    return cheapest(model, emit)


def split(rows: list[list[Any]]) -> dict[str, Any]:
    """Six rows with a column for each speed, as partial velocities with a row for each speed."""
    n = len(rows[0])
    columns = [[row[k] for row in rows] for k in range(n)]
    return {"angular": [column[:3] for column in columns], "linear": [column[3:] for column in columns]}


@kept_verb
def _generalized_momentum(model: Model, own: tuple[int, ...]) -> Function:
    def emit(tree: Tree) -> Function:
        v = tree.symbols("v")
        momenta = [
            branch.I.rigid().momentum(*V)
            for branch, V in zip(tree.branches, velocities(tree, v), strict=True)
        ]
        p = tree.efforts(joint_wrenches(tree, momenta))
        p = [x + m * rate for x, m, rate in zip(p, tree.armature(), v, strict=True)]
        u = Combinations(tree, own, v)
        return _function("generalized_momentum", {"q": tree.q, "v": v}, u, {"p": u.dual(p)})

    return cheapest(model, emit)


@kept_verb
def _generalized_impulse(model: Model, frame: str, axes: str, own: tuple[int, ...]) -> Function:
    def emit(tree: Tree) -> Function:
        impulse = symbols("impulse", 6, graph=tree.graph)
        u = Combinations(tree, own, tree.symbols("v"))
        J = jacobian_rows(tree, frame, axes)
        forces = [
            sum((J[k][slot] * impulse[k] for k in range(6)), tree.zero) for slot in range(tree.n_v)
        ]  # Jᵀ times the impulse
        inputs = {"q": tree.q, "impulse": impulse}
        return _function("generalized_impulse", inputs, u, {"I": u.dual(forces)})

    return cheapest(model, emit)


def _function(name: str, inputs: dict[str, Any], u: Combinations, outputs: dict[str, Any]) -> Function:
    return Function(name, {**inputs, **u.timed}, outputs, defaults=dict.fromkeys(u.timed, 0.0) or None)
