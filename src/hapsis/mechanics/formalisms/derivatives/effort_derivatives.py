"""Analytic derivatives of the efforts of inverse dynamics with respect to positions and speeds.

A small step along axis k moves all links beyond it as one rigid body; relative to each other nothing
changes, except that they were moving already. With λ the parent, V, A velocity and acceleration (gravity
subtracted) as six-dimensional vectors and x̂ the 4 x 4 matrix of one, the additional terms are

    Ψ̇ = V_λ × S        Ψ̈ = A_λ × S + V_λ × Ψ̇        Ṡ = V × S

and for a composite body with moments P = Σ m r rᵀ (4 x 4), K = Σ m ṙ rᵀ and wrench F

    ∂F/∂q_k = Ψ̈̂ P + 2 Ψ̇̂ K  (+ S ×* F for the joints before k)
    ∂F/∂v_k = (Ψ̇ + Ṡ)^ P + 2 Ŝ K

so each axis needs two rows (for axes before it) and two columns, which are transformed inwards together
with the momentum from which the mass matrix follows. Of 2 K only a symmetric tensor and the momentum
matter: 2 K = D + L~ with D = Σ m (ṙ rᵀ + r ṙᵀ) and L the angular momentum.
Derivatives are taken in the tangent space, along the speeds. Reference: [Singh].
"""

from typing import Any, NamedTuple

from hapsis.mechanics.algebra.inertia import Inertia, Rigid
from hapsis.mechanics.algebra.rotations import Rotation, Tensor, down, tensor_sum, tensor_up, up
from hapsis.mechanics.algebra.spatial import Motion, Wrench, motion_cross, motion_up, plus, power, wrench_up
from hapsis.mechanics.algebra.vectors import Vector, add, cross, dot, sub
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import (
    LinkMotion,
    acceleration_matrix,
    link_wrenches,
)
from hapsis.mechanics.formalisms.dynamics.mass_matrix import composites, to_root
from hapsis.mechanics.formalisms.tree.links import WORLD
from hapsis.mechanics.formalisms.tree.sweeps import joint_wrenches, parent_motion
from hapsis.mechanics.formalisms.tree.tree import Tree, vectors

Entries = dict[tuple[int, int], Any]  # by (row, column)


class Partials(NamedTuple):
    """The derivatives of the efforts."""

    by_q: Entries
    by_v: Entries
    M: Entries  # by accelerations


class AxisRates(NamedTuple):
    """The rates of an axis, in the axes of its link."""

    S: Motion
    first: Motion  # Ψ̇
    second: Motion  # Ψ̈
    both: Motion  # Ψ̇ + Ṡ


class Swept(NamedTuple):
    """The rows and columns of one axis, which are transformed inwards."""

    slot: int
    turning: Vector  # row for the angular part of a rate
    momentum: Wrench  # row for the whole rate; its products with axes are the mass matrix
    by_q: Wrench  # columns
    by_v: Wrench


class Flow(NamedTuple):
    """Moments of velocity of a body about a frame's origin."""

    D: Tensor  # Σ m (ṙ rᵀ + r ṙᵀ)
    L: Vector  # Σ m r × ṙ
    l: Vector  # Σ m ṙ


def sensitivities(tree: Tree, v: Any, a: Any, in_root: bool = False) -> Partials:
    """Entries of ∂tau/∂q, ∂tau/∂v and M, by (row, column); without armature and losses.

    in_root    transform rates, rows and columns once to the frame of the first link, instead of
               transforming rows and columns from link to link: cheaper for long chains
    """
    V, A, rates = _rates(tree, v, a)
    wrenches = joint_wrenches(tree, link_wrenches(tree, [_motion(*pair) for pair in zip(V, A, strict=True)]))
    bodies, flows = composites(tree), _flows(tree, V)
    swept = [
        [
            _swept(slot, rate, bodies[i], flows[i], wrenches[i])
            for slot, rate in zip(branch.v, rates[i], strict=True)
        ]
        for i, branch in enumerate(tree.branches)
    ]
    if in_root:
        places = to_root(tree)
        swept = [[_inwards(x, *place) for x in own] for own, place in zip(swept, places, strict=True)]
        rates = [[_risen(x, *place) for x in own] for own, place in zip(rates, places, strict=True)]
    partials = Partials({}, {}, {})
    for i, own in enumerate(swept):
        for x in own:
            _gather(tree, i, x, rates, in_root, partials)
    return partials


def _gather(
    tree: Tree, at: int, swept: Swept, rates: list[list[AxisRates]], in_root: bool, partials: Partials
) -> None:
    """Adds all entries of one axis with the axes before it, on its own link and further inwards."""
    slot, branch = swept.slot, tree.branches[at]
    for other, rate in zip(branch.v, rates[at], strict=True):
        _rows(swept, other, rate, partials)
    while branch.parent != WORLD:
        if not in_root:
            swept = _inwards(swept, branch.rotation, branch.p)
        at, branch = branch.parent, tree.branches[branch.parent]
        for other, rate in zip(branch.v, rates[at], strict=True):
            _rows(swept, other, rate, partials)
            partials.by_q[other, slot] = power(rate.S, swept.by_q)
            partials.by_v[other, slot] = power(rate.S, swept.by_v)
            partials.M[other, slot] = partials.M[slot, other]


def _motion(V: Motion, A: Motion) -> LinkMotion:
    """The link motion that the Newton-Euler equations use, from V and A."""
    (w, u), (dw, pushed) = V, A
    return LinkMotion(w, dw, add(pushed, cross(w, u)), acceleration_matrix(w, dw))


