"""How efforts change with positions and speeds: analytic derivatives of inverse dynamics.

A small step along axis k turns everything beyond it rigidly, which changes nothing beyond it, but
for the motion it came with. With λ the parent, V, A velocity and acceleration (gravity taken off)
as spatial vectors and x̂ the 4 x 4 matrix of one, what comes on top is

    Ψ̇ = V_λ × S        Ψ̈ = A_λ × S + V_λ × Ψ̇        Ṡ = V × S

and a composite body with moments P = Σ m r rᵀ (4 x 4), K = Σ m ṙ rᵀ and wrench F answers with

    ∂F/∂q_k = Ψ̈̂ P + 2 Ψ̇̂ K  (+ S ×* F for the joints before k)
    ∂F/∂v_k = (Ψ̇ + Ṡ)^ P + 2 Ŝ K

so each axis needs two rows (for axes before it) and two columns, which travel inwards with the
momentum that makes the mass matrix. Of 2 K only a symmetric tensor and the momentum count:
2 K = D + L~ with D = Σ m (ṙ rᵀ + r ṙᵀ) and L the angular momentum.
Steps are taken in the tangent space: along the speeds. Reference: [Singh].
"""

from typing import Any, NamedTuple

from hapsis.mechanics.algebra.inertia import Inertia, Rigid
from hapsis.mechanics.algebra.rotations import Rotation, Tensor, down, tensor_sum, tensor_up, up
from hapsis.mechanics.algebra.vectors import Vector, add, cross, dot, sub
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import Motion, acceleration_matrix, forces
from hapsis.mechanics.formalisms.dynamics.mass_matrix import composites, to_root
from hapsis.mechanics.formalisms.tree.links import WORLD
from hapsis.mechanics.formalisms.tree.sweeps import Wrench, before, carried
from hapsis.mechanics.formalisms.tree.tree import Tree, vectors

Spatial = tuple[Vector, Vector]  # angular, linear
Entries = dict[tuple[int, int], Any]


class Rates(NamedTuple):
    """How an axis moves, in the axes of its link."""

    S: Spatial
    first: Spatial  # Ψ̇
    second: Spatial  # Ψ̈
    both: Spatial  # Ψ̇ + Ṡ


class Swept(NamedTuple):
    """What travels inwards for one axis."""

    slot: int
    turning: Vector  # row that takes the angular part of a rate
    momentum: Wrench  # row that takes all of it; its products with axes are the mass matrix
    by_q: Wrench  # columns
    by_v: Wrench


class Flow(NamedTuple):
    """Moments of velocity of a body about a frame's origin."""

    D: Tensor  # Σ m (ṙ rᵀ + r ṙᵀ)
    L: Vector  # Σ m r × ṙ
    l: Vector  # Σ m ṙ


def sensitivities(tree: Tree, v: Any, a: Any, in_root: bool = False) -> tuple[Entries, Entries, Entries]:
    """Entries of ∂tau/∂q, ∂tau/∂v and M, by (row, column); armature and losses left out.

    in_root    bring rates, rows and columns to the frame of the first link once, instead of
               handing rows and columns from link to link: cheaper for long chains
    """
    V, A, rates = _rates(tree, v, a)
    wrenches = carried(tree, forces(tree, [_motion(*pair) for pair in zip(V, A, strict=True)]))
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
    found: tuple[Entries, Entries, Entries] = {}, {}, {}
    for i, own in enumerate(swept):
        for x in own:
            _gather(tree, i, x, rates, in_root, *found)
    return found


def _gather(
    tree: Tree,
    at: int,
    swept: Swept,
    rates: list[list[Rates]],
    in_root: bool,
    by_q: Entries,
    by_v: Entries,
    M: Entries,
) -> None:
    """All entries of one axis with those before it, on its own link and further in."""
    slot, branch = swept.slot, tree.branches[at]
    for other, rate in zip(branch.v, rates[at], strict=True):
        _rows(swept, other, rate, by_q, by_v, M)
    while branch.parent != WORLD:
        if not in_root:
            swept = _inwards(swept, branch.rotation, branch.p)
        at, branch = branch.parent, tree.branches[branch.parent]
        for other, rate in zip(branch.v, rates[at], strict=True):
            _rows(swept, other, rate, by_q, by_v, M)
            by_q[other, slot] = _power(rate.S, swept.by_q)
            by_v[other, slot] = _power(rate.S, swept.by_v)
            M[other, slot] = M[slot, other]


def _motion(V: Spatial, A: Spatial) -> Motion:
    """What the Newton-Euler equations ask for, from spatial vectors."""
    (w, u), (dw, pushed) = V, A
    return Motion(w, dw, add(pushed, cross(w, u)), acceleration_matrix(w, dw))


def _rows(swept: Swept, other: int, rate: Rates, by_q: Entries, by_v: Entries, M: Entries) -> None:
    """The effort of this axis by the coordinate and speed of one at or before it."""
    slot = swept.slot
    by_q[slot, other] = dot(swept.turning, rate.first[0]) + _power(rate.second, swept.momentum)
    by_v[slot, other] = dot(swept.turning, rate.S[0]) + _power(rate.both, swept.momentum)
    M[slot, other] = _power(rate.S, swept.momentum)


