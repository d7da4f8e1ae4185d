"""Exchanged bodies: coordinates and speeds after two words change places in all names.

A body gets the pose and the velocity of its partner. So the joint between two ends has afterwards the
motion that was between the ends of the exchanged names. Where there is a joint between those, it has that
motion itself: coordinates only change places, or their sign where its ends are the other way round. Else
the coordinates follow from the relative pose, and `misfit` says whether the joint can have it at all.
"""

from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import atan2, cos, sin, where
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

SQUARE = 1e-12  # the cosine of directions that are square to each other


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
                for values, own in zip(after, _fitted(tree, model, swap, joint, v), strict=True):
                    values += own
        return Function("swap", {"q": tree.q, "v": v}, {"q_after": after[0], "v_after": after[1]})

    return cheapest(model, emit)


def misfit(model: Model, swap: Swap) -> Function | None:
    """(q, v) -> misfit: the largest square of what joints cannot follow; None where all can.

    Lengths are relative to the size of the bodies, angles are rad, and all rates are per second.
    """
    return derived(model, (misfit, swap), lambda: _written_misfit(model, swap))


def _written_misfit(model: Model, swap: Swap) -> Function | None:
    fitted = [joint for joint in model.moving if _source(model, swap, joint) is None]
    if not fitted:
        return None

    def emit(tree: Tree) -> Function:
        v, worst = tree.symbols("v"), tree.zero
        for joint in fitted:
            for square in _misfits(tree, model, swap, joint, v):
                worst = where(square > worst, square, worst)
        return Function("misfit", {"q": tree.q, "v": v}, {"misfit": worst})

    return cheapest(model, emit)


def _size(model: Model, swap: Swap) -> float:
    """The largest distance of a frame or a centre of mass from its body's origin, of bodies that change."""
    places = [
        place
        for name, body in model.bodies.items()
        if swap.renamed(name) != name
        for place in (body.com, *(frame.at for frame in body.frames.values()))
    ]
    return max((sum(model.value(x) ** 2 for x in place) ** 0.5 for place in places), default=0.0) or 1.0


class Source(NamedTuple):
    """The joint that has the motion which another one gets; the other way round where `reversed`."""

    joint: Joint
    reversed: bool


def exchanged_end(swap: Swap, end: End) -> End:
    """The end of the exchanged name."""
    frame = swap.renamed(end.frame) if isinstance(end.frame, str) else end.frame
    return End(swap.renamed(end.body), frame)


def partner_end(model: Model, swap: Swap, end: End) -> End:
    """The same place on the body of the exchanged name."""
    body = model.frame(end)[0]
    if end.frame is None or isinstance(end.frame, str):
        return End.of(swap.renamed(body) + str(end)[len(body) :])
    return End(swap.renamed(body), end.frame)


def _source(model: Model, swap: Swap, joint: Joint) -> Source | None:
    """The joint between the ends of the exchanged names; None where there is none."""
    ends = exchanged_end(swap, joint.first), exchanged_end(swap, joint.second)
    if not all(_stays(model, joint, *each) for each in zip((joint.first, joint.second), ends, strict=True)):
        return None
    for other in model.moving:
        if other.steps == joint.steps and (other.first, other.second) == ends:
            return Source(other, False)
        if other.steps == joint.steps and (other.second, other.first) == ends:
            if [step.kind for step in joint.steps] in (["R"], ["P"], ["H"]):
                return Source(other, True)
    return None


def _stays(model: Model, joint: Joint, end: End, other: End) -> bool:
    """Whether the place of an end on a body that keeps its name is that of the exchanged name.

    Places that lie apart along the axis of all rotations, as hips on both sides of a plane, count as one.
    """
    if end == other or model.frame(end)[0] != model.frame(other)[0]:
        return True
    frames = [model.frame(each)[1] for each in (end, other)]
    (p1, r1), (p2, r2) = ([[model.value(x) for x in xs] for xs in (f.at, f.rpy)] for f in frames)
    apart = [x - y for x, y in zip(p1, p2, strict=True)]
    axis = joint.steps[0].axis
    turning = [step for each in model.moving for step in each.steps if step.kind != "P"]
    if axis is not None and all(_along(step.axis, axis) for step in turning) and not any(r1) and not any(r2):
        along = sum(x * a for x, a in zip(apart, axis, strict=True))
        apart = [x - along * a for x, a in zip(apart, axis, strict=True)]
    size = max(abs(x) for x in (*p1, *p2, 1e-300))
    return r1 == r2 and all(abs(x) <= SQUARE * size for x in apart)


