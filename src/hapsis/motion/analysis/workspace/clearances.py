"""The verb `clearances`: how near the bodies of a mechanism come to each other in many poses."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

import hapsis.view as view
from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, check_known
from hapsis.mechanics.formalisms.deferred_verbs import body_poses
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.values.numbers import real
from hapsis.motion.analysis.workspace.body_triangles import body_triangles
from hapsis.motion.analysis.workspace.enclosed import Surface, enclosed
from hapsis.motion.analysis.workspace.workspace import Workspace
from hapsis.motion.solvers.contact import mesh_distance as native

Array = np.ndarray[Any, np.dtype[np.float64]]
WORLD = "world"
FARTHEST = 1e12  # m²


@dataclass(frozen=True, eq=False)
class Clearances:
    """The least distances of pairs of bodies in many poses.

    pairs        (first, second)
    distances    (poses, pairs), m; 0 where surfaces cut each other, or one is within the other
    points       (poses, pairs, 2, 3): where they are nearest, in the world
    q            (poses, coordinates)
    coordinates  their names
    over         the coordinate that leads, where there is one
    left_out     bodies with shapes that are not measured, such as planes
    """

    pairs: tuple[tuple[str, str], ...]
    distances: Array
    points: Array
    q: Array
    coordinates: tuple[str, ...]
    over: str | None = None
    left_out: tuple[str, ...] = ()

    @property
    def collisions(self) -> dict[tuple[str, str], Any]:
        """{pair: numbers of the poses in which it collides} of those that do."""
        hits = {pair: np.flatnonzero(self.distances[:, k] == 0.0) for k, pair in enumerate(self.pairs)}
        return {pair: poses for pair, poses in hits.items() if len(poses)}

    def free_range(self, value: float | None = None) -> tuple[float, float]:
        """The range of the leading coordinate around a value, by default the middle pose, without collisions.

        It ends at the last poses of the sweep without one: limits of a joint, which can be felt.
        """
        if self.over is None:
            raise ModelError("free_range needs the sweep of one coordinate")
        x = self.q[:, self.coordinates.index(self.over)]
        if value is not None and not x.min() <= real(value, "free_range") <= x.max():
            raise ModelError(
                f"{self.over} was not swept at {value:g}", expected=f"{x.min():g} to {x.max():g}"
            )
        k = len(x) // 2 if value is None else int(np.argmin(np.abs(x - value)))
        hit = (self.distances == 0.0).any(axis=1)
        if hit[k]:
            raise ModelError(f"there is a collision at {self.over} {x[k]:.4g}", remedy="begin elsewhere")
        below, above = np.flatnonzero(hit[:k]), np.flatnonzero(hit[k:])
        low = below[-1] + 1 if len(below) else 0
        high = k + above[0] - 1 if len(above) else len(x) - 1
        return float(x[low]), float(x[high])

    def plot(self, title: str | None = None) -> view.Plot:
        """The distance of each pair over the leading coordinate, or over the poses."""
        x = np.arange(len(self.q)) if self.over is None else self.q[:, self.coordinates.index(self.over)]
        table = {f"{a} - {b}": 1000.0 * self.distances[:, k] for k, (a, b) in enumerate(self.pairs)}
        return view.curves(x, table, self.over or "pose", "clearance, mm", title=title)

    def __str__(self) -> str:
        lines = [f"{len(self.q)} poses, {len(self.pairs)} pairs"]
        for k, (a, b) in enumerate(self.pairs):
            least = int(np.argmin(self.distances[:, k]))
            hits = int((self.distances[:, k] == 0.0).sum())
            where = (
                ""
                if self.over is None
                else f" at {self.over} {self.q[least, self.coordinates.index(self.over)]:.4g}"
            )
            text = f"collide in {hits} poses, first" if hits else f"{1000 * self.distances[least, k]:.4g} mm"
            lines.append(f"  {a} - {b}: {text}{where}")
        return "\n".join([*lines, *([f"  left out: {', '.join(self.left_out)}"] if self.left_out else [])])


@verb
def clearances(model: Model, poses: Any, *, pairs: Iterable[tuple[str, str]] | None = None) -> Clearances:
    """How near bodies come to each other, by the triangles of their shapes.

        model  with shapes; hs.load_cad gives parts theirs
        poses  a Workspace, a Result, or rows q
        pairs  of bodies; by default all that no joint connects. The world's shapes count as "world"

    Where surfaces cut each other, or one is within the other, the distance is 0.
    Planes and heightfields have no triangles: `left_out` names their bodies.
    """
    if not isinstance(model, Model):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError("clearances takes a Model")
    q, over = _poses(model, poses)
    meshes, left_out = body_triangles(model)
    chosen = _pairs(model, meshes, pairs)
    placed = _placed(model, q)
    distances, points = np.zeros((len(q), len(chosen))), np.zeros((len(q), len(chosen), 2, 3))
    surfaces = {name: Surface(meshes[name]) for name in {name for pair in chosen for name in pair}}
    for k, (a, b) in enumerate(chosen):
        _measure(meshes[a], meshes[b], placed[a], placed[b], distances[:, k], points[:, k])
        _mark_enclosed(surfaces[a], surfaces[b], placed[a], placed[b], distances[:, k], points[:, k])
    return Clearances(tuple(chosen), distances, points, q, model.coordinates, over, left_out)


def _poses(model: Model, poses: Any) -> tuple[Array, str | None]:
    """(rows of q, the coordinate that leads)."""
    if isinstance(poses, Workspace):
        if poses.coordinates != model.coordinates:
            raise ModelError("the workspace is that of another model")
        names = list(poses.over)
        return np.ascontiguousarray(poses.poses), names[0] if len(names) == 1 else None
    if isinstance(poses, Result):
        rows = np.stack([np.asarray(poses[name], float) for name in model.coordinates], axis=1)
    else:
        numbers = float_array(poses)
        rows = np.zeros((0, 0)) if numbers is None else np.atleast_2d(numbers)
    if (
        rows.ndim != 2
        or rows.shape[1] != len(model.coordinates)
        or not np.isfinite(rows).all()
        or not len(rows)
    ):
        raise ModelError(
            "poses must be rows of finite coordinates", expected=f"{len(model.coordinates)} numbers each"
        )
    return np.ascontiguousarray(rows), None


def _pairs(model: Model, meshes: dict[str, Any], pairs: Any) -> list[tuple[str, str]]:
    """The pairs, checked; all that have shapes and no joint between them by default."""
    if pairs is not None:
        listed: list[Any] = [tuple(pair) if isinstance(pair, tuple | list) else () for pair in pairs]
        if not listed or any(len(pair) != 2 or pair[0] == pair[1] for pair in listed):
            raise ModelError("pairs must be pairs of two bodies", expected='[("crank", "arm"), ...]')
        chosen = [(str(a), str(b)) for a, b in listed]
        for name in (name for pair in chosen for name in pair):
            check_known(name, meshes, "there is no body {} with a shape")
        return chosen
    joined = {frozenset((model.frame(j.first)[0], model.frame(j.second)[0])) for j in model.joints.values()}
    chosen = [pair for pair in combinations(meshes, 2) if frozenset(pair) not in joined]
    if not chosen:
        raise ModelError("no two bodies that no joint connects have shapes", remedy="give shapes, or pairs")
    return chosen


def _placed(model: Model, q: Array) -> dict[str, tuple[Array, Array]]:
    """{body: (p, R) in all poses}."""
    p, R = np.zeros((len(q), 3)), np.tile(np.eye(3), (len(q), 1, 1))
    placed = compile(body_poses(model))(q)
    all_p, all_R = np.asarray(placed.p), np.asarray(placed.R)
    return {WORLD: (p, R)} | {name: (all_p[:, k], all_R[:, k]) for k, name in enumerate(model.bodies)}


def _measure(a: Any, b: Any, at_a: Any, at_b: Any, distances: Array, points: Array) -> None:
    """The distances of two meshes in all poses, each from the nearest points of the pose before."""
    pair = native.MeshPair(first=a, second=b)
    low, high = a.boxes.reshape(-1, 2, 3).min(axis=0)[0], a.boxes.reshape(-1, 2, 3).max(axis=0)[1]
    whole, out = np.concatenate([low, high]), np.zeros(1)
    kernel = native.mesh_distance.bound(vary=("whole", "out"), pair=pair)
    for k in range(len(distances)):
        R, p = at_a[1][k], at_a[0][k]
        pair.R[:] = (R.T @ at_b[1][k]).ravel()
        pair.p[:] = R.T @ (at_b[0][k] - p)
        pair.best[0] = FARTHEST
        kernel(whole, out)
        distances[k] = out[0]
        points[k] = pair.point.reshape(2, 3) @ R.T + p


def _mark_enclosed(a: Surface, b: Surface, at_a: Any, at_b: Any, distances: Array, points: Array) -> None:
    """Distances of zero in the poses in which one surface is within the other."""
    for k in np.flatnonzero(distances > 0.0):
        R, p = at_a[1][k], at_a[0][k]
        point = enclosed(a, b, R.T @ at_b[1][k], R.T @ (at_b[0][k] - p))
        if point is not None:
            distances[k], points[k] = 0.0, R @ point + p