def _swept(slot: int, rate: Rates, body: Rigid, flow: Flow, wrench: Wrench) -> Swept:
    """Rows and columns of one axis at its own link."""
    (s, m), (n, f) = rate.S, wrench
    # S ×* F and the answers of the composite body
    shifted = add(cross(s, n), cross(m, f)), cross(s, f)
    by_q = _sum(shifted, body.momentum(*rate.second), _answer(flow, rate.first[0]))
    by_v = _sum(body.momentum(*rate.both), _answer(flow, s))
    return Swept(slot, _turning(flow, s, m), body.momentum(s, m), by_q, by_v)


def _answer(flow: Flow, w: Vector) -> Wrench:
    """The wrench of 2 w~ K: moment (tr D - D) w - L × w, force 2 w × l."""
    return sub(_spread(flow.D, w), cross(flow.L, w)), _doubled(cross(w, flow.l))


def _turning(flow: Flow, s: Vector, m: Vector) -> Vector:
    """The transpose of `_answer`: the row that an axis (s, m) makes of it."""
    return add(add(_spread(flow.D, s), cross(flow.L, s)), _doubled(cross(flow.l, m)))


def _spread(D: Tensor, w: Vector) -> Vector:
    """(tr D - D) w."""
    xx, yy, zz, xy, xz, yz = D
    x, y, z = w
    return ((yy + zz) * x - xy * y - xz * z, (xx + zz) * y - xy * x - yz * z, (xx + yy) * z - xz * x - yz * y)


def _flows(tree: Tree, V: list[Spatial]) -> list[Flow]:
    """For each link the moments of velocity of all it carries."""
    total = [_flow(branch.S, mine) for branch, mine in zip(tree.branches, V, strict=True)]
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


def _flow(S: Inertia, V: Spatial) -> Flow:
    """The moments of velocity of one link: D from ω~ J and u hᵀ, both with their transposes."""
    (w, u), (xx, yy, zz, xy, xz, yz) = V, S.J
    x, y, z = (cross(w, column) for column in ((xx, xy, xz), (xy, yy, yz), (xz, yz, zz)))
    turned = (x[0] + x[0], y[1] + y[1], z[2] + z[2], y[0] + x[1], z[0] + x[2], z[1] + y[2])
    return Flow(tensor_sum(turned, _mixed(u, S.h)), *S.rigid().momentum(w, u))


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


def _rates(tree: Tree, v: Any, a: Any) -> tuple[list[Spatial], list[Spatial], list[list[Rates]]]:
    """For each link V and A, gravity taken off, and the rates of its axes."""
    found: list[list[Rates]] = []
    V: list[Spatial] = []
    A: list[Spatial] = []
    for branch, J, dJ in zip(tree.branches, tree.split(v), tree.split(a), strict=True):
        here, pushed = before(tree, branch, V), before(tree, branch, A)
        if branch.parent == WORLD:
            pushed = tree.none, sub(tree.none, down(branch.rotation, tree.chain.gravity))
        V.append(_sum(here, J))
        A.append(_sum(pushed, dJ, motion_cross(here, J)))
        found.append([_rate(vectors(tree, axis), here, V[-1], pushed) for axis in branch.axes])
    return V, A, found


def _rate(S: Spatial, before: Spatial, V: Spatial, pushed: Spatial) -> Rates:
    first = motion_cross(before, S)
    second = _sum(motion_cross(pushed, S), motion_cross(before, first))
    return Rates(S, first, second, _sum(first, motion_cross(V, S)))


def motion_cross(a: Spatial, b: Spatial) -> Spatial:
    """a × b of two motions."""
    return cross(a[0], b[0]), add(cross(a[0], b[1]), cross(a[1], b[0]))


def _risen(rate: Rates, rotation: Rotation, p: Vector) -> Rates:
    """The rates of an axis seen from a frame further in, in which ours stands at p, so turned."""

    def moved(motion: Spatial) -> Spatial:
        w = up(rotation, motion[0])
        return w, add(up(rotation, motion[1]), cross(p, w))

    return Rates(*(moved(motion) for motion in rate))


def _inwards(swept: Swept, rotation: Rotation, p: Vector) -> Swept:
    """Rows and columns seen from a frame further in, in which ours stands at p, so turned."""

    def moved(wrench: Wrench) -> Wrench:
        f = up(rotation, wrench[1])
        return add(up(rotation, wrench[0]), cross(p, f)), f

    return Swept(
        swept.slot, up(rotation, swept.turning), moved(swept.momentum), moved(swept.by_q), moved(swept.by_v)
    )


def _power(motion: Spatial, wrench: Wrench) -> Any:
    return dot(motion[0], wrench[0]) + dot(motion[1], wrench[1])


def _sum(first: Any, *others: Any) -> Any:
    for other in others:
        first = add(first[0], other[0]), add(first[1], other[1])
    return first


def _doubled(a: Vector) -> Vector:
    return add(a, a)
