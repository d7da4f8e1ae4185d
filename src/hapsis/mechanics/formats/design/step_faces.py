"""The process that reads the faces of a STEP file as NURBS with trimming polylines, and writes them as JSON.

    python -P step_faces.py FILE OUT TOLERANCE

Like `step_worker`, which it uses: a process of its own, lengths in mm. Edges become polylines of the
parameter plane, nowhere further than TOLERANCE from them; both faces at an edge get the same corners.
"""

import itertools
import math
import sys
from typing import Any

MOST_HALVINGS = 12
START = 4  # pieces of each edge
STRAIGHT = 1e-10  # of the domain, beside the line through its neighbours: no corner
INSIDE = 1e-9  # of the domain: corners so near to its side are on it


def faces(leaf: Any, tolerance: float) -> list[dict[str, Any]]:
    """The faces of a part."""
    from build123d import Shape  # pyright: ignore
    from OCP.BRepBuilderAPI import BRepBuilderAPI_NurbsConvert  # pyright: ignore

    shape = Shape.cast(BRepBuilderAPI_NurbsConvert(leaf.wrapped, True).Shape())
    cuts = _cuts(shape, tolerance)
    return [_face(face, cuts, tolerance) for face in shape.faces()]


def _cuts(shape: Any, tolerance: float) -> dict[int, tuple[Any, list[float]]]:
    """{number of an edge: (edge, parameters at its corners)}, fine enough for all faces at it."""
    cuts: dict[int, tuple[Any, list[float]]] = {}
    for face in shape.faces():
        surface = _surface(face)
        for edge in _edges(face):
            curve, first, last = _on_face(edge, face)
            begin = [first + (last - first) * k / START for k in range(START + 1)]
            known = cuts.get(hash(edge), (edge, begin))[1]
            cuts[hash(edge)] = edge, _refined(curve, surface, known, tolerance)
    return cuts


def _refined(curve: Any, surface: Any, ts: list[float], tolerance: float) -> list[float]:
    """The parameters with others between them, until chords of the plane are near the curve in space."""
    for _ in range(MOST_HALVINGS):
        finer = [ts[0]]
        for a, b in itertools.pairwise(ts):
            if _deviation(curve, surface, a, b) > tolerance:
                finer.append(0.5 * (a + b))
            finer.append(b)
        if len(finer) == len(ts):
            break
        ts = finer
    return ts


def _deviation(curve: Any, surface: Any, a: float, b: float) -> float:
    """How far the curve is in space from the chord of the plane, at three of its points."""
    p, q, worst = curve.Value(a), curve.Value(b), 0.0
    du, dv = q.X() - p.X(), q.Y() - p.Y()
    square = du * du + dv * dv
    for w in (0.25, 0.5, 0.75):
        at = curve.Value(a + w * (b - a))
        along = ((at.X() - p.X()) * du + (at.Y() - p.Y()) * dv) / square if square > 0.0 else 0.0
        along = min(1.0, max(0.0, along))
        foot = surface.Value(p.X() + along * du, p.Y() + along * dv)
        worst = max(worst, foot.Distance(surface.Value(at.X(), at.Y())))
    return worst


def _face(face: Any, cuts: dict[int, tuple[Any, list[float]]], tolerance: float) -> dict[str, Any]:
    """The surface of a face and its loops, with the normal Su x Sv out of the part."""
    from OCP.TopAbs import TopAbs_Orientation  # pyright: ignore

    surface = _surface(face)
    surface.SetUNotPeriodic()
    surface.SetVNotPeriodic()
    rows, columns = surface.NbUPoles(), surface.NbVPoles()
    poles = [[surface.Pole(i, j) for j in range(1, columns + 1)] for i in range(1, rows + 1)]
    weights = [[surface.Weight(i, j) for j in range(1, columns + 1)] for i in range(1, rows + 1)]
    sequences = surface.UKnotSequence(), surface.VKnotSequence()
    knots = [[sequence.Value(k) for k in range(1, sequence.Length() + 1)] for sequence in sequences]
    degrees = [surface.UDegree(), surface.VDegree()]
    low = [knots[k][degrees[k]] for k in range(2)]
    high = [knots[k][-1 - degrees[k]] for k in range(2)]

    def put(u: float, v: float) -> list[float]:
        return _put(surface, [u, v], low, high, tolerance)

    loops = [
        _loop(wire, face, cuts, put, [b - a for a, b in zip(low, high, strict=True)]) for wire in face.wires()
    ]
    points = [[[p.X(), p.Y(), p.Z()] for p in row] for row in poles]
    if face.wrapped.Orientation() == TopAbs_Orientation.TopAbs_REVERSED:  # u and v change places
        points = [list(row) for row in zip(*points, strict=True)]
        weights = [list(row) for row in zip(*weights, strict=True)]
        knots, degrees = knots[::-1], degrees[::-1]
        loops = [[[v, u] for u, v in loop] for loop in loops]
    return {"points": points, "weights": weights, "knots": knots, "degrees": degrees, "loops": loops}


