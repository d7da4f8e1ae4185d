"""Impacts: speeds jump onto constraint rows, by the smallest change in kinetic energy.

With Z the free motions of a partition (J Z = 0) and v⁰ any speeds that meet the rows,

    v⁺ = v⁰ + Z u        Zᵀ M Z u = Zᵀ M (v⁻ - v⁰)        Jᵀ λ = M (v⁺ - v⁻)

so that only directions that are free afterwards need a mass: a massless foot that is held does no harm.
A row with restitution e is met by J v⁺ = -e J v⁻. Equation (35) of the seed, without its multipliers.
"""

from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.mechanics.formalisms.constraints.constraint_rows import linearized, rows_of
from hapsis.mechanics.formalisms.constraints.lu import LU
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.constraints.reduction import times, total
from hapsis.mechanics.formalisms.dynamics.mass_matrix import in_body_frames
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.model import Model


def projection(
    model: Model, part: Partition, bouncing: tuple[str, ...] = (), restitution: float = 0.0
) -> Any:
    """(q, v, t) -> v_after, impulses of the rows of the partition; `bouncing` rows have the restitution."""

    def emit(tree: Tree) -> Function:
        v = tree.symbols("v")
        rows = rows_of(tree)
        linear = linearized(tree, rows, part.rows, v)
        J_v = LU(tree, [[row[k] for k in part.dependent] for row in linear.J])
        lead = [k for k in range(tree.n_v) if k not in part.dependent]
        wanted = []
        for name, row, drift in zip(part.rows, linear.J, linear.drift, strict=True):
            back = total(tree, row, v) + drift
            wanted.append(-drift - restitution * back if name in bouncing else -drift)
        base = _with(tree, part, J_v.solved(wanted))
        Z = {k: _free(tree, part, linear, J_v, k) for k in lead}
        M = in_body_frames(tree)
        MZ = {k: times(tree, M, Z[k]) for k in lead}
        A = [[total(tree, Z[i], MZ[j]) for j in lead] for i in lead]
        change = [x - y for x, y in zip(v, base, strict=True)]
        solution = LU(tree, A).solved([total(tree, MZ[k], change) for k in lead])
        after = list(base)
        for k, u in zip(lead, solution, strict=True):
            after = [x + u * z for x, z in zip(after, Z[k], strict=True)]
        jump = times(tree, M, [x - y for x, y in zip(after, v, strict=True)])
        impulses = J_v.transposed_solved([jump[k] for k in part.dependent]) if part.rows else []
        outputs = {"v_after": after, **({"impulses": impulses} if impulses else {})}
        return Function("projection", {"q": tree.q, "v": v, **rows.timed}, outputs)

    return cheapest(model, emit)


def _with(tree: Tree, part: Partition, values: Any) -> list[Any]:
    column: list[Any] = [tree.zero] * tree.n_v
    for slot, x in zip(part.dependent, values, strict=True):
        column[slot] = x
    return column


def _free(tree: Tree, part: Partition, linear: Any, J_v: LU, k: int) -> list[Any]:
    column = _with(tree, part, [-x for x in J_v.solved([row[k] for row in linear.J])])
    column[k] = tree.one
    return column
