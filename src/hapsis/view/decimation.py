"""Fewer points, the same picture: what a pixel column cannot show is left out, extremes stay."""

import numpy as np

Array = np.ndarray


def along(x: Array, y: Array, columns: int) -> Array:
    """Indices of the points to draw, for x that never decreases.

    Within each column of pixels and each run of finite values four points are kept: the first, the
    lowest, the highest, the last. The line through them covers the same pixels. Gaps (values
    that are not finite) stay gaps, unless there are more of them than columns.
    """
    finite = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    if len(finite) <= 4 * columns:
        return finite
    x, y = x[finite], y[finite]
    span = x[-1] - x[0]
    column = np.minimum((x - x[0]) / span * columns, columns - 1).astype(int) if span else 0 * finite
    # a new group where the column changes or where something was missing
    changes = np.diff(column) != 0
    gaps = np.diff(finite) > 1
    if np.count_nonzero(gaps) <= columns:
        changes = changes | gaps
    starts = np.concatenate([[0], np.flatnonzero(changes) + 1])
    ends = np.append(starts[1:], len(y)) - 1
    group = np.zeros(len(y), int)
    group[starts[1:]] = 1
    order = np.lexsort((y, np.cumsum(group)))  # by group, then by value
    chosen = np.unique(np.concatenate([starts, ends, order[starts], order[ends]]))
    return finite[chosen]


def anywhere(x: Array, y: Array, cells: int) -> Array:
    """Indices of the points to draw, for a curve that may turn back.

    A point is left out when it falls into the same cell, of `cells` along each axis, as the
    point before it.
    """
    finite = np.flatnonzero(np.isfinite(x) & np.isfinite(y))
    if len(finite) <= 4 * cells:
        return finite
    moved = np.zeros(len(finite), bool)
    moved[[0, -1]] = True
    for values in (x[finite], y[finite]):
        low, high = values.min(), values.max()
        cell = np.floor((values - low) / (high - low) * cells) if high > low else 0 * values
        moved[1:] |= np.diff(cell) != 0
        moved[[int(values.argmin()), int(values.argmax())]] = True
    return finite[moved]


def runs(indices: Array, values: Array) -> list[Array]:
    """The kept indices cut where a value between two of them is missing."""
    if not len(indices):
        return []
    missing = np.concatenate([[0], np.cumsum(~np.isfinite(values))])
    cuts = np.flatnonzero(np.diff(missing[indices]) > 0) + 1
    return np.split(indices, cuts)
