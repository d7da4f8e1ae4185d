"""The positions and speeds that drives impose, as one Function: known from an earlier process, or written."""

from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.mechanics.formalisms.kept_verbs import kept_function
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.store.kept import kept_data


def imposed_motion(model: Model) -> tuple[Function | None, set[str], tuple[str, ...]]:
    """(u, t) -> NAME.position and NAME.velocity of all drives that impose them, None without any;
    the names of those that are locks; and the names of u. Drives with tracking are left out: they
    start at the value of their coordinate."""
    still, held = kept_data(model, "imposed motion", lambda: _imposed_motion(model)[1:])
    return kept_function(model, "imposed motion", lambda: _imposed_motion(model)[0]), set(still), tuple(held)


def _imposed_motion(model: Model) -> tuple[Function | None, list[str], list[str]]:
    from hapsis.mechanics.formalisms.forces.drive_motion import driven_motion
    from hapsis.mechanics.formalisms.tree.optional_inputs import OptionalInputs
    from hapsis.mechanics.formalisms.tree.posed_tree import posed_tree

    optional = OptionalInputs(posed_tree(model))
    outputs: dict[str, Any] = {}
    still: set[str] = set()
    for drive in model.drives.values():
        if drive.tracking is not None:
            continue
        motion = driven_motion(optional, drive)
        for level in ("position", "velocity"):
            if getattr(motion, level) is not None:
                outputs[f"{drive.name}.{level}"] = getattr(motion, level)
        if motion.still:
            still.add(drive.name)
    function = optional.function("drives", {}, outputs) if outputs else None
    return function, sorted(still), list(optional.held)
