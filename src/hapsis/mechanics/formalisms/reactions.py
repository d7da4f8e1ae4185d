"""The wrench a joint carries: inverse dynamics stopped before it takes the component along an axis.

Lumped masses would change it (they sit on the wrong side of the joint), so nothing is lumped here,
and a weld that is asked for stays a joint.
"""

from hapsis.compiler.ir.function import Function
from hapsis.compiler.ir.garbage import uncollected
from hapsis.errors import ModelError, near
from hapsis.mechanics.algebra.rotations import Matrix, up
from hapsis.mechanics.algebra.vectors import add, cross, neg, sub
from hapsis.mechanics.formalisms.acting import Acting
from hapsis.mechanics.formalisms.choice import unlumped_tree
from hapsis.mechanics.formalisms.inverse_dynamics import forces, motions
from hapsis.mechanics.formalisms.links import WORLD, check_open, label, rotated
from hapsis.mechanics.formalisms.sweeps import Wrench, carried
from hapsis.mechanics.formalisms.tree import Tree
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.topology import TreeJoint


def reaction(model: Model, joint: str) -> Function:
    """(q, v, a) -> wrench of the joint's first end on its second, actuator included.

    Moment, then force, at the origin of the first end and in its axes.
    """
    check_open(model)
    branch = branch_of(model, joint)
    with uncollected():
        tree = unlumped_tree(model, frozenset([joint]) if not branch.joint.steps else frozenset())
        v, a = tree.symbols("v"), tree.symbols("a")
        acting = Acting(tree, v)
        wrenches = carried(tree, acting.needed(forces(tree, motions(tree, v, a))))
        n, f = across(tree, branch, wrenches)
        inputs = {"q": tree.q, "v": v, "a": a}
        return acting.function("reaction", inputs, {"wrench": (*n, *f)})


def branch_of(model: Model, joint: str) -> TreeJoint:
    """The joint of that name in the tree, or what is wrong with the name."""
    for branch in model.tree:
        if branch.joint.name == joint:
            return branch
    names = [branch.joint.name for branch in model.tree]
    name = str(joint)
    raise ModelError(f'there is no joint "{name[:60]}" in the tree{near(name, names)}')


def across(tree: Tree, branch: TreeJoint, wrenches: list[Wrench]) -> Wrench:
    """What the first end of a joint does to its second."""
    if branch.reversed:
        # the tree goes from second to first: turn round what the first end's own link feels
        n, f = wrenches[tree.chain.places[branch.child].link]
        n, f, body, frame = neg(n), neg(f), branch.child, branch.child_frame
    else:
        link = tree.branches[_first_link(tree, branch)]
        n, f = wrenches[_first_link(tree, branch)]
        f = up(link.rotation, f)
        n, body, frame = (
            add(up(link.rotation, n), cross(link.p, f)),
            branch.parent,
            branch.parent_frame,
        )
    at, name = tree.chain.places[body], label(branch.joint.first, f"{branch.joint.name}.first")
    R = Matrix(rotated(at.R, tree.chain.turned(frame)))
    p = add(at.p, Matrix(at.R).up(tree.chain.vector(name, frame.at)))
    return R.down(sub(n, cross(p, f))), R.down(f)


def _first_link(tree: Tree, branch: TreeJoint) -> int:
    """The link of the joint's first motion, seen from the root."""
    at = tree.chain.places[branch.child].link
    above = tree.branches[at].parent
    while above != WORLD and tree.chain.links[above].joint is branch.joint:
        at, above = above, tree.branches[above].parent
    return at
