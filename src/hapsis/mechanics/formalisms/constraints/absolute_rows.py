"""Rows of all joints in absolute coordinates: every joint, also of the tree, constrains two free bodies.

With six coordinates for each body there is no difference between a joint of the tree and one that closes
a loop: both are rows between their two ends. The wrenches of these rows, and the motions that the joints
of the tree allow, show which reactions are determined uniquely by a motion (see `motion.analysis`).
"""

from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.gc_pause import uncollected
from hapsis.mechanics.algebra.rotations import Matrix
from hapsis.mechanics.algebra.vectors import add, cross, neg
from hapsis.mechanics.formalisms.constraints.constraint_rows import Rows, linearized, rows_of
from hapsis.mechanics.formalisms.constraints.loop_reactions import LoopReactions, read_slots, spot
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.tree.posed_tree import unlumped_tree
from hapsis.mechanics.formalisms.tree.sweeps import Poses
from hapsis.mechanics.formalisms.tree.tree import Tree, vectors
from hapsis.mechanics.model.joints.joint import Joint, LoopJoint
from hapsis.mechanics.model.model import Model


class AbsoluteRows(NamedTuple):
    """The rows of all joints and constraints between free bodies, as a Function of the pose.

    carried   (fact, row) of each row of W; joints that have no closure rows are not among them
    joined    the facts between two ends, in the order of `places`
    between   (fact, row) of each row of J: rows between coordinates, and those that read some besides ends
    function  (q) -> the outputs among these that are not empty:
      W         the wrench of each row at its first end's origin and in its axes
      places    for each of `joined` the axes, rows of a matrix, and the origin of the first end
      motions   for each speed the motion of its joint's second end relative to the first, in world
                axes and at the world's origin
      J         Jacobian of the rows between coordinates; of rows between ends by the coordinates they read
      h         values of all rows
    """

    carried: list[tuple[str, str]]
    joined: list[str]
    between: list[tuple[str, str]]
    function: Function


def absolute_rows(model: Model) -> AbsoluteRows:
    """The rows of all joints and constraints between free bodies; forces are left out."""
    families = ("bodies", "joints", "constraints")
    facts = [fact for fact in model.facts if fact.family in families]
    model = Model(*facts, parameters=model.parameters, physical=False)
    with uncollected():
        tree = unlumped_tree(model)
        applied = AppliedForces(tree, tree.symbols("v"))
        cuts, carried, W = LoopReactions(tree, applied), [], []
        joined = [f for f in (*model.joints.values(), *model.constraints.values()) if f.ends]
        for fact in joined:
            if isinstance(fact, Joint) and not isinstance(fact, LoopJoint):
                continue
            d = cuts.seen(fact)[0]
            for name, (m, f) in cuts.directions(fact).items():
                carried.append((fact.name, name))
                W.append((*add(m, cross(d, f)), *f))
        places = [_place(applied, fact) for fact in joined]
        rows = rows_of(tree, lambda: applied.time)
        between, J = _between(tree, applied, rows)
        outputs = {"W": W, "places": places, "motions": motions_of(tree), "J": J}
        outputs["h"] = list(rows.values.values())
        outputs = {name: x for name, x in outputs.items() if len(x)}
        function = applied.function("absolute_rows", {"q": tree.q}, outputs)
        return AbsoluteRows(carried, [fact.name for fact in joined], between, function)


def _place(applied: AppliedForces, fact: Any) -> tuple[Any, ...]:
    """The axes and the origin of a fact's first end in the world."""
    at = spot(applied, fact, "first")
    return (*(x for row in at.R for x in row), *at.p)


def motions_of(tree: Tree) -> list[tuple[Any, ...]]:
    """For each speed the motion of its joint's second end relative to the first."""
    poses, backwards = Poses(tree), {b.joint.name for b in tree.links.model.tree if b.reversed}
    motions: list[tuple[Any, ...]] = [()] * tree.n_v
    for i, branch in enumerate(tree.branches):
        R, p = poses[i]
        for slot, axis in zip(branch.v, branch.S, strict=True):
            w, u = (Matrix(R).up(part) for part in vectors(tree, axis))
            u = add(u, cross(p, w))
            if branch.link.joint.name in backwards:
                w, u = neg(w), neg(u)
            motions[slot] = (*w, *u)
    return motions


def _between(tree: Tree, applied: AppliedForces, rows: Rows) -> tuple[list[tuple[str, str]], Any]:
    """The rows between coordinates, and their Jacobian."""
    model = tree.links.model
    facts = [fact for fact in model.constraints.values() if fact.joints or not fact.ends]
    if not facts:
        return [], []
    scene = LoopReactions(tree, applied).scene
    named = {
        f"{fact.name}.{row}": (fact.name, row)
        for fact in facts
        for row in (*scene.rows(fact), *scene.speed_rows(fact, applied.v))
    }
    names = [name for name in named if name in rows.names]
    timed = {} if rows.time is None else {"t": rows.time}
    inputs: dict[str, Any] = {"q": tree.q, "v": applied.v, **timed}
    # the rows are linear in the speeds, so J is the same at any speeds
    f = Function("slopes", inputs, {"J": linearized(tree, rows, names, applied.v).J})
    J = f(**{**inputs, "v": [tree.zero] * tree.n_v})
    for name, row in zip(names, J, strict=True):
        read = read_slots(model, model.constraints[named[name][0]])
        if read is not None:  # all else is in the wrench of the row
            row[[k for k in range(tree.n_v) if k not in read]] = tree.zero
    return [named[name] for name in names], J
