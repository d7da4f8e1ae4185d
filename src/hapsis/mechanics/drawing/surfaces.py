"""Triangles of a drawing: surfaces of the model and meshes in files, each stored once."""

from pathlib import Path
from typing import Any

import numpy as np

from hapsis.errors import Error
from hapsis.mechanics.drawing.placement import Array, Pose, frame_pose
from hapsis.mechanics.drawing.sketch import Sketch
from hapsis.mechanics.drawing.solids import GREY
from hapsis.mechanics.formats.mesh_paths import mesh_file
from hapsis.mechanics.formats.meshes.pieces import FARTHEST, Piece
from hapsis.mechanics.formats.meshes.read_mesh import read_mesh
from hapsis.mechanics.formats.meshes.thinning import merged, thinned
from hapsis.mechanics.model.shapes.shapes import Mesh
from hapsis.view.film.mesh_tables import MeshTables, field_triangles

MOST = 80_000  # triangles of all meshes in files
MOST_READ = 4_000_000  # triangles of all files, before they are thinned
NAMED = 8  # files that a notice names
ROUNDS = 40  # in which cells grow
SAME = 0.75  # of the box around a mesh in that of another one, which then is a copy for contacts


class Surfaces:
    """The meshes of a drawing, and what could not be read."""

    def __init__(self) -> None:
        self.notices: list[str] = []
        self._meshes = MeshTables()

    @property
    def tables(self) -> list[dict[str, Any]]:
        """The meshes as a page reads them."""
        return self._meshes.tables

    def stored(self, shapes: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The shapes with numbers of meshes instead of triangles."""
        plain = []
        for shape in shapes:
            if "surface" in shape:
                shape = {**shape, "mesh": self.index(*triangles_of(shape["surface"]))}
                del shape["surface"]
            plain.append(shape)
        return plain

    def index(self, vertices: Any, triangles: Any) -> int:
        """The number of a mesh in the drawing."""
        return self._meshes.index(vertices, triangles)

    def draw_files(self, sketch: Sketch) -> None:
        """Draws the meshes that lie in files; their bodies are then `sketch.meshed`."""
        found: list[tuple[str, Pose, Piece]] = []
        missing: dict[str, str] = {}
        counted: set[str] = set()
        read = 0
        cache: dict[str, list[Piece]] = {}
        for body, owner in (("world", sketch.model.world), *sketch.model.bodies.items()):
            kept: list[Array] = []
            for shape in owner.shapes:
                if not isinstance(shape, Mesh):
                    continue
                key = f"{shape.path} {shape.scale}"
                try:
                    pieces = cache[key] if key in cache else cache.setdefault(key, _pieces(sketch, shape))
                    read += 0 if key in counted else sum(len(piece.triangles) for piece in pieces)
                    counted.add(key)
                    if read > MOST_READ:
                        raise Error(f"{shape.path}: with it, meshes have more than {MOST_READ} triangles")
                except Error as error:
                    missing[shape.path] = error.what
                    continue
                place = frame_pose(sketch.model, shape.at)
                if pieces and not (shape.color is None and _copy(_box(pieces, place), kept)):
                    kept.append(_box(pieces, place))
                    found += [(body, place, piece) for piece in pieces]
                    sketch.meshed.add(body)
        if missing:
            more = f" and {len(missing) - NAMED} more" if len(missing) > NAMED else ""
            self.notices.append(f"not drawn: {'; '.join([*missing.values()][:NAMED])}{more}")
        coloured = any(piece.color is not None for _, _, piece in found)
        for body, place, piece in _lighter(found):
            own = GREY if piece.color is None and coloured else piece.color
            color = {} if own is None else {"color": [round(x, 4) for x in own]}
            number = self.index(piece.vertices, piece.triangles)
            sketch.add(sketch.parts.of[body], "mesh", sketch.poses[body] @ place, mesh=number, **color)


def _pieces(sketch: Sketch, shape: Mesh) -> list[Piece]:
    """The surfaces of a file, by colour, in metres."""
    folder = Path((shape.where or "").rsplit(":", 2)[0]).parent
    file = mesh_file(shape.path, folder, shape.where)
    if file is None:
        raise Error(f"the package of {shape.path[:80]} is not there")
    scale = sketch.vector(shape.scale)
    by_color: dict[Any, list[Piece]] = {}
    for piece in read_mesh(file):
        by_color.setdefault(shape.color or piece.color, []).append(piece)
    together = []
    for color, pieces in by_color.items():
        starts = np.cumsum([0, *(len(piece.vertices) for piece in pieces)])
        corners = np.concatenate([p.triangles + k for p, k in zip(pieces, starts, strict=False)])
        if np.prod(scale) < 0:
            corners = corners[:, ::-1]
        vertices = np.concatenate([p.vertices for p in pieces]) * scale
        if not np.abs(vertices).max(initial=0.0) <= FARTHEST:
            raise Error(f"{shape.path[:80]} reaches farther than {FARTHEST:g} m with its scale")
        together.append(merged(Piece(vertices, corners, color)))
    return [piece for piece in together if len(piece.triangles)]


def _box(pieces: list[Piece], place: Pose) -> Array:
    places = np.concatenate([piece.vertices for piece in pieces]) @ place.R.T + place.p
    return np.array([places.min(axis=0), places.max(axis=0)])


def _copy(box: Array, others: list[Array]) -> bool:
    """Whether a box is about that of a mesh before it: a collision mesh of the same part."""
    for other in others:
        common = np.minimum(box[1], other[1]) - np.maximum(box[0], other[0])
        whole = np.maximum(box[1], other[1]) - np.minimum(box[0], other[0])
        if np.all(common > 0) and np.prod(common) > SAME**3 * np.prod(whole):
            return True
    return False


def _lighter(found: list[tuple[str, Pose, Piece]]) -> list[tuple[str, Pose, Piece]]:
    """The surfaces with at most `MOST` triangles in all: cells grow until that is so."""
    if sum(len(piece.triangles) for _, _, piece in found) <= MOST:
        return found
    area = sum(_area(piece) for _, _, piece in found)
    span = max(float(np.ptp(piece.vertices, axis=0).max()) for _, _, piece in found)
    # about two triangles for each cell of a surface; slivers have none, then their length counts
    cell = max(float(np.sqrt(2.2 * area / MOST)), 1e-6 * span, 1e-30)
    for _ in range(ROUNDS):
        known: dict[int, Piece] = {}
        for _, _, piece in found:
            if id(piece) not in known:
                known[id(piece)] = thinned(piece, cell)
        lighter = [(body, place, known[id(piece)]) for body, place, piece in found]
        if sum(len(piece.triangles) for _, _, piece in lighter) <= MOST:
            return [item for item in lighter if len(item[2].triangles)]
        cell *= 1.3
    return []  # cells as large as all of them left too many


def _area(piece: Piece) -> float:
    a, b, c = (piece.vertices[piece.triangles[:, k]] for k in range(3))
    return 0.5 * float(np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())


def triangles_of(table: dict[str, Any]) -> tuple[Any, Any]:
    """Vertices and triangles of a mesh or of a field of heights, two triangles for each square."""
    if table["type"] == "mesh":
        return table["vertices"], table["triangles"]
    return field_triangles(table)
