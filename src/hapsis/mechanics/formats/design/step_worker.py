"""The process that reads a STEP file with build123d (OpenCASCADE), and writes its parts as JSON.

    python -P step_worker.py FILE OUT

A process of its own, because OpenCASCADE ends the process on some broken files. It knows nothing of Hapsis.
All lengths are in millimetres, into which OpenCASCADE converts whatever unit the file has; volumes are for
density 1, inertias (mm⁵) about the centre of mass.
"""

import itertools
import json
import math
import sys
from typing import Any

FINE = 1e-3  # of the size of a part: how far its triangles may be from its surface
TURN = 0.3  # rad between two triangles of a round surface
ROUND = 1e-3  # mm that a B-spline may be away from the cylinder or the plane for which it stands
SAMPLES = 17  # along each side of a face, from which its extent around a cylinder is known
FINER = (1.0, 0.1, 0.01)  # of `FINE` and `TURN`: tried where a face cannot be divided into triangles
UNNAMED = ("", "SOLID", "COMPOUND", "SHELL", "COMPSOLID")  # labels that OpenCASCADE gives
PARALLEL = 1e-4  # sine of the angle between the normal of a flat face and the axis of a cylinder


def part(leaf: Any) -> dict[str, Any]:
    """What is known of one part."""
    from OCP.BRepCheck import BRepCheck_Analyzer  # pyright: ignore
    from OCP.BRepGProp import BRepGProp  # pyright: ignore
    from OCP.GProp import GProp_GProps  # pyright: ignore

    props = GProp_GProps()
    closed, wrong = _closed(leaf)
    for shape in closed:
        each = GProp_GProps()
        BRepGProp.VolumeProperties_s(shape.wrapped, each)
        props.Add(each)
    size = max(leaf.bounding_box().size)
    points, triangles = _triangles(leaf, size, FINER)
    centre, matrix = props.CentreOfMass(), props.MatrixOfInertia()
    pairs = ((1, 1), (2, 2), (3, 3), (1, 2), (1, 3), (2, 3))
    forms = [form for face in leaf.faces() if (form := _form(face)) is not None]
    cylinders = [cylinder for form, cylinder in forms if form == "cylinder"]
    color = getattr(leaf, "color", None)
    return {
        "label": str(leaf.label),
        "size": size,
        "color": None if color is None else [float(x) for x in tuple(color)[:3]],
        "volume": props.Mass(),
        "wrong": wrong,
        "drawn": props.Mass() if BRepCheck_Analyzer(leaf.wrapped).IsValid() else _drawn_volume(leaf, size),
        "centre": [centre.X(), centre.Y(), centre.Z()],
        "inertia": [matrix.Value(i, j) for i, j in pairs],
        "points": [[p.X, p.Y, p.Z] for p in points],
        "triangles": [list(map(int, t)) for t in triangles],
        "cylinders": cylinders,
        "flats": [flat for form, flat in forms if form == "flat" and _across(flat, cylinders)],
    }


def _closed(leaf: Any) -> tuple[list[Any], str]:
    """Solids and closed shells of a part, and what is wrong with it; other faces weigh nothing."""
    from OCP.BRepCheck import BRepCheck_Shell, BRepCheck_Status  # pyright: ignore

    fine, solids = BRepCheck_Status.BRepCheck_NoError, leaf.solids()
    for shell in (shell for solid in solids for shell in solid.shells()):
        check = BRepCheck_Shell(shell.wrapped)
        if check.Closed() != fine:
            return [], "is open: faces of it are missing"
        if check.Orientation() != fine:
            return [], "has faces that look inwards and others that look outwards"
    if solids:
        return solids, ""
    checks = [(shell, BRepCheck_Shell(shell.wrapped)) for shell in leaf.shells()]
    shells = [shell for shell, check in checks if check.Closed() == check.Orientation() == fine]
    return shells, "is open: faces of it are missing" if 0 < len(shells) < len(checks) else ""


