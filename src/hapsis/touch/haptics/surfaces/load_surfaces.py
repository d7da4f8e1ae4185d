"""The verb `load_surfaces`: the parts of a STEP file as bodies of NURBS faces."""

import os
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, near
from hapsis.mechanics.formats.design import step_faces
from hapsis.mechanics.formats.design.geometry import STEP
from hapsis.mechanics.formats.design.step_reader import step_parts
from hapsis.mechanics.formats.file_text import path_of
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.haptics.surfaces.nurbs_body import NurbsBody
from hapsis.touch.haptics.surfaces.nurbs_memory import MOST_DEGREE
from hapsis.touch.haptics.surfaces.nurbs_surface import NurbsSurface

MILLI = 1e-3
TOLERANCE = 1e-5  # m
SMALL = 0.01  # of the size of a part: edges further apart are two
FINEST, COARSEST = 1e-8, 1.0  # m


@verb
def load_surfaces(
    path: str | os.PathLike[str], *, part: str | None = None, tolerance: float = TOLERANCE
) -> dict[str, NurbsBody]:
    """{label: NurbsBody} of the parts of a STEP file, in the coordinates of the file, m.

        part       the label of the only one that is wanted
        tolerance  m by which trimming polylines may be away from the edges for which they stand

    The surfaces are exact: planes, cylinders, tori and so on as rational B-splines. It needs build123d, the
    extra `cad`.
    """
    file = path_of(path)
    if file.suffix.lower() not in STEP:
        raise ModelError(f'"{file.name[:60]}" is no STEP file', expected=", ".join(STEP))
    away = real(tolerance, "tolerance")
    if not FINEST <= away <= COARSEST:
        raise ModelError(f"tolerance is {away:g} m", expected=f"{FINEST:g} to {COARSEST:g}")
    parts = step_parts(file, step_faces, repr(away / MILLI))
    if part is not None:
        if part not in parts:
            raise ModelError(
                f'there is no part "{part[:60]}"{near(part, parts)}',
                where=str(file),
                expected=", ".join(parts),
            )
        parts = {part: parts[part]}
    return {name: _body(file, name, facts, away) for name, facts in parts.items()}


def _body(file: Path, name: str, facts: dict[str, Any], tolerance: float) -> NurbsBody:
    """The body of a part; an error names the file and the part."""
    try:
        if not facts["faces"]:
            raise ModelError("it has no faces")
        faces = [_face(f"{name[:40]} {k + 1}", face) for k, face in enumerate(facts["faces"])]
        corners = np.concatenate([face.points.reshape(-1, 3) for face in faces])
        small = SMALL * float(np.ptp(corners, axis=0).max())  # of a part smaller than the tolerance
        return NurbsBody(*faces, gap=min(2.0 * tolerance, small))
    except ModelError as error:
        raise ModelError(f'part "{name[:60]}": {error}', where=str(file)) from None


def _face(name: str, face: dict[str, Any]) -> NurbsSurface:
    """A face; without trims where its only loop is that of the whole surface."""
    degrees = tuple(int(degree) for degree in face["degrees"])
    if max(degrees) > MOST_DEGREE:
        raise ModelError(f"{name} has degree {max(degrees)}", expected=f"at most {MOST_DEGREE}")
    points = MILLI * np.array(face["points"], float)
    surface = NurbsSurface(points, degrees, tuple(face["knots"]), np.array(face["weights"]), name=name)
    loops = [np.array(loop) for loop in face["loops"]]
    if len(loops) == 1 and _whole(loops[0], surface.domain):
        return surface
    return NurbsSurface(points, degrees, surface.knots, surface.weights, loops, name)


def _whole(loop: Any, domain: Any) -> bool:
    """Whether a loop goes around the domain: all its corners are corners of it."""
    return len(loop) == 4 and all(
        ((corner == domain[:, 0]) | (corner == domain[:, 1])).all() for corner in loop
    )
