"""Time derivatives of the coordinates from the speeds: q̇ = N(q) v.

N differs from the identity only for ball and free joints: the rate of a quaternion is half of itself
times (0, ω), that of the position of a free body is R u.
"""

from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.mechanics.algebra.rotations import Matrix, of_quaternion
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.model import Model


@verb
@kept_verb
def coordinate_rates(model: Model) -> Function:
    """(q, v) -> dq, the time derivatives of the coordinates."""

    def emit(tree: Tree) -> Function:
        v = tree.symbols("v")
        return Function("coordinate_rates", {"q": tree.q, "v": v}, {"dq": rates(tree, v)})

    return cheapest(model, emit)


def rates(tree: Tree, v: Any) -> list[Any]:
    """q̇ for these speeds."""
    dq: list[Any] = [tree.zero] * tree.n_q
    for link in tree.links:
        if link.kind not in ("ball", "free"):
            for k, speed in zip(link.q, link.v, strict=True):  # none where it is a weld
                dq[k] = v[speed]
            continue
        q = [tree.q[k] for k in link.q]
        w, x, y, z = q[-4:]
        wx, wy, wz = (0.5 * v[k] for k in link.v[:3])
        quaternion = (
            -(x * wx + y * wy + z * wz),
            w * wx + y * wz - z * wy,
            w * wy + z * wx - x * wz,
            w * wz + x * wy - y * wx,
        )
        for k, rate in zip(link.q[-4:], quaternion, strict=True):
            dq[k] = rate
        if link.kind == "free":
            u = (v[link.v[3]], v[link.v[4]], v[link.v[5]])
            for k, rate in zip(link.q[:3], Matrix(of_quaternion(w, x, y, z)).up(u), strict=True):
                dq[k] = rate
    return dq


def tangent(tree: Tree) -> Any:
    """The matrix N, one column for each speed."""
    unit = [[tree.one if i == j else tree.zero for j in range(tree.n_v)] for i in range(tree.n_v)]
    columns = [rates(tree, column) for column in unit]
    N = np.empty((tree.n_q, tree.n_v), dtype=object)
    for j, column in enumerate(columns):
        N[:, j] = column
    return N
