"""The rows of a step besides contacts: loops and constraints, drives, stops, dry friction of joints.

A row has a value g, which changes with the speeds by its coefficients r: ġ = r v + drift. What is rigid,
loops and drives, has the force of the last step and a damper so strong that a step leaves 1e-5 of what the
load changes by as an error, and is met by the nearest pose and speeds at the end of each step, see `closure`.
Values are those at the end of the step.
"""

from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.expr import Expr, symbols
from hapsis.errors import SolveError
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names, position_rows
from hapsis.mechanics.formalisms.constraints.row_units import row_units as units_of_constraints
from hapsis.mechanics.formalisms.deferred_verbs import constraints, drifts
from hapsis.mechanics.formalisms.forces.imposed_motion import imposed_motion
from hapsis.mechanics.formalisms.tree.tree import is_zero
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.forces.friction import SETTLING, STICK, STRIBECK, Friction
from hapsis.mechanics.model.forces.stop import Stop
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import coordinate_name, drive_effort_name, effort_name, speed_name
from hapsis.mechanics.model.signals.column_units import column_units
from hapsis.mechanics.model.structure.limit_stops import unstopped
from hapsis.mechanics.model.units import speed_units
from hapsis.motion.simulate.contact.contact_model import METHOD, ContactModel, Numbers
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.solvers.contact.contact_memory import DRY, PUSH, SPRING

SOFT, RATE, PLACED = 0, 1, 2
RIGID = 1e5  # stiffness of what is rigid, in that of the mass it holds at the length of the step


class StepRow(NamedTuple):
    """One row: the column of the force on it, its law, and numbers; rigid rows get theirs from the step.

    rigid    SOFT, RATE or PLACED: with numbers of its own, or rigid, by its rate alone or by its value too
    largest  force of dry friction; `static` is that of breaking loose, `stribeck` the speed on which it falls
    works    whether it does work, which rows of loops that stand still do not
    closes   whether it is a row of a loop or a constraint
    unit     of its value: that of the model's lengths, or 1
    """

    column: str
    law: int
    rigid: int = 0
    stiffness: float = 0.0
    damping: float = 0.0
    largest: float = 0.0
    static: float = 0.0
    stribeck: float = STRIBECK
    works: bool = False
    closes: bool = False
    unit: float = 1.0
    sign: float = 1.0  # of the column, by the force along the row


class RowExpressions(NamedTuple):
    """Rows, and for each its value, drift and {place in v: coefficient} as expressions."""

    rows: list[StepRow]
    values: list[tuple[Any, Any, dict[int, Any]]]

    def add(self, row: StepRow, value: Any, drift: Any, coefficients: dict[int, Any]) -> None:
        """One more row."""
        self.rows.append(row)
        self.values.append((value, drift, coefficients))


def row_expressions(
    parts: ContactModel, x: Any, numbers: Numbers, limits: bool, driven: Any
) -> RowExpressions:
    """All rows of a model, for the symbols x of a system.

    limits    whether limits of joints act
    driven    {drive: position and velocity} of those by input
    """
    found = RowExpressions([], [])
    _add_constraints(parts, x, found)
    _add_drives(parts, x, found, driven)
    _add_stops(parts, x, numbers, limits, found)
    _add_friction(parts, x, numbers, found)
    return found


def _add_constraints(parts: ContactModel, x: Any, found: RowExpressions) -> None:
    model = parts.closed
    names = constraint_names(model)
    if not names:
        return
    zero = x["y"][0] * 0.0
    units = units_of_constraints(model)
    rows, drifting = constraints(model), drifts(model)
    values = rows.outputs_by_name(rows(**_known(rows, x)))
    rates = drifting.outputs_by_name(drifting(**_known(drifting, x)))["drift"]
    positions = len(position_rows(model))
    for k, name in enumerate(names):
        J = {slot: value for slot, value in enumerate(values["J"][k]) if not _zero(value)}
        moves = not _zero(rates[k])  # with the time: it gives energy, as a drive does
        rigid = PLACED if k < positions else RATE
        row = StepRow(f"{name}.force", SPRING, rigid, works=moves, closes=True, unit=units[name])
        found.add(row, values["h"][k] if k < positions else zero, rates[k], J)


def _known(function: Function, x: Any) -> dict[str, Any]:
    return {port.name: x[port.name] for port in function.inputs}


