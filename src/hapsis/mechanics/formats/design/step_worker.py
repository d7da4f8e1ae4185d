"""The process that reads a STEP file with build123d (OpenCASCADE), and writes its parts as JSON.

    python -P step_worker.py FILE OUT

A process of its own, because OpenCASCADE ends the process on some broken files. It knows nothing of Hapsis.
All lengths are in millimetres, into which OpenCASCADE converts whatever unit the file has; volumes are for
density 1, inertias (mm⁵) about the centre of mass.
"""

import json
import sys
from typing import Any

FINE = 1e-3  # of the size of a part: how far its triangles may be from its surface
TURN = 0.3  # rad between two triangles of a round surface


def part(leaf: Any) -> dict[str, Any]:
    """What is known of one part."""
    from OCP.BRepGProp import BRepGProp  # pyright: ignore
    from OCP.GProp import GProp_GProps  # pyright: ignore

    props = GProp_GProps()
    BRepGProp.VolumeProperties_s(leaf.wrapped, props)
    size = max(leaf.bounding_box().size)
    points, triangles = leaf.tessellate(max(FINE * size, 1e-6), TURN)
    centre, matrix = props.CentreOfMass(), props.MatrixOfInertia()
    pairs = ((1, 1), (2, 2), (3, 3), (1, 2), (1, 3), (2, 3))
    return {
        "label": str(leaf.label),
        "size": size,
        "volume": props.Mass(),
        "centre": [centre.X(), centre.Y(), centre.Z()],
        "inertia": [matrix.Value(i, j) for i, j in pairs],
        "points": [[p.X, p.Y, p.Z] for p in points],
        "triangles": [list(map(int, t)) for t in triangles],
        "cylinders": [c for face in leaf.faces() if (c := cylinder(face)) is not None],
    }


def cylinder(face: Any) -> dict[str, Any] | None:
    """A cylindrical face: a point and the direction of its axis, its radius, and what of it there is."""
    from OCP.BRepAdaptor import BRepAdaptor_Surface  # pyright: ignore

    surface = BRepAdaptor_Surface(face.wrapped)
    if surface.GetType().name != "GeomAbs_Cylinder":
        return None
    axis = surface.Cylinder().Axis()
    place, direction = axis.Location(), axis.Direction()
    return {
        "point": [place.X(), place.Y(), place.Z()],
        "axis": [direction.X(), direction.Y(), direction.Z()],
        "radius": surface.Cylinder().Radius(),
        "hole": bool(face.is_circular_concave),
        "turn": surface.LastUParameter() - surface.FirstUParameter(),
        "ends": [surface.FirstVParameter(), surface.LastVParameter()],
    }


def _moved(leaf: Any) -> Any:
    """A part in the coordinates of the file."""
    moved = leaf.moved(leaf.parent.global_location)
    moved.label = leaf.label
    return moved


def main(file: str, out: str) -> None:
    """Reads a file and writes what it holds."""
    from build123d import import_step  # pyright: ignore

    leaves = [leaf for leaf in import_step(file).leaves if leaf.wrapped is not None]
    # a part of an assembly is placed in its parent only
    leaves = [leaf if leaf.parent is None else _moved(leaf) for leaf in leaves]
    with open(out, "w", encoding="utf-8") as stream:
        json.dump([part(leaf) for leaf in leaves], stream)


if __name__ == "__main__":
    main(*sys.argv[1:])
