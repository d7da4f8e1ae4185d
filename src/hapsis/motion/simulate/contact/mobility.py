"""How easily bodies and rows of a scene are moved: the scale of what is rigid, and of slow impacts."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.errors import ModelError, SolveError
from hapsis.mechanics.model.joints.free import Free
from hapsis.mechanics.model.model import Model
from hapsis.motion.simulate.contact.step_rows import StepRows, row_numbers
from hapsis.motion.solvers.contact.closure import STOPPED
from hapsis.motion.solvers.contact.contact_memory import HEAD, PUSH, ContactScene

Blocks = tuple[tuple[int, ...], ...]
REGULAR = 1e-14  # of the largest eigenvalue of a mass matrix whose diagonal is 1: less is rounding
SLOW = 4.0  # steps of falling: a slower impact has no restitution


def ease_scene(
    scene: ContactScene, speeds: Sequence[str], gravity: Any, rows: StepRows, t: float, y: Any, step: float
) -> None:
    """Says how easily bodies and rows are moved, from the masses at a state.

    speeds    the names of those of the model
    """
    scene.slow = SLOW * step * float(np.linalg.norm(gravity))
    clock = np.array([t, 1e-3])
    scene.terms(clock[:1], y, clock[1:], scene.A, scene.b, scene.X, scene.J)
    check_masses(scene, speeds)
    for k in range(scene.body_count):
        block = int(scene.body_block[k])
        first, last = scene.block_first[block], scene.block_first[block + 1]
        n = int(last - first)
        start = int(scene.block_start[block])
        A = scene.A[start : start + n * n].reshape(n, n)
        mine = scene.supports[scene.support_first[k] : scene.support_first[k + 1]] - first
        six = scene.J[scene.body_J[k] : scene.body_J[k + 1]].reshape(6, -1)
        J = np.zeros((3, n))
        J[:, mine] = six[3:]
        scene.ease[k] = float(np.trace(J @ np.linalg.solve(A, J.T))) / 3.0
    if rows.rows:
        _ease_rows(scene, rows, clock, y, step)


def energy_of_step(scene: ContactScene, t: float, y: Any, step: float) -> float:
    """J that the forces at a state give what moves from rest in one step, where nothing holds it."""
    clock = np.array([t, step])
    scene.terms(clock[:1], y, clock[1:], scene.A, scene.b, scene.X, scene.J)
    total = 0.0
    for k in range(scene.block_count):
        first, last = int(scene.block_first[k]), int(scene.block_first[k + 1])
        n, start = last - first, int(scene.block_start[k])
        b = scene.b[first:last]
        total += 0.5 * float(b @ np.linalg.solve(scene.A[start : start + n * n].reshape(n, n), b))
    return total


def check_masses(scene: ContactScene, speeds: Sequence[str]) -> None:
    """Refuses a state in which something can move without moving any mass, by the blocks of A."""
    for block in range(scene.block_count):
        first, last = int(scene.block_first[block]), int(scene.block_first[block + 1])
        n = last - first
        start = int(scene.block_start[block])
        A = scene.A[start : start + n * n].reshape(n, n)
        diagonal = np.diag(A)
        if not np.isfinite(A).all():
            continue  # numbers beyond all bounds: the first step says so
        if (diagonal > 0.0).all():
            scale = 1.0 / np.sqrt(diagonal)
            masses, ways = np.linalg.eigh(A * scale * scale[:, None])
            if masses[0] > REGULAR * masses[-1]:
                continue
            way = np.abs(ways[:, 0])
        else:
            way = np.where(diagonal > 0.0, 0.0, 1.0)
        moved = scene.order[first + np.flatnonzero(way > 0.5 * way.max())]
        names = ", ".join(f'"{speeds[k][:60]}"' for k in moved)[:200]
        raise ModelError(
            f"{names} can move without moving any mass, which steps with contacts cannot solve",
            remedy="give the bodies there a mass and an inertia, or the joint armature",
        )


def _ease_rows(scene: ContactScene, rows: StepRows, clock: Any, y: Any, step: float) -> None:
    """Gives rigid rows their stiffness."""
    scene.row_terms(clock[:1], y, scene.row_values)
    values = scene.row_values.reshape(len(rows.rows), -1)
    check_limits(rows, values[:, 0], float(np.abs(y[: scene.n_q] / scene.place_unit).max(initial=1.0)))
    eases = np.zeros(len(rows.rows))
    index = scene.row_index.reshape(len(rows.rows), -1)
    for k, count in enumerate(scene.row_size.tolist()):
        mine = index[k, :count]
        if not count:
            continue
        block = int(scene.block_of[mine[0]])
        first = int(scene.block_first[block])
        n = int(scene.block_first[block + 1]) - first
        start = int(scene.block_start[block])
        r = np.zeros(n)
        r[mine - first] = values[k, HEAD : HEAD + count]
        A = scene.A[start : start + n * n].reshape(n, n)
        eases[k] = float(r @ np.linalg.solve(A, r))
    scene.row_numbers[:] = row_numbers(rows, eases, step).ravel()
    scene.row_slide[:] = [row.largest for row in rows.rows]
    scene.row_stribeck[:] = [row.stribeck for row in rows.rows]


def check_limits(rows: StepRows, values: Any, largest: float) -> None:
    """Refuses a start beyond a rigid stop, which would drive the joint back within one step.

    largest    of the coordinates in their units, or one
    """
    for row, value in zip(rows.rows, values.tolist(), strict=True):
        if row.law == PUSH and row.rigid and -value > STOPPED * largest * row.unit:
            name = row.column.removesuffix(" limit.effort")
            raise SolveError(
                f'"{name[:60]}" starts {-value:.3g} m or rad beyond its limit, which acts as a rigid stop',
                remedy="start within the limits, or add hs.Stop with a stiffness",
            )


def free_fields(model: Model, blocks: Blocks) -> dict[str, Any]:
    """Where coordinates and speeds of bodies stand that only a free joint carries, alone in their block."""
    alone = {block for block in blocks if len(block) == 6}
    coordinates = {name: k for k, name in enumerate(model.coordinates)}
    speeds = {name: k for k, name in enumerate(model.speeds)}
    places: list[tuple[int, int]] = []
    for branch in model.tree:
        joint = branch.joint
        if not isinstance(joint, Free) or branch.reversed or branch.parent != "world":
            continue
        mine = tuple(speeds[name] for name in joint.speeds)
        if mine in alone:
            places.append((coordinates[joint.coordinates[0]], len(coordinates) + mine[0]))
    columns = np.array(places, np.int64).reshape(-1, 2)
    return {"free_count": len(columns), "free_q": columns[:, 0].copy(), "free_v": columns[:, 1].copy()}


def weigh_free_bodies(scene: ContactScene, y: Any) -> None:
    """Gives free bodies their mass matrices, which are constant in their own axes."""
    clock = np.zeros(2)  # a step of no length: A is the mass matrix alone
    scene.terms(clock[:1], y, clock[1:], scene.A, scene.b, scene.X, scene.J)
    place = {int(slot): k for k, slot in enumerate(scene.order)}
    for k in range(scene.free_count):
        block = int(scene.block_of[place[int(scene.free_v[k]) - scene.n_q]])
        start = int(scene.block_start[block])
        M = scene.A[start : start + 36].reshape(6, 6)
        scene.free_mass[36 * k : 36 * k + 36] = M.ravel()
        scene.free_inverse[36 * k : 36 * k + 36] = np.linalg.inv(M).ravel()
        scene.free_center[3 * k : 3 * k + 3] = M[4, 2] / M[5, 5], M[5, 0] / M[5, 5], M[3, 1] / M[5, 5]
