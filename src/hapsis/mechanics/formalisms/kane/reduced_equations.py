"""Kane's equations F̃_r + F̃*_r = 0 of the independent generalized speeds, without multipliers.

The rows J v + ∂h/∂t = 0, of positions and of speeds, determine the dependent generalized speeds; with the
independent ones u all speeds and their rates are

    v = Z u + v_t        v̇ = Z u̇ + b

and the columns of Z are the constrained partial velocities of the mechanism. They take the equations of
motion M v̇ + c = τ + Jᵀλ to

    Zᵀ M Z u̇ + Zᵀ (M b + c) = Zᵀ τ

since J Z = 0: the constraints do no work on these motions. A drive is a row, too, v_k - velocity(t) = 0, so
that its effort is in none of the equations. There are as many equations as degrees of freedom. The state is
a closed pose and u: dependent speeds are computed. Which speeds are independent is decided before, at a
pose (see `motion.analysis.kane`). Reference: [Kane].
"""

from collections.abc import Mapping, Sequence
from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import symbol, symbols
from hapsis.mechanics.formalisms.constraints.constraint_rows import linearized, rows_of
from hapsis.mechanics.formalisms.constraints.lu import LU
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.formalisms.constraints.reduction import times, total
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import efforts
from hapsis.mechanics.formalisms.dynamics.mass_matrix import in_body_frames
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.forces.drive_motion import driven_motions
from hapsis.mechanics.formalisms.kane.partial_velocities import split
from hapsis.mechanics.formalisms.kane.speed_basis import Combinations
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.coordinate_rates import rates
from hapsis.mechanics.formalisms.tree.kinematics import jacobian_rows
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.model import Model


class ReducedMotion:
    """Motions of a closed pose by independent generalized speeds: v = Z u + v_t and v̇ = Z u̇ + b.

    part    the generalized speeds that depend, by their places, and what determines them: all drives of the
            model in some order, then rows
    own     the places in v of the model's own speeds among the generalized ones
    """

    def __init__(self, tree: Tree, part: Partition, own: Sequence[int], v: Any, applied: Any) -> None:
        self.tree, self.part = tree, part
        drives, model = driven_motions(applied), tree.links.model
        driven = [drives[name] for name in part.rows[: len(model.drives)]]
        rows = linearized(tree, rows_of(tree, lambda: applied.time), part.rows[len(driven) :], v)
        self.drift = [*(-drive.velocity for drive in driven), *rows.drift]
        self.gamma = [*(-drive.acceleration for drive in driven), *rows.gamma]
        units = [[tree.one if k == drive.slot else tree.zero for k in range(tree.n_v)] for drive in driven]
        self.combinations = Combinations(tree, own, v, lambda: applied.time)
        self.J = [self.combinations.dual(list(row)) for row in (*units, *rows.J)]  # by generalized speeds
        self.J_d = LU(tree, [[row[k] for k in part.dependent] for row in self.J])
        self.lead = [k for k in range(tree.n_v) if k not in part.dependent]
        self.Z = [self._column(k) for k in self.lead]

    def _column(self, k: int) -> list[Any]:
        """The motion with unit independent speed k."""
        u: list[Any] = [self.tree.zero] * self.tree.n_v
        u[k] = self.tree.one
        self._put(u, [row[k] for row in self.J])
        return self.combinations.speeds(u)

    def _put(self, u: list[Any], right: Sequence[Any]) -> None:
        """Sets the dependent entries so that J_d u_d = -right."""
        for slot, x in zip(self.part.dependent, self.J_d.solved(right), strict=True):
            u[slot] = -x

    def speeds(self, independent: Sequence[Any]) -> list[Any]:
        """All speeds v."""
        tree, w = self.tree, self.combinations.drift
        u: list[Any] = [tree.zero] * tree.n_v
        for k, x in zip(self.lead, independent, strict=True):
            u[k] = x - w[k]
        # of u - w: J (u - w) = -∂h/∂t
        right = [total(tree, row, u) + drift for row, drift in zip(self.J, self.drift, strict=True)]
        self._put(u, right)
        return self.combinations.speeds(u)

    def still(self) -> list[Any]:
        """b: the rates of the speeds where the rates of the independent generalized speeds are zero."""
        tree, gamma = self.tree, self.combinations.gamma
        u: list[Any] = [tree.zero] * tree.n_v
        for k in self.lead:
            u[k] = -gamma[k]
        # of u̇ - (Ẏ v + ẇ): J of it is -γ
        right = [total(tree, row, u) + x for row, x in zip(self.J, self.gamma, strict=True)]
        self._put(u, right)
        return self.combinations.speeds(u)


