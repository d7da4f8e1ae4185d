"""The process that reads the faces of a STEP file as NURBS with trimming polylines, and writes them as JSON.

    python -P step_faces.py FILE OUT TOLERANCE

Like `step_worker`, which it uses: a process of its own, lengths in mm. Edges become polylines of the
parameter plane, nowhere further than TOLERANCE from them; both faces at an edge get the same corners.
"""

import itertools
import math
import sys
from typing import Any, NamedTuple

MOST_HALVINGS = 12
START = 4  # pieces of each edge
STRAIGHT = 1e-10  # of the domain, beside the line through its neighbours: no corner
ASTRAY = 1e-4  # mm between the curve of an edge in space and that in the parameter plane
SIDE = 1e-7  # between a constant parameter and the side of a surface on which it is
INSIDE = 1e-9  # of the domain: corners so near to its side are on it


def faces(leaf: Any, tolerance: float) -> list[dict[str, Any]]:
    """The faces of a part; closed ones are cut in two where edges cross their seams."""
    found = _faces(leaf.wrapped, tolerance, False)
    if any(_leaves(face) for face in found):
        from OCP.ShapeUpgrade import ShapeUpgrade_ShapeDivideClosed  # pyright: ignore

        halves = ShapeUpgrade_ShapeDivideClosed(leaf.wrapped)
        halves.SetNbSplitPoints(1)
        if halves.Perform():
            found = _faces(halves.Result(), tolerance, True)
    return found


class Edge(NamedTuple):
    """An edge of a face: its curve in the parameter plane from `first` to `last`.

    key        what tells it from other edges
    fixed      0 or 1 where u or v is constant on it, else None
    value      the constant one
    reversed   whether the loop runs against it
    surface    of the face
    space      the curve in space, where what is beside it is to be put right
    """

    curve: Any
    first: float
    last: float
    key: int
    fixed: int | None
    value: float
    reversed: bool
    surface: Any
    space: Any

    def at(self, t: float) -> list[float]:
        """(u, v). OpenCASCADE leads some curves astray at poles: what was constant stays so, and what is
        beside the curve in space is put on the surface anew."""
        p = self.curve.Value(t)
        u, v = self.value if self.fixed == 0 else p.X(), self.value if self.fixed == 1 else p.Y()
        if self.space is not None:
            there = self.space.Value(t)
            if not there.Distance(self.surface.Value(u, v)) <= ASTRAY:
                from OCP.GeomAPI import GeomAPI_ProjectPointOnSurf  # pyright: ignore

                foot = GeomAPI_ProjectPointOnSurf(there, self.surface)
                if foot.NbPoints():
                    u, v = foot.LowerDistanceParameters()[-2:]
        return [u, v]


class EdgeNumbers:
    """A number for each edge, the same on both faces at it; edges that differ may have one hash."""

    def __init__(self) -> None:
        self.known: dict[int, list[tuple[Any, int]]] = {}
        self.count = 0

    def of(self, edge: Any) -> int:
        """The number of an edge, whatever its orientation."""
        alike = self.known.setdefault(hash(edge), [])
        for other, number in alike:
            if other.IsSame(edge):
                return number
        self.count += 1
        alike.append((edge, self.count))
        return self.count


class Converted(NamedTuple):
    """A face as a B-spline surface, with the edges of its loops in order."""

    face: Any
    loops: list[list[Edge]]


def _faces(solid: Any, tolerance: float, open_faces: bool) -> list[dict[str, Any]]:
    """The faces of a shape; where all are open, what is astray of an edge is put on its surface anew."""
    from build123d import Shape  # pyright: ignore
    from OCP.BRepBuilderAPI import BRepBuilderAPI_NurbsConvert  # pyright: ignore

    convert = BRepBuilderAPI_NurbsConvert(solid, True)
    numbers = EdgeNumbers()
    converted = [_converted(face, convert, open_faces, numbers) for face in Shape.cast(solid).faces()]
    cuts = _cuts(converted, tolerance)
    return [_face(each, cuts, tolerance) for each in converted]


def _converted(face: Any, convert: Any, open_faces: bool, numbers: EdgeNumbers) -> Converted:
    """A face and its edges, in the order in which they follow each other before they are converted."""
    from OCP.BRep import BRep_Tool  # pyright: ignore
    from OCP.BRepTools import BRepTools_WireExplorer  # pyright: ignore
    from OCP.TopAbs import TopAbs_Orientation  # pyright: ignore
    from OCP.TopoDS import TopoDS, TopoDS_Iterator  # pyright: ignore

    typed: Any = TopoDS  # whose stubs lack these casts
    new = typed.Face(convert.ModifiedShape(face.wrapped))
    new.Orientation(face.wrapped.Orientation())
    surface = _surface(new)
    loops: list[list[Edge]] = []
    for wire in face.wires():
        loop: list[Edge] = []
        walk, parts = BRepTools_WireExplorer(wire.wrapped, face.wrapped), TopoDS_Iterator(wire.wrapped)
        while walk.More():
            before = walk.Current()
            edge = typed.Edge(convert.ModifiedShape(before))
            edge.Orientation(before.Orientation())
            first, last = BRep_Tool.Range_s(edge, new)
            curve = BRep_Tool.CurveOnSurface_s(edge, new, first, last)
            plane = curve[0] if isinstance(curve, tuple) else curve
            backwards = edge.Orientation() == TopAbs_Orientation.TopAbs_REVERSED
            space = None
            if open_faces and not BRep_Tool.Degenerated_s(edge):
                space = _space(edge, first, last)
            fixed, value = _fixed(before, face.wrapped)
            if fixed is not None:
                value = _constant(plane, (first, last), fixed, value, surface)
            loop.append(Edge(plane, first, last, numbers.of(edge), fixed, value, backwards, surface, space))
            walk.Next()
        count = 0
        while parts.More():
            count += 1
            parts.Next()
        if count != len(loop):
            raise SystemExit("the edges of a face do not follow each other")
        loops.append(loop)
    return Converted(new, loops)


