"""The rates of all states in one Function, which a simulation integrates.

Dry friction of joints sticks here (bristles that bend before they slip, one state each, see
`model.forces.friction`). The states of all laws form one vector z; `extras` has their names.
"""

from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import symbol
from hapsis.mechanics.formalisms.dynamics.forward_dynamics import solvers_for
from hapsis.mechanics.formalisms.forces import mapped_contacts as many_contacts
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.forces.contact_zones import contact_zones
from hapsis.mechanics.formalisms.forces.drive_motion import driven_motions
from hapsis.mechanics.formalisms.forces.force_zones import force_zones
from hapsis.mechanics.formalisms.kept_verbs import kept_function, kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.coordinate_rates import rates
from hapsis.mechanics.formalisms.tree.energy import energies
from hapsis.mechanics.formalisms.tree.model_checks import check_open
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.store.kept import kept_data

FAR = 1e300  # m


def all_forces(tree: Tree, v: Any) -> AppliedForces:
    """All forces with sticking friction, and the states and inputs of drives."""
    applied = AppliedForces(tree, v, sticking=True)
    driven_motions(applied)
    return applied


@kept_verb
def state_rates(model: Model, account: bool = False) -> Function:
    """(q, v, tau, z, u, t) -> dq, a, dz, loss: all rates, and the dissipated power.

    z are the states of laws, u the inputs held between samples; z, u and t are inputs only where the
    model needs them. With E the energy, dE/dt = tau · v - loss. With `account` NAME.loss and NAME.work are
    outputs too, the powers of the energy account.
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
            outputs |= applied.account.powers() if account else {}
            return applied.function("motion", {"q": tree.q, "v": v, "tau": tau}, outputs)

        return write

    return cheapest(model, *(emit(solve) for solve in solvers_for(model)))


@kept_verb
def signals(model: Model) -> Function:
    """(q, v, z, u, t) -> kinetic, potential, and the signals of all forces by name."""

    def emit(tree: Tree) -> Function:
        v = tree.symbols("v")
        applied = all_forces(tree, v)
        kinetic, potential = energies(tree, v, applied)
        outputs = {"kinetic": kinetic, "potential": potential, **applied.signals}
        return applied.function("signals", {"q": tree.q, "v": v}, outputs)

    return cheapest(model, emit)


@kept_verb
def stored_energies(model: Model) -> Function | None:
    """(q, v, z, u, t) -> NAME.stored of what the potential energy does not contain; None without any."""
    posed = posed_tree(model)
    v = posed.symbols("v")
    applied = all_forces(posed, v)
    energies_of = applied.account.stored()
    return applied.function("stored", {"q": posed.q, "v": v}, energies_of) if energies_of else None


@kept_verb
def arrows(model: Model) -> Function | None:
    """(q, v, z, u, t) -> the point and the force of each force, in the world; None without any."""

    def emit(tree: Tree) -> Function:
        v = tree.symbols("v")
        applied = all_forces(tree, v)
        return applied.function("arrows", {"q": tree.q, "v": v}, applied.arrows or {"none": tree.zero})

    function = cheapest(model, emit)
    return function if function.outputs[0].shape else None


def gaps(model: Model) -> tuple[tuple[str, ...], Function | None]:
    """The contact of each gap, and (q) -> gaps, near; None without contacts.

    `near` is the value up to which a gap is a distance.
    """
    function = kept_function(model, "gaps", lambda: _gaps(model)[1])
    return tuple(kept_data(model, "gaps", lambda: _gaps(model)[0])), function


def _gaps(model: Model) -> tuple[tuple[str, ...], Function | None]:
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
    defaults: dict[str, Any] = {"looked": [1.0] * len(applied.near)} if inputs else {}
    if applied.states and len(applied.alone) < len(model.contacts):  # a kernel takes all that its laws do
        inputs["z"] = [x for x, _ in applied.states.values()]
        defaults["z"] = [start for _, start in applied.states.values()]
    function = Function("gaps", {"q": posed.q, **inputs}, outputs, defaults=defaults or None)
    return tuple(gap.contact for gap in applied.gaps), function


@kept_verb
def approach(model: Model) -> Function | None:
    """(q, v, z, u, t) -> gap, speed, size of each zone, in the order of `extras`; None without any.

    See `contact_zones` and `force_zones`.
    """
    posed = posed_tree(model)
    v = posed.symbols("v")
    applied = all_forces(posed, v)
    zones = [*contact_zones(applied), *force_zones(applied)]
    if not zones:
        return None
    constant = posed.links.constant
    outputs = {name: [constant(getattr(zone, name)) for zone in zones] for name in ("gap", "speed", "size")}
    return applied.function("approach", {"q": posed.q, "v": v}, outputs)


@kept_verb
def broad_phase(model: Model) -> Function | None:
    """(q, v, h) -> near, longest; None without pairs of mapped contacts.

    `near` tells which pairs may touch within a step h, `longest` is the longest step in which no two
    solids pass through each other.
    """
    posed = posed_tree(model)
    v, h = posed.symbols("v"), symbol("h", graph=posed.graph)
    applied = all_forces(posed, v)
    if not applied.near:
        return None
    near, longest = many_contacts.broad_phase(applied, h)
    outputs = {"near": near, "longest": longest}
    return Function("broad_phase", {"q": posed.q, "v": v, "h": h}, outputs)
