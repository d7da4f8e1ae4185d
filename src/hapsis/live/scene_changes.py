"""What the sliders of a page change in its scene: lengths of links, places of pins."""

from collections.abc import Iterable
from typing import Any

from hapsis.errors import Error
from hapsis.mechanics.drawing.changes import STEP, slopes
from hapsis.mechanics.drawing.drawing import drawing
from hapsis.mechanics.model.model import Model
from hapsis.motion.analysis.assembly.assemble import assemble


def scene_changes(model: Model, names: Iterable[str], q: Any, table: dict[str, Any]) -> list[dict[str, Any]]:
    """For each of these parameters of a model that moves something: its value, and slopes of the drawing.

    The model is assembled and drawn again with a value that is a little larger; a parameter for which this
    is not possible, or gives a drawing of another form, moves nothing.
    """
    changes: list[dict[str, Any]] = []
    if table["meshes"]:
        return changes  # their models have no parameters that move joints
    for name in names:
        if name not in model.parameters:
            continue
        value = float(model.parameters[name])
        step = STEP * abs(value) or STEP
        try:
            other = model.replace(parameters={**model.parameters, name: value + step})
            items = slopes(table, drawing(other, _closed(other, q)), step)
        except Error:
            continue
        if items:
            changes.append({"parameter": name, "value": value, "items": items})
    return changes


def _closed(model: Model, q: Any) -> Any:
    """The coordinates next to q that close the loops, so that they stay closed in the same way."""
    near = {name: float(x) for name, x in zip(model.coordinates, q, strict=True)}
    return assemble(model, {name: x for name, x in near.items() if name in model.independent}, near=near).q
