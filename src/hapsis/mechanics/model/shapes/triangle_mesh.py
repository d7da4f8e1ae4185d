"""A surface of triangles whose vertices are given as numbers."""

from typing import Annotated, Any

import numpy as np

from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.mechanics.model.shapes.shapes import Shape
from hapsis.mechanics.model.values.numbers import described

AsVertices = Annotated[Any, "rows of three numbers"]
AsTriangles = Annotated[Any, "rows of three whole numbers"]


@verb
@frozen
class TriangleMesh(Shape, type_name="triangle_mesh"):
    """Triangles between vertices; seen, but contacts cannot use them.

    vertices   rows (x, y, z) in its frame, m
    triangles  rows of three numbers of vertices, counted from 0, anticlockwise seen from outside
    """

    vertices: AsVertices
    triangles: AsTriangles

    def __post_init__(self) -> None:
        super().__post_init__()
        vertices, triangles = self._rows("vertices"), self._rows("triangles")
        if not np.isfinite(vertices).all():
            raise self.wrong("every vertex must be finite")
        if (triangles != np.floor(triangles)).any():
            raise self.wrong("triangles must be rows of three whole numbers")
        outside = triangles[(triangles < 0) | (triangles >= len(vertices))]
        if len(outside):
            raise self.wrong(
                f"a triangle names vertex {outside[0]:g}", expected=f"a number from 0 to {len(vertices) - 1}"
            )
        self._set(vertices=tuple(tuple(float(x) + 0.0 for x in row) for row in vertices))
        self._set(triangles=tuple(tuple(int(k) for k in row) for row in triangles))

    def _rows(self, name: str) -> np.ndarray[Any, Any]:
        rows = float_array(getattr(self, name))
        if rows is None or rows.ndim != 2 or rows.shape[1] != 3 or not len(rows):
            given = described(getattr(self, name)) if rows is None else f"numbers of the shape {rows.shape}"
            raise self.wrong(f"{name} must be rows of three numbers, not {given}")
        return rows
