"""The convex hull of points, as a shape."""

from functools import cached_property
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import frozen
from hapsis.errors import ModelError
from hapsis.mechanics.algebra.convex_hull import ConvexHull, convex_hull
from hapsis.mechanics.model.shapes.shapes import Shape
from hapsis.mechanics.model.shapes.triangle_mesh import AsVertices, TriangleMesh
from hapsis.mechanics.model.values.numbers import described


@verb
@frozen
class Hull(Shape, type_name="hull"):
    """The convex hull of points; its contacts need simulate(method="contact").

    points  rows (x, y, z) in its frame, m, or a TriangleMesh; those inside the hull are left out
    """

    points: AsVertices

    def __post_init__(self) -> None:
        super().__post_init__()
        given = self.points.vertices if isinstance(self.points, TriangleMesh) else self.points
        rows = float_array(given)
        if rows is None or rows.ndim != 2 or rows.shape[1] != 3:
            shown = described(given) if rows is None else f"numbers of the shape {rows.shape}"
            raise self.wrong(f"points must be rows of three numbers, not {shown}")
        if not np.isfinite(rows).all():
            raise self.wrong("every point must be finite")
        try:
            corners = convex_hull(rows).corners
        except ModelError as error:
            raise self.wrong(error.what, expected=error.expected or "") from None
        self._set(points=tuple(tuple(float(x) + 0.0 for x in row) for row in corners))

    @cached_property
    def hull(self) -> ConvexHull:
        """Its corners and its faces."""
        return convex_hull(self.points)

    @property
    def mesh(self) -> dict[str, Any]:
        """Its vertices and triangles, anticlockwise seen from outside."""
        return {"vertices": self.points, "triangles": self.hull.triangles}
