"""The wrench that a joint transmits: that of inverse dynamics before the projection onto the joint's axis.

Lumped masses would change it (they are on the wrong side of the joint), so nothing is lumped here, and a
weld whose reaction is computed stays a joint. The wrenches of joints that close loops and of constraints
between two ends follow from their multipliers; they act on their bodies as forces.
"""

from collections.abc import Mapping
from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.compiler.ir.graph.gc_pause import uncollected
from hapsis.errors import ModelError
from hapsis.mechanics.algebra.rotations import Matrix
from hapsis.mechanics.algebra.spatial import Wrench
from hapsis.mechanics.algebra.vectors import add, cross, neg, scaled, sub
from hapsis.mechanics.formalisms.constraints.loop_reactions import LoopReactions, spot
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.formalisms.dynamics.carriers import carriers, check_carries, welds_of
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import LinkMotion, link_wrenches, motions
from hapsis.mechanics.formalisms.forces.applied_forces import AppliedForces
from hapsis.mechanics.formalisms.forces.point_motion import points
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.links import WORLD, label, rotated
from hapsis.mechanics.formalisms.tree.posed_tree import unlumped_tree
from hapsis.mechanics.formalisms.tree.sweeps import joint_wrenches
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.structure.topology import TreeJoint
from hapsis.mechanics.model.values.axes import axis_vector

ENDS = ("first", "second", "world")  # the axes that a wrench may be given in, besides named frames


@verb
@kept_verb
def reaction(model: Model, joint: str, frame: Any = None) -> Function:
    """(q, v, a) -> wrench of the joint's first end on its second, including that of its actuator.

    Moment, then force, at the origin of the first end and in its axes. With loops or constraints it is
    (q, v, a, lam) -> wrench, for joints of the tree, joints that close loops and constraints between
    two ends; lam as `forward_dynamics` gives it. With drives of points also `efforts`, those of all drives.

    frame    other axes: "second", "world", or a frame by name; the origin is the same
    """
    check_carries(model, joint)
    if frame is not None and not (isinstance(frame, str) and frame in ENDS):
        model.frame(frame)
    with uncollected():
        loads = Loads(model, welds_of(model, [joint]))
        wrench = loads.told(joint, loads.across(joint), frame)
        return loads.function("reaction", {"wrench": (*wrench[0], *wrench[1])})


@verb
@kept_verb
def reactions(model: Model) -> Function:
    """The reactions of all joints and of all constraints between two ends, as outputs by name."""
    with uncollected():
        names = carriers(model)
        if not names:
            raise ModelError("the model has no joints, so there are no reactions")
        loads = Loads(model, welds_of(model, names))
        wrenches = {name: loads.across(name) for name in names}
        return loads.function("reactions", {name: (*n, *f) for name, (n, f) in wrenches.items()})


class Loads:
    """The wrenches that all joints of a model transmit in a motion with speeds v and accelerations a.

    kept    the welds of the tree that are treated as joints
    """

    def __init__(self, model: Model, kept: frozenset[str] = frozenset()) -> None:
        self.model, self.tree = model, unlumped_tree(model, kept)
        tree = self.tree
        self.v, self.a = tree.symbols("v"), tree.symbols("a")
        self.applied = AppliedForces(tree, self.v)
        self.branches = {branch.joint.name: branch for branch in model.tree}
        self.inputs: dict[str, Any] = {"q": tree.q, "v": self.v, "a": self.a}
        self.cut: dict[str, Wrench] = {}
        if model.cuts or model.constraints:
            names = constraint_names(model)
            lam = symbols("lam", len(names), graph=tree.graph)
            self.inputs["lam"] = lam
            self.cut = LoopReactions(tree, self.applied).push(dict(zip(names, lam, strict=True)))
        if led := points(model):
            efforts = symbols("efforts", len(model.drives), graph=tree.graph)
            self.inputs["efforts"] = efforts
            given = dict(zip(model.drives, efforts, strict=True))
            for drive in led:
                self._push_point(drive, given[drive.name])
        self.moves: list[LinkMotion] = motions(tree, self.v, self.a)
        self.wrenches = joint_wrenches(tree, self.applied.subtracted_from(link_wrenches(tree, self.moves)))

    def _push_point(self, drive: Drive, force: Any) -> None:
        """Applies the force of a drive of a point to the bodies of the point and of its frame."""
        point, frame = (spot(self.applied, drive, field) for field in ("point", "frame"))
        x, y, z = map(self.tree.links.constant, axis_vector(drive.along))
        push = scaled(force, Matrix(frame.R).up((x, y, z)))
        self.applied.push(point, push, self.tree.zero3)
        self.applied.push(frame, neg(push), neg(cross(sub(point.p, frame.p), push)))

    def across(self, name: str) -> Wrench:
        """The wrench of the first end on the second, at the first end's origin and in its axes."""
        if name in self.cut:
            return self.cut[name]
        return across(self.tree, self.branches[name], self.wrenches)

    def told(self, name: str, wrench: Wrench, frame: Any) -> Wrench:
        """A wrench in the axes of another frame."""
        if frame is None or frame == "first":
            return wrench
        fact = self.model.joints.get(name) or self.model.constraints[name]
        R = Matrix(spot(self.applied, fact, "first").R)
        n, f = R.up(wrench[0]), R.up(wrench[1])
        if frame == "world":
            return n, f
        if frame == "second":
            R = Matrix(spot(self.applied, fact, "second").R)
        else:
            R = Matrix(self.applied.spot(self.tree.placed(frame)).R)
        return R.down(n), R.down(f)

    def function(self, name: str, outputs: Mapping[str, Any]) -> Function:
        """A Function of the motion, and of the multipliers if there are any."""
        return self.applied.function(name, self.inputs, outputs)


def across(tree: Tree, branch: TreeJoint, wrenches: list[Wrench]) -> Wrench:
    """The wrench of the first end of a joint on its second."""
    if branch.reversed:
        # the tree goes from second to first: the opposite of the wrench on the first end's link
        n, f = wrenches[tree.links.places[branch.child].link]
        n, f, body, frame = neg(n), neg(f), branch.child, branch.child_frame
    else:
        first = _first_link(tree, branch)
        n, f = tree.branches[first].up(wrenches[first])
        body, frame = branch.parent, branch.parent_frame
    at, name = tree.links.places[body], label(branch.joint.first, f"{branch.joint.name}.first")
    R = Matrix(rotated(at.R, tree.links.turned(frame)))
    p = add(at.p, Matrix(at.R).up(tree.links.vector(name, frame.at)))
    return R.down(sub(n, cross(p, f))), R.down(f)


def _first_link(tree: Tree, branch: TreeJoint) -> int:
    """The link of the joint's first motion, counted from the root."""
    at = tree.links.places[branch.child].link
    above = tree.branches[at].parent
    while above != WORLD and tree.links[above].joint is branch.joint:
        at, above = above, tree.branches[above].parent
    return at
