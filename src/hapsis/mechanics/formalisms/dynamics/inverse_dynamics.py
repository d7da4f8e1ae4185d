"""Inverse dynamics by the recursive Newton-Euler equations.

A body's velocity V is (ω, u) and its acceleration A is (ω̇, u̇), u̇ that of the frame's origin with
-g as the acceleration of the world; the wrench F is (n, f). λ is the parent, R and p are the
orientation and position of a link in the parent's frame, (ω_J, u_J) = S v is the motion of its joint.
The acceleration of a point r of a link is u̇ + B r. The formulas are beside the code: outwards in
`motions`, link by link in `wrench`, inwards in `sweeps.joint_wrenches`, and Sᵀ F in `efforts`.
Reference: [RBDA] table 5.1; B is the form of [Robotran] and [Khalil].
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.mechanics.algebra.inertia import Inertia
from hapsis.mechanics.algebra.rotations import Rows, down
from hapsis.mechanics.algebra.spatial import Wrench
from hapsis.mechanics.algebra.vectors import Vector, add, cross, dot, neg, scaled
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.links import WORLD
from hapsis.mechanics.formalisms.tree.sweeps import joint_wrenches
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero
from hapsis.mechanics.model.model import Model


class LinkMotion(NamedTuple):
    """The motion of a link, in its own axes."""

    w: Vector  # ω, angular velocity
    dw: Vector  # ω̇, angular acceleration
    du: Vector  # u̇, acceleration of the origin minus gravity
    B: Rows  # the acceleration of a point r of the link is u̇ + B r


@verb
@kept_verb
def inverse_dynamics(model: Model, *, passive: bool = True) -> Function:
    """(q, v, a) -> tau: the efforts that cause the accelerations a together with all forces.

    passive    damping and dry friction of the joints included

    With loops, constraints or drives tau is M a + c of the tree, in any pose: the sum of the efforts
    and of the generalized reactions of loops, constraints and drives.
    """

    def emit(tree: Tree) -> Function:
        v, a = tree.symbols("v"), tree.symbols("a")
        applied = AppliedForces(tree, v)
        tau = efforts_with_armature(tree, v, a, passive, applied)
        return applied.function("inverse_dynamics", {"q": tree.q, "v": v, "a": a}, {"tau": tau})

    return cheapest(model, emit)


@verb
@kept_verb
def bias(model: Model, *, passive: bool = True) -> Function:
    """(q, v) -> c with M a + c = tau: velocity terms, gravity, passive efforts and all forces."""

    def emit(tree: Tree) -> Function:
        v = tree.symbols("v")
        applied = AppliedForces(tree, v)
        c = efforts(tree, v, None, passive, applied)
        return applied.function("bias", {"q": tree.q, "v": v}, {"c": c})

    return cheapest(model, emit)


def efforts(tree: Tree, v: Any, a: Any, passive: bool, applied: AppliedForces | None = None) -> list[Any]:
    """The effort of each speed; accelerations and forces are zero where None is given."""
    F = link_wrenches(tree, motions(tree, v, a))  # F = I A + V ×* I V
    if applied is not None:
        F = applied.subtracted_from(F)  # F - F_ext
    tau = tree.efforts(joint_wrenches(tree, F))  # τ = Sᵀ (F + Σ of the children's)
    if applied is not None:
        tau = [t - e for t, e in zip(tau, applied.efforts, strict=True)]
    if passive:
        tau = [t + loss for t, loss in zip(tau, tree.passive(v), strict=True)]
    return tau


def efforts_with_armature(tree: Tree, v: Any, a: Any, passive: bool, applied: AppliedForces) -> list[Any]:
    """The effort of each speed, including armature times acceleration."""
    tau = efforts(tree, v, a, passive, applied)
    return [t + m * x for t, m, x in zip(tau, tree.armature(), a, strict=True)]


def motions(tree: Tree, v: Any, a: Any = None, gravity: Vector | None = None) -> list[LinkMotion]:
    """The outward sweep: the motion of each link; gravity is the model's if not given."""
    zero3 = tree.zero3
    gravity = tree.links.gravity if gravity is None else gravity
    rates = tree.joint_motions(v)
    accelerations = tree.joint_motions(a) if a is not None else [(zero3, zero3)] * len(rates)
    world = LinkMotion(zero3, zero3, neg(gravity), (zero3, zero3, zero3))
    moves: list[LinkMotion] = []
    for branch, (wJ, uJ), (dwJ, duJ) in zip(tree.branches, rates, accelerations, strict=True):
        R, p = branch.rotation, branch.p
        parent = world if branch.parent == WORLD else moves[branch.parent]
        Rw = down(R, parent.w)
        w = add(Rw, wJ)  # ω = Rᵀω_λ + ω_J
        dw = add(add(down(R, parent.dw), cross(Rw, wJ)), dwJ)  # ω̇ = Rᵀω̇_λ + Rᵀω_λ × ω_J + ω̇_J
        # u̇ = Rᵀ(u̇_λ + B_λ p) + (2 Rᵀω_λ + ω_J) × u_J + u̇_J
        at = add(parent.du, times(parent.B, p))
        twice = add(add(Rw, Rw), wJ)
        du = add(add(down(R, at), cross(twice, uJ)), duJ)
        moves.append(LinkMotion(w, dw, du, acceleration_matrix(w, dw)))
    return moves


