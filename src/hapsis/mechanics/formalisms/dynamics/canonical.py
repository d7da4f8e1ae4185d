"""The canonical equations of motion, with momenta p = M(q) v instead of speeds.

    v = M⁻¹ p        q̇ = N(q) v        ṗ = Q - c(q, v) + Ṁ v

with c the bias, Q the efforts and Ṁ v the derivative of M(q) v along q̇ at constant v. In these
coordinates the implicit midpoint rule is symplectic; for ball and free joints, whose momenta are in the
axes of the moving body, it is symmetric only. Reference: [HLW, VI].
"""

from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.mechanics.formalisms.dynamics.forward_dynamics import factors, solved
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import efforts
from hapsis.mechanics.formalisms.dynamics.mass_matrix import in_body_frames
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.coordinate_rates import rates
from hapsis.mechanics.formalisms.tree.model_checks import check_open
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.model import Model


@kept_verb
def canonical(model: Model, account: bool = False) -> Function:
    """(q, momenta, tau, z, u, t) -> v, dq, dp, dz, loss: speeds, all rates and the dissipated power.

    With `account` the powers of the energy account are outputs too, as those of `state_rates`.
    """
    check_open(model)

    def emit(tree: Tree) -> Function:
        p, tau, speed = tree.symbols("p"), tree.symbols("tau"), tree.symbols("speed")
        M = in_body_frames(tree)
        v = solved(tree, factors(tree, M), p)
        applied = AppliedForces(tree, v, sticking=True)
        dq = rates(tree, v)
        momentum = Function("momentum", {"q": tree.q, "v": speed}, {"p": _product(tree, M, speed)})
        moving = momentum.jvp("q")(q=tree.q, v=v, d_q=dq)
        c = efforts(tree, v, None, False, applied)
        dp = [t - x + m for t, x, m in zip(tau, c, moving, strict=True)]
        outputs: dict[str, Any] = {"v": v, "dq": dq, "dp": dp}
        if applied.states:
            outputs["dz"] = [applied.rates[name] for name in applied.states]
        outputs["loss"] = applied.loss
        outputs |= applied.account.powers() if account else {}
        return applied.function("canonical", {"q": tree.q, "momenta": p, "tau": tau}, outputs)

    return cheapest(model, emit)


def _product(tree: Tree, M: Any, v: Any) -> list[Any]:
    """M v."""
    p: list[Any] = [tree.zero] * tree.n_v
    for (i, j), entry in M.items():
        p[i] = p[i] + entry * v[j]
    return p