def _zero(value: Any) -> bool:
    return is_zero(value) if isinstance(value, Expr) else value == 0.0


def _add_drives(parts: ContactModel, x: Any, found: RowExpressions, driven: Any) -> None:
    model = parts.closed
    if not model.drives:
        return
    for drive in model.drives.values():
        check_drive(drive, drive.name in driven)
    motions: dict[str, Any] = {}
    for name, (position, velocity) in driven.items():
        motions |= {f"{name}.position": position, f"{name}.velocity": velocity}
    if len(driven) < len(model.drives):
        others = model.without(*driven) if driven else model
        function, _, _ = imposed_motion(others)
        assert function is not None
        motions |= function.outputs_by_name(function(**_known(function, x)))
    zero = x["y"][0] * 0.0
    one = zero + 1.0
    for name, drive in model.drives.items():
        assert drive.joint is not None
        slot = model.speeds.index(speed_name(drive.joint))
        rate = zero - motions[f"{name}.velocity"]
        column = drive_effort_name(name)
        if f"{name}.position" in motions:
            place = model.coordinates.index(drive.joint)
            value = x["q"][place] - motions[f"{name}.position"]
            row = StepRow(column, SPRING, PLACED, works=True, unit=speed_units(model)[slot])
            found.add(row, value, rate, {slot: one})
        else:
            found.add(StepRow(column, SPRING, RATE, works=True), zero, rate, {slot: one})


def check_drive(drive: Drive, by_input: bool) -> None:
    """Refuses drives that are no row of a step."""
    why = ""
    if drive.tracking is not None:
        why = "a drive that tracks"
    elif drive.inputs and not by_input:
        why = "a drive by inputs"
    elif drive.point is not None:
        why = "a drive of a point"
    elif drive.position is None and drive.velocity is None:
        why = "a drive by its acceleration"
    if why:
        raise SolveError(
            f'{drive.label}: {why} is not known to the method "{METHOD}"',
            expected="a drive of a joint whose position or velocity is a function of time",
        )


def _add_stops(parts: ContactModel, x: Any, numbers: Numbers, limits: bool, found: RowExpressions) -> None:
    model = parts.whole
    one = x["y"][0] * 0.0 + 1.0
    for stop in model.forces.values():
        if not isinstance(stop, Stop):
            continue
        if stop.law is not None:
            raise SolveError(
                f'{stop.label}: a stop with a law is not known to the method "{METHOD}"',
                expected="stiffness and damping",
            )
        values = [numbers.value(getattr(stop, n), f"{stop.name}.{n}") for n in ("stiffness", "damping")]
        row = StepRow(f"{stop.name}.effort", PUSH, SOFT, *values, works=True)
        bounds = _bounds(parts, stop.joint, numbers)
        given = {f"{stop.name}.{side}": getattr(stop, side) for side in ("low", "high")}
        sides = [
            b if g is None else numbers.value(g, name)
            for (name, g), b in zip(given.items(), bounds, strict=True)
        ]
        _add_sides(parts, stop.joint, row, sides, x, one, found)
    if limits:
        for name in unstopped(model):
            row = StepRow(f"{name} limit.effort", PUSH, PLACED, works=True)
            _add_sides(parts, name, row, _bounds(parts, name, numbers), x, one, found)


def _bounds(parts: ContactModel, coordinate: str, numbers: Numbers) -> list[float | None]:
    """The limits of a coordinate."""
    for joint in parts.whole.moving:
        if coordinate in joint.bounds:
            return [None if bound is None else numbers.value(bound) for bound in joint.bounds[coordinate]]
    return [None, None]


def _add_sides(
    parts: ContactModel, coordinate: str, row: StepRow, sides: Any, x: Any, one: Any, found: RowExpressions
) -> None:
    place = parts.whole.coordinates.index(coordinate)
    slot = parts.whole.speeds.index(speed_name(coordinate))
    unit = speed_units(parts.whole)[slot]
    for sign, limit in zip((1.0, -1.0), sides, strict=True):
        if limit is not None:
            value = sign * (x["q"][place] - limit)
            found.add(row._replace(sign=sign, unit=unit), value, 0.0 * one, {slot: sign * one})


