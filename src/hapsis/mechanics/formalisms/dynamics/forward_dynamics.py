"""Forward dynamics: by articulated bodies, or by factoring the mass matrix along the tree.

Articulated bodies, inwards: each axis S of a link is eliminated in turn,

    U = I S     D = Sᵀ U + armature     u = tau - Sᵀ p     I := I - U Uᵀ/D     p := p + U u/D

and the rest is handed to the parent; outwards, a = u/D - Uᵀ a'/D. The bias p is the wrench of
inverse dynamics at zero accelerations. Linear in the number of links.

LDLᵀ: M = Lᵀ D L has no fill-in outside the branches of the tree. Cheaper for short branches.
Reference: [Featherstone] tables 7.1 and 6.3.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.function import Function
from hapsis.mechanics.algebra.articulated import Articulated, articulated
from hapsis.mechanics.algebra.rotations import down, up
from hapsis.mechanics.algebra.vectors import Vector, add, cross
from hapsis.mechanics.formalisms.constraints.constrained_dynamics import constrained, has_rows
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import efforts, forces, motions
from hapsis.mechanics.formalisms.dynamics.mass_matrix import in_body_frames
from hapsis.mechanics.formalisms.forces.applied_forces import Acting
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.links import WORLD
from hapsis.mechanics.formalisms.tree.sweeps import Wrench
from hapsis.mechanics.formalisms.tree.tree import Axis, Tree, along, is_zero
from hapsis.mechanics.model.model import Model

Factors = tuple[dict[tuple[int, int], Any], dict[int, Any]]

SHORT = 24  # speeds; above it factoring costs more than articulated bodies on any tree met


def forward_dynamics(model: Model, *, passive: bool = True) -> Function:
    """(q, v, tau) -> a: the accelerations that the efforts tau and all forces cause.

    passive    damping and dry friction of the joints included

    With loops or constraints (q, v, tau) -> a, lam, for a state that is closed: M a + c = tau +
    Jᵀ lam and J a + gamma = 0, lam the smallest where rows are redundant. Drives are not imposed.
    """
    if has_rows(model):
        return _with_rows(model, passive)

    def emit(solve: Any) -> Any:
        def write(tree: Tree) -> Function:
            v, tau = tree.symbols("v"), tree.symbols("tau")
            acting = Acting(tree, v)
            a = solve(tree, v, tau, passive, acting)
            inputs = {"q": tree.q, "v": v, "tau": tau}
            return acting.function("forward_dynamics", inputs, {"a": a})

        return write

    return cheapest(model, *(emit(solve) for solve in solvers_for(model)))


def _with_rows(model: Model, passive: bool) -> Function:
    """(q, v, tau) -> a, lam."""

    def write(tree: Tree) -> Function:
        v, tau = tree.symbols("v"), tree.symbols("tau")
        acting = Acting(tree, v)
        a, lam = constrained(tree, v, tau, passive, acting)
        inputs = {"q": tree.q, "v": v, "tau": tau}
        return acting.function("forward_dynamics", inputs, {"a": a, "lam": lam})

    return cheapest(model, write)


def solvers_for(model: Model) -> list[Any]:
    """The ways to solve for accelerations that may be the cheapest."""
    if len(model.speeds) <= SHORT:
        return [by_articulated_bodies, by_factoring]
    return [by_articulated_bodies]


class Eliminated(NamedTuple):
    """What the outward sweep needs of one axis."""

    slot: int
    axis: Axis
    k: list[Any]  # U / D
    y: Any  # u / D


def by_articulated_bodies(tree: Tree, v: Any, tau: Sequence[Any], passive: bool, acting: Acting) -> list[Any]:
    """The accelerations, in a time proportional to the number of links."""
    drive = [t + e for t, e in zip(tau, acting.efforts, strict=True)]
    if passive:
        drive = [t - loss for t, loss in zip(drive, tree.passive(v), strict=True)]
    bodies = [articulated(branch.S, tree.zero) for branch in tree.branches]
    wrenches = acting.needed(forces(tree, motions(tree, v)))
    armature = tree.armature()
    steps: list[list[Eliminated]] = [[] for _ in bodies]
    for i in range(len(bodies) - 1, -1, -1):
        branch = tree.branches[i]
        body, (n, f) = bodies[i], wrenches[i]
        for slot, axis in reversed(list(zip(branch.v, branch.axes, strict=True))):
            last = branch.parent == WORLD and slot == branch.v[0]
            done, body, (n, f) = _eliminate(tree, body, (n, f), slot, axis, drive[slot], armature[slot], last)
            steps[i].append(done)
        if branch.parent != WORLD:
            bodies[branch.parent] = bodies[branch.parent].plus(body.up(branch.rotation, branch.p))
            f = up(branch.rotation, f)
            n = add(up(branch.rotation, n), cross(branch.p, f))
            above = wrenches[branch.parent]
            wrenches[branch.parent] = add(above[0], n), add(above[1], f)
    return _accelerations(tree, steps)


def _eliminate(
    tree: Tree, body: Articulated, wrench: Wrench, slot: int, axis: Axis, tau: Any, armature: Any, last: bool
) -> tuple[Eliminated, Articulated, Wrench]:
    """Lets one axis go: what is left of the body and of its bias wrench."""
    six = [*wrench[0], *wrench[1]]
    U = body.times(axis)
    D = along(axis, U) + armature
    u = tau - along(axis, six)
    inverse = tree.one / D
    # along a unit axis without a motor the body gives way completely
    unit = len(axis) == 1 and is_zero(armature)
    gone = axis[0][0] if unit else None
    k = [tree.one if a == gone else inverse * x for a, x in enumerate(U)]
    y = inverse * u
    done = Eliminated(slot, axis, k, y)
    if last:
        return done, body, wrench
    left = [tau if a == gone else x + U[a] * y for a, x in enumerate(six)]
    rest: Wrench = (left[0], left[1], left[2]), (left[3], left[4], left[5])
    return done, body.without(U, k, gone, tree.zero), rest


def _accelerations(tree: Tree, steps: list[list[Eliminated]]) -> list[Any]:
    """The outward sweep."""
    a: list[Any] = [tree.zero] * tree.n_v
    moved: list[tuple[Vector, Vector]] = []
    for branch, eliminated in zip(tree.branches, steps, strict=True):
        w, u = tree.none, tree.none
        if branch.parent != WORLD:
            above, linear = moved[branch.parent]
            w = down(branch.rotation, above)
            u = down(branch.rotation, add(linear, cross(above, branch.p)))
        six = [*w, *u]
        for step in reversed(eliminated):
            value = step.y
            for k, x in zip(step.k, six, strict=True):
                value = value - k * x
            a[step.slot] = value
            for place, coefficient in step.axis:
                six[place] = six[place] + coefficient * value
        moved.append(((six[0], six[1], six[2]), (six[3], six[4], six[5])))
    return a


def by_factoring(tree: Tree, v: Any, tau: Sequence[Any], passive: bool, acting: Acting) -> list[Any]:
    """The same by the mass matrix and its factors along the tree."""
    c = efforts(tree, v, None, passive, acting)
    right = [t - x for t, x in zip(tau, c, strict=True)]
    return solved(tree, factors(tree, in_body_frames(tree)), right)


def ancestors(tree: Tree) -> list[int]:
    """For each speed the one before it on the way to the root, -1 for the first."""
    before = [-1] * tree.n_v
    for branch in tree.branches:
        above = tree.branches[branch.parent].v[-1] if branch.parent != WORLD else -1
        for slot in branch.v:
            before[slot], above = above, slot
    return before


def order(tree: Tree) -> list[int]:
    """The speeds, each after those it hangs from."""
    return [slot for branch in tree.branches for slot in branch.v]


def solved(tree: Tree, split: Factors, right: Sequence[Any]) -> list[Any]:
    """x with M x = right, from the factors of M."""
    above, slots = ancestors(tree), order(tree)
    L, inverse = split
    x = list(right)
    for i in reversed(slots):
        j = above[i]
        while j != -1:
            x[j] = x[j] - L[i, j] * x[i]
            j = above[j]
    x = [inverse[i] * x[i] for i in range(len(x))]
    for i in slots:
        j = above[i]
        while j != -1:
            x[i] = x[i] - L[i, j] * x[j]
            j = above[j]
    return x


def factors(tree: Tree, M: Mapping[tuple[int, int], Any]) -> Factors:
    """M = Lᵀ D L along the tree: L by (row, column) and the reciprocals of D."""
    H, above = dict(M), ancestors(tree)
    L: dict[tuple[int, int], Any] = {}
    inverse: dict[int, Any] = {}
    for k in reversed(order(tree)):
        inverse[k] = tree.one / H[k, k]
        i = above[k]
        while i != -1:
            a = H[k, i] * inverse[k]
            j = i
            while j != -1:
                H[i, j] = H[i, j] - a * H[k, j]
                j = above[j]
            L[k, i] = a
            i = above[i]
    return L, inverse
