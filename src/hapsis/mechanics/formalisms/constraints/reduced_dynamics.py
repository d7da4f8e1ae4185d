"""Models with loops and drives, each question one Function: closed first, then whatever is asked.

Every Function here takes a pose and speeds that need not be closed. Of q and v only the independent
ones count: driven ones are put where their drives say, dependent ones follow from Newton's steps,
which begin where q says.
"""

from collections.abc import Callable, Mapping
from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import where
from hapsis.compiler.ir.graph.gc_pause import uncollected
from hapsis.mechanics.formalisms.constraints.constrained_dynamics import least_multipliers
from hapsis.mechanics.formalisms.constraints.constraint_rows import linearized, rows_of
from hapsis.mechanics.formalisms.constraints.reduction import (
    Partition,
    closed,
    closed_speeds,
    pivots_of,
    reduced,
    total,
)
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.forces.drive_motion import imposed
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.coordinate_rates import rates
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero
from hapsis.mechanics.model.model import Model

OPEN = 1e-9  # m or rad; a loop that Newton leaves further open has no pose here

Asked = Callable[["Pose"], Mapping[str, Any]]


class Pose:
    """A closed pose with closed speeds: what may be asked there.

    sticking    dry friction of joints sticks, as in simulations
    carried     whether it may be asked what rows and drives carry
    """

    def __init__(self, tree: Tree, part: Partition, v: Any, tau: Any, sticking: bool, carried: bool) -> None:
        self.tree, self.part, self.tau = tree, part, tau
        symbols = tree.symbols("closed_v")
        applied = AppliedForces(tree, symbols, sticking)
        self.drives = imposed(applied)
        self.rows = rows_of(tree, lambda: applied.time)
        self.found = linearized(tree, self.rows, part.rows, symbols)
        self.v = closed_speeds(tree, self.rows, part, v)
        drive = tau
        if not sticking:
            drive = [t - loss for t, loss in zip(tau, tree.passive(symbols), strict=True)]
        made = reduced(tree, self.found, part, symbols, drive, applied, self.drives, carried)
        self.applied, self.symbols = applied, symbols
        self.a, self.lam, self.efforts = made
        self.dq = rates(tree, symbols)

    @property
    def power(self) -> Any:
        """What drives, and rows that move with time, give to the mechanism."""
        moving = [(self.efforts[n], self.symbols[d.slot]) for n, d in self.drives.items() if not d.still]
        rows = zip(self.lam, self.found.drift, strict=True)
        given = [(-x, drift) for x, drift in rows if not is_zero(drift)]
        return sum((x * y for x, y in (*moving, *given)), self.tree.zero)

    @property
    def gap(self) -> Any:
        """The sum of squares of the rows that are left: smooth, where there is no corner to see."""
        return sum((h * h for h in self.found.h), self.tree.zero)


def partitioned_dynamics(model: Model, part: Partition) -> Function:
    """(q, v, tau) -> q, v, a: the pose closed, the speeds closed, all accelerations."""
    return _asked(model, part, "reduced_dynamics", lambda pose: {"a": pose.a}, sticking=False)


def closed_motion(model: Model, part: Partition) -> Function:
    """(q, v, tau, z, u, t) -> q, v, dq, a, dz, loss, power: all rates, at the closed pose.

    power is what drives and moving constraints give, loss what leaves for good. Where a loop
    cannot be closed the power is not finite.
    """

    def ask(pose: Pose) -> Mapping[str, Any]:
        found: dict[str, Any] = {"dq": pose.dq, "a": pose.a}
        if pose.applied.states:
            found["dz"] = [pose.applied.rates[name] for name in pose.applied.states]
        found["loss"] = pose.applied.loss
        one, zero = pose.tree.one, pose.tree.zero
        found["power"] = pose.power
        if pose.found.h:
            found["power"] = pose.power + one / where(pose.gap < OPEN * OPEN, one, zero) - one
        return found

    return _asked(model, part, "motion", ask, carried=True)


