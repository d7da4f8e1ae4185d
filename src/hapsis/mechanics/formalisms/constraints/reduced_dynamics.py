"""Functions of models with loops and drives, which first close the loops and then compute a quantity.

Every Function here takes a pose and speeds that need not satisfy the constraints. Only the independent
entries of q and v matter: driven ones are replaced by their drives, dependent ones follow from Newton's
method, which starts at q.
"""

from collections.abc import Callable, Mapping
from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import where
from hapsis.compiler.ir.graph.gc_pause import uncollected
from hapsis.mechanics.formalisms.constraints.constrained_dynamics import least_multipliers
from hapsis.mechanics.formalisms.constraints.constraint_rows import linearized, rows_of
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.constraints.reduction import (
    closed,
    closed_speeds,
    in_units,
    pivots_of,
    reduced,
    total,
)
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.forces.drive_motion import driven_motions, driven_state
from hapsis.mechanics.formalisms.forces.energy_account import WORK
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.coordinate_rates import rates
from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree
from hapsis.mechanics.formalisms.tree.tree import Tree, is_zero
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.model import Model

OPEN = 1e-9  # of the unit of a row; a larger gap after Newton's method means that the loop cannot be closed

Asked = Callable[["ClosedPose"], Mapping[str, Any]]


class ClosedPose:
    """A closed pose with closed speeds, and the quantities that can be computed there.

    sticking    dry friction of joints sticks, as in simulations
    carried     also compute multipliers and the efforts of drives
    """

    def __init__(self, tree: Tree, part: Partition, v: Any, tau: Any, sticking: bool, carried: bool) -> None:
        self.tree, self.part, self.tau = tree, part, tau
        symbols = tree.symbols("closed_v")
        applied = AppliedForces(tree, symbols, sticking)
        self.drives = driven_motions(applied)
        self.rows = rows_of(tree, lambda: applied.time)
        self.linear = linearized(tree, self.rows, part.rows, symbols)
        self.v = closed_speeds(tree, self.linear, part, v)
        drive = tau
        if not sticking:
            drive = [t - loss for t, loss in zip(tau, tree.passive(symbols), strict=True)]
        self.applied, self.symbols = applied, symbols
        self.a, self.lam, self.efforts = reduced(
            tree, self.linear, part, symbols, drive, applied, self.drives, carried
        )
        self.dq = rates(tree, symbols)

    def at_closed_speeds(self, name: str, v: Any, outputs: Mapping[str, Any]) -> Function:
        """(q, v, tau, ...) -> v, and these expressions evaluated at the closed speeds."""
        tree, inputs = self.tree, {"q": self.tree.q, "tau": self.tau}
        at = self.applied.function("at", {"q": tree.q, "v": self.symbols, "tau": self.tau}, outputs)
        values = at(**inputs, v=self.v, **self.applied.inputs())
        known = {"v": self.v, **at.outputs_by_name(values)}
        return self.applied.function(name, {"q": tree.q, "v": v, "tau": self.tau}, known)

    @property
    def power(self) -> Any:
        """The power that drives and time-dependent rows give to the mechanism."""
        moving = [(self.efforts[n], self.symbols[d.slot]) for n, d in self.drives.items() if not d.still]
        rows = zip(self.lam, self.linear.drift, strict=True)
        rows_in_time = [(-x, drift) for x, drift in rows if not is_zero(drift)]
        return sum((x * y for x, y in (*moving, *rows_in_time)), self.tree.zero)

    @property
    def account(self) -> dict[str, Any]:
        """The powers of the energy account, with those of drives and of constraints that move with time."""
        account = self.applied.account
        for name, drive in self.drives.items():
            account.give(name, self.efforts[name] * self.symbols[drive.slot])
        every = linearized(self.tree, self.rows, self.rows.names, self.symbols).drift
        moving = {n for n, drift in zip(self.rows.names, every, strict=True) if not is_zero(drift)}
        for row, x, drift in zip(self.part.rows, self.lam, self.linear.drift, strict=True):
            if row in moving:
                account.take(row.rpartition(".")[0], x * drift)
        powers = account.powers()
        owners = (*self.drives, *dict.fromkeys(n.rpartition(".")[0] for n in self.rows.names if n in moving))
        return {f"{name}.{WORK}": self.tree.zero for name in owners} | powers

    @property
    def gap(self) -> Any:
        """The sum of squares of the rows at the closed pose, each in its unit."""
        rows = in_units(self.tree, self.part.rows, self.linear.h)
        return sum((h * h for h in rows), self.tree.zero)

    @property
    def state_rates(self) -> dict[str, Any]:
        """The rates of the states of laws, as an output where there are any."""
        states = self.applied.states
        return {"dz": [self.applied.rates[name] for name in states]} if states else {}

    @property
    def drive_efforts(self) -> dict[str, Any]:
        """The efforts of drives, forces of those of points, as an output where there are any."""
        levers = {name: drive.lever for name, drive in self.drives.items()}
        felt = [self.efforts[n] if lever is None else self.efforts[n] / lever for n, lever in levers.items()]
        return {"efforts": felt} if self.drives else {}

    @property
    def all_multipliers(self) -> dict[str, Any]:
        """The λ of least norm of all rows, as an output where there are any."""
        if not self.lam:
            return {}
        tree = self.tree
        pulls = [total(tree, [row[k] for row in self.linear.J], self.lam) for k in range(tree.n_v)]  # Jᵀ λ
        names = self.rows.names
        J = linearized(tree, self.rows, names, self.symbols).J
        return {"lam": least_multipliers(tree, J, names, pulls)}