def _along(a: Any, b: Any) -> bool:
    """Whether two directions are the same or opposite; no axis is along nothing."""
    return a is not None and abs(abs(sum(x * y for x, y in zip(a, b, strict=True))) - 1.0) < SQUARE


class Relative(NamedTuple):
    """The motion of the second end as the first one sees it."""

    d: Any
    rate: Any
    w: Any
    R1: Any
    R2: Any


def _relative(tree: Tree, model: Model, swap: Swap, joint: Joint, v: Any) -> Relative:
    """The motion that a joint gets: that between its places on the bodies of the exchanged names."""
    ends = [tree.placed(partner_end(model, swap, end)) for end in (joint.first, joint.second)]
    (R1, p1), (R2, p2) = (posed(tree, place) for place in ends)
    V1, V2 = (moved(tree, place, v, "world") for place in ends)
    w1, u1, w2, u2 = V1[:3], V1[3:], V2[:3], V2[3:]
    first, apart = Matrix(R1), sub(p2, p1)
    rate = first.down(sub(sub(u2, u1), cross(w1, apart)))
    return Relative(first.down(apart), rate, first.down(sub(w2, w1)), R1, R2)


def _fitted(tree: Tree, model: Model, swap: Swap, joint: Joint, v: Any) -> tuple[list[Any], list[Any]]:
    """The coordinates and speeds of a joint from the motion of the ends of the exchanged names."""
    kinds = "".join(step.kind for step in joint.steps)
    if kinds.removesuffix("R") not in ("", "P", "PP", "PPP") or not _square(joint):
        raise ModelError(
            f"swap: the coordinates of {joint.label} do not follow from a pose",
            remedy="let the joints of both sides have the same ends but for the exchanged words",
        )
    motion = _relative(tree, model, swap, joint, v)
    q, speeds = [], []
    for step in joint.steps:
        axis = step.axis
        assert axis is not None
        if step.kind == "P":
            q.append(dot(axis, motion.d))
            speeds.append(dot(axis, motion.rate))
        else:
            q.append(_angle(axis, motion.R1, motion.R2))
            speeds.append(dot(axis, motion.w))
    return q, speeds


def _square(joint: Joint) -> bool:
    """Whether the directions along which a joint moves are square to each other."""
    axes = [step.axis for step in joint.steps if step.kind == "P"]
    pairs = ((a, b) for k, a in enumerate(axes) for b in axes[:k])
    return all(abs(sum(x * y for x, y in zip(a, b, strict=True))) < SQUARE for a, b in pairs if a and b)


def _misfits(tree: Tree, model: Model, swap: Swap, joint: Joint, v: Any) -> list[Any]:
    """The squares of what is left of a motion when the joint has followed it."""
    motion, (q, speeds) = _relative(tree, model, swap, joint, v), _fitted(tree, model, swap, joint, v)
    d, rate, w = list(motion.d), list(motion.rate), list(motion.w)
    turned: Any = None
    for step, x, speed in zip(joint.steps, q, speeds, strict=True):
        assert step.axis is not None
        moved_by = [(d, x), (rate, speed)] if step.kind == "P" else [(w, speed)]
        for rest, part in moved_by:
            rest[:] = [r - a * part for r, a in zip(rest, step.axis, strict=True)]
        turned = (step.axis, x) if step.kind == "R" else turned
    R = _between(motion.R1, motion.R2)
    trace = R[0][0] + R[1][1] + R[2][2]
    if turned is not None:  # the trace of Rᵀ times the rotation about the axis
        a, c, s = turned[0], cos(turned[1]), sin(turned[1])
        sine = dot(a, (R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]))
        along = sum(a[i] * R[i][j] * a[j] for i in range(3) for j in range(3))
        trace = c * trace + s * sine + (1.0 - c) * along
    scale = 1.0 / _size(model, swap) ** 2
    length, speed, turn = (sum(x * x for x in rest) for rest in (d, rate, w))
    return [length * scale, speed * scale, turn, 3.0 - trace]


def _between(R1: Any, R2: Any) -> list[list[Any]]:
    """R1ᵀ R2."""
    return [[sum(R1[k][i] * R2[k][j] for k in range(3)) for j in range(3)] for i in range(3)]


def _angle(axis: Any, R1: Any, R2: Any) -> Any:
    """The angle about an axis of R1ᵀ R2, from -π to π."""
    R = _between(R1, R2)
    sine = dot(axis, (R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1]))
    return atan2(sine, R[0][0] + R[1][1] + R[2][2] - 1.0)
