"""The terms of a step at the level of velocities: mass, forces and what bodies touch with.

A time-stepping method finds the speeds v⁺ at the end of a step h from

    A (v⁺ - v) = h F - h² K v + Jᵀ γ        A = M + h D + h² K

with impulses γ of contacts and constraints. F are all forces but those, at the start of the step and
without the terms of Coriolis, which the drift of the step has (see `drift`). D = -∂F/∂v and K = -∂F/∂q of
the forces of springs, dampers and laws make these implicit; gravity is constant in a step.

Speeds are taken block by block: the speeds of trees that forces connect are one block, and A is zero
between blocks. References: [Stewart], [Castro].
"""

from collections.abc import Sequence
from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import Expr, symbol
from hapsis.mechanics.formalisms.dynamics.forward_dynamics import solvers_for
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import efforts
from hapsis.mechanics.formalisms.dynamics.mass_matrix import in_root_frames
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.coordinate_rates import rates, tangent
from hapsis.mechanics.formalisms.tree.kinematics import jacobian_rows, posed
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero
from hapsis.mechanics.model.model import Model

Blocks = tuple[tuple[int, ...], ...]
Slopes = dict[tuple[int, int], Any]


def supports(model: Model) -> dict[str, tuple[int, ...]]:
    """{body: the speeds, by their places in v, that move it}, from the world outwards."""
    slots = {name: k for k, name in enumerate(model.speeds)}
    moved: dict[str, tuple[int, ...]] = {"world": ()}
    for branch in model.tree:
        mine = tuple(slots[speed] for speed in branch.joint.speeds)
        moved[branch.child] = (*moved[branch.parent], *mine)
    return moved


def speed_blocks(model: Model, coupled: Sequence[Sequence[int]] = ()) -> Blocks:
    """The speeds of each tree, or of trees that forces connect.

    coupled    other sets of speeds that belong to one block
    """
    leader = list(range(len(model.speeds)))

    def lead(k: int) -> int:
        while leader[k] != k:
            k = leader[k]
        return k

    for group in (*supports(model).values(), *coupled, *_coupled(model)):
        for k in group:
            leader[lead(k)] = lead(group[0])
    blocks: dict[int, list[int]] = {}
    for k in range(len(leader)):
        blocks.setdefault(lead(k), []).append(k)
    return tuple(map(tuple, blocks.values()))


def _coupled(model: Model) -> list[tuple[int, int]]:
    """Pairs of speeds that a force connects."""
    tree = posed_tree(model)
    v = tree.symbols("v")
    slopes = _slopes(tree, v, AppliedForces(tree, v))
    return [pair for each in slopes for pair in each]


def _slopes(tree: Tree, v: Any, applied: AppliedForces) -> tuple[Slopes, Slopes]:
    """D = -∂F/∂v and K = -(∂F/∂q) N of the forces, by (row, column), without zeros."""
    F = applied.generalized()
    if all(is_zero(x) for x in F):
        return {}, {}
    function = applied.function("forces", {"q": tree.q, "v": v}, {"F": F})
    known = {"q": tree.q, "v": v, **applied.inputs()}
    D = function.jacobian("F", "v")(**known)
    Kq = function.jacobian("F", "q")(**known)
    N = tangent(tree)
    count = range(tree.n_v)

    def entry(i: int, j: int) -> Any:
        total = tree.zero
        for k in range(tree.n_q):
            if not (is_zero(Kq[i][k]) or is_zero(N[k][j])):
                total = total - Kq[i][k] * N[k][j]
        return total

    both = (
        {(i, j): -D[i][j] for i in count for j in count},
        {(i, j): entry(i, j) for i in count for j in count},
    )
    damping, stiffness = ({at: x for at, x in each.items() if not is_zero(x)} for each in both)
    return damping, stiffness


@kept_verb
def velocity_terms(model: Model, blocks: Blocks, bodies: tuple[str, ...]) -> Function:
    """(q, v, tau, h, z, u, t) -> A, b, X, J: the terms of a step of length h, see the head of this file.

    A    the blocks of the matrix, one after the other, each by rows
    b    h F - h² K v, block by block
    X    for each body R by rows, then p: its pose in the world
    J    for each body 6 rows: its velocity (ω, u) by the speeds of its support
    """

    def emit(tree: Tree) -> Function:
        v, tau, h = tree.symbols("v"), tree.symbols("tau"), symbol("h", graph=tree.graph)
        applied = AppliedForces(tree, v)
        M = in_root_frames(tree)
        damping, stiffness = _slopes(tree, v, applied)
        gravity = efforts(tree, [tree.zero] * tree.n_v, None, False)
        dampings = tree.damping()
        forces = applied.generalized()
        A: list[Any] = []
        b: list[Any] = []
        for block in blocks:
            for i in block:
                for j in block:
                    A.append(
                        M.get((i, j), tree.zero) + h * (_even(damping, i, j) + h * _even(stiffness, i, j))
                    )
                    if i == j:
                        A[-1] = A[-1] + h * dampings[i]
                F = tau[i] + forces[i] - gravity[i] - dampings[i] * v[i]
                held = sum((_even(stiffness, i, j) * v[j] for j in block), tree.zero)
                b.append(h * (F - h * held))
        moved = supports(model)
        X: list[Any] = []
        J: list[Any] = []
        for body in bodies:
            R, p = posed(tree, tree.placed(body))
            X += [x for row in R for x in row] + list(p)
            rows = jacobian_rows(tree, body, "world")
            J += [row[slot] for row in rows for slot in moved[body]]
        outputs = {"A": A or [tree.zero], "b": b, "X": X or [tree.zero], "J": J or [tree.zero]}
        outputs = {name: [_constant(tree, x) for x in values] for name, values in outputs.items()}
        return applied.function("velocity_terms", {"q": tree.q, "v": v, "tau": tau, "h": h}, outputs)

    return emit(posed_tree(model))


def _even(entries: Slopes, i: int, j: int) -> Any:
    """The entry (i, j) of the symmetric part of a matrix."""
    return 0.5 * (entries.get((i, j), 0.0) + entries.get((j, i), 0.0))


def _constant(tree: Tree, x: Any) -> Any:
    return x if isinstance(x, Expr) else tree.links.constant(x)


@kept_verb
def drift(model: Model) -> Function:
    """(w) -> dw of w = q, v: the motion of a model on which no force acts, at constant kinetic energy.

    The model must have neither gravity, forces nor passive joints.
    """

    def emit(solve: Any) -> Any:
        def write(tree: Tree) -> Function:
            v = tree.symbols("v")
            applied = AppliedForces(tree, v)
            a = solve(tree, v, [tree.zero] * tree.n_v, False, applied)
            return Function("drift", {"w": [*tree.q, *v]}, {"dw": [*rates(tree, v), *a]})

        return write

    return cheapest(model, *(emit(solve) for solve in solvers_for(model)))
