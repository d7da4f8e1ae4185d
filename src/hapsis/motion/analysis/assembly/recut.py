"""The verb `recut`: the same mechanism, its loops cut where that costs least.

Trees are first compared by the size of their equations (see `spanning_trees`); the best of them and its
neighbours are then built, and the one is taken whose dynamics need the fewest operations, of those
whose J_v is not much worse conditioned than that of the others.
"""

from typing import NamedTuple

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import Error
from hapsis.mechanics.formalisms.deferred_verbs import partitioned_dynamics
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.model import Model
from hapsis.motion.analysis.assembly.assemble import assembled
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.pose_transfer import Carried
from hapsis.motion.analysis.assembly.reduce import partition_of
from hapsis.motion.analysis.assembly.spanning_trees import Bodies, Tree
from hapsis.motion.solvers.linear.full_pivot_lu import pivots

BUILT = 4  # neighbours of the best tree that are built and counted
MORE = 1.3  # entries of J and M, over those of the best tree: others are not built
WORSE = 0.1  # of the best weakest pivot: a tree with less is badly conditioned
SETTINGS = ("gravity", "parameters", "independent", "physical", "notes")


class Candidate(NamedTuple):
    """A model with its cuts, and how good they are."""

    model: Model
    operations: int
    weakest: float  # pivot of J_v over the largest, in the assembled pose


@verb
def recut(model: Model) -> Model:
    """The same mechanism with its joints in an order that cuts the loops better.

    Joints that may not change places stay: independent and driven ones, those that a force or a
    sensor names, those with damping, friction or limits. Poses are assembled and
    expressed in the new coordinates. Where no other cuts are better the model itself comes back.
    """
    if not model.cuts:
        return model
    bodies = Bodies(model)
    trees = [tree for tree in _promising(bodies) if tree != bodies.start()]
    if not trees:
        return model
    poses = Carried(model)
    others = (_other(model, tree, poses) for tree in trees)
    candidates = [_candidate(model), *(candidate for candidate in others if candidate is not None)]
    limit = WORSE * max(candidate.weakest for candidate in candidates)
    sound = [candidate for candidate in candidates if candidate.weakest >= limit]
    return min(sound, key=lambda candidate: candidate.operations).model


def _promising(bodies: Bodies) -> list[Tree]:
    """The best tree, and those of its neighbours whose equations are hardly larger."""
    best = bodies.best()
    score = bodies.score(best)
    others = sorted((bodies.score(tree), sorted(tree)) for tree in bodies.exchanges(best))
    return [
        best,
        *(
            frozenset(tree)
            for rival, tree in others[:BUILT]
            if rival.coordinates == score.coordinates and rival.entries <= MORE * score.entries
        ),
    ]


def _candidate(model: Model) -> Candidate:
    """A model and how good its cuts are."""
    loops = Loops(model)
    q = assembled(loops, None).q
    function = partitioned_dynamics(model, partition_of(loops, q))
    locked = [*loops.held, *(loops.slots[name] for name in model.independent if name in loops.slots)]
    return Candidate(model, function.cost().flops, pivots(loops.relative_jacobian(q), locked).smallest)


def _other(model: Model, tree: Tree, poses: Carried) -> Candidate | None:
    """The model with another tree; None where a function of the user's needs what is cut now."""
    joints = [fact for fact in model.facts if isinstance(fact, Joint)]
    order = iter(sorted(joints, key=lambda joint: joint.name not in tree))
    facts = [next(order) if isinstance(fact, Joint) else fact for fact in model.facts]
    settings = {name: getattr(model, name) for name in SETTINGS}
    try:
        return _candidate(poses.onto(Model(*facts, poses={}, **settings)))
    except Error:
        return None