@kept_verb
def partitioned_dynamics(model: Model, part: Partition) -> Function:
    """(q, v, tau) -> q, v, a: the closed pose, the closed speeds, all accelerations."""
    return _asked(model, part, "reduced_dynamics", lambda pose: {"a": pose.a}, sticking=False)


@kept_verb
def closed_state_rates(model: Model, part: Partition, account: bool = False) -> Function:
    """(q, v, tau, z, u, t) -> q, v, dq, a, dz, loss, power: all rates, at the closed pose.

    power is that of drives and moving constraints, loss the dissipated power. Where a loop cannot be
    closed the power is not finite. With `account` NAME.loss and NAME.work are outputs too, the powers of the
    energy account, with those of drives and of constraints that move with time.
    """

    def ask(pose: ClosedPose) -> Mapping[str, Any]:
        one, zero, power = pose.tree.one, pose.tree.zero, pose.power
        if pose.linear.h:
            power = power + one / where(pose.gap < OPEN * OPEN, one, zero) - one
        rates_of = {"dq": pose.dq, "a": pose.a, **pose.state_rates, "loss": pose.applied.loss, "power": power}
        return rates_of | (pose.account if account else {})

    return _asked(model, part, "motion", ask, carried=True)


@kept_verb
def constraint_loads(model: Model, part: Partition) -> Function:
    """(q, v, tau, z, u, t) -> a, lam, efforts: multipliers of all rows, and efforts of all drives.

    lam has the least norm where rows are redundant.
    """

    def ask(pose: ClosedPose) -> Mapping[str, Any]:
        return {"a": pose.a, **pose.all_multipliers, **pose.drive_efforts}

    return _asked(model, part, "carrying", ask, carried=True)


@kept_verb
def closed_state(model: Model, part: Partition) -> Function:
    """(q, v, z, u, t) -> q, v: the closed pose and speeds."""
    return derived(model, (closed_state, part), lambda: _asked(model, part, "closing", None))


@kept_verb
def dependent_pivots(model: Model, part: Partition) -> Function:
    """(q, t) -> pivots of J_v at the pose q."""

    def emit(tree: Tree) -> Function:
        rows = rows_of(tree)
        inputs = {"q": tree.q, **rows.timed}
        return Function("conditioning", inputs, {"pivots": pivots_of(tree, part, rows)})

    return cheapest(model, emit)


def _asked(
    model: Model, part: Partition, name: str, ask: Asked | None, sticking: bool = True, carried: bool = False
) -> Function:
    """A Function that closes the pose and calls another, written in its own graph, at the closed pose."""
    with uncollected():
        outer = posed_tree(model)
        v, tau = outer.symbols("v"), outer.symbols("tau")
        applied = AppliedForces(outer, v, sticking)
        drives = driven_motions(applied).values()
        q, v_driven = driven_state(drives, outer.q, v)
        inner = cheapest(model, lambda tree: _inner(tree, part, ask, sticking, carried))
        q = closed(model, part, q, lambda: applied.time)
        arguments = {"q": q, "v": v_driven, "tau": tau}
        if any(port.name == "t" for port in inner.inputs):
            arguments["t"] = applied.time
        arguments |= applied.inputs()
        outputs = inner.outputs_by_name(inner(**{port.name: arguments[port.name] for port in inner.inputs}))
        inputs: dict[str, Any] = {"q": outer.q, "v": v}
        if ask is not None:
            inputs["tau"] = tau
        return applied.function(name, inputs, {"q": q, **outputs})


def _inner(tree: Tree, part: Partition, ask: Asked | None, sticking: bool, carried: bool) -> Function:
    """(q, v, tau, ...) -> v, and the outputs of `ask`, at a closed pose."""
    v, tau = tree.symbols("v"), tree.symbols("tau")
    if ask is None:
        rows = rows_of(tree)
        linear = linearized(tree, rows, part.rows, tree.symbols("speed"))
        speeds = closed_speeds(tree, linear, part, v)
        return Function("inner", {"q": tree.q, "v": v, **rows.timed}, {"v": speeds})
    pose = ClosedPose(tree, part, v, tau, sticking, carried)
    return pose.at_closed_speeds("inner", v, dict(ask(pose)))