@kept_verb
def reduced_equations(model: Model, part: Partition, own: tuple[int, ...]) -> Function:
    """(q, speeds, z, u, t) -> M, f, B, v, b: M u̇ + f = B τ, all speeds v, and v̇ = Bᵀ u̇ + b."""

    def emit(tree: Tree) -> Function:
        v = tree.symbols("closed_v")
        applied = AppliedForces(tree, v)
        motion = ReducedMotion(tree, part, own, v, applied)
        M, c = in_body_frames(tree), efforts(tree, v, None, True, applied)
        b = motion.still()
        residual = [x + y for x, y in zip(times(tree, M, b), c, strict=True)]
        MZ = [times(tree, M, column) for column in motion.Z]
        equations = {
            "M": [[total(tree, column, x) for x in MZ] for column in motion.Z],
            "f": [total(tree, column, residual) for column in motion.Z],
            "B": motion.Z,
            "b": b,
        }
        speeds = symbols("speeds", len(motion.lead), graph=tree.graph)
        closed = motion.speeds(list(speeds))
        at = applied.function("at", {"q": tree.q, "v": v}, equations)
        known = at.outputs_by_name(at(q=tree.q, v=closed, **applied.inputs()))
        outputs: Mapping[str, Any] = {**known, "v": closed}
        outputs = {name: outputs[name] for name in ("M", "f", "B", "v", "b")}
        return applied.function("kane_equations", {"q": tree.q, "speeds": speeds}, outputs)

    return cheapest(model, emit)


@kept_verb
def reduced_partial_velocities(
    model: Model, frame: str, axes: str, part: Partition, own: tuple[int, ...]
) -> Function:
    """(q, t) -> angular, linear: a row for each independent generalized speed."""

    def emit(tree: Tree) -> Function:
        v = tree.symbols("v")
        inputs = AppliedForces(tree, v)
        motion = ReducedMotion(tree, part, own, v, inputs)
        J = jacobian_rows(tree, frame, axes)
        rows = [[total(tree, row, column) for column in motion.Z] for row in J]
        outputs = split(rows)
        time = {"t": inputs.time} if "t" in inputs.inputs() else {}
        return Function(
            "partial_velocities", {"q": tree.q, **time}, outputs, defaults=dict.fromkeys(time, 0.0) or None
        )

    return cheapest(model, emit)


def new_inputs(port: Any, graph: Any) -> Any:
    """Symbols of a graph for an input."""
    return symbols(port.name, *port.shape, graph=graph) if port.shape else symbol(port.name, graph=graph)


@kept_verb
def linear_matrices(model: Model, part: Partition, own: tuple[int, ...]) -> Function:
    """(q, tau, z, u, t) -> M, C, K, B at rest: M ẍ + C ẋ + K x = B δτ of small motions x."""
    f = reduced_equations(model, part, own)

    def emit(tree: Tree) -> Function:
        count = len(next(port for port in f.inputs if port.name == "speeds").refs)
        tau, speeds = tree.symbols("tau"), symbols("speeds", count, graph=tree.graph)
        inputs = {port.name: tree.q if port.name == "q" else speeds for port in f.inputs[:2]}
        more = {port.name: new_inputs(port, tree.graph) for port in f.inputs[2:]}
        at = f.outputs_by_name(f(**inputs, **more))
        zero = [x - total(tree, row, tau) for x, row in zip(at["f"], at["B"], strict=True)]  # f - B τ
        equations = Function("zero", {**inputs, **more, "tau": tau}, {"zero": zero})
        rest = [tree.zero] * count
        known = {"q": tree.q, "speeds": rest, "tau": tau, **more}
        slopes = equations.jvp("q")
        # along Z: how the pose moves with unit independent speeds
        resting = f.outputs_by_name(f(q=tree.q, speeds=rest, **more))
        columns = [slopes(**known, d_q=rates(tree, list(column))) for column in resting["B"]]
        C = equations.jacobian("zero", "speeds")(**known)
        outputs = {
            "M": resting["M"],
            "C": C,
            "K": [[columns[j][i] for j in range(count)] for i in range(count)],
            "B": resting["B"],
        }
        defaults = {name: x for name, x in f.defaults.items() if name in more}
        return Function("linear_equations", {"q": tree.q, "tau": tau, **more}, outputs, defaults=defaults)

    return cheapest(model, emit)
