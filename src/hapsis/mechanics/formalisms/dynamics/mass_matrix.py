"""The mass matrix by composite bodies: M_ij = S_jᵀ Iᶜ_i S_i for j before i, Iᶜ_i the composite of i.

There are two forms. In body frames the momentum F = Iᶜ S of a unit speed is transformed from link to
link up to the root, with 36 operations per link; in the root frame all axes and momenta are transformed
there once, and a pair costs a scalar product of 11 operations. The second is cheaper for long chains.
Reference: [RBDA] table 6.2; the second form is section 9.3's idea.
"""

from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.mechanics.algebra.inertia import Rigid
from hapsis.mechanics.algebra.rotations import Matrix, transposed, up
from hapsis.mechanics.algebra.spatial import motion_up, wrench_up
from hapsis.mechanics.algebra.vectors import Vector, add
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.links import WORLD
from hapsis.mechanics.formalisms.tree.model_checks import check_size
from hapsis.mechanics.formalisms.tree.tree import Tree, along, vectors
from hapsis.mechanics.model.model import Model

LONG = 40  # speeds in a chain; above it the body-frame form is never the cheaper one
Entries = dict[tuple[int, int], Any]  # by slots (row, column), both triangles


@verb
@kept_verb
def mass_matrix(model: Model) -> Function:
    """(q) -> M, the mass matrix of the speeds, with armatures on its diagonal."""

    def emit(tree: Tree, M: Entries) -> Function:
        return Function("mass_matrix", {"q": tree.q}, {"M": tree.matrix(M)})

    def root_frames(tree: Tree) -> Function:
        return emit(tree, in_root_frames(tree))

    def body_frames(tree: Tree) -> Function:
        return emit(tree, in_body_frames(tree))

    check_size(model, len(model.speeds), "the mass matrix")
    if _deepest(model) > LONG:
        return cheapest(model, root_frames)
    return cheapest(model, body_frames, root_frames)


def _deepest(model: Model) -> int:
    """The number of speeds of the longest chain."""
    depth = {"world": 0}
    for branch in model.tree:
        depth[branch.child] = depth[branch.parent] + len(branch.joint.speeds)
    return max(depth.values())


def composites(tree: Tree) -> list[Rigid]:
    """For each link the inertia of its composite body (itself and all its descendants), about its origin."""
    Ic = [branch.I.rigid() for branch in tree.branches]
    for i in range(len(Ic) - 1, -1, -1):
        branch = tree.branches[i]
        if branch.parent != WORLD:
            moved = Ic[i].up(branch.rotation, branch.p)
            Ic[branch.parent] = Ic[branch.parent].plus(moved)  # Iᶜ_λ := Iᶜ_λ + Xᵀ Iᶜ X
    return Ic


def in_body_frames(tree: Tree) -> Entries:
    """The mass matrix, with momenta transformed inwards link by link."""
    M: Entries = {}
    for i, Ic in enumerate(composites(tree)):
        branch = tree.branches[i]
        for slot, S in zip(branch.v, branch.S, strict=True):
            F, here = Ic.momentum(*vectors(tree, S)), branch  # F = Iᶜ S
            while True:
                for other, S_other in zip(here.v, here.S, strict=True):
                    if (slot, other) not in M:
                        M[slot, other] = M[other, slot] = along(S_other, (*F[0], *F[1]))  # M_ij = S_jᵀ F
                if here.parent == WORLD:
                    break
                F, here = here.up(F), tree.branches[here.parent]  # F := Xᵀ F
    return _with_armature(tree, M)


def in_root_frames(tree: Tree) -> Entries:
    """The mass matrix, with axes and momenta transformed to the frame of the first link of their branch."""
    M: Entries = {}
    places = to_root(tree)
    axes: dict[int, tuple[Any, ...]] = {}
    for i, Ic in enumerate(composites(tree)):
        branch, (R, p) = tree.branches[i], places[i]
        for slot, axis in zip(branch.v, branch.S, strict=True):
            S = vectors(tree, axis)
            F = Ic.momentum(*S)  # F = Iᶜ S
            w, u = motion_up(R, p, S)  # S := X⁻¹ S
            n, f = wrench_up(R, p, F)  # F := Xᵀ F
            axes[slot], six, at = (*w, *u), (*n, *f), i
            while at != WORLD:
                for other in tree.branches[at].v:
                    if other in axes and (slot, other) not in M:
                        M[slot, other] = M[other, slot] = _dot(axes[other], six)  # M_ij = S_jᵀ F
                at = tree.branches[at].parent
    return _with_armature(tree, M)


def to_root(tree: Tree) -> list[tuple[Any, Vector]]:
    """For each link the rotation and position of its frame in the first link of its branch."""
    places: list[tuple[Any, Vector]] = []
    for branch in tree.branches:
        if branch.parent == WORLD:
            places.append(((Matrix(tree.triad),), tree.zero3))
            continue
        R, p = places[branch.parent]
        columns = [up(R, up(branch.rotation, axis)) for axis in tree.triad]
        places.append(((Matrix(transposed(columns)),), add(p, up(R, branch.p))))
    return places


def _dot(a: Any, b: Any) -> Any:
    total = a[0] * b[0]
    for x, y in zip(a[1:], b[1:], strict=True):
        total = total + x * y
    return total


def _with_armature(tree: Tree, M: Entries) -> Entries:
    for slot, armature in enumerate(tree.armature()):
        M[slot, slot] = M[slot, slot] + armature  # M_ii := M_ii + armature
    return M
