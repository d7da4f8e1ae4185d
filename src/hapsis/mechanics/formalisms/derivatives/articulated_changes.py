"""What small changes of coordinates and speeds do to articulated bodies, in the frame of the first link.

The change of coordinate or speed k accelerates what is beyond λ, the link before its joint, by s as a rigid
body, and its velocities cause the wrenches K w on the bodies there (see `effort_derivatives`: s is Ψ̈ or
Ψ̇ + Ṡ, w the angular part of Ψ̇ or S, K w the wrench of 2 w~ K). With P the wrenches of all K on the
articulated body, eliminated inwards along with it, λ feels the wrench

    p = Iᵃ s + P w + c          c = S ×* F for coordinates, 0 for speeds

    τ = -Sᵀ P      P := P + U τ / D      P_λ := P_λ + Xᵀ P Rᵀ
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from hapsis.mechanics.algebra.articulated_inertia import Articulated
from hapsis.mechanics.algebra.rotations import Matrix, Rows, down, rows_up, transposed, up
from hapsis.mechanics.algebra.spatial import Motion, Wrench, halves, motion_up, plus, wrench_up
from hapsis.mechanics.algebra.vectors import Vector, add, cross, dot, sub
from hapsis.mechanics.formalisms.derivatives.effort_derivatives import (
    AxisRates,
    Flow,
    flow,
    motion,
    rate,
    rates_of,
)
from hapsis.mechanics.formalisms.derivatives.side_by_side import side_by_side
from hapsis.mechanics.formalisms.derivatives.six_vectors import Six, product, six
from hapsis.mechanics.formalisms.dynamics.forward_dynamics import Eliminations, accelerations
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import link_wrenches, motions, times
from hapsis.mechanics.formalisms.dynamics.mass_matrix import to_root
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.tree.links import WORLD
from hapsis.mechanics.formalisms.tree.sweeps import joint_wrenches, parent_motion, velocities
from hapsis.mechanics.formalisms.tree.tree import Tree, along, vectors


class Axis(NamedTuple):
    """One axis."""

    slot: int
    S: Six
    U_D: Six  # U / D
    turned: Vector  # τ / D, times w
    inverse: Any  # 1 / D


class Change(NamedTuple):
    """A change of one coordinate or speed."""

    slot: int
    s: Six
    w: Vector
    p: Six  # on λ; of no use if that is the world


class Joint(NamedTuple):
    """The axes of one link, and the changes of their coordinates and speeds."""

    axes: list[Axis]
    by_q: list[Change]
    by_v: list[Change]


def joints(
    tree: Tree, swept: Eliminations, v: Any, applied: AppliedForces, groups: Sequence[Sequence[int]] = ()
) -> list[Joint]:
    """The joint of each link; those of single axes in a group of links are computed side by side."""
    V, rates, wrenches = _motion(tree, swept, v, applied)
    turned, P = _turned(tree, swept, V)
    places = to_root(tree)
    zero3, zero6 = tree.zero3, (tree.zero,) * 6
    facts: list[list[tuple[Any, Any, Any, Any]]] = []
    for i, branch in enumerate(tree.branches):
        (rotation, shift), steps = places[i], {step.slot: step for step in swept.steps[i]}
        (matrix,) = rotation
        inward: tuple[Any, ...] = tuple(swept.Ia[i]), tuple(P[i]), wrenches[i]
        if branch.parent == WORLD:  # which feels no wrench
            inward = (zero6, (zero3,) * 3, zero6), (zero3,) * 6, (zero3, zero3)
        facts.append([])
        for slot, own in zip(branch.v, rates[i], strict=True):
            step = steps[slot]
            # of a single axis Ṡ = Ψ̇
            both = own.both if len(branch.v) > 1 else plus(own.first, own.first)
            axis = own.S, halves(step.U_D), turned[slot]
            facts[i].append(((matrix.rows, shift), axis, (own.first, own.second, both), inward))
    solved = {i: [_in_root(*each) for each in facts[i]] for i in range(len(facts)) if not _grouped(i, groups)}
    for group in groups:
        alike = side_by_side("change", _in_root, [facts[i][0] for i in group])
        solved |= {i: [each] for i, each in zip(group, alike, strict=True)}
    result: list[Joint] = []
    for i, branch in enumerate(tree.branches):
        joint, steps = Joint([], [], []), {step.slot: step for step in swept.steps[i]}
        for slot, (axis, by_q, by_v) in zip(branch.v, solved[i], strict=True):
            S, U_D, turned_D = axis
            joint.axes.append(Axis(slot, S, U_D, turned_D, steps[slot].inverse))
            joint.by_q.append(Change(slot, *by_q))
            joint.by_v.append(Change(slot, *by_v))
        result.append(joint)
    return result


def _motion(
    tree: Tree, swept: Eliminations, v: Any, applied: AppliedForces
) -> tuple[list[Motion], list[list[AxisRates]], list[Wrench]]:
    """For each link its velocity, the rates of its axes, and the wrench of its joint."""
    a, before = accelerations(tree, swept.steps)
    if applied.model.forces or applied.model.contacts:
        V, A, rates = rates_of(tree, v, a)
        links = link_wrenches(tree, [motion(*pair) for pair in zip(V, A, strict=True)])
        return V, rates, joint_wrenches(tree, links)
    rates, wrenches, V = [], [], velocities(tree, v)
    moves = motions(tree, v)
    for i, branch in enumerate(tree.branches):
        R, (w, u), (dw, du) = branch.rotation, parent_motion(tree, branch, V), before[i]
        if branch.parent == WORLD:
            pushed = dw, sub(du, down(R, tree.links.gravity))
        else:
            parent = moves[branch.parent]
            # X A_λ = its value at v̇ = 0, which is Rᵀω̇_λ and Rᵀ(u̇_λ + B_λ p) - ω × u, and what v̇ adds
            at = down(R, add(parent.du, times(parent.B, branch.p)))
            pushed = add(down(R, parent.dw), dw), add(sub(at, cross(w, u)), du)
        rates.append([rate(vectors(tree, axis), (w, u), V[i], pushed) for axis in branch.S])
        Ia, A = swept.Ia[i], six(before[i])
        F = halves([product([Ia.entry(a, b) for b in range(6)], A) for a in range(6)])
        wrenches.append(plus(F, swept.pa[i]))  # F = Iᵃ X A_λ + pᵃ
    return V, rates, wrenches


def _grouped(i: int, groups: Sequence[Sequence[int]]) -> bool:
    return any(i in group for group in groups)


def _in_root(
    place: tuple[Rows, Vector],
    axis: tuple[Motion, Motion, Vector],
    rates: tuple[Motion, Motion, Motion],
    inward: tuple[Any, Sequence[Vector], Motion],
) -> tuple[Any, Any, Any]:
    """The axis (S, U/D, τ/D) and its changes (s, w, p) by coordinate and speed, in the frame of the root."""
    R, p = (Matrix(place[0]),), place[1]
    (S, U_D, turned), (first, second, both), (Ia, P, (n, f)) = axis, rates, inward
    (w, u), Ia = S, Articulated(*Ia)
    shifted = add(cross(w, n), cross(u, f)), cross(w, f)  # S ×* F
    F_q, F_v = plus(_applied(Ia, P, second, first[0]), shifted), _applied(Ia, P, both, w)
    return (
        (six(motion_up(R, p, S)), six(wrench_up(R, p, U_D)), up(R, turned)),
        (six(motion_up(R, p, second)), up(R, first[0]), six(wrench_up(R, p, F_q))),
        (six(motion_up(R, p, both)), up(R, w), six(wrench_up(R, p, F_v))),
    )


def _applied(Ia: Articulated, P: Sequence[Vector], s: Motion, w: Vector) -> Motion:
    """Iᵃ s + P w."""
    return halves([product([Ia.entry(a, b) for b in range(6)], six(s)) + dot(P[a], w) for a in range(6)])


def _turned(
    tree: Tree, swept: Eliminations, V: Sequence[Motion]
) -> tuple[dict[int, Vector], list[list[Vector]]]:
    """τ / D for each speed, and P of each link without its axes, as six rows."""
    P = [_answers(flow(branch.I, mine), tree.zero) for branch, mine in zip(tree.branches, V, strict=True)]
    turned: dict[int, Vector] = {}
    for i in range(len(P) - 1, -1, -1):
        branch = tree.branches[i]
        for step in swept.steps[i]:
            x, y, z = (-along(step.S, column) for column in zip(*P[i], strict=True))  # τ = -Sᵀ P
            turned[step.slot] = step.inverse * x, step.inverse * y, step.inverse * z
            # P := P + U τ / D
            P[i] = [add(row, (U * x, U * y, U * z)) for row, U in zip(P[i], step.U_D, strict=True)]
        if branch.parent != WORLD:
            f = rows_up(branch.rotation, tuple(P[i][3:]))
            moment = transposed([cross(branch.p, column) for column in transposed(f)])
            n = [add(*rows) for rows in zip(rows_up(branch.rotation, tuple(P[i][:3])), moment, strict=True)]
            # P_λ := P_λ + Xᵀ P Rᵀ
            P[branch.parent] = [add(*rows) for rows in zip(P[branch.parent], [*n, *f], strict=True)]
    return turned, P


def _answers(flow: Flow, zero: Any) -> list[Vector]:
    """The wrench of 2 w~ K as six rows times w: moment (tr D - D) w - L × w, force 2 w × l."""
    xx, yy, zz, xy, xz, yz = flow.D
    (a, b, c), (x, y, z) = flow.L, (k + k for k in flow.l)
    return [
        (yy + zz, c - xy, -xz - b),
        (-xy - c, xx + zz, a - yz),
        (b - xz, -yz - a, xx + yy),
        (zero, z, -y),
        (-z, zero, x),
        (y, -x, zero),
    ]
