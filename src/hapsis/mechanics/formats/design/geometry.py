"""Components from files of geometry: one of a mesh, all labelled parts of a STEP file."""

from pathlib import Path
from typing import Any

import numpy as np

from hapsis.errors import ModelError, check_known
from hapsis.mechanics.formats.meshes.read_mesh import READERS, read_mesh
from hapsis.mechanics.model.design.component import Component

UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}  # m
MESH_ENDINGS = tuple(READERS)
STEP = (".step", ".stp")
ENDINGS = (*STEP, *MESH_ENDINGS)


def geometry_components(file: Path, density: float, unit: str | None) -> dict[str, Component]:
    """{label: Component} of a file; a mesh is one, with the name of its file."""
    if file.suffix.lower() in STEP:
        if unit is not None:
            raise ModelError("unit: a STEP file says its own", where=str(file), remedy="leave it out")
        from hapsis.mechanics.formats.design.step_reader import step_components

        return step_components(file, density)
    if unit is None:
        known = ", ".join(UNITS)
        raise ModelError("a mesh does not say its unit", where=str(file), remedy=f"give one of {known}")
    check_known(unit, UNITS, "there is no unit {}")
    name = file.stem.replace(".", "_")
    try:
        vertices, triangles = _joined(file, UNITS[unit])
        return {name: Component.mesh(name, vertices, triangles, density=density)}
    except ModelError as error:
        raise ModelError(error.what, where=str(file), expected=error.expected, remedy=error.remedy) from None


def _joined(file: Path, scale: float) -> tuple[Any, Any]:
    """The pieces of a mesh as one, m."""
    pieces = read_mesh(file)
    if not pieces:
        raise ModelError(f"mesh {file.name[:80]} has no triangles")
    starts = np.cumsum([0, *(len(piece.vertices) for piece in pieces[:-1])])
    triangles = [piece.triangles + start for piece, start in zip(pieces, starts, strict=True)]
    return np.concatenate([piece.vertices for piece in pieces]) * scale, np.concatenate(triangles)