def _triangles(leaf: Any, size: float, finer: tuple[float, ...]) -> tuple[Any, Any]:
    """Vertices and triangles of a part, as fine as the first of these numbers with which they are found."""
    for part in finer:
        try:
            return leaf.tessellate(max(part * FINE * size, 1e-6), part * TURN)
        except AttributeError:  # of a face without triangles
            continue
    raise SystemExit(f"a face of {str(leaf.label)!r} cannot be divided into triangles")


def _drawn_volume(leaf: Any, size: float) -> float:
    """mm³ that fine triangles of a part enclose: Σ a · (b × c) / 6, from its first point."""
    points, triangles = _triangles(leaf, size, FINER[1:])
    p = [(x.X, x.Y, x.Z) for x in points]
    corners = [[_less(p[k], p[0]) for k in triangle] for triangle in triangles]
    return math.fsum(_dot(a, _cross(b, c)) for a, b, c in corners) / 6.0


def _form(face: Any) -> tuple[str, dict[str, Any]] | None:
    """("cylinder" or "flat", what is known of it) of a face; None for others.

    Many programs write B-splines for cylinders and planes; those are recognised.
    """
    from OCP.BRepAdaptor import BRepAdaptor_Surface  # pyright: ignore
    from OCP.gp import gp_Cylinder, gp_Pln  # pyright: ignore
    from OCP.ShapeAnalysis import ShapeAnalysis_CanonicalRecognition  # pyright: ignore

    surface = BRepAdaptor_Surface(face.wrapped)
    kind = surface.GetType().name
    if kind == "GeomAbs_Cylinder":
        return "cylinder", _cylinder(face, surface, surface.Cylinder())
    if kind == "GeomAbs_Plane":
        return "flat", _flat(face, surface)
    if kind in ("GeomAbs_Cone", "GeomAbs_Sphere", "GeomAbs_Torus"):
        return None
    known, cylinder = ShapeAnalysis_CanonicalRecognition(face.wrapped), gp_Cylinder()
    if known.IsPlane(ROUND, gp_Pln()):
        return "flat", _flat(face, surface)
    return ("cylinder", _cylinder(face, surface, cylinder)) if known.IsCylinder(ROUND, cylinder) else None


def _cylinder(face: Any, surface: Any, cylinder: Any) -> dict[str, Any]:
    """A point and the direction of the axis of a cylindrical face, its radius, and what of it there is."""
    place, direction = cylinder.Axis().Location(), cylinder.Axis().Direction()
    point, axis = (place.X(), place.Y(), place.Z()), (direction.X(), direction.Y(), direction.Z())
    rows = _samples(surface)
    heights = [_dot(axis, _less(p, point)) for row in rows for p in row]
    p, normal = _outward(face, surface)
    radial = _less(_less(p, point), [_dot(axis, _less(p, point)) * a for a in axis])
    columns = [list(column) for column in zip(*rows, strict=True)]
    return {
        "point": list(point),
        "axis": list(axis),
        "radius": cylinder.Radius(),
        "hole": _dot(normal, radial) < 0.0,
        "turn": max(_turn(line, point, axis) for line in rows + columns),
        "ends": [min(heights), max(heights)],
    }


def _flat(face: Any, surface: Any) -> dict[str, Any]:
    """A point and the outward normal of a flat face, and points of its edges."""
    p, normal = _outward(face, surface)
    rim = [edge.position_at(t) for edge in face.edges() for t in (0.0, 0.25, 0.5, 0.75)]
    return {"point": p, "normal": normal, "rim": [[q.X, q.Y, q.Z] for q in rim]}


def _across(flat: dict[str, Any], cylinders: list[dict[str, Any]]) -> bool:
    """Whether a flat face is across the axis of some cylinder."""
    return any(math.hypot(*_cross(flat["normal"], each["axis"])) < PARALLEL for each in cylinders)


