"""Kinematics of a frame given by name: pose, velocity, acceleration, Jacobian and its rate.

A velocity is (ω, u): the angular velocity of the frame and the velocity of its origin, in the axes of
the world (the default) or of the frame itself; `velocity = jacobian v` in either. An acceleration is the
time derivative of the velocity in world axes: ω̇ and the acceleration of the origin.
"""

from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import check_known
from hapsis.mechanics.algebra.rotations import Matrix, Rotation, Rows, product, transposed, up
from hapsis.mechanics.algebra.vectors import Vector, add, cross, sub
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import motions, times
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.coordinate_rates import rates
from hapsis.mechanics.formalisms.tree.links import WORLD, Place
from hapsis.mechanics.formalisms.tree.sweeps import velocities
from hapsis.mechanics.formalisms.tree.tree import Tree, vectors
from hapsis.mechanics.model.model import Model

AXES = ("world", "frame")


class Posed(NamedTuple):
    """A frame in the world: its axes as rows of a matrix, its origin."""

    R: Rows
    p: Vector


@verb
@kept_verb
def pose(model: Model, frame: str) -> Function:
    """(q) -> p, R: origin and axes of a frame in the world (columns of R are the frame's axes)."""

    def emit(tree: Tree) -> Function:
        R, p = posed(tree, tree.placed(frame))
        return Function("pose", {"q": tree.q}, {"p": p, "R": R})

    return cheapest(model, emit)


@verb
@kept_verb
def velocity(model: Model, frame: str, *, axes: str = "world") -> Function:
    """(q, v) -> V: angular velocity of a frame, then the velocity of its origin.

    axes   "world", or "frame": those in which the numbers are written
    """
    check_axes(axes)

    def emit(tree: Tree) -> Function:
        v = tree.symbols("v")
        V = moved(tree, tree.placed(frame), v, axes)
        return Function("velocity", {"q": tree.q, "v": v}, {"V": V})

    return cheapest(model, emit)


@verb
@kept_verb
def acceleration(model: Model, frame: str, *, axes: str = "world") -> Function:
    """(q, v, a) -> A: angular acceleration of a frame, then the acceleration of its origin.

    axes   "world", or "frame": those in which the numbers are written
    """
    check_axes(axes)

    def emit(tree: Tree) -> Function:
        v, a = tree.symbols("v"), tree.symbols("a")
        A = accelerated(tree, tree.placed(frame), v, a, axes)
        return Function("acceleration", {"q": tree.q, "v": v, "a": a}, {"A": A})

    return cheapest(model, emit)


@verb
@kept_verb
def jacobian(model: Model, frame: str, *, axes: str = "world") -> Function:
    """(q) -> J with velocity = J v: one column for each speed.

    frame  its name, such as "hand" or "arm.end"
    axes   "world", or "frame": those in which velocities are written
    """
    check_axes(axes)

    def emit(tree: Tree) -> Function:
        return Function("jacobian", {"q": tree.q}, {"J": jacobian_rows(tree, frame, axes)})

    return cheapest(model, emit)


@verb
@kept_verb
def jacobian_rate(model: Model, frame: str, *, axes: str = "world") -> Function:
    """(q, v) -> dJ, the time derivative of the Jacobian: d(velocity)/dt = J a + dJ v.

    frame  its name, such as "hand" or "arm.end"
    axes   "world", or "frame": those in which velocities are written
    """
    check_axes(axes)

    def emit(tree: Tree) -> Function:
        v = tree.symbols("v")
        J = Function("J", {"q": tree.q}, {"J": jacobian_rows(tree, frame, axes)})
        rate = J.jvp("q")(q=tree.q, d_q=rates(tree, v))
        return Function("jacobian_rate", {"q": tree.q, "v": v}, {"dJ": rate})

    return cheapest(model, emit)


def posed(tree: Tree, place: Place) -> Posed:
    """The pose in the world of a place on a link."""
    columns, p, at = list(transposed(place.R)), place.p, place.link
    columns = [tuple(tree.links.constant(x) for x in column) for column in columns]
    while at != WORLD:
        branch = tree.branches[at]
        columns = [up(branch.rotation, column) for column in columns]
        p, at = add(branch.p, up(branch.rotation, p)), branch.parent
    return Posed(transposed(columns), p)


def moved(tree: Tree, place: Place, v: Any, axes: str) -> tuple[Any, ...]:
    """The velocity of a place."""
    if place.link == WORLD:
        return (*tree.zero3, *tree.zero3)
    w, u = velocities(tree, v)[place.link]
    return _seen(tree, place, w, add(u, cross(w, place.p)), axes)


def accelerated(tree: Tree, place: Place, v: Any, a: Any, axes: str) -> tuple[Any, ...]:
    """The acceleration of a place."""
    if place.link == WORLD:
        return (*tree.zero3, *tree.zero3)
    still = motions(tree, v, a, gravity=tree.zero3)[place.link]
    return _seen(tree, place, still.dw, add(still.du, times(still.B, place.p)), axes)


def _seen(tree: Tree, place: Place, w: Vector, u: Vector, axes: str) -> tuple[Any, ...]:
    """Two vectors of a link in the axes of the world or of the place."""
    if axes == "frame":
        return (*Matrix(place.R).down(w), *Matrix(place.R).down(u))
    at = place.link
    while at != WORLD:
        branch = tree.branches[at]
        w, u, at = up(branch.rotation, w), up(branch.rotation, u), branch.parent
    return (*w, *u)


def jacobian_rows(tree: Tree, frame: str, axes: str) -> list[list[Any]]:
    """The Jacobian of a frame, row by row."""
    place = tree.placed(frame)
    J = [[tree.zero] * tree.n_v for _ in range(6)]
    if place.link == WORLD:
        return J
    path = [place.link]
    while tree.branches[path[-1]].parent != WORLD:
        path.append(tree.branches[path[-1]].parent)
    R: Rotation = ()
    origin, frames = tree.zero3, list[tuple[int, Rotation, Vector]]()
    for i in reversed(path):
        branch = tree.branches[i]
        origin = add(origin, up(R, branch.p))
        R = _joined(tree, R, branch.rotation)
        frames.append((i, R, origin))
    tip = add(origin, up(R, place.p))
    turned = product(_rows(tree, R), place.R)
    for i, R, origin in frames:
        branch = tree.branches[i]
        for slot, axis in zip(branch.v, branch.S, strict=True):
            s, m = vectors(tree, axis)
            w = up(R, s)
            u = add(up(R, m), cross(w, sub(tip, origin)))
            if axes == "frame":
                w, u = Matrix(turned).down(w), Matrix(turned).down(u)
            for k, value in enumerate((*w, *u)):
                J[k][slot] = value
    return J


def _joined(tree: Tree, R: Rotation, more: Rotation) -> Rotation:
    """The product of two rotations as one matrix."""
    return (Matrix(transposed([up(R, column) for column in transposed(_rows(tree, more))])),)


def _rows(tree: Tree, R: Rotation) -> Rows:
    return transposed([up(R, axis) for axis in tree.triad])


def check_axes(axes: str) -> None:
    """Raises an error for axes that are neither those of the world nor of the frame."""
    check_known(axes, AXES, "axes {} are not known", expected=" or ".join(AXES))
