"""All poses of a mechanism over a grid of some of its coordinates, its loops closed in batches.

A wave goes out from the start: the neighbours of poses that are known begin from these, and Newton's method
closes their loops, all at once. So every pose is on the branch of the start, as far as small steps tell.
"""

from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.errors import ModelError, SolveError
from hapsis.mechanics.formalisms.deferred_verbs import constraints
from hapsis.mechanics.model.model import Model

Array = np.ndarray[Any, np.dtype[np.float64]]
STEPS = 20  # of Newton's method
SHORT = 0.1  # rad or m: on the way from one pose to the next, coordinates that are held go in steps of this
CLOSED = 1e-10  # m and rad: a loop that is open by less is closed
FAR = 0.5  # rad, or of the size of the lengths: a dependent coordinate that changes more has left the branch
LONGEST = 20.0  # rad or m, between two values of a coordinate that is held
RANK = 1e-9  # of the largest singular value
BATCH = 4096  # poses


class Grid(NamedTuple):
    """The poses of a grid: coordinates, and which of them there are."""

    q: Array  # (n1, n2, ..., coordinates); NaN where there is none
    reached: Any  # (n1, n2, ...) of bool


def pose_grid(model: Model, start: Array, places: list[int], values: list[Array], limits: Array) -> Grid:
    """The closed poses over a grid.

    start   a closed pose, from which the wave goes out
    places  the numbers of the coordinates of the grid
    values  those of each
    limits  rows (low, high) of all coordinates
    """
    for k, x in zip(places, values, strict=True):
        if (jump := float(max(np.diff(x).max(), np.abs(x - start[k]).min()))) > LONGEST:
            raise ModelError(
                f'the values of "{model.coordinates[k][:60]}" are up to {jump:g} apart, or from the start',
                expected=f"steps of at most {LONGEST:g} rad or m",
            )
    shape = tuple(len(v) for v in values)
    q = np.full((*shape, len(start)), np.nan)
    tried = np.zeros((*shape, 2 * len(shape)), bool)
    closer = _Closer(model, places)
    mesh = np.stack(np.meshgrid(*values, indexing="ij"), axis=-1)
    first = tuple(int(np.argmin(np.abs(v - start[k]))) for k, v in zip(places, values, strict=True))
    begin, ok = closer.closed(start[None], mesh[first][None])
    if not ok[0]:
        at = ", ".join(f"{model.coordinates[k]} {x:.4g}" for k, x in zip(places, mesh[first], strict=True))
        raise SolveError(
            f"the loops cannot be closed at {at}, next to the start", remedy="start within the range"
        )
    q[first] = begin[0]
    known, wave = np.zeros(shape, bool), np.array([first])
    known[first] = True
    while len(wave):
        wave = _next_wave(closer, q, known, tried, mesh, wave)
    inside = np.zeros(shape, bool)
    inside[known] = _within(q[known], limits)
    q[~inside] = np.nan
    return Grid(q, inside)


def _next_wave(closer: "_Closer", q: Array, known: Any, tried: Any, mesh: Array, wave: Any) -> Any:
    """Closes the neighbours of a wave; those that are new poses."""
    shape, new = known.shape, []
    for axis in range(len(shape)):
        for way, step in enumerate((-1, 1)):
            to = wave.copy()
            to[:, axis] += step
            from_, to = wave[(k := (to[:, axis] >= 0) & (to[:, axis] < shape[axis]))], to[k]
            side = tried[(*to.T, np.full(len(to), 2 * axis + way))]
            fresh = ~known[tuple(to.T)] & ~side
            from_, to = from_[fresh], to[fresh]
            if not len(to):
                continue
            tried[(*to.T, np.full(len(to), 2 * axis + way))] = True
            poses, ok = closer.closed(q[tuple(from_.T)], mesh[tuple(to.T)])
            good = to[ok]
            q[tuple(good.T)], known[tuple(good.T)] = poses[ok], True
            new.append(good)
    return np.concatenate(new) if new else np.zeros((0, len(shape)), int)


def _within(q: Array, limits: Array) -> Any:
    """Which poses are within the limits of all joints."""
    return ((q >= limits[:, 0] - 1e-12) & (q <= limits[:, 1] + 1e-12)).all(axis=1)


class _Closer:
    """Closes the loops of many poses at once, some coordinates held."""

    def __init__(self, model: Model, places: list[int]) -> None:
        if len(model.coordinates) != len(model.speeds):
            raise ModelError("a model with ball or free joints has no grid of its coordinates")
        self.held = places
        self.free = [k for k in range(len(model.coordinates)) if k not in places]
        self.rows: Any = compile(constraints(model)) if model.cuts or model.constraints else None
        self.still = np.zeros(len(model.speeds))

    def closed(self, q: Array, values: Array) -> tuple[Array, Any]:
        """(poses, which of them are closed and on the branch) from near ones with other held values."""
        poses, ok = [], []
        for k in range(0, len(q), BATCH):
            one, good = self._batch(q[k : k + BATCH].copy(), values[k : k + BATCH])
            poses.append(one)
            ok.append(good)
        return np.concatenate(poses), np.concatenate(ok)

    def _batch(self, q: Array, values: Array) -> tuple[Array, Any]:
        """The poses at these values, by way of others between."""
        begin, ok = q[:, self.held].copy(), np.ones(len(q), bool)
        if self.rows is None:
            q[:, self.held] = values
            return q, ok
        count = int(np.ceil(np.abs(values - begin).max(initial=0.0) / SHORT)) or 1
        for k in range(1, count + 1):
            part = begin + (values - begin) * (k / count) if k < count else values
            q[ok], ok[ok] = self._stepped(q[ok], part[ok])
        return q, ok

    def _stepped(self, q: Array, values: Array) -> tuple[Array, Any]:
        """The poses at these values, which are near."""
        before = q[:, self.free].copy()
        q[:, self.held] = values
        v = np.zeros_like(q)
        gap = np.full(len(q), np.inf)
        for _ in range(STEPS):
            rows = self.rows(q, v)
            h, J = np.asarray(rows.h), np.asarray(rows.J)[:, :, self.free]
            gap = np.abs(h).max(axis=1, initial=0.0)
            todo = gap > CLOSED * 1e-3
            if not todo.any():
                break
            step = np.einsum("nij,nj->ni", np.linalg.pinv(J[todo], rcond=RANK), -h[todo])
            q[np.ix_(todo, self.free)] += np.clip(step, -FAR, FAR)
        near = np.abs(q[:, self.free] - before).max(axis=1, initial=0.0) <= FAR
        return q, (gap <= CLOSED) & near & np.isfinite(q).all(axis=1)
