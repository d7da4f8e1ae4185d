"""The verb `workspace`: where a frame of a mechanism comes to as its coordinates go through their ranges."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import hapsis.view as view
from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, check_known
from hapsis.mechanics.formalisms.tree.kinematics import pose
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.numbers import real
from hapsis.motion.analysis.assembly.assemble import assemble
from hapsis.motion.analysis.workspace.pose_grid import pose_grid
from hapsis.motion.analysis.workspace.swept_size import swept_size

Array = np.ndarray[Any, np.dtype[np.float64]]
MOST = 2_000_000  # poses
COUNTS = (181, 61, 25)  # values of each coordinate, where one, two or three are swept


@dataclass(frozen=True, eq=False)
class Workspace:
    """The places of a frame over a grid of coordinates.

    frame        its name
    over         {coordinate: values}
    points       (n1, n2, ..., 3), m; NaN where the mechanism cannot be
    q            (n1, n2, ..., coordinates) of the model
    coordinates  their names
    reached      (n1, n2, ...) of bool
    """

    frame: str
    over: Mapping[str, Array]
    points: Array
    q: Array
    coordinates: tuple[str, ...]
    reached: Any

    @property
    def box(self) -> Array:
        """The least and the greatest x, y, z."""
        points = self.points[self.reached]
        return np.array([points.min(axis=0), points.max(axis=0)])

    @property
    def size(self) -> float:
        """The length of a path (m), the area of a region (m²), the volume of a solid one (m³): as many
        dimensions as coordinates were swept. What is covered twice counts once, but for lengths."""
        return swept_size(self.points)

    @property
    def poses(self) -> Array:
        """Rows q of the poses that there are."""
        return self.q[self.reached]

    def plot(self, x: str | None = None, y: str | None = None, title: str | None = None) -> view.Plot:
        """The lines of the grid seen along an axis of the world; by default the two widest directions."""
        axes = [name for name in (x, y) if name is not None] or None
        if axes is not None and (len(axes) != 2 or not set(axes) <= set("xyz")):
            raise ModelError("plot takes two of x, y, z, or none")
        spread = self.box[1] - self.box[0]
        widest = sorted(sorted(range(3), key=lambda k: -spread[k])[:2])
        i, j = widest if axes is None else ("xyz".index(a) for a in axes)
        lines, gap = [], np.full((1, 3), np.nan)
        for axis in range(self.points.ndim - 1):
            flat = np.moveaxis(self.points, axis, -2).reshape(-1, self.points.shape[axis], 3)
            lines += [part for line in flat[:: max(1, len(flat) // 120)] for part in (line, gap)]
        path = np.concatenate(lines)
        plot = view.curves(
            path[:, i], {self.frame: path[:, j]}, f"{'xyz'[i]}, m", f"{'xyz'[j]}, m", title=title
        )
        return replace(plot, equal=True)

    def __str__(self) -> str:
        unit = ("m", "m²", "m³")[min(3, self.points.ndim - 1) - 1]
        low, high = (", ".join(f"{v:.4g}" for v in corner) for corner in self.box)
        grid = " x ".join(str(len(values)) for values in self.over.values())
        share = f"{int(self.reached.sum())} of {self.reached.size} poses ({grid} of {', '.join(self.over)})"
        return f"{self.frame}: {share}; {self.size:.4g} {unit}; from ({low}) to ({high}) m"


@verb
def workspace(
    model: Model,
    frame: str,
    over: Mapping[str, Any] | None = None,
    *,
    start: Mapping[str, float] | None = None,
    near: Mapping[str, float] | None = None,
) -> Workspace:
    """Where a frame comes to as some coordinates go through their ranges, with all loops closed.

        model  the mechanism; joints of one degree, any number of loops
        frame  a body or a frame
        over   {coordinate: values, or (low, high)}, up to three; by default those that are independent, over
               their limits, or once around
        start, near   as of `hs.assemble`: the pose from which all others follow, without leaving its branch

    Poses in which a joint is beyond its limits, or a loop cannot be closed, are left out.
    """
    if not isinstance(model, Model):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError("workspace takes a Model")
    check_known(frame, [*model.bodies] if frame in model.bodies else [frame], "there is no frame {}")
    model.frame(frame)
    state = assemble(model, start, near=near)
    names = list(over) if over is not None else list(state.report.independent)
    if not 1 <= len(names) <= 3:
        raise ModelError(
            f"{len(names)} coordinates would be swept: {', '.join(names) or 'none'}",
            expected="one, two or three of them",
        )
    for name in names:
        check_known(name, model.coordinates, "there is no coordinate {}")
    limits = _limits(model)
    values = [
        _values(model, name, None if over is None else over[name], len(names), limits) for name in names
    ]
    if (count := int(np.prod([len(v) for v in values]))) > MOST:
        raise ModelError(f"{count} poses are asked for", expected=f"at most {MOST}")
    places = [model.coordinates.index(name) for name in names]
    grid = pose_grid(model, np.asarray(state.q, float), places, values, limits)
    if not grid.reached.any():
        raise ModelError("no pose is within the limits of the joints")
    points = np.full((*grid.reached.shape, 3), np.nan)
    placed = compile(pose(model, frame))(np.ascontiguousarray(grid.q[grid.reached]))
    points[grid.reached] = np.asarray(placed.p)
    for array in (points, grid.q):
        array.flags.writeable = False
    return Workspace(
        frame, dict(zip(names, values, strict=True)), points, grid.q, model.coordinates, grid.reached
    )


def _limits(model: Model) -> Array:
    """Rows (low, high) of all coordinates, infinite where there is no limit."""
    limits = np.full((len(model.coordinates), 2), (-np.inf, np.inf))
    for joint in model.joints.values():
        for name, (low, high) in joint.bounds.items():
            if name in model.coordinates:
                row = limits[model.coordinates.index(name)]
                row[0] = row[0] if low is None else model.value(low)
                row[1] = row[1] if high is None else model.value(high)
    return limits


def _values(model: Model, name: str, asked: Any, dimensions: int, limits: Array) -> Array:
    """The values of a coordinate of the grid."""
    count = COUNTS[dimensions - 1]
    if asked is None:
        low, high = limits[model.coordinates.index(name)]
        if not (np.isfinite(low) and np.isfinite(high)):
            if not _turns(model, name):
                raise ModelError(
                    f'"{name[:60]}" has no limits', remedy=f'give over={{"{name[:60]}": (low, high)}}'
                )
            low, high = (low if np.isfinite(low) else -np.pi), (high if np.isfinite(high) else np.pi)
        return np.linspace(low, high, count)
    if not isinstance(asked, Sequence | np.ndarray) or isinstance(asked, str):
        raise ModelError(f'over: "{name[:60]}" needs values, or (low, high)')
    values = np.array([real(x, f'over: "{name[:60]}"') for x in asked])
    if len(values) < 2 or not (np.diff(values) > 0.0).all():
        raise ModelError(f'over: "{name[:60]}" needs two values or more that increase')
    return np.linspace(values[0], values[1], count) if len(values) == 2 else values


def _turns(model: Model, name: str) -> bool:
    """Whether a coordinate is an angle."""
    for joint in model.joints.values():
        if isinstance(joint, Joint) and name in joint.coordinates:
            return joint.steps[joint.coordinates.index(name)].kind in ("R", "H")
    return False
