"""Energies, momentum and centre of mass of a tree.

All of them are sums over masses, so lumped moments give the same result: a lumped mass moves with the
link it was lumped to. Mass lumped to the world does not move and affects the centre of mass only.
"""

from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.algebra.rotations import Matrix, up
from hapsis.mechanics.algebra.spatial import Wrench, plus
from hapsis.mechanics.algebra.vectors import Vector, add, cross, dot, scaled, sub
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.links import WORLD
from hapsis.mechanics.formalisms.tree.sweeps import Poses, joint_wrenches, velocities
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.values import numbers_of


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
def center_of_mass(model: Model, *, motion: bool = False) -> Function:
    """(q) -> p, the centre of mass of all bodies that are not fixed to the world, in its axes.

    motion    (q, v) -> p, u, J: with its velocity u = J v, and the Jacobian, a column for each speed
    """

    def emit(tree: Tree) -> Function:
        p = center(tree)
        if not motion:
            return Function("center_of_mass", {"q": tree.q}, {"p": p})
        v = tree.symbols("v")
        u = scaled(tree.one / first_moment(tree)[1], world_momentum(tree, v)[1])
        J = Function("velocity", {"q": tree.q, "v": v}, {"u": u}).jacobian("u", "v")(q=tree.q, v=v)
        return Function("center_of_mass", {"q": tree.q, "v": v}, {"p": p, "u": u, "J": J})

    return cheapest(model, emit)


@verb
def momentum(model: Model, about: Any = None) -> Function:
    """(q, v) -> h: angular momentum, then linear, in the world's axes.

    about    the point of the angular momentum: the centre of mass if not given, the origin of a frame by
             name, or a point of the world, (x, y, z)
    """
    if about is None or isinstance(about, str):
        if about is not None:
            model.frame(about)
        return _momentum(model, about)
    return _momentum(model, tuple(map(float, numbers_of(about, "about"))))


@kept_verb
def _momentum(model: Model, about: Any) -> Function:
    def emit(tree: Tree) -> Function:
        v = tree.symbols("v")
        n, f = world_momentum(tree, v)
        if about is None:
            point = center(tree)
        elif isinstance(about, str):
            place = tree.placed(about)
            R, origin = Poses(tree)[place.link]
            point = add(origin, Matrix(R).up(place.p))
        else:
            x, y, z = map(tree.links.constant, about)
            point = x, y, z
        n = sub(n, cross(point, f))
        return Function("momentum", {"q": tree.q, "v": v}, {"h": (*n, *f)})

    return cheapest(model, emit)


def world_momentum(tree: Tree, v: Any) -> Wrench:
    """The angular momentum about the world's origin, and the linear one."""
    own = [
        branch.I.rigid().momentum(*V) for branch, V in zip(tree.branches, velocities(tree, v), strict=True)
    ]
    total = tree.zero3, tree.zero3
    for branch, H in zip(tree.branches, joint_wrenches(tree, own), strict=True):
        if branch.parent == WORLD:
            total = plus(total, branch.up(H))
    return total


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