def _rows(swept: Swept, other: int, rate: AxisRates, partials: Partials) -> None:
    """Adds the derivatives of the effort of this axis by the coordinate and speed of one at or before it."""
    slot = swept.slot
    partials.by_q[slot, other] = dot(swept.turning, rate.first[0]) + power(rate.second, swept.momentum)
    partials.by_v[slot, other] = dot(swept.turning, rate.S[0]) + power(rate.both, swept.momentum)
    partials.M[slot, other] = power(rate.S, swept.momentum)


def _swept(slot: int, rate: AxisRates, body: Rigid, flow: Flow, wrench: Wrench) -> Swept:
    """The rows and columns of one axis at its own link."""
    (s, m), (n, f) = rate.S, wrench
    # S ×* F
    shifted = add(cross(s, n), cross(m, f)), cross(s, f)
    by_q = plus(shifted, body.momentum(*rate.second), _answer(flow, rate.first[0]))
    by_v = plus(body.momentum(*rate.both), _answer(flow, s))
    return Swept(slot, _turning(flow, s, m), body.momentum(s, m), by_q, by_v)


def _answer(flow: Flow, w: Vector) -> Wrench:
    """The wrench of 2 w~ K: moment (tr D - D) w - L × w, force 2 w × l."""
    return sub(_spread(flow.D, w), cross(flow.L, w)), _doubled(cross(w, flow.l))


def _turning(flow: Flow, s: Vector, m: Vector) -> Vector:
    """The transpose of `_answer` applied to an axis (s, m): a row."""
    return add(add(_spread(flow.D, s), cross(flow.L, s)), _doubled(cross(flow.l, m)))


def _spread(D: Tensor, w: Vector) -> Vector:
    """(tr D - D) w."""
    xx, yy, zz, xy, xz, yz = D
    x, y, z = w
    return ((yy + zz) * x - xy * y - xz * z, (xx + zz) * y - xy * x - yz * z, (xx + yy) * z - xz * x - yz * y)


def _flows(tree: Tree, V: list[Motion]) -> list[Flow]:
    """For each link the moments of velocity of its composite body."""
    total = [_flow(branch.I, mine) for branch, mine in zip(tree.branches, V, strict=True)]
    for i in range(len(total) - 1, -1, -1):
        branch = tree.branches[i]
        if branch.parent != WORLD:
            D, L, l = total[i]
            l, above = up(branch.rotation, l), total[branch.parent]
            total[branch.parent] = Flow(
                tensor_sum(above.D, tensor_up(branch.rotation, D), _mixed(branch.p, l)),
                add(above.L, add(up(branch.rotation, L), cross(branch.p, l))),
                add(above.l, l),
            )
    return total


def _flow(I: Inertia, V: Motion) -> Flow:
    """The moments of velocity of one link: D from ω~ Σ and u hᵀ, both with their transposes."""
    (w, u), (xx, yy, zz, xy, xz, yz) = V, I.Sigma
    x, y, z = (cross(w, column) for column in ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
    turned = (x[0] + x[0], y[1] + y[1], z[2] + z[2], y[0] + x[1], z[0] + x[2], z[1] + y[2])
    return Flow(tensor_sum(turned, _mixed(u, I.h)), *I.rigid().momentum(w, u))


def _mixed(a: Vector, b: Vector) -> Tensor:
    """a bᵀ + b aᵀ."""
    x, y, z = (p * q for p, q in zip(a, b, strict=True))
    return (
        x + x,
        y + y,
        z + z,
        a[0] * b[1] + a[1] * b[0],
        a[0] * b[2] + a[2] * b[0],
        a[1] * b[2] + a[2] * b[1],
    )


def _rates(tree: Tree, v: Any, a: Any) -> tuple[list[Motion], list[Motion], list[list[AxisRates]]]:
    """For each link V and A, gravity subtracted, and the rates of its axes."""
    rates: list[list[AxisRates]] = []
    V: list[Motion] = []
    A: list[Motion] = []
    for branch, J, dJ in zip(tree.branches, tree.joint_motions(v), tree.joint_motions(a), strict=True):
        here, pushed = parent_motion(tree, branch, V), parent_motion(tree, branch, A)
        if branch.parent == WORLD:
            pushed = tree.zero3, sub(tree.zero3, down(branch.rotation, tree.links.gravity))
        V.append(plus(here, J))
        A.append(plus(pushed, dJ, motion_cross(here, J)))
        rates.append([_rate(vectors(tree, axis), here, V[-1], pushed) for axis in branch.S])
    return V, A, rates


def _rate(S: Motion, before: Motion, V: Motion, pushed: Motion) -> AxisRates:
    first = motion_cross(before, S)
    second = plus(motion_cross(pushed, S), motion_cross(before, first))
    return AxisRates(S, first, second, plus(first, motion_cross(V, S)))


def _risen(rate: AxisRates, R: Rotation, p: Vector) -> AxisRates:
    """The rates of an axis transformed to a frame further inwards, in which ours has the pose (R, p)."""
    return AxisRates(*(motion_up(R, p, motion) for motion in rate))


def _inwards(swept: Swept, R: Rotation, p: Vector) -> Swept:
    """The rows and columns transformed to a frame further inwards, in which ours has the pose (R, p)."""
    wrenches = (wrench_up(R, p, F) for F in (swept.momentum, swept.by_q, swept.by_v))
    return Swept(swept.slot, up(R, swept.turning), *wrenches)


def _doubled(a: Vector) -> Vector:
    return add(a, a)
