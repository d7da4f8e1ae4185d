"""Forward dynamics: by articulated bodies, or by factoring the mass matrix along the tree.

Articulated bodies: inwards each axis S of a link is eliminated from its articulated inertia Iᴬ and
bias force pᴬ, and the rest Iᵃ, pᵃ is added to the parent; outwards the accelerations follow. The
formulas are beside the code in `by_articulated_bodies`, `_eliminate` and `_accelerations`. pᴬ starts
as the wrench of inverse dynamics at zero accelerations, which includes velocity terms and gravity, so
that the outward sweep needs neither. The cost is linear in the number of links.

Factors: M = Lᵀ D L has no fill-in outside the branches of the tree. Cheaper for short branches.
Reference: [RBDA] tables 7.1 (articulated bodies) and 6.3 (factors).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.elementary_functions import where
from hapsis.errors import ModelError
from hapsis.mechanics.algebra.articulated_inertia import Articulated, articulated
from hapsis.mechanics.algebra.spatial import Motion, Wrench, halves, plus
from hapsis.mechanics.formalisms.constraints.constrained_dynamics import constrained, has_rows
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import efforts, link_wrenches, motions
from hapsis.mechanics.formalisms.dynamics.mass_matrix import in_body_frames
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.joint_motion import Axis
from hapsis.mechanics.formalisms.tree.links import WORLD
from hapsis.mechanics.formalisms.tree.sweeps import parent_motion
from hapsis.mechanics.formalisms.tree.tree import Branch, Tree, along, is_zero
from hapsis.mechanics.model.checks.massless import check_masses
from hapsis.mechanics.model.model import Model

Factors = tuple[dict[tuple[int, int], Any], dict[int, Any]]

SHORT = 24  # speeds; above it factoring has cost more than articulated bodies on every tree tried


@verb
def forward_dynamics(model: Model, *, passive: bool = True) -> Function:
    """(q, v, tau) -> a: the accelerations that the efforts tau and all forces cause.

    passive    damping and dry friction of the joints included

    With loops or constraints (q, v, tau) -> a, lam, for a closed state: M a + c = tau + Jᵀ lam and
    J a + gamma = 0, with lam of least norm where rows are redundant. Drives are not imposed.
    """
    if not has_rows(model):
        check_masses(model)
    return _forward_dynamics(model, passive)


@kept_verb
def _forward_dynamics(model: Model, passive: bool) -> Function:
    if has_rows(model):
        return _with_rows(model, passive)

    def emit(solve: Any) -> Any:
        def write(tree: Tree) -> Function:
            v, tau = tree.symbols("v"), tree.symbols("tau")
            applied = AppliedForces(tree, v)
            a = solve(tree, v, tau, passive, applied)
            return applied.function("forward_dynamics", {"q": tree.q, "v": v, "tau": tau}, {"a": a})

        return write

    return cheapest(model, *(emit(solve) for solve in solvers_for(model)))


def _with_rows(model: Model, passive: bool) -> Function:
    """(q, v, tau) -> a, lam."""

    def write(tree: Tree) -> Function:
        v, tau = tree.symbols("v"), tree.symbols("tau")
        applied = AppliedForces(tree, v)
        a, lam = constrained(tree, v, tau, passive, applied)
        inputs = {"q": tree.q, "v": v, "tau": tau}
        return applied.function("forward_dynamics", inputs, {"a": a, "lam": lam})

    return cheapest(model, write)


def solvers_for(model: Model) -> list[Any]:
    """The methods of solving for accelerations among which the cheapest is chosen."""
    if len(model.speeds) <= SHORT:
        return [by_articulated_bodies, by_factoring]
    return [by_articulated_bodies]


class Elimination(NamedTuple):
    """The quantities of one axis that the outward sweep needs."""

    slot: int
    S: Axis
    U_D: list[Any]  # U / D
    u_D: Any  # u / D


def by_articulated_bodies(
    tree: Tree, v: Any, tau: Sequence[Any], passive: bool, applied: AppliedForces
) -> list[Any]:
    """The accelerations by articulated bodies, at a cost linear in the number of links."""
    tau = [t + e for t, e in zip(tau, applied.efforts, strict=True)]
    if passive:
        tau = [t - loss for t, loss in zip(tau, tree.passive(v), strict=True)]
    IA = [articulated(branch.I, tree.zero) for branch in tree.branches]
    pA = applied.subtracted_from(link_wrenches(tree, motions(tree, v)))  # of inverse dynamics at v̇ = 0
    armature = tree.armature()
    steps: list[list[Elimination]] = [[] for _ in IA]
    for i in range(len(IA) - 1, -1, -1):
        branch, parent = tree.branches[i], tree.branches[i].parent
        for slot, S in reversed(list(zip(branch.v, branch.S, strict=True))):
            last = parent == WORLD and slot == branch.v[0]
            if is_zero(along(S, IA[i].times(S)) + armature[slot]) and can_spin(branch):
                u = tau[slot] - along(S, [*pA[i][0], *pA[i][1]])
                steps[i].append(Elimination(slot, S, [tree.zero] * 6, unresisted(tree, u)))
                continue
            U_D, u_D, IA[i], pA[i] = _eliminate(tree, IA[i], pA[i], S, tau[slot], armature[slot], last)
            steps[i].append(Elimination(slot, S, U_D, u_D))
        if parent != WORLD:
            IA[parent] = IA[parent].plus(IA[i].up(branch.rotation, branch.p))  # Iᴬ_λ := Iᴬ_λ + Xᵀ Iᵃ X
            pA[parent] = plus(pA[parent], branch.up(pA[i]))  # pᴬ_λ := pᴬ_λ + Xᵀ pᵃ
    return _accelerations(tree, steps)


def _eliminate(
    tree: Tree, IA: Articulated, pA: Wrench, S: Axis, tau: Any, armature: Any, last: bool
) -> tuple[list[Any], Any, Articulated, Wrench]:
    """Eliminates one axis: U / D, u / D, and Iᵃ and pᵃ (Iᴬ and pᴬ unchanged if it is the last one)."""
    p = [*pA[0], *pA[1]]
    U = IA.times(S)  # U = Iᴬ S
    D = along(S, U) + armature  # D = Sᵀ U + armature
    u = tau - along(S, p)  # u = τ - Sᵀ pᴬ
    inverse = reciprocal(tree, D)
    # for a coordinate axis without armature: Iᵃ S = 0, Sᵀ pᵃ = τ
    unit = len(S) == 1 and is_zero(armature)
    gone = S[0][0] if unit else None
    U_D = [tree.one if k == gone else inverse * x for k, x in enumerate(U)]
    u_D = inverse * u
    if last:
        return U_D, u_D, IA, pA
    left = [tau if k == gone else x + U[k] * u_D for k, x in enumerate(p)]  # pᵃ = pᴬ + U u/D
    return U_D, u_D, IA.without(U, U_D, gone, tree.zero), halves(left)  # Iᵃ = Iᴬ - U Uᵀ/D


def _accelerations(tree: Tree, steps: list[list[Elimination]]) -> list[Any]:
    """The outward sweep: A minus its value at v̇ = 0, and from it the accelerations v̇."""
    a: list[Any] = [tree.zero] * tree.n_v
    A: list[Motion] = []
    for branch, own in zip(tree.branches, steps, strict=True):
        w, u = parent_motion(tree, branch, A)
        six = [*w, *u]  # A' = X A_λ
        for step in reversed(own):
            value = step.u_D
            for x, y in zip(step.U_D, six, strict=True):
                value = value - x * y  # v̇ = u/D - (U/D)ᵀ A'
            a[step.slot] = value
            for k, coefficient in step.S:
                six[k] = six[k] + coefficient * value  # A' := A' + S v̇
        A.append(halves(six))
    return a


def by_factoring(tree: Tree, v: Any, tau: Sequence[Any], passive: bool, applied: AppliedForces) -> list[Any]:
    """The accelerations from M v̇ = τ - c, with the factors of the mass matrix along the tree."""
    c = efforts(tree, v, None, passive, applied)
    right = [t - x for t, x in zip(tau, c, strict=True)]
    return solved(tree, factors(tree, in_body_frames(tree)), right)


def can_spin(branch: Branch) -> bool:
    """Whether a motion that no mass resists may be the spin of a slender rod: on ball and free joints."""
    return len(branch.v) > 1


def unresisted(tree: Tree, u: Any) -> Any:
    """The acceleration that an effort gives to no mass: none without an effort, else infinite."""
    return where(u == 0.0, tree.zero, u / tree.zero)


def reciprocal(tree: Tree, D: Any) -> Any:
    """1 / D of a direction of motion; an error where it moves no mass, in whatever pose."""
    if is_zero(D):
        check_masses(tree.links.model)
        raise ModelError("some joints together can move without moving any mass: remove one of them")
    return tree.one / D


def ancestors(tree: Tree) -> list[int]:
    """For each speed the one before it on the path to the root, -1 for the first."""
    before = [-1] * tree.n_v
    for branch in tree.branches:
        above = tree.branches[branch.parent].v[-1] if branch.parent != WORLD else -1
        for slot in branch.v:
            before[slot], above = above, slot
    return before


def order(tree: Tree) -> list[int]:
    """The speeds in tree order: each after those before it on the path from the root."""
    return [slot for branch in tree.branches for slot in branch.v]


def solved(tree: Tree, split: Factors, right: Sequence[Any]) -> list[Any]:
    """x with Lᵀ D L x = right, from the factors of M."""
    above, slots = ancestors(tree), order(tree)
    L, inverse = split
    x = list(right)
    for i in reversed(slots):
        for j in path(above, above[i]):
            x[j] = x[j] - L[i, j] * x[i]  # x := L⁻ᵀ x
    for i in slots:
        x[i] = inverse[i] * x[i] if i in inverse else unresisted(tree, x[i])  # x := D⁻¹ x
    for i in slots:
        for j in path(above, above[i]):
            x[i] = x[i] - L[i, j] * x[j]  # x := L⁻¹ x
    return x


def factors(tree: Tree, M: Mapping[tuple[int, int], Any]) -> Factors:
    """M = Lᵀ D L along the tree: L by (row, column), and the reciprocals of D where it is not zero."""
    M, above = dict(M), ancestors(tree)
    L: dict[tuple[int, int], Any] = {}
    inverse: dict[int, Any] = {}
    spins = {slot for branch in tree.branches if can_spin(branch) for slot in branch.v}
    for k in reversed(order(tree)):
        if k in spins and all(is_zero(M[k, i]) for i in path(above, k)):
            L |= {(k, i): tree.zero for i in path(above, above[k])}
            continue
        inverse[k] = reciprocal(tree, M[k, k])  # D_k = M_kk
        for i in path(above, above[k]):
            L[k, i] = M[k, i] * inverse[k]  # L_ki = M_ki / D_k
            for j in path(above, i):
                M[i, j] = M[i, j] - L[k, i] * M[k, j]  # M_ij := M_ij - L_ki M_kj
    return L, inverse


def path(above: list[int], slot: int) -> Iterator[int]:
    """A speed and those before it on the path to the root."""
    while slot != -1:
        yield slot
        slot = above[slot]
