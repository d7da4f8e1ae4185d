"""Everything that changes with time, in one Function: what a simulation integrates.

Dry friction of joints sticks here: bristles that bend before they slip, one state each (see
`model.forces.friction`). All states of laws are one vector z; their names are those of `states`.
"""

from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import symbol
from hapsis.mechanics.formalisms.dynamics.forward_dynamics import solvers_for
from hapsis.mechanics.formalisms.forces import mapped_contacts as many_contacts
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.forces.drive_motion import driven_motions
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.coordinate_rates import rates
from hapsis.mechanics.formalisms.tree.energy import energies
from hapsis.mechanics.formalisms.tree.model_checks import check_open
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.model import Model

FAR = 1e300  # m


def all_forces(tree: Tree, v: Any) -> AppliedForces:
    """All forces with sticking friction, and the states and inputs of drives."""
    applied = AppliedForces(tree, v, sticking=True)
    driven_motions(applied)
    return applied


def state_rates(model: Model) -> Function:
    """(q, v, tau, z, u, t) -> dq, a, dz, loss: all rates, and the power that leaves for good.

    z are the states of laws, u what sampled controllers hold; both and t only where the model has
    such things. With E the energy, dE/dt = tau · v - loss.
    """
    check_open(model)

    def emit(solve: Any) -> Any:
        def write(tree: Tree) -> Function:
            v, tau = tree.symbols("v"), tree.symbols("tau")
            applied = all_forces(tree, v)
            outputs = {"dq": rates(tree, v), "a": solve(tree, v, tau, False, applied)}
            if applied.states:
                outputs["dz"] = [applied.rates[name] for name in applied.states]
            outputs["loss"] = applied.loss
            return applied.function("motion", {"q": tree.q, "v": v, "tau": tau}, outputs)

        return write

    return cheapest(model, *(emit(solve) for solve in solvers_for(model)))


def signals(model: Model) -> Function:
    """(q, v, z, u, t) -> kinetic, potential, and what every force says of itself, by name."""

    def emit(tree: Tree) -> Function:
        v = tree.symbols("v")
        applied = all_forces(tree, v)
        kinetic, potential = energies(tree, v, applied)
        outputs = {"kinetic": kinetic, "potential": potential, **applied.signals}
        return applied.function("signals", {"q": tree.q, "v": v}, outputs)

    return cheapest(model, emit)


def arrows(model: Model) -> Function | None:
    """(q, v, z, u, t) -> a point and a force for each push, in the world; None without any."""

    def emit(tree: Tree) -> Function:
        v = tree.symbols("v")
        applied = all_forces(tree, v)
        return applied.function("arrows", {"q": tree.q, "v": v}, applied.arrows or {"none": tree.zero})

    function = cheapest(model, emit)
    return function if function.outputs[0].shape else None


def gaps(model: Model) -> tuple[tuple[str, ...], Function | None]:
    """Whose contacts they are, and (q) -> gaps, near: the gap of each, and up to where that is a
    distance; None without contacts."""
    posed = posed_tree(model)
    applied = all_forces(posed, [posed.zero] * posed.n_v)
    if not applied.gaps:
        return (), None
    inputs = {"looked": applied.near} if applied.near else {}
    far = posed.links.constant(FAR)
    outputs = {
        "gaps": [gap.value for gap in applied.gaps],
        "near": [far if gap.near is None else gap.near for gap in applied.gaps],
    }
    defaults = {"looked": [1.0] * len(applied.near)} if inputs else None
    function = Function("gaps", {"q": posed.q, **inputs}, outputs, defaults=defaults)
    return tuple(gap.contact for gap in applied.gaps), function


def broad_phase(model: Model) -> Function | None:
    """(q, v, h) -> near, longest: which pairs of contacts may touch within a step h, and the
    longest step that brings none of them through each other; None without pairs."""
    posed = posed_tree(model)
    v, h = posed.symbols("v"), symbol("h", graph=posed.graph)
    applied = all_forces(posed, v)
    if not applied.near:
        return None
    near, longest = many_contacts.broad_phase(applied, h)
    outputs = {"near": near, "longest": longest}
    return Function("broad_phase", {"q": posed.q, "v": v, "h": h}, outputs)


class Extras(NamedTuple):
    """What a model's motion has besides coordinates and speeds."""

    states: dict[str, float]  # names of the states of laws, and where they start
    held: tuple[str, ...]  # names of what is held from outside
    of_forces: tuple[tuple[str, ...], tuple[str, ...]]  # those of both that forces alone have
    near: int  # pairs of contacts that a broad phase may rule out
    alone: tuple[str, ...]  # the contacts that are written out


def extras(model: Model) -> Extras:
    """The names of a motion's z and u, in their order."""
    posed = posed_tree(model)
    applied = all_forces(posed, posed.symbols("v"))
    states = {name: start for name, (_, start) in applied.states.items()}
    alone = AppliedForces(posed, applied.v)
    of_forces = tuple(alone.states), tuple(alone.held)
    return Extras(states, tuple(applied.held), of_forces, len(applied.near), applied.alone)
