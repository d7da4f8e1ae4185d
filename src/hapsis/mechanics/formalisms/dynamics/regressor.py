"""The regressor: inverse dynamics is linear in inertial parameters, tau = Y(q, v, a) π, ten for each body.

π contains for each body the mass, the first moment m c, and the inertia tensor about the body's origin
in its axes. Not all of them are identifiable from motion and effort; `base_parameters` computes the
identifiable combinations numerically, from the rank of Y over random states.
Reference: [Atkeson] for Y, [Gautier] for the QR decomposition.
"""

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.limits import Limits, Seed
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.gc_pause import uncollected
from hapsis.errors import ModelError
from hapsis.mechanics.algebra.inertia import Inertia, of_body
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import LinkMotion, motions, wrench
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.links import WORLD, Place, fixed
from hapsis.mechanics.formalisms.tree.model_checks import check_size
from hapsis.mechanics.formalisms.tree.posed_tree import unlumped_tree
from hapsis.mechanics.formalisms.tree.tree import Tree, along
from hapsis.mechanics.model.model import Model

States = Annotated[int, Limits(1, 1e6, whole=True)]
FIELDS = ("mass", "h.x", "h.y", "h.z", "I.xx", "I.yy", "I.zz", "I.xy", "I.xz", "I.yz")
Array = np.ndarray[Any, np.dtype[np.float64]]


@verb
@kept_verb
def regressor(model: Model) -> Function:
    """(q, v, a) -> Y with tau = Y π; columns in the order of `inertial_parameters`.

    Armatures and losses are not included. With loops and drives it is the regressor of the tree:
    Y π = tau + Jᵀ lam, where tau includes the efforts of drives.
    """
    check_size(model, 10 * len(model.bodies), "the regressor")
    with uncollected():
        tree = unlumped_tree(model)
        v, a = tree.symbols("v"), tree.symbols("a")
        moves = motions(tree, v, a)
        columns: list[list[Any]] = []
        for name in model.bodies:
            place = tree.links.places[name]
            move = None if place.link == WORLD else moves[place.link]
            columns += [_column(tree, place, move, unit) for unit in _units(tree)]
        Y = np.array(columns, dtype=object).reshape(len(columns), tree.n_v).T
        return Function("regressor", {"q": tree.q, "v": v, "a": a}, {"Y": Y})


@verb
def inertial_parameters(model: Model) -> dict[str, float]:
    """π by name, body by body: `arm.mass`, `arm.h.x` ..., `arm.I.xx` ... about the origin."""
    values: dict[str, float] = {}
    for name, body in model.bodies.items():
        mass, com = model.value(body.mass), [model.value(x) for x in body.com]
        moments = [model.value(x) for x in body.inertia]
        I, h, m = of_body(mass, tuple(com), tuple(moments)).rigid()
        for field, value in zip(FIELDS, (m, *h, *I), strict=True):
            values[f"{name}.{field}"] = float(value)
    return values


@verb
@dataclass(frozen=True)
class BaseParameters:
    """The combinations of inertial parameters that are identifiable from motion and effort.

    names     of the base parameters, each of which stands for a combination
    grouping  matrix G with base = G π: the value of each combination
    columns   indices of the base parameters in π: tau = Y[:, columns] base
    """

    names: tuple[str, ...]
    grouping: Array
    columns: tuple[int, ...]


@verb
def base_parameters(model: Model, *, states: States = 200, seed: Seed = 0) -> BaseParameters:
    """The identifiable combinations, from the rank of Y over random states.

    states   their number
    seed     of the random numbers

    The rank is decided at 1e-9 of the largest column. Of linearly dependent columns, those that QR with
    pivoting selects first become base parameters.
    """
    import scipy.linalg

    if model.cuts or model.constraints:
        raise ModelError(
            "base_parameters takes random states, and those of a model with loops are not closed",
            remedy="take the rank of S'Y at closed states, S the columns of free motions (J S = 0)",
        )
    draw, states = np.random.default_rng(int(seed)), int(states)
    f = compile(regressor(model))
    n, width = len(model.speeds), 10 * len(model.bodies)
    q = draw.uniform(-2, 2, (states, len(model.coordinates)))
    Y = f(q, draw.normal(size=(states, n)), draw.normal(size=(states, n))).reshape(-1, width)
    qr: Any = scipy.linalg.qr
    R, order = qr(Y, mode="r", pivoting=True)
    diagonal = np.abs(np.diag(R))
    rank = int(np.sum(diagonal > 1e-9 * max(diagonal[0], 1e-300))) if diagonal.size else 0
    if 0 < rank == len(Y) < width:
        raise ModelError(f"{states} states are too few to see all combinations", remedy="give more states=")
    base = order[:rank]
    grouping = np.zeros((rank, width))
    grouping[np.arange(rank), base] = 1.0
    if rank:
        depends = scipy.linalg.solve_triangular(R[:rank, :rank], R[:rank, rank:])
        depends[np.abs(depends) < 1e-9] = 0.0
        grouping[:, order[rank:]] = depends
    names = list(inertial_parameters(model))
    return BaseParameters(tuple(names[k] for k in base), grouping, tuple(int(k) for k in base))


def _units(tree: Tree) -> list[Inertia]:
    """For each inertial parameter the inertia in which it is one and the others are zero."""
    zero, one = tree.zero, tree.one
    half = 0.5 * one
    no_moments = (zero,) * 6
    units = [Inertia(no_moments, tree.zero3, one)]
    units += [Inertia(no_moments, axis, zero) for axis in tree.triad]
    for k in range(6):
        Sigma = [half, half, half, zero, zero, zero] if k < 3 else [zero] * 6
        Sigma[k] = -half if k < 3 else -one
        units.append(Inertia(tuple(Sigma), tree.zero3, zero))
    return units


def _column(tree: Tree, place: Place, move: LinkMotion | None, unit: Inertia) -> list[Any]:
    """The column of Y of one inertial parameter of a body."""
    tau: list[Any] = [tree.zero] * tree.n_v
    if move is None:
        return tau
    F, at = wrench(unit.up(fixed(place.R), place.p), move), place.link
    while at != WORLD:
        branch = tree.branches[at]
        for slot, S in zip(branch.v, branch.S, strict=True):
            tau[slot] = along(S, (*F[0], *F[1]))  # τ = Sᵀ F
        F, at = branch.up(F), branch.parent  # F := Xᵀ F
    return tau
