"""A body of NURBS faces: seams and edges found, and the nearest point of it to a probe."""

import hashlib
import threading
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.touch.haptics.conditioning.stage import positive
from hapsis.touch.haptics.surfaces import evaluation, tracing
from hapsis.touch.haptics.surfaces.body_tables import body_memory, leaves_of
from hapsis.touch.haptics.surfaces.nurbs_memory import FACE, PLACE, SEGMENT, SQUARE, U, V
from hapsis.touch.haptics.surfaces.nurbs_surface import NurbsSurface

FARTHEST = 1e9  # m, of a probe
Array = np.ndarray[Any, np.dtype[np.float64]]


class SurfacePoint(NamedTuple):
    """A point of a body: the number of its face, parameters, place in space, outward normal, how far the
    probe is from it, m, and the boundary segment on which it lies, or -1."""

    face: int
    u: float
    v: float
    point: Array
    normal: Array
    distance: float
    segment: int = -1


@verb
class NurbsBody:
    """One or several faces. Edges of faces that meet are found, and so are seams of closed faces.

        faces   `NurbsSurface`s, with normals that point outwards
        gap     m by which the edges of faces that meet may be apart

    `nearest(x)` is the nearest point of all faces. `trace(x, start)` goes downhill from a point that was
    near before, across seams and edges, as a loop does in each tick. `at(face, u, v)` has derivatives.
    """

    def __init__(self, *faces: NurbsSurface, gap: float = 1e-6) -> None:
        if not faces or not all(isinstance(face, NurbsSurface) for face in faces):
            raise ModelError("a NurbsBody is made of one NurbsSurface or several")
        self.faces = faces
        self.gap = positive(gap, "NurbsBody: gap", zero=True)
        self.memory = body_memory(faces, self.gap)
        self.leaves = leaves_of(faces, self.memory)
        self._lock = threading.Lock()  # native code computes in the memory, and threads run beside it

    def at(self, face: int, u: float, v: float) -> Array:
        """Rows S, Su, Sv, Suu, Suv, Svv of a face."""
        if not 0 <= face < len(self.faces):
            raise ModelError(f"there is no face {face}", expected=f"0 to {len(self.faces) - 1}")
        for name, value, (low, high) in zip("uv", (u, v), self.faces[face].domain, strict=True):
            if not low <= value <= high:
                raise self.faces[face].wrong(f"{name} is {value:g}", expected=f"{low:g} to {high:g}")
        with self._lock:
            evaluation.evaluate(self.memory, int(face), float(u), float(v))
            return self.memory.s.reshape(6, 3).copy()

    @verb
    def nearest(self, x: Sequence[float]) -> SurfacePoint:
        """The nearest point of all faces."""
        place, probe = np.zeros(PLACE), probe_position(x)
        with self._lock:
            tracing.global_nearest(self.memory, self.leaves, probe, place, np.zeros(PLACE))
            return self._point(place)

    @verb
    def trace(self, x: Sequence[float], start: SurfacePoint) -> SurfacePoint:
        """The nearest point to which the way from `start` leads downhill."""
        place, probe = np.zeros(PLACE), probe_position(x)
        self.at(start.face, start.u, start.v)  # an error where the body has no such place
        place[FACE], place[U], place[V], place[SEGMENT] = start.face, start.u, start.v, start.segment
        with self._lock:
            tracing.trace(self.memory, probe, place, 0.0, 1.0)
            return self._point(place)

    @property
    def solid(self) -> bool:
        """Whether its faces enclose it: there is no edge at which only one face ends."""
        count = self.memory.first_segment[-1]
        return bool(((self.memory.other[:count] >= 0) | (self.memory.pole[:count] != 0)).all())

    @cached_property
    def digest(self) -> str:
        """What tells the body from others."""
        total = hashlib.sha256(repr(self.gap).encode())
        for face in self.faces:
            for array in (face.homogeneous, *face.knots, *face.trims):
                total.update(repr((array.shape, face.degrees)).encode() + array.tobytes())
        return total.hexdigest()

    def _point(self, place: Array) -> SurfacePoint:
        evaluation.evaluate_normal(self.memory, place)
        return SurfacePoint(
            int(place[FACE]),
            float(place[U]),
            float(place[V]),
            self.memory.s[:3].copy(),
            self.memory.n.copy(),
            float(np.sqrt(place[SQUARE])),
            int(place[SEGMENT]),
        )

    def __repr__(self) -> str:
        edges = int((self.memory.other >= 0).sum())
        return f"NurbsBody({len(self.faces)} faces, {edges} of {self.memory.segments} segments joined)"


def probe_position(x: Any) -> Array:
    """Three finite numbers, or an error."""
    numbers = float_array(x)
    if numbers is None or numbers.shape != (3,) or not np.isfinite(numbers).all():
        raise ModelError("the probe is not at three finite numbers")
    if np.abs(numbers).max() > FARTHEST:
        raise ModelError(f"the probe is further away than {FARTHEST:g} m")
    return numbers
