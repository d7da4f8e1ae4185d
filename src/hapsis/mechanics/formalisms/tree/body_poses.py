"""The poses of all bodies in one Function, for drawing."""

from hapsis.compiler.ir.functions.function import Function
from hapsis.mechanics.algebra.rotations import Matrix, product
from hapsis.mechanics.algebra.vectors import add
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.links import WORLD
from hapsis.mechanics.formalisms.tree.sweeps import Poses
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.model import Model


@kept_verb
def body_poses(model: Model) -> Function:
    """(q) -> p, R: the origins and axes of all bodies in the world, in the model's order."""

    def emit(tree: Tree) -> Function:
        poses, origins, axes = Poses(tree), [], []
        for name in model.bodies:
            place = tree.placed(name)
            R, p = poses[place.link]
            turned = product(R, place.R) if place.link != WORLD else place.R
            origins.append(add(p, Matrix(R).up(place.p)))
            axes.append([[tree.links.constant(x) for x in row] for row in turned])
        return Function("placements", {"q": tree.q}, {"p": origins, "R": axes})

    return cheapest(model, emit)