def _loop(wire: Any, face: Any, cuts: Any, put: Any, sizes: list[float]) -> list[list[float]]:
    """The corners of a wire in the parameter plane, in order."""
    from OCP.BRepTools import BRepTools_WireExplorer  # pyright: ignore
    from OCP.TopAbs import TopAbs_Orientation  # pyright: ignore

    loop: list[list[float]] = []
    walk = BRepTools_WireExplorer(wire.wrapped, face.wrapped)
    while walk.More():
        edge = walk.Current()
        curve, _, _ = _on_face(edge, face)
        ts = cuts[hash(edge)][1]
        if edge.Orientation() == TopAbs_Orientation.TopAbs_REVERSED:
            ts = ts[::-1]
        for t in ts[:-1]:
            p = curve.Value(t)
            corner = put(p.X(), p.Y())
            if not loop or corner != loop[-1]:
                loop.append(corner)
        walk.Next()
    return _plain(loop, sizes)


def _plain(loop: list[list[float]], sizes: list[float]) -> list[list[float]]:
    """A loop without the corners at which it goes straight on."""
    corners: list[list[float]] = []
    for k, (u, v) in enumerate(loop):
        before, after = corners[-1] if corners else loop[-1], loop[(k + 1) % len(loop)]
        a, b = ((u - before[0]) / sizes[0], (v - before[1]) / sizes[1])
        c, d = ((after[0] - u) / sizes[0], (after[1] - v) / sizes[1])
        if abs(a * d - b * c) > STRAIGHT * math.hypot(a, b) or a * c + b * d < 0.0:
            corners.append([u, v])
    return corners


def _put(
    surface: Any, corner: list[float], low: list[float], high: list[float], tolerance: float
) -> list[float]:
    """A corner; on the side of the domain where it is beside it but for rounding, or nearly so in space, as
    some curves are at poles."""
    inside = []
    for x, a, b in zip(corner, low, high, strict=True):
        near = INSIDE * (b - a)
        inside.append(a if x <= a + near else b if x >= b - near else x)
    if inside == corner:
        return corner
    away = surface.Value(*inside).Distance(surface.Value(*corner))
    return inside if away <= tolerance else corner


def _surface(face: Any) -> Any:
    """The B-spline surface of a face, in the coordinates of the file."""
    from OCP.BRep import BRep_Tool  # pyright: ignore
    from OCP.Geom import Geom_BSplineSurface  # pyright: ignore
    from OCP.GeomConvert import GeomConvert  # pyright: ignore

    surface = BRep_Tool.Surface_s(face.wrapped)
    if isinstance(surface, Geom_BSplineSurface):
        return surface
    return GeomConvert.SurfaceToBSplineSurface_s(surface)


def _edges(face: Any) -> list[Any]:
    """The edges of a face, a seam twice."""
    from OCP.BRepTools import BRepTools_WireExplorer  # pyright: ignore

    edges: list[Any] = []
    for wire in face.wires():
        walk = BRepTools_WireExplorer(wire.wrapped, face.wrapped)
        while walk.More():
            edges.append(walk.Current())
            walk.Next()
    return edges


def _on_face(edge: Any, face: Any) -> tuple[Any, float, float]:
    """The curve of an edge in the parameter plane of a face, and its ends."""
    from OCP.BRep import BRep_Tool  # pyright: ignore

    first, last = BRep_Tool.Range_s(edge, face.wrapped)
    curve = BRep_Tool.CurveOnSurface_s(edge, face.wrapped, first, last)
    return (curve[0] if isinstance(curve, tuple) else curve), first, last


def main(file: str, out: str, tolerance: str) -> None:
    """Reads a file and writes its faces, part by part."""
    sys.path.insert(0, __file__.rpartition("/")[0])
    from step_worker import write  # pyright: ignore

    mm = float(tolerance)
    if not (math.isfinite(mm) and mm > 0.0):
        raise SystemExit("the tolerance must be positive")
    write(file, out, lambda leaf: {"label": str(leaf.label), "faces": faces(leaf, mm)})


if __name__ == "__main__":
    main(*sys.argv[1:])