def acceleration_matrix(w: Vector, dw: Vector) -> Rows:
    """B = ω̃ω̃ + ω̇~: the acceleration of a point r of a body relative to its origin is B r."""
    x, y, z = w
    xx, yy, zz, xy, xz, yz = x * x, y * y, z * z, x * y, x * z, y * z
    return (
        (-(yy + zz), xy - dw[2], xz + dw[1]),
        (xy + dw[2], -(xx + zz), yz - dw[0]),
        (xz - dw[1], yz + dw[0], -(xx + yy)),
    )


def link_wrenches(tree: Tree, moves: Sequence[LinkMotion]) -> list[Wrench]:
    """For each link the wrench that accelerates its own mass, about its origin."""
    return [wrench(branch.I, move) for branch, move in zip(tree.branches, moves, strict=True)]


def wrench(I: Inertia, move: LinkMotion) -> Wrench:
    """n, f of one link from its moments and its motion: F = I A + V ×* I V."""
    f = add(scaled(I.m, move.du), times(move.B, I.h))  # f = m u̇ + B h
    n = add(cross(I.h, move.du), _moment(I, move))  # n = h × u̇ + ∫ r × B r dm
    return n, f


def times(B: Rows, r: Vector) -> Vector:
    """B r."""
    return dot(B[0], r), dot(B[1], r), dot(B[2], r)


def _moment(I: Inertia, move: LinkMotion) -> Vector:
    """∫ r × B r dm, the skew part of B Σ: Euler's equations with products of inertia."""
    xy, xz, yz = I.Sigma[3:]
    B = move.B
    x, y, z = (w * w for w in move.w)
    return (
        _diagonal(I, move, 0) + xy * B[2][0] - xz * B[1][0] - yz * (y - z),
        _diagonal(I, move, 1) + yz * B[0][1] - xy * B[2][1] - xz * (z - x),
        _diagonal(I, move, 2) + xz * B[1][2] - yz * B[0][2] - xy * (x - y),
    )


def _diagonal(I: Inertia, move: LinkMotion, k: int) -> Any:
    """The part of the moment about axis k from the diagonal of Σ: I_k ω̇_k + (Σ_i - Σ_j) ω_i ω_j."""
    i, j = (k + 1) % 3, (k + 2) % 3
    if is_zero(move.w[i] * move.w[j]):
        return I.axial[k] * move.dw[k]
    return I.Sigma[i] * move.B[j][i] - I.Sigma[j] * move.B[i][j]