def carrying(model: Model, part: Partition) -> Function:
    """(q, v, tau, z, u, t) -> a, lam, efforts: what rows carry, and what drives add by drive.

    lam of all rows, as small as it can be where they say the same.
    """

    def ask(pose: Pose) -> Mapping[str, Any]:
        found: dict[str, Any] = {"a": pose.a}
        if pose.lam:
            tree, names = pose.tree, pose.rows.names
            pulls = [total(tree, [row[k] for row in pose.found.J], pose.lam) for k in range(tree.n_v)]
            J = linearized(tree, pose.rows, names, pose.symbols).J
            found["lam"] = least_multipliers(tree, J, pulls)
        if pose.drives:
            found["efforts"] = [pose.efforts[name] for name in pose.drives]
        return found

    return _asked(model, part, "carrying", ask, carried=True)


def closing(model: Model, part: Partition) -> Function:
    """(q, v, z, u, t) -> q, v: closed."""
    return _asked(model, part, "closing", None)


def conditioning(model: Model, part: Partition) -> Function:
    """(q, t) -> pivots of J_v, where the pose is."""

    def emit(tree: Tree) -> Function:
        rows = rows_of(tree)
        timed = {} if rows.time is None else {"t": rows.time}
        return Function("conditioning", {"q": tree.q, **timed}, {"pivots": pivots_of(tree, part, rows)})

    return cheapest(model, emit)


def _asked(
    model: Model, part: Partition, name: str, ask: Asked | None, sticking: bool = True, carried: bool = False
) -> Function:
    """The pose closed in a graph of its own; what is asked there is written apart and joined."""
    with uncollected():
        outer = posed_tree(model)
        v, tau = outer.symbols("v"), outer.symbols("tau")
        applied = AppliedForces(outer, v, sticking)
        drives = imposed(applied)
        q, v_told = list(outer.q), list(v)
        for drive in drives.values():
            q[drive.place] = outer.q[drive.place] if drive.position is None else drive.position
            v_told[drive.slot] = v[drive.slot] if drive.velocity is None else drive.velocity
        inner = cheapest(model, lambda tree: _inner(tree, part, ask, sticking, carried))
        q = closed(model, part, q, lambda: applied.time)
        given = {"q": q, "v": v_told, "tau": tau}
        if any(port.name == "t" for port in inner.inputs):
            given["t"] = applied.time
        given |= applied.inputs()
        found = inner(**{port.name: given[port.name] for port in inner.inputs})
        names = [port.name for port in inner.outputs]
        told = dict(zip(names, [found] if len(names) == 1 else found, strict=True))
        inputs: dict[str, Any] = {"q": outer.q, "v": v}
        if ask is not None:
            inputs["tau"] = tau
        return applied.function(name, inputs, {"q": q, **told})


def _inner(tree: Tree, part: Partition, ask: Asked | None, sticking: bool, carried: bool) -> Function:
    """(q, v, tau, ...) -> v, and what is asked, at a closed pose."""
    v, tau = tree.symbols("v"), tree.symbols("tau")
    if ask is None:
        rows = rows_of(tree)
        speeds = closed_speeds(tree, rows, part, v)
        timed = {} if rows.time is None else {"t": rows.time}
        return Function("inner", {"q": tree.q, "v": v, **timed}, {"v": speeds})
    pose = Pose(tree, part, v, tau, sticking, carried)
    at = pose.applied.function("at", {"q": tree.q, "v": pose.symbols, "tau": tau}, dict(ask(pose)))
    more = pose.applied.inputs()
    found = at(q=tree.q, v=pose.v, tau=tau, **more)
    names = [port.name for port in at.outputs]
    told = dict(zip(names, [found] if len(names) == 1 else found, strict=True))
    return pose.applied.function("inner", {"q": tree.q, "v": v, "tau": tau}, {"v": pose.v, **told})
