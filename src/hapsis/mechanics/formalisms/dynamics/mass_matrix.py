"""The mass matrix by composite bodies: M_ij = S_iᵀ I_j S_j for i above j, I_j all that j carries.

Two ways with the same composites. In body frames the momentum I_j S_j of a unit speed travels from
link to link up to the root, 36 operations a step; in the frame of the root all axes and momenta
are brought there once, and a pair costs a scalar product of 11. Long chains want the second.
Reference: [Featherstone] table 6.2; the second form is section 9.3's idea.
"""

from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.mechanics.algebra.inertia import Rigid
from hapsis.mechanics.algebra.rotations import Matrix, transposed, up
from hapsis.mechanics.algebra.vectors import Vector, add, cross
from hapsis.mechanics.formalisms.tree.cheapest import cheapest, check_size
from hapsis.mechanics.formalisms.tree.links import WORLD
from hapsis.mechanics.formalisms.tree.tree import Tree, along, vectors
from hapsis.mechanics.model.model import Model

LONG = 40  # speeds one after the other; above it the body-frame form is never the cheaper one
Entries = dict[tuple[int, int], Any]  # by slots (row, column), both triangles


def mass_matrix(model: Model) -> Function:
    """(q) -> M, the inertia seen by the speeds; armatures on its diagonal."""

    def emit(tree: Tree, entries: Entries) -> Function:
        return Function("mass_matrix", {"q": tree.q}, {"M": tree.matrix(entries)})

    def base_frame(tree: Tree) -> Function:
        return emit(tree, in_root_frames(tree))

    def body_frame(tree: Tree) -> Function:
        return emit(tree, in_body_frames(tree))

    check_size(model, len(model.speeds), "the mass matrix")
    if _deepest(model) > LONG:
        return cheapest(model, base_frame)
    return cheapest(model, body_frame, base_frame)


def _deepest(model: Model) -> int:
    """The speeds of the longest chain."""
    depth = {"world": 0}
    for branch in model.tree:
        depth[branch.child] = depth[branch.parent] + len(branch.joint.speeds)
    return max(depth.values())


def composites(tree: Tree) -> list[Rigid]:
    """For each link the inertia of all it carries, about its origin."""
    total = [branch.S.rigid() for branch in tree.branches]
    for i in range(len(total) - 1, -1, -1):
        branch = tree.branches[i]
        if branch.parent != WORLD:
            moved = total[i].up(branch.rotation, branch.p)
            total[branch.parent] = total[branch.parent].plus(moved)
    return total


def in_body_frames(tree: Tree) -> Entries:
    """Momenta travel inwards link by link."""
    entries: Entries = {}
    for i, composite in enumerate(composites(tree)):
        branch = tree.branches[i]
        for slot, axis in zip(branch.v, branch.axes, strict=True):
            n, f = composite.momentum(*vectors(tree, axis))
            at = i
            while True:
                here = tree.branches[at]
                for other, direction in zip(here.v, here.axes, strict=True):
                    if (slot, other) not in entries:
                        value = along(direction, (*n, *f))
                        entries[slot, other] = entries[other, slot] = value
                if here.parent == WORLD:
                    break
                f = up(here.rotation, f)
                n = add(up(here.rotation, n), cross(here.p, f))
                at = here.parent
    return _with_armature(tree, entries)


def in_root_frames(tree: Tree) -> Entries:
    """Axes and momenta are brought to the frame of the first link of their branch."""
    entries: Entries = {}
    places = to_root(tree)
    axes: dict[int, tuple[Any, ...]] = {}
    for i, composite in enumerate(composites(tree)):
        branch, (R, p) = tree.branches[i], places[i]
        for slot, axis in zip(branch.v, branch.axes, strict=True):
            angular, linear = vectors(tree, axis)
            n, f = composite.momentum(angular, linear)
            w = up(R, angular)
            axes[slot] = (*w, *add(up(R, linear), cross(p, w)))
            f = up(R, f)
            momentum = (*add(up(R, n), cross(p, f)), *f)
            at = i
            while at != WORLD:
                for other in tree.branches[at].v:
                    if other in axes and (slot, other) not in entries:
                        value = _dot(axes[other], momentum)
                        entries[slot, other] = entries[other, slot] = value
                at = tree.branches[at].parent
    return _with_armature(tree, entries)


def to_root(tree: Tree) -> list[tuple[Any, Vector]]:
    """For each link the rotation and position of its frame in the first link of its branch."""
    places: list[tuple[Any, Vector]] = []
    for branch in tree.branches:
        if branch.parent == WORLD:
            places.append(((Matrix(tree.triad),), tree.none))
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


def _with_armature(tree: Tree, entries: Entries) -> Entries:
    for slot, armature in enumerate(tree.armature()):
        entries[slot, slot] = entries[slot, slot] + armature
    return entries
