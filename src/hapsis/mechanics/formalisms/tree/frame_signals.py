"""The signals of frames and sensors as Functions of q and v; `signals.frame_signals` has their names."""

from hapsis.compiler.ir.functions.function import Function
from hapsis.errors import ModelError
from hapsis.mechanics.formalisms.kept_verbs import kept_verb
from hapsis.mechanics.formalisms.tree.cheapest import cheapest
from hapsis.mechanics.formalisms.tree.frame_quantities import quantity_at
from hapsis.mechanics.formalisms.tree.kinematics import moved, posed
from hapsis.mechanics.formalisms.tree.tree import Tree
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.signals.frame_signals import COMBINATION, frame_signal_of


@kept_verb
def frame_signal(model: Model, name: str) -> Function:
    """(q, v) -> value: the signal of a frame, a sensor or a generalized speed, some of which need t too."""
    signal = frame_signal_of(model, name)
    if signal is None:
        raise ModelError(f'there is no signal "{name[:60]}" of a frame or a sensor')

    if signal.quantity.kind == COMBINATION:
        from hapsis.mechanics.formalisms.kane.speed_basis import combination

        return combination(model, name)

    def emit(tree: Tree) -> Function:
        v, place = tree.symbols("v"), tree.placed(signal.on, signal.label)
        R, p = posed(tree, place)
        wx, wy, wz, ux, uy, uz = moved(tree, place, v, "world")
        value = quantity_at(signal.quantity, R, p, (wx, wy, wz), (ux, uy, uz))
        return Function("frame_signal", {"q": tree.q, "v": v}, {"value": value})

    return cheapest(model, emit)
