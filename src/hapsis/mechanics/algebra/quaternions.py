"""Quaternions of rotation matrices, and back, for arrays of numbers; used for drawing and file formats."""

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[np.float64]]


def quaternions(R: Any) -> Array:
    """(w, x, y, z) of rotation matrices (..., 3, 3), from the largest component (Shepperd)."""
    R = np.asarray(R, dtype=float)
    xx, yy, zz = R[..., 0, 0], R[..., 1, 1], R[..., 2, 2]
    squares = np.stack([xx + yy + zz, xx - yy - zz, yy - xx - zz, zz - xx - yy], axis=-1)
    wx, wy, wz = (R[..., i, j] - R[..., j, i] for i, j in ((2, 1), (0, 2), (1, 0)))
    xy, xz, yz = (R[..., i, j] + R[..., j, i] for i, j in ((1, 0), (2, 0), (2, 1)))
    d = 1.0 + squares
    rows = np.stack(
        [
            np.stack([d[..., 0], wx, wy, wz], axis=-1),
            np.stack([wx, d[..., 1], xy, xz], axis=-1),
            np.stack([wy, xy, d[..., 2], yz], axis=-1),
            np.stack([wz, xz, yz, d[..., 3]], axis=-1),
        ],
        axis=-2,
    )
    largest = np.argmax(squares, axis=-1)[..., None, None]
    best = np.take_along_axis(rows, np.broadcast_to(largest, (*largest.shape[:-1], 4)), axis=-2)
    q = best[..., 0, :]
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def matrix(q: Any) -> Array:
    """The rotation matrix of a quaternion (w, x, y, z)."""
    w, x, y, z = np.asarray(q, dtype=float) / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
