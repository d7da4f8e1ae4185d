"""The verb `dh_table`: Denavit-Hartenberg parameters of a serial chain, from its axes as lines in space."""

import math

import numpy as np

from hapsis.compiler.ir.functions.limits import NotNegative
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.drawing.placement import Pose, frame_pose
from hapsis.mechanics.model.frames import Frame, angles
from hapsis.mechanics.model.model import Model
from hapsis.motion.analysis.denavit_hartenberg.common_normal import Parameters, row_to_axis, row_to_end
from hapsis.motion.analysis.denavit_hartenberg.dh_rows import DHRow, DHTable, Rows
from hapsis.motion.analysis.denavit_hartenberg.serial_chain import (
    Axis,
    SerialChain,
    Weight,
    chain_ends,
    serial_chain,
)

PARALLEL = 1e-5  # sine: what parallel axes miss and what rounding costs far-away frames are alike there
AGREES = 1e-6  # m or rad: published tables are rounded


@verb
def dh_table(
    model: Model, end: str | None = None, *, expected: Rows | None = None, tolerance: NotNegative = PARALLEL
) -> DHTable:
    """The standard Denavit-Hartenberg table of the chain that ends at a frame, with the weights of its links.

        end        the name of a body or frame, such as a grasp; may be left out where there is one chain
        expected   a DHTable, or rows, that must describe the same chain; an error names the first axis that
                   it misses
        tolerance  axes are parallel below this sine of their angle: their common normal would be far away,
                   and rounding would spoil masses that are seen from there

    The chain begins in the world, or behind the last joint that is neither revolute nor prismatic.
    """
    chain = serial_chain(model, end if end is not None else _only_end(model))
    if expected is not None:
        table = expected if isinstance(expected, DHTable) else DHTable(expected)
        _check_same(model, table, chain)
    frame = base = _frame_zero(chain)
    rows: list[DHRow] = []
    missed = 0.0
    for k, axis in enumerate(chain.axes):
        following = chain.axes[k + 1] if k + 1 < len(chain.axes) else None
        if following is None:
            row = row_to_end(frame, chain.end, tolerance)
        else:
            row = row_to_axis(frame, following.point, following.direction, tolerance)
        frame, missed = frame @ row.pose, max(missed, row.missed)
        rows.append(_row(row, axis, chain.weights[k].seen_from(frame)))
    last = frame.inverse @ chain.end
    extra = math.atan2(last.R[1, 0], last.R[0, 0]), float(last.p[2])
    gravity = model.gravity_vector if chain.on == "world" else None
    return DHTable(rows, _frame(chain.base.inverse @ base), extra, chain.on, missed, gravity)


def _only_end(model: Model) -> str:
    ends = chain_ends(model)
    if len(ends) == 1:
        return ends[0]
    if not ends:
        raise ModelError("dh_table: the model has no revolute or prismatic joint at the end of a chain")
    raise ModelError(
        f"dh_table: the model has {len(ends)} chains",
        expected=f"end: {', '.join(ends[:8])}, or a frame there",
    )


def _frame_zero(chain: SerialChain) -> Pose:
    """z is the first axis; the origin is its point nearest to that of the base, x nearest to the base's x."""
    axis, base = chain.axes[0], chain.base
    z = axis.direction
    p = axis.point + z * (z @ (base.p - axis.point))
    near = base.R[:, 0] if abs(z @ base.R[:, 0]) < 0.9 else base.R[:, 1]
    x = near - z * (z @ near)
    x /= np.linalg.norm(x)
    return Pose(p, np.column_stack([x, np.cross(z, x), z]))


def _row(row: Parameters, axis: Axis, weight: Weight) -> DHRow:
    I = weight.I
    moments = (*np.diag(I), I[0, 1], I[0, 2], I[1, 2])
    inertia, com = tuple(float(x) for x in moments), tuple(float(x) for x in weight.com)
    numbers = row.theta, row.d, row.a, row.alpha
    return DHRow(*numbers, axis.prismatic, axis.joint, axis.body, weight.mass, com, inertia)


def _frame(pose: Pose) -> Frame:
    x, y, z = map(float, pose.p)
    return Frame((x, y, z), angles(pose.R.tolist()))


def _check_same(model: Model, table: DHTable, chain: SerialChain) -> None:
    """Raises an error where a table puts an axis or the end elsewhere than the parts do."""
    if len(table.rows) != len(chain.axes):
        names = ", ".join(axis.joint for axis in chain.axes)
        raise ModelError(
            f"the DH table has {len(table.rows)} rows, the chain {len(chain.axes)} joints: {names}"
        )
    frame = chain.base @ frame_pose(model, table.base)
    frames: list[Pose] = []
    for k, (row, axis) in enumerate(zip(table.rows, chain.axes, strict=True)):
        label = f'row {k + 1} of the DH table contradicts the joint "{axis.joint[:60]}"'
        if bool(row.prismatic) != axis.prismatic:
            kinds = "revolute", "prismatic"
            raise ModelError(f"{label}: it is {kinds[row.prismatic]}, the joint {kinds[axis.prismatic]}")
        z, r = frame.R[:, 2], axis.point - frame.p
        angle = math.atan2(float(np.linalg.norm(np.cross(z, axis.direction))), float(z @ axis.direction))
        distance = 0.0 if axis.prismatic else float(np.linalg.norm(np.cross(axis.direction, r)))
        _check_near(f"{label}: the rows before it put its axis", distance, angle)
        frame = frame @ Parameters(*(model.value(getattr(row, n)) for n in ("theta", "d", "a", "alpha"))).pose
        frames.append(frame)
    theta, d = map(model.value, table.end)
    frame = frame @ Parameters(theta, d, 0.0, 0.0).pose
    turn = frame.R.T @ chain.end.R
    angle = math.acos(max(-1.0, min(1.0, (float(np.trace(turn)) - 1) / 2)))
    distance = float(np.linalg.norm(frame.p - chain.end.p))
    _check_near(
        "the DH table contradicts the end of the chain: it puts it", distance, angle if angle > 1e-7 else 0.0
    )
    # parts are weighed in the frames of the rows, so only once these are right
    for k, (row, axis) in enumerate(zip(table.rows, chain.axes, strict=True)):
        weight = chain.weights[k].seen_from(frames[k])
        _check_weight(model, row, weight, f"row {k + 1} of the DH table", axis.body)


def _check_weight(model: Model, row: DHRow, weight: Weight, label: str, body: str) -> None:
    """Raises an error where a row that has a mass weighs something else than the part behind its joint."""
    mass = model.value(row.mass)
    if mass == 0.0:
        return
    com = np.array([model.value(x) for x in row.com])
    xx, yy, zz, xy, xz, yz = (model.value(x) for x in row.inertia)
    inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    about = f'{label} contradicts "{body[:60]}"'
    if abs(mass - weight.mass) > AGREES * abs(weight.mass):
        raise ModelError(f"{about}: it weighs {mass:.6g} kg, the part {weight.mass:.6g} kg")
    if (far := float(np.linalg.norm(com - weight.com))) > AGREES:
        raise ModelError(f"{about}: its centre of mass is {far:.3g} m away from that of the part")
    if np.abs(inertia - weight.I).max() > AGREES * np.abs(weight.I).max():
        raise ModelError(f"{about}: its inertia is not that of the part in the axes of the row")


def _check_near(what: str, distance: float, angle: float) -> None:
    if distance > AGREES or angle > AGREES:
        raise ModelError(
            f"{what} {distance:.6g} m and {angle:.6g} rad from where the parts have it",
            remedy="compare it with print(hs.dh_table(model)); is its base given?",
        )
