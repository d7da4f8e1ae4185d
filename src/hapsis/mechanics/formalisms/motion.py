"""Everything that changes with time, in one Function: what a simulation integrates.

Dry friction of joints sticks here: bristles that bend before they slip, one state each (see
`model.forces.friction`). All states of laws are one vector z; their names are those of `states`.
"""

from typing import Any, NamedTuple

from hapsis.compiler.ir.function import Function
from hapsis.mechanics.formalisms import choice
from hapsis.mechanics.formalisms.acting import Acting
from hapsis.mechanics.formalisms.choice import cheapest
from hapsis.mechanics.formalisms.coordinate_rates import rates
from hapsis.mechanics.formalisms.energy import energies
from hapsis.mechanics.formalisms.forward_dynamics import solvers_for
from hapsis.mechanics.formalisms.tree import Tree
from hapsis.mechanics.model.model import Model


def motion(model: Model) -> Function:
    """(q, v, tau, z, u, t) -> dq, a, dz, loss: all rates, and the power that leaves for good.

    z are the states of laws, u what sampled controllers hold; both and t only where the model has
    such things. With E the energy, dE/dt = tau · v - loss.
    """

    def emit(solve: Any) -> Any:
        def write(tree: Tree) -> Function:
            v, tau = tree.symbols("v"), tree.symbols("tau")
            acting = Acting(tree, v, sticking=True)
            outputs = {"dq": rates(tree, v), "a": solve(tree, v, tau, False, acting)}
            if acting.states:
                outputs["dz"] = [acting.rates[name] for name in acting.states]
            outputs["loss"] = acting.loss
            return acting.function("motion", {"q": tree.q, "v": v, "tau": tau}, outputs)

        return write

    return cheapest(model, *(emit(solve) for solve in solvers_for(model)))


def signals(model: Model) -> Function:
    """(q, v, z, u, t) -> kinetic, potential, and what every force says of itself, by name."""

    def emit(tree: Tree) -> Function:
        v = tree.symbols("v")
        acting = Acting(tree, v, sticking=True)
        kinetic, potential = energies(tree, v, acting)
        outputs = {"kinetic": kinetic, "potential": potential, **acting.signals}
        return acting.function("signals", {"q": tree.q, "v": v}, outputs)

    return cheapest(model, emit)


def arrows(model: Model) -> Function | None:
    """(q, v, z, u, t) -> a point and a force for each push, in the world; None without any."""
    found: list[Acting] = []

    def emit(tree: Tree) -> Function:
        v = tree.symbols("v")
        found.append(Acting(tree, v, sticking=True))
        outputs = found[-1].arrows or {"none": tree.zero}
        return found[-1].function("arrows", {"q": tree.q, "v": v}, outputs)

    made = cheapest(model, emit)
    return made if found[-1].arrows else None


class Extras(NamedTuple):
    """What a model's motion has besides coordinates and speeds."""

    states: dict[str, float]  # names of the states of laws, and where they start
    held: tuple[str, ...]  # names of what is held from outside
    timed: bool  # whether time itself matters


def extras(model: Model) -> Extras:
    """The names of a motion's z and u, in their order."""
    posed = choice.tree(model)
    acting = Acting(posed, posed.symbols("v"), sticking=True)
    states = {name: start for name, (_, start) in acting.states.items()}
    return Extras(states, tuple(acting.held), "t" in acting.inputs())
