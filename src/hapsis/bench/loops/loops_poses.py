"""Poses and twists of all rows of a table, and coordinates from them, for rivals of free bodies."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hapsis.bench.loops.loops_table import Table

NEAR, MOST = 1e-14, 30  # of the search for coordinates: its last step, and how many


@dataclass(frozen=True)
class Posed:
    """Where a row's frame is and how it moves, in the world's axes."""

    X: Any  # 4 x 4
    angular: Any
    linear: Any  # of the frame's origin


def posed(table: Table, q: Any, v: Any) -> list[Posed]:
    """All rows at q and v, in the order of rows."""
    poses: list[Posed] = []
    for k, row in enumerate(table.rows):
        rest = Posed(np.eye(4), np.zeros(3), np.zeros(3))
        base = rest if row.parent < 0 else poses[row.parent]
        X = base.X @ row.place
        axis, moved = X[:3, :3] @ row.axis, X.copy()
        if row.kind == "R":
            moved[:3, :3] = turn(axis * q[k]) @ X[:3, :3]
        else:
            moved[:3, 3] += axis * q[k]
        linear = base.linear + np.cross(base.angular, moved[:3, 3] - base.X[:3, 3])
        if row.kind == "R":
            poses.append(Posed(moved, base.angular + axis * v[k], linear))
        else:
            poses.append(Posed(moved, base.angular, linear + axis * v[k]))
    return poses


def turn(w: Any) -> Any:
    """The rotation about w by its length."""
    angle = np.linalg.norm(w)
    K = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
    if angle < 1e-8:
        return np.eye(3) + K + K @ K / 2
    return np.eye(3) + np.sin(angle) / angle * K + (1 - np.cos(angle)) / angle**2 * (K @ K)


def coordinates(table: Table, bodies: dict[int, Posed], q: Any) -> tuple[Any, Any, float]:
    """q and v, near a first guess, of bodies that are so posed; and how far joints are open, m.

    Only rows that carry a body are given. Joints whose bodies are apart are met in the mean.
    """
    q, step = np.array(q), np.inf
    for _ in range(MOST):
        here = posed(table, q, np.zeros(len(q)))
        J = _columns(table, here, list(bodies))
        errors = [_between(here[k].X, body.X) for k, body in bodies.items()]
        step = np.linalg.lstsq(J, np.concatenate(errors), rcond=None)[0]
        q = q + step
        if np.abs(step).max() < NEAR:
            break
    here = posed(table, q, np.zeros(len(q)))
    J = _columns(table, here, list(bodies))
    twists = np.concatenate([[*body.angular, *body.linear] for body in bodies.values()])
    v = np.linalg.lstsq(J, twists, rcond=None)[0]
    apart = max(float(np.abs(here[k].X - body.X)[:3, 3].max()) for k, body in bodies.items())
    return q, v, apart


def accelerations(table: Table, here: list[Posed], v: Any, bodies: dict[int, Any]) -> Any:
    """The second rates of coordinates of bodies that accelerate so: {row: angular, linear}."""
    drift: list[tuple[Any, Any]] = []
    for k, row in enumerate(table.rows):
        angular = linear = spin = np.zeros(3)
        start, axis = np.zeros(3), here[k].X[:3, :3] @ row.axis
        if row.parent >= 0:
            base, (angular, linear) = here[row.parent], drift[row.parent]
            spin, start = base.angular, base.X[:3, 3]
        arm, swept = here[k].X[:3, 3] - start, np.cross(spin, axis * v[k])
        linear = linear + np.cross(angular, arm) + np.cross(spin, np.cross(spin, arm))
        turns = row.kind == "R"
        drift.append((angular + swept, linear) if turns else (angular, linear + 2.0 * swept))
    J = _columns(table, here, list(bodies))
    remainders = [np.concatenate([x - y for x, y in zip(bodies[k], drift[k], strict=True)]) for k in bodies]
    return np.linalg.lstsq(J, np.concatenate(remainders), rcond=None)[0]


def _between(X: Any, Y: Any) -> Any:
    """The small turn and move from X to Y."""
    R = Y[:3, :3] @ X[:3, :3].T
    w = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]) / 2
    return np.concatenate([w, Y[:3, 3] - X[:3, 3]])


def _columns(table: Table, here: list[Posed], rows: list[int]) -> Any:
    """How these rows turn and move with each coordinate."""
    J = np.zeros((6 * len(rows), len(table.rows)))
    for i, k in enumerate(rows):
        point, j = here[k].X[:3, 3], k
        while j >= 0:
            row = table.rows[j]
            axis = here[j].X[:3, :3] @ row.axis
            column = np.concatenate([axis, np.cross(axis, point - here[j].X[:3, 3])])
            if row.kind == "P":
                column = np.concatenate([np.zeros(3), axis])
            J[6 * i : 6 * i + 6, j] = column
            j = row.parent
    return J