def _add_friction(parts: ContactModel, x: Any, numbers: Numbers, found: RowExpressions) -> None:
    model = parts.whole
    zero = x["y"][0] * 0.0
    for joint in model.moving:
        largest = numbers.value(joint.friction, f"{joint.name}.friction")
        if largest > 0.0:
            for speed in joint.speeds:
                row = _dry(friction_name(speed), largest, largest, STICK)
                found.add(row, zero, zero, {model.speeds.index(speed): zero + 1.0})
    for force in model.forces.values():
        if not isinstance(force, Friction) or force.smooth is not None:
            continue
        values = {
            n: numbers.value(getattr(force, n), f"{force.name}.{n}")
            for n in ("coulomb", "stick", "viscous", "stribeck")
        }
        static = (
            values["coulomb"] if force.static is None else numbers.value(force.static, f"{force.name}.static")
        )
        slot = model.speeds.index(speed_name(force.joint))
        column = f"{force.name}.effort"
        row = _dry(column, values["coulomb"], static, values["stick"], values["stribeck"])
        found.add(row, zero, zero, {slot: zero + 1.0})
        if values["viscous"]:
            found.add(
                StepRow(column, SPRING, SOFT, 0.0, values["viscous"], works=True),
                zero,
                zero,
                {slot: zero + 1.0},
            )


def _dry(column: str, largest: float, static: float, stick: float, stribeck: float = STRIBECK) -> StepRow:
    """A row of dry friction whose bristles slip at the deflection `stick`."""
    stiffness = largest / stick
    return StepRow(column, DRY, SOFT, stiffness, SETTLING * stiffness, largest, static, stribeck, True)


class StepRows(NamedTuple):
    """The rows of a model in numbers and tables: what native code and results need.

    function   (t, y, u) -> values: value, drift and coefficients of each row, padded to `width`
    index      for each row the places in v of its coefficients
    """

    rows: tuple[StepRow, ...]
    function: Function | None
    index: tuple[tuple[int, ...], ...]
    width: int


def step_rows(
    parts: ContactModel, system: System, numbers: Numbers, limits: bool, by_input: tuple[str, ...] = ()
) -> StepRows:
    """The rows of a model; drives `by_input` take position and velocity from a vector `driven`."""
    x = system.symbols()
    driven = symbols("driven", 2 * len(by_input), graph=x["t"].graph)
    motions = {name: (driven[2 * k], driven[2 * k + 1]) for k, name in enumerate(by_input)}
    found = row_expressions(parts, x, numbers, limits, motions)
    if not found.rows:
        return StepRows((), None, (), 0)
    index = tuple(tuple(sorted(coefficients)) for *_, coefficients in found.values)
    width = max(map(len, index))
    zero = x["y"][0] * 0.0
    values: list[Any] = []
    for (value, drift, coefficients), places in zip(found.values, index, strict=True):
        values += [value, drift, *(coefficients[k] for k in places)]
        values += [zero] * (width - len(places))
    inputs = system.state_inputs(x) | ({"driven": driven} if by_input else {})
    function = Function("step_rows", inputs, {"values": values})
    return StepRows(tuple(found.rows), function, index, width)


def row_units(model: Model, columns: tuple[str, ...]) -> dict[str, str]:
    """The units of columns of rows: efforts of drives, stops, limits and dry friction."""
    efforts = {
        column: effort_name(speed)
        for speed in model.speeds
        for column in (f"{coordinate_name(speed)} limit.effort", friction_name(speed))
    }
    known = column_units(model, (*columns, *efforts.values()))
    return {name: known[n] for name in columns if (n := efforts.get(name, name)) in known}


def friction_name(speed: str) -> str:
    """The column of dry friction at a speed of a joint."""
    return effort_name(speed).replace(".effort", ".friction")


def row_numbers(rows: StepRows, ease: Any, step: float) -> Any:
    """Stiffness, damping, largest force and static one of each row; `ease` is r A⁻¹ rᵀ of each."""
    table = np.zeros((len(rows.rows), 4))
    for k, row in enumerate(rows.rows):
        table[k] = row.stiffness, row.damping, row.largest, row.static
        if row.rigid:
            stiffest = RIGID / (max(float(ease[k]), 1e-300) * step)  # h c w = RIGID
            table[k, :2] = (stiffest / step, 0.0) if row.law == PUSH else (0.0, stiffest)
    return table