def _samples(surface: Any) -> list[list[list[float]]]:
    """Points of a face, in rows along u."""
    u0, u1 = surface.FirstUParameter(), surface.LastUParameter()
    v0, v1 = surface.FirstVParameter(), surface.LastVParameter()
    parts = [k / (SAMPLES - 1) for k in range(SAMPLES)]
    us, vs = [u0 + (u1 - u0) * t for t in parts], [v0 + (v1 - v0) * t for t in parts]
    points = [[surface.Value(u, v) for u in us] for v in vs]
    return [[[p.X(), p.Y(), p.Z()] for p in row] for row in points]


def _turn(line: list[list[float]], point: Any, axis: Any) -> float:
    """The angle about an axis that a line of points turns by."""
    units = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    x = _cross(axis, min(units, key=lambda e: abs(_dot(e, axis))))
    y = _cross(axis, x)
    total, lines = 0.0, [_less(p, point) for p in line]
    angles = [math.atan2(_dot(y, p), _dot(x, p)) for p in lines]
    for a, b in itertools.pairwise(angles):
        total += math.remainder(b - a, 2 * math.pi)
    return abs(total)


def _outward(face: Any, surface: Any) -> tuple[list[float], list[float]]:
    """A point in the middle of a face's parameters, and its normal out of the part."""
    from OCP.gp import gp_Pnt, gp_Vec  # pyright: ignore
    from OCP.TopAbs import TopAbs_Orientation  # pyright: ignore

    p, du, dv = gp_Pnt(), gp_Vec(), gp_Vec()
    u = 0.5 * (surface.FirstUParameter() + surface.LastUParameter())
    v = 0.5 * (surface.FirstVParameter() + surface.LastVParameter())
    surface.D1(u, v, p, du, dv)
    n = _cross((du.X(), du.Y(), du.Z()), (dv.X(), dv.Y(), dv.Z()))
    if face.wrapped.Orientation() == TopAbs_Orientation.TopAbs_REVERSED:
        n = [-x for x in n]
    length = math.hypot(*n) or 1.0
    return [p.X(), p.Y(), p.Z()], [x / length for x in n]


def _dot(a: Any, b: Any) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _less(a: Any, b: Any) -> list[float]:
    return [a[0] - b[0], a[1] - b[1], a[2] - b[2]]


def _cross(a: Any, b: Any) -> list[float]:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def _placed(leaf: Any) -> Any:
    """A part in the coordinates of the file."""
    # a part of an assembly is placed in its parent only
    placed = leaf if leaf.parent is None else leaf.moved(leaf.parent.global_location)
    placed.label, placed.color = _named(leaf).label, leaf.color
    return placed


def _named(leaf: Any) -> Any:
    """A part, or the assembly that names it where it has no name of its own."""
    while leaf.parent is not None and str(leaf.label) in UNNAMED:
        leaf = leaf.parent
    return leaf


def leaves(file: str) -> tuple[list[Any], list[str]]:
    """The parts of a file, placed; and the names of those that have no face."""
    from build123d import import_step  # pyright: ignore

    parts = [leaf for leaf in import_step(file).leaves if leaf.wrapped is not None]
    held = [leaf for leaf in parts if leaf.faces()]
    # some programs put a part's solid beside nodes that hold nothing
    empty = {str(_named(leaf).label): None for leaf in parts if not _named(leaf).faces()}
    return [_placed(leaf) for leaf in held], list(empty)


def write(file: str, out: str, say: Any) -> None:
    """Writes what is to be said of each part, and the names of those without faces."""
    parts, empty = leaves(file)
    with open(out, "w", encoding="utf-8") as stream:
        json.dump({"parts": [say(leaf) for leaf in parts], "empty": empty}, stream)


def main(file: str, out: str) -> None:
    """Reads a file and writes what it holds."""
    write(file, out, part)


if __name__ == "__main__":
    main(*sys.argv[1:])