def _space(edge: Any, first: float, last: float) -> Any:
    """The curve of an edge in space."""
    from OCP.BRep import BRep_Tool  # pyright: ignore

    curve = BRep_Tool.Curve_s(edge, first, last)
    return curve[0] if isinstance(curve, tuple) else curve


def _constant(plane: Any, ends: tuple[float, float], fixed: int, before: float, surface: Any) -> float:
    """The constant parameter of a curve: that of the side of the surface on which it was before it was
    converted, or else what most of the curve has."""
    u0, u1, v0, v1 = surface.Bounds()
    for side in ((u0, u1), (v0, v1))[fixed]:
        if abs(side - before) <= SIDE * max(1.0, abs(side)):
            return side
    first, last = ends
    points = [plane.Value(first + 0.125 * k * (last - first)) for k in range(1, 8)]
    return sorted((p.X(), p.Y())[fixed] for p in points)[3]


def _fixed(edge: Any, face: Any) -> tuple[int | None, float]:
    """Which parameter is constant on an edge, 0 for u or 1 for v, and its value."""
    from OCP.BRep import BRep_Tool  # pyright: ignore

    first, last = BRep_Tool.Range_s(edge, face)
    curve = BRep_Tool.CurveOnSurface_s(edge, face, first, last)
    plane = curve[0] if isinstance(curve, tuple) else curve
    points = [plane.Value(first + 0.25 * k * (last - first)) for k in range(5)]
    spans = [max(x) - min(x) for x in ([p.X() for p in points], [p.Y() for p in points])]
    least = 0 if spans[0] < spans[1] else 1
    middle = (points[2].X(), points[2].Y())[least]
    return (least if spans[least] <= INSIDE * spans[1 - least] else None), middle


def _leaves(face: dict[str, Any]) -> bool:
    """Whether a loop leaves the domain of its surface."""
    for k in range(2):
        knots, degree = face["knots"][k], face["degrees"][k]
        low, high = knots[degree], knots[-1 - degree]
        if any(not low <= corner[k] <= high for loop in face["loops"] for corner in loop):
            return True
    return False


def _cuts(faces: list[Converted], tolerance: float) -> dict[int, list[float]]:
    """{key of an edge: parameters at its corners}, fine enough for all faces at it."""
    cuts: dict[int, list[float]] = {}
    for each in faces:
        surface = _surface(each.face)
        for edge in itertools.chain(*each.loops):
            begin = [edge.first + (edge.last - edge.first) * k / START for k in range(START + 1)]
            cuts[edge.key] = _refined(edge, surface, cuts.get(edge.key, begin), tolerance)
    return cuts


def _refined(edge: Edge, surface: Any, ts: list[float], tolerance: float) -> list[float]:
    """The parameters with others between them, until chords of the plane are near the curve in space."""
    for _ in range(MOST_HALVINGS):
        finer = [ts[0]]
        for a, b in itertools.pairwise(ts):
            if _deviation(edge, surface, a, b) > tolerance:
                finer.append(0.5 * (a + b))
            finer.append(b)
        if len(finer) == len(ts):
            break
        ts = finer
    return ts


def _deviation(edge: Edge, surface: Any, a: float, b: float) -> float:
    """How far the curve is in space from the chord of the plane, at three of its points."""
    p, q, worst = edge.at(a), edge.at(b), 0.0
    du, dv = q[0] - p[0], q[1] - p[1]
    square = du * du + dv * dv
    for w in (0.25, 0.5, 0.75):
        u, v = edge.at(a + w * (b - a))
        along = ((u - p[0]) * du + (v - p[1]) * dv) / square if square > 0.0 else 0.0
        along = min(1.0, max(0.0, along))
        foot = surface.Value(p[0] + along * du, p[1] + along * dv)
        worst = max(worst, foot.Distance(surface.Value(u, v)))
    return worst


def _face(each: Converted, cuts: dict[int, list[float]], tolerance: float) -> dict[str, Any]:
    """The surface of a face and its loops, with the normal Su x Sv out of the part."""
    from OCP.TopAbs import TopAbs_Orientation  # pyright: ignore

    surface = _surface(each.face)
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

    sizes = [b - a for a, b in zip(low, high, strict=True)]
    loops = [_loop(loop, cuts, put, sizes) for loop in each.loops]
    points = [[[p.X(), p.Y(), p.Z()] for p in row] for row in poles]
    if each.face.Orientation() == TopAbs_Orientation.TopAbs_REVERSED:  # u and v change places
        points = [list(row) for row in zip(*points, strict=True)]
        weights = [list(row) for row in zip(*weights, strict=True)]
        knots, degrees = knots[::-1], degrees[::-1]
        loops = [[[v, u] for u, v in loop] for loop in loops]
    return {"points": points, "weights": weights, "knots": knots, "degrees": degrees, "loops": loops}


def _loop(edges: list[Edge], cuts: Any, put: Any, sizes: list[float]) -> list[list[float]]:
    """The corners of a loop in the parameter plane, in order."""
    loop: list[list[float]] = []
    for edge in edges:
        ts = cuts[edge.key]
        for t in (ts[::-1] if edge.reversed else ts)[:-1]:
            corner = put(*edge.at(t))
            if not loop or corner != loop[-1]:
                loop.append(corner)
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

    surface = BRep_Tool.Surface_s(face)
    if isinstance(surface, Geom_BSplineSurface):
        return surface
    return GeomConvert.SurfaceToBSplineSurface_s(surface)


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
