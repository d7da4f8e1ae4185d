"""Inverse dynamics by the recursive Newton-Euler equations.

Outwards, for each link, in its own axes (λ is the parent, r our origin in its frame):

    ω = Rᵀω_λ + ω_J                 ω̇ = Rᵀω̇_λ + Rᵀω_λ × ω_J + ω̇_J
    a = Rᵀ(a_λ + B_λ r) + 2 Rᵀω_λ × u_J + ω_J × u_J + u̇_J          B = ω̃ω̃ + ω̇~
    f = m a + B h                    n = h × a + the skew part of B J

with (ω_J, u_J) what the joint adds, J, h, m the moments of `algebra.inertia`, and -g as the
acceleration of the world. Inwards, wrenches add up and each axis takes its component.
Reference: [Featherstone] table 5.1; B is the form of [Robotran] and [Khalil].
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.function import Function
from hapsis.mechanics.algebra.inertia import Inertia
from hapsis.mechanics.algebra.rotations import Rows, down
from hapsis.mechanics.algebra.vectors import Vector, add, cross, dot, neg, scaled
from hapsis.mechanics.formalisms.forces.applied_forces import Acting
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.links import WORLD
from hapsis.mechanics.formalisms.tree.sweeps import Wrench, carried
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero
from hapsis.mechanics.model.model import Model


class Motion(NamedTuple):
    """How a link moves, in its own axes."""

    w: Vector  # angular velocity
    dw: Vector  # angular acceleration
    a: Vector  # acceleration of the origin, gravity taken off
    B: Rows  # the acceleration of a point r of the link is a + B r


def inverse_dynamics(model: Model, *, passive: bool = True) -> Function:
    """(q, v, a) -> tau: the efforts that give the accelerations a, besides all forces.

    passive    damping and dry friction of the joints included

    Where loops, constraints or drives hold the model, tau is what its efforts and their reactions
    give together, in any pose: M a + c of the tree.
    """

    def emit(tree: Tree) -> Function:
        v, a = tree.symbols("v"), tree.symbols("a")
        acting = Acting(tree, v)
        tau = efforts(tree, v, a, passive, acting)
        tau = [t + m * rate for t, m, rate in zip(tau, tree.armature(), a, strict=True)]
        inputs = {"q": tree.q, "v": v, "a": a}
        return acting.function("inverse_dynamics", inputs, {"tau": tau})

    return cheapest(model, emit)


def bias(model: Model, *, passive: bool = True) -> Function:
    """(q, v) -> c with M a + c = tau: velocity terms, gravity, passive efforts and all forces."""

    def emit(tree: Tree) -> Function:
        v = tree.symbols("v")
        acting = Acting(tree, v)
        c = efforts(tree, v, None, passive, acting)
        return acting.function("bias", {"q": tree.q, "v": v}, {"c": c})

    return cheapest(model, emit)


def efforts(tree: Tree, v: Any, a: Any, passive: bool, acting: Acting | None = None) -> list[Any]:
    """The effort of each speed; accelerations are zero if not given, and so are forces."""
    wrenches = forces(tree, motions(tree, v, a))
    if acting is not None:
        wrenches = acting.needed(wrenches)
    tau = tree.efforts(carried(tree, wrenches))
    if acting is not None:
        tau = [t - e for t, e in zip(tau, acting.efforts, strict=True)]
    if passive:
        tau = [t + loss for t, loss in zip(tau, tree.passive(v), strict=True)]
    return tau


def motions(tree: Tree, v: Any, a: Any = None, gravity: Vector | None = None) -> list[Motion]:
    """The outward sweep: how each link moves; gravity is the model's if not given."""
    none = tree.none
    gravity = tree.chain.gravity if gravity is None else gravity
    rates = tree.split(v)
    accelerations = tree.split(a) if a is not None else [(none, none)] * len(rates)
    world = Motion(none, none, neg(gravity), (none, none, none))
    moves: list[Motion] = []
    for branch, (wJ, uJ), (dwJ, duJ) in zip(tree.branches, rates, accelerations, strict=True):
        above = world if branch.parent == WORLD else moves[branch.parent]
        carried = down(branch.rotation, above.w)
        w = add(carried, wJ)
        dw = add(add(down(branch.rotation, above.dw), cross(carried, wJ)), dwJ)
        at = add(above.a, times(above.B, branch.p))
        twice = add(add(carried, carried), wJ)
        acceleration = add(add(down(branch.rotation, at), cross(twice, uJ)), duJ)
        moves.append(Motion(w, dw, acceleration, acceleration_matrix(w, dw)))
    return moves


def acceleration_matrix(w: Vector, dw: Vector) -> Rows:
    """B = ω̃ω̃ + ω̇~: with it a point r of a body accelerates by B r against its origin."""
    x, y, z = w
    xx, yy, zz, xy, xz, yz = x * x, y * y, z * z, x * y, x * z, y * z
    return (
        (-(yy + zz), xy - dw[2], xz + dw[1]),
        (xy + dw[2], -(xx + zz), yz - dw[0]),
        (xz - dw[1], yz + dw[0], -(xx + yy)),
    )


def forces(tree: Tree, moves: Sequence[Motion]) -> list[Wrench]:
    """The wrench each link's own masses need, about its origin."""
    return [wrench(branch.S, move) for branch, move in zip(tree.branches, moves, strict=True)]


def wrench(S: Inertia, move: Motion) -> Wrench:
    """n, f of one link from its moments and its motion."""
    f = add(scaled(S.m, move.a), times(move.B, S.h))
    n = add(cross(S.h, move.a), _moment(move, S))
    return n, f


def times(B: Rows, r: Vector) -> Vector:
    """B r."""
    return dot(B[0], r), dot(B[1], r), dot(B[2], r)


def _moment(move: Motion, S: Inertia) -> Vector:
    """∫ r × B r dm, the skew part of B J: Euler's equations with products of inertia."""
    xy, xz, yz = S.J[3:]
    B = move.B
    x, y, z = (w * w for w in move.w)
    return (
        _diagonal(move, S, 0) + xy * B[2][0] - xz * B[1][0] - yz * (y - z),
        _diagonal(move, S, 1) + yz * B[0][1] - xy * B[2][1] - xz * (z - x),
        _diagonal(move, S, 2) + xz * B[1][2] - yz * B[0][2] - xy * (x - y),
    )


def _diagonal(move: Motion, S: Inertia, k: int) -> Any:
    """What the diagonal of J adds about axis k: I_k ω̇_k + (J_i - J_j) ω_i ω_j."""
    i, j = (k + 1) % 3, (k + 2) % 3
    if is_zero(move.w[i] * move.w[j]):
        return S.axial[k] * move.dw[k]
    return S.J[i] * move.B[j][i] - S.J[j] * move.B[i][j]
