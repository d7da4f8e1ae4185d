"""Exchanged bodies: coordinates and speeds after two words change places in all names.

A body gets the pose and the velocity of its partner. So the joint between two ends has afterwards the
motion that was between the ends of the exchanged names. Where there is a joint between those, it has that
motion itself: coordinates only change places, or their sign where its ends are the other way round. Else
the coordinates follow from the relative pose.
"""

from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import atan2
from hapsis.errors import ModelError
from hapsis.mechanics.algebra.rotations import Matrix
from hapsis.mechanics.algebra.vectors import cross, dot, sub
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.kinematics import moved, posed
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.frames import End
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.model import Model
from hapsis.motion.hybrid.actions import Swap
from hapsis.motion.hybrid.partners import check_partners


def relabelled(model: Model, swap: Swap) -> Function:
    """(q, v) -> q, v of the model after a swap."""
    return derived(model, (relabelled, swap), lambda: _written(model, swap))


def _written(model: Model, swap: Swap) -> Function:
    check_partners(model, swap)
    sources = [_source(model, swap, joint) for joint in model.moving]

    def emit(tree: Tree) -> Function:
        v = tree.symbols("v")
        q = dict(zip(model.coordinates, tree.q, strict=True)), dict(zip(model.speeds, v, strict=True))
        after: tuple[list[Any], list[Any]] = [], []
        for joint, source in zip(model.moving, sources, strict=True):
            if source is not None:
                names = source.joint.coordinates, source.joint.speeds
                for values, known, some in zip(after, q, names, strict=True):
                    values += [-known[n] if source.reversed else known[n] for n in some]
            else:
                for values, own in zip(after, _fitted(tree, swap, joint, v), strict=True):
                    values += own
        return Function("swap", {"q": tree.q, "v": v}, {"q_after": after[0], "v_after": after[1]})

    return cheapest(model, emit)


class Source(NamedTuple):
    """The joint that has the motion which another one gets; the other way round where `reversed`."""

    joint: Joint
    reversed: bool


def exchanged_end(swap: Swap, end: End) -> End:
    """The end of the exchanged name."""
    frame = swap.renamed(end.frame) if isinstance(end.frame, str) else end.frame
    return End(swap.renamed(end.body), frame)


def _source(model: Model, swap: Swap, joint: Joint) -> Source | None:
    """The joint between the ends of the exchanged names; None where there is none."""
    ends = exchanged_end(swap, joint.first), exchanged_end(swap, joint.second)
    for other in model.moving:
        if other.steps == joint.steps and (other.first, other.second) == ends:
            return Source(other, False)
        if other.steps == joint.steps and (other.second, other.first) == ends:
            if [step.kind for step in joint.steps] in (["R"], ["P"], ["H"]):
                return Source(other, True)
    return None


def _fitted(tree: Tree, swap: Swap, joint: Joint, v: Any) -> tuple[list[Any], list[Any]]:
    """The coordinates and speeds of a joint from the motion of the ends of the exchanged names."""
    kinds = "".join(step.kind for step in joint.steps)
    moves = kinds.removesuffix("R")
    if moves not in ("", "P", "PP", "PPP"):
        raise ModelError(
            f"swap: the coordinates of {joint.label} do not follow from a pose",
            remedy="let the joints of both sides have the same ends but for the exchanged words",
        )
    ends = [tree.placed(exchanged_end(swap, end)) for end in (joint.first, joint.second)]
    (R1, p1), (R2, p2) = (posed(tree, place) for place in ends)
    V1, V2 = (moved(tree, place, v, "world") for place in ends)
    w1, u1, w2, u2 = V1[:3], V1[3:], V2[:3], V2[3:]
    first, apart = Matrix(R1), sub(p2, p1)
    d = first.down(apart)
    rate = first.down(sub(sub(u2, u1), cross(w1, apart)))  # as the first end sees it
    q, speeds = [], []
    for step in joint.steps:
        axis = step.axis
        assert axis is not None
        if step.kind == "P":
            q.append(dot(axis, d))
            speeds.append(dot(axis, rate))
        else:
            q.append(_angle(axis, R1, R2))
            speeds.append(dot(axis, first.down(sub(w2, w1))))
    return q, speeds


def _angle(axis: Any, R1: Any, R2: Any) -> Any:
    """The angle about an axis of R1ᵀ R2, from -π to π."""
    R = [[sum(R1[k][i] * R2[k][j] for k in range(3)) for j in range(3)] for i in range(3)]
    sine = dot(axis, (R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]))
    return atan2(sine, R[0][0] + R[1][1] + R[2][2] - 1.0)
