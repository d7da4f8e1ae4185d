"""The tables of a body: faces, boundary segments and the faces behind them, small parts to search among."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.errors import ModelError
from hapsis.touch.haptics.surfaces import evaluation
from hapsis.touch.haptics.surfaces.boundaries import boundary_chains, inside
from hapsis.touch.haptics.surfaces.knot_insertion import bezier_patches
from hapsis.touch.haptics.surfaces.nurbs_memory import NurbsMemory
from hapsis.touch.haptics.surfaces.nurbs_surface import NurbsSurface
from hapsis.touch.haptics.surfaces.tracing import Leaves

Array = np.ndarray[Any, np.dtype[np.float64]]
SAME = 1e-9  # of the size: points that coincide
SMOOTH = 1e-6  # sine of the angle between tangents that are one direction
PARTS = 4  # of each span, along each side of a leaf
GRID = np.linspace(0.0, 1.0, 17)  # of a segment, in the search for what meets it
ZOOMS = 6


def body_memory(faces: Sequence[NurbsSurface], gap: float) -> NurbsMemory:
    """The memory of a body, with closed directions, boundary segments and edges that meet."""
    bare = _memory(faces, [[] for _ in faces])
    closed = [_closed(bare, k, surface) for k, surface in enumerate(faces)]
    chains = [boundary_chains(surface, found) for surface, found in zip(faces, closed, strict=True)]
    memory = _memory(faces, chains)
    memory.closed[:] = np.array(closed, np.int64).ravel()
    _join(memory, faces, gap)
    return memory


def points_at(memory: NurbsMemory, face: int, places: Array) -> Array:
    """Rows S, Su, Sv of places (u, v)."""
    out = np.zeros((len(places), 3, 3))
    for k, (u, v) in enumerate(places):
        evaluation.evaluate(memory, face, float(u), float(v))
        out[k] = memory.s[:9].reshape(3, 3)
    return out


def _memory(faces: Sequence[NurbsSurface], chains: Sequence[list[Array]]) -> NurbsMemory:
    nets = [face.homogeneous.reshape(-1) for face in faces]
    knots = [knot for face in faces for knot in face.knots]
    box = np.concatenate([face.points.reshape(-1, 3) for face in faces])
    size = float(np.linalg.norm(box.max(axis=0) - box.min(axis=0)))
    if not 0.0 < size < 1e6:
        raise ModelError(f"the control points span {size:g} m", expected="more than 0 m, less than 1e6 m")
    counts = [sum(len(chain) - 1 for chain in face) for face in chains]
    memory = NurbsMemory(
        faces=len(faces),
        points=sum(len(net) for net in nets) // 4,
        knot_count=sum(len(knot) for knot in knots),
        segments=max(1, sum(counts)),
        size=size,
    )
    memory.degree[:] = np.ravel([face.degrees for face in faces])
    memory.count[:] = np.ravel([face.points.shape[:2] for face in faces])
    memory.first_point[:] = np.cumsum([0, *(len(net) // 4 for net in nets)])[:-1]
    memory.first_knot[:] = np.cumsum([0, *(len(knot) for knot in knots)])[:-1]
    memory.low[:], memory.high[:] = np.concatenate([face.domain for face in faces]).T
    memory.net[:], memory.knots[:] = np.concatenate(nets), np.concatenate(knots)
    memory.first_segment[:] = np.cumsum([0, *counts])
    memory.other[:] = -1
    first = 0
    for chain in (chain for face in chains for chain in face):
        last = first + len(chain) - 1
        memory.ends.reshape(-1, 4)[first:last] = np.concatenate([chain[:-1], chain[1:]], axis=1)
        memory.before[first:last] = np.roll(np.arange(first, last), 1)
        memory.after[first:last] = np.roll(np.arange(first, last), -1)
        first = last
    return memory


def _closed(memory: NurbsMemory, face: int, surface: NurbsSurface) -> tuple[bool, bool]:
    """Whether the surface closes smoothly along u and along v, and an error for a crease within it.

    Trimmed surfaces are taken as open: their loops run along the seam, where the face meets itself.
    """
    found: list[bool] = []
    for d in range(2):
        low, high = surface.domain[d]
        knots, degree = surface.knots[d], surface.degrees[d]
        values, counts = np.unique(knots, return_counts=True)
        for t in values[(counts >= degree) & (values > low) & (values < high)]:
            if not _smooth(memory, face, surface, d, np.nextafter(t, low), t):
                raise surface.wrong(
                    f"it has a crease at {'uv'[d]} = {t:g}", remedy="make two faces of it, which meet there"
                )
        found.append(not surface.trims and _smooth(memory, face, surface, d, high, low))
    return found[0], found[1]


def _smooth(memory: NurbsMemory, face: int, surface: NurbsSurface, d: int, end: float, begin: float) -> bool:
    """Whether two lines of constant u (d = 0) or v are one, with one tangent across it."""
    low, high = surface.domain[1 - d]
    across = np.linspace(low, high, 4 * surface.points.shape[1 - d])
    sides: list[Array] = []
    for t in (end, begin):
        places = np.stack([np.full(len(across), t), across], axis=1)
        sides.append(points_at(memory, face, places if d == 0 else places[:, ::-1]))
    a, b = sides
    if np.abs(a[:, 0] - b[:, 0]).max() > SAME * memory.size:
        return False
    p, q = a[:, 1 + d], b[:, 1 + d]
    lengths = np.linalg.norm(p, axis=1) * np.linalg.norm(q, axis=1)
    none = (SAME * memory.size / np.ptp(surface.domain[d])) ** 2  # at a pole there is no tangent
    turned = np.linalg.norm(np.cross(p, q), axis=1) > SMOOTH * lengths + none
    return not (turned | ((p * q).sum(axis=1) < -none)).any()


def _join(memory: NurbsMemory, faces: Sequence[NurbsSurface], gap: float) -> None:
    """Finds poles, and for each segment the one of another side that meets its middle."""
    count = int(memory.first_segment[-1])
    if count == 0:
        return
    owner = np.repeat(np.arange(len(faces)), np.diff(memory.first_segment))
    ends = memory.ends.reshape(-1, 2, 2)
    curves = np.zeros((count, len(GRID), 3))
    for k in range(count):
        curves[k] = _on_segment(memory, owner[k], ends[k], GRID)
    lengths = np.linalg.norm(np.diff(curves, axis=1), axis=2).sum(axis=1)
    memory.pole[:count] = lengths <= SAME * memory.size
    for k in np.flatnonzero(memory.pole[:count] == 0):
        middle = curves[k, len(GRID) // 2]
        away = np.linalg.norm(curves - middle, axis=2).min(axis=1) - lengths / len(GRID)
        away[[k, memory.before[k], memory.after[k]]] = np.inf
        away[memory.pole[:count] != 0] = np.inf
        for j in np.flatnonzero(away <= gap):
            if _distance(memory, int(owner[j]), ends[j], middle) <= gap + SAME * memory.size:
                memory.other[k] = j
                _check_turned(curves[k], curves[j], faces[owner[k]], faces[owner[j]])
                break


def _on_segment(memory: NurbsMemory, face: int, ends: Array, w: Array) -> Array:
    return points_at(memory, int(face), ends[0] + w[:, None] * (ends[1] - ends[0]))[:, 0]


def _distance(memory: NurbsMemory, face: int, ends: Array, x: Array) -> float:
    """The least distance of a point to a segment, by ever finer grids."""
    low, high, least = 0.0, 1.0, np.inf
    for _ in range(ZOOMS):
        w = low + (high - low) * GRID
        away = np.linalg.norm(_on_segment(memory, face, ends, w) - x, axis=1)
        k = int(np.argmin(away))
        least = min(least, float(away[k]))
        low, high = w[max(0, k - 1)], w[min(len(w) - 1, k + 1)]
    return least


def _check_turned(a: Array, b: Array, first: NurbsSurface, second: NurbsSurface) -> None:
    """An error if two faces that meet have their normals on different sides: their edges must run
    against each other."""
    if np.dot(a[-1] - a[0], b[-1] - b[0]) > 0.0:
        raise first.wrong(
            f'it meets "{second.name[:60]}" with a normal on the other side',
            remedy="reverse the control points of one of them along u",
        )


def leaves_of(faces: Sequence[NurbsSurface], memory: NurbsMemory) -> Leaves:
    """Parts of all spans, with a ball around the control points of each; those cut away are left out;
    and the segments of the boundary."""
    balls, starts = list[Array](), list[Array]()
    for face, surface in enumerate(faces):
        nets, cuts_u, cuts_v = bezier_patches(surface.homogeneous, surface.knots, surface.degrees, PARTS)
        for i in range(len(cuts_u) - 1):
            for j in range(len(cuts_v) - 1):
                corner, far = np.array([cuts_u[i], cuts_v[j]]), np.array([cuts_u[i + 1], cuts_v[j + 1]])
                start = _start(memory, face, surface, corner, far)
                if start is not None:
                    centre = 0.5 * (nets[i, j].min(axis=0) + nets[i, j].max(axis=0))
                    radius = np.linalg.norm(nets[i, j] - centre, axis=1).max() + SAME * memory.size
                    balls.append(np.append(centre, radius))
                    starts.append(np.array([face, *start]))
        _add_boundary(memory, face, balls, starts)
    if not starts:
        raise ModelError("the trimming loops leave nothing of the body")
    leaves = Leaves(count=len(starts))
    leaves.balls[:], leaves.starts[:] = np.ravel(balls), np.ravel(starts)
    for k, (face, u, v, _) in enumerate(starts):
        leaves.samples[3 * k : 3 * k + 3] = points_at(memory, int(face), np.array([[u, v]]))[0, 0]
    return leaves


def _add_boundary(memory: NurbsMemory, face: int, balls: list[Array], starts: list[Array]) -> None:
    """Boundary segments as parts, as the nearest point may be a corner from which all else leads away."""
    for k in range(memory.first_segment[face], memory.first_segment[face + 1]):
        if memory.pole[k] == 0:
            ends = memory.ends.reshape(-1, 2, 2)[k]
            curve = _on_segment(memory, face, ends, GRID)
            away = np.linalg.norm(curve - curve[len(GRID) // 2], axis=1).max()
            spacing = np.linalg.norm(np.diff(curve, axis=0), axis=1).max()
            balls.append(np.append(curve[len(GRID) // 2], away + spacing))
            starts.append(np.array([face, *ends[0], k]))


def _start(memory: NurbsMemory, face: int, surface: NurbsSurface, low: Array, high: Array) -> Any:
    """(u, v, segment or -1) on the face within a rectangle; None where the face has no part in it."""
    middle = 0.5 * (low + high)
    if not surface.trims or inside(surface.trims, middle[None])[0]:
        return *middle, -1.0
    first, last = memory.first_segment[face], memory.first_segment[face + 1]
    ends = memory.ends.reshape(-1, 2, 2)[first:last]
    points = ends[:, :1] + GRID[None, :, None] * (ends[:, 1:] - ends[:, :1])
    within = ((points >= low) & (points <= high)).all(axis=2)
    if not within.any():
        return None
    k, j = np.argwhere(within)[0]
    return *points[k, j], float(first + k)
