"""Energies, momentum and centre of mass of a tree.

All of them are sums over masses, so lumped moments give the same result: a lumped mass moves with the
link it was lumped to. Mass lumped to the world does not move and affects the centre of mass only.
"""

from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.algebra.rotations import up
from hapsis.mechanics.algebra.spatial import plus
from hapsis.mechanics.algebra.vectors import Vector, add, cross, dot, scaled, sub
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.links import WORLD
from hapsis.mechanics.formalisms.tree.sweeps import joint_wrenches, velocities
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero
from hapsis.mechanics.model.model import Model


@verb
@kept_verb
def energy(model: Model) -> Function:
    """(q, v) -> kinetic, potential; the potential is zero at the world's origin.

    The energy of armatures counts as kinetic, that of springs as potential.
    """

    def emit(tree: Tree) -> Function:
        v = tree.symbols("v")
        applied = AppliedForces(tree, v)
        kinetic, potential = energies(tree, v, applied)
        outputs = {"kinetic": kinetic, "potential": potential}
        return applied.function("energy", {"q": tree.q, "v": v}, outputs)

    return cheapest(model, emit)


def energies(tree: Tree, v: Any, applied: AppliedForces) -> tuple[Any, Any]:
    """The kinetic and the potential energy."""
    kinetic = tree.zero
    for branch, (w, u) in zip(tree.branches, velocities(tree, v), strict=True):
        n, f = branch.I.rigid().momentum(w, u)
        kinetic = kinetic + dot(w, n) + dot(u, f)
    for armature, rate in zip(tree.armature(), v, strict=True):
        kinetic = kinetic + armature * (rate * rate)
    return 0.5 * kinetic, applied.energy - dot(tree.links.gravity, first_moment(tree)[0])


@verb
@kept_verb
def center_of_mass(model: Model) -> Function:
    """(q) -> p, the centre of mass of all bodies that are not fixed to the world, in its axes."""

    def emit(tree: Tree) -> Function:
        return Function("center_of_mass", {"q": tree.q}, {"p": center(tree)})

    return cheapest(model, emit)


@verb
@kept_verb
def momentum(model: Model) -> Function:
    """(q, v) -> h: angular momentum about the centre of mass, then linear, in the world's axes."""

    def emit(tree: Tree) -> Function:
        v = tree.symbols("v")
        own = [
            branch.I.rigid().momentum(*V)
            for branch, V in zip(tree.branches, velocities(tree, v), strict=True)
        ]
        total = tree.zero3, tree.zero3
        for branch, H in zip(tree.branches, joint_wrenches(tree, own), strict=True):
            if branch.parent == WORLD:
                total = plus(total, branch.up(H))
        n, f = total
        n = sub(n, cross(center(tree), f))
        return Function("momentum", {"q": tree.q, "v": v}, {"h": (*n, *f)})

    return cheapest(model, emit)


def center(tree: Tree) -> Vector:
    """The centre of mass."""
    h, m = first_moment(tree)
    if is_zero(m):
        raise ModelError(
            "nothing that moves has mass, so there is no centre of mass", remedy="give a body a mass"
        )
    return scaled(tree.one / m, h)


def first_moment(tree: Tree) -> tuple[Vector, Any]:
    """∫ r dm in the world's frame, and ∫ dm."""
    total = [(branch.I.h, branch.I.m) for branch in tree.branches]
    h, m = tree.links.grounded.h, tree.links.grounded.m
    for i in range(len(total) - 1, -1, -1):
        branch, (mine, mass) = tree.branches[i], total[i]
        moved = add(up(branch.rotation, mine), scaled(mass, branch.p))
        if branch.parent == WORLD:
            h, m = add(h, moved), m + mass
        else:
            above = total[branch.parent]
            total[branch.parent] = add(above[0], moved), above[1] + mass
    return h, m
