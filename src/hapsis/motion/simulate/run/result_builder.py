"""A run as a Result: columns by name, some of them computed when they are asked for."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.errors import ModelError, notice
from hapsis.mechanics.formalisms.deferred_verbs import completed_speeds, measurements, reaction, reactions
from hapsis.mechanics.formalisms.dynamics.carriers import carriers
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.model_warnings import own_warnings
from hapsis.mechanics.model.names import RESULT_NAMES, acceleration_name, drive_effort_name
from hapsis.mechanics.model.result import Columns, Result
from hapsis.mechanics.model.signals.column_units import column_units
from hapsis.mechanics.model.signals.frame_signals import frame_signal_of, sensor_names
from hapsis.mechanics.model.state import State
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.simulate.equations.system_history import Rows
from hapsis.motion.simulate.run.energy_account import EnergyAccount
from hapsis.motion.simulate.run.open_loops import constraint_error
from hapsis.motion.simulate.run.run import Run
from hapsis.motion.simulate.run.run_warnings import run_warnings

Array = np.ndarray[Any, np.dtype[np.float64]]
# for all rows: accelerations a, and where there are constraints tau, lam and efforts
Loads = Callable[[], dict[str, Array]]
ENERGIES = ("energy", "kinetic", "potential")


def check_columns(system: System, more: Sequence[str] = ()) -> None:
    """An error where two columns would have one name, before anything is computed; `more` are others."""
    model = system.model
    names = Counter(
        (
            *RESULT_NAMES,
            *model.coordinates,
            *model.speeds,
            *model.generalized_speeds,
            *map(acceleration_name, model.speeds),
            *system.signal_names,
            *map(drive_effort_name, model.drives),
            *(f"{name}.reaction" for name in carriers(model)),
            *(name for sensor in model.sensors.values() for name in sensor_names(sensor)),
            *more,
        )
    )
    name, count = names.most_common(1)[0]
    if count > 1:
        raise ModelError(
            f'{count} columns of the result would be called "{name[:60]}"', remedy="rename a fact"
        )


class Memory(NamedTuple):
    """The part of a Result from which a run can be continued."""

    names: tuple[str, ...]
    y: Array
    held: dict[str, float]
    touches: Any = None  # of runs with the method "contact"


class MoreColumns(NamedTuple):
    """Columns besides those of every run: groups as `Columns` takes them, and units by name.

    accelerations   at every row, where they do not follow from the state; joints then have no reactions
    """

    groups: Sequence[Any] = ()
    units: Mapping[str, str] = MappingProxyType({})
    report: Mapping[str, Any] = MappingProxyType({})
    warnings: Sequence[str] = ()
    touches: Any = None  # what contacts remember, for a run that goes on
    accelerations: Array | None = None
    model: Model | None = None  # to be drawn, where the equations are those of a part of it
    loops: Loops | None = None  # of which the error is told, where they are no part of the run


def result_of(
    run: Run, title: str = "", account: EnergyAccount | None = None, more: MoreColumns | None = None
) -> Result:
    """The Result of a run, with the columns of its energy account where it has one, and `more`."""
    more = more or MoreColumns()
    kernels, system = run.kernels, run.kernels.system
    model, layout = system.model, system.layout
    rows, end = final_rows(run)
    q, v, _, work = layout.split(rows.y)
    names = acceleration_names(model)

    def accelerations() -> dict[str, Array]:
        if more.accelerations is not None:
            return dict(zip(names, more.accelerations.T, strict=True))
        dy = run.history.evaluate(lambda s, some: kernels.rows(s.motion(), *some), rows)["dy"]
        return dict(zip(names, layout.split(dy)[1].T, strict=True))

    @cache
    def loads() -> dict[str, Array]:
        if more.accelerations is not None:
            return {"a": more.accelerations}
        return run.history.evaluate(lambda s, some: s.loads(lambda f: kernels.rows(f, *some)), rows)

    groups: list[Any] = [
        *state_columns(model, q, v),
        *generalized_speed_columns(kernels, rows),
        energy_columns(kernels, rows),
        (("work",), {"work": work}),
        (names, accelerations),
        *signal_columns(kernels, rows, system.signal_names),
        *drive_effort_columns(model, loads),
        *(reaction_columns(kernels, rows, loads) if more.accelerations is None else ()),
        *sensor_groups(kernels, rows, loads),
    ]
    accounted = () if account is None else account.column_names
    if account is not None:
        last = run.integrator.y.copy()
        groups.append((accounted, lambda: account.columns(rows, last)))
    groups += more.groups
    columns = Columns(groups, frames_on_request(kernels, rows))
    t = run.rows.asked_times(rows.t)
    t.flags.writeable = False
    report = {"method": " then ".join(run.methods), **run.counted, "seconds": run.seconds}
    report["preparation_seconds"] = run.preparation_seconds
    report |= more.report
    return Result(
        t=t,
        columns=columns,
        status=run.status,
        message=run.message,
        events=tuple(e for e in run.happened if e.time <= rows.t[-1]),
        energy_drift=run.energy.drift,
        constraint_error=constraint_error(more.loops or run.parts.loops, layout, rows),
        last=State(model.coordinates, model.speeds, *layout.split(end)[:2]),
        report=report,
        warnings=(*model.warnings, *run_warnings(run, q), *more.warnings),
        units=column_units(model, tuple(columns)) | dict.fromkeys(accounted, "J") | dict(more.units),
        title=title,
        scene=lambda: _scene(kernels, rows, more.model),
        memory=Memory(
            tuple(system.extras.states),
            end,
            dict(zip(system.held, kernels.u.tolist(), strict=True)),
            more.touches,
        ),
    )


def _scene(kernels: Kernels, rows: Any, model: Model | None) -> Any:
    from hapsis.motion.simulate.run.motion_scene import scene_of  # only where a picture is drawn

    return scene_of(kernels, rows, model)


def announced(result: Result, model: Model) -> Result:
    """The same Result; notices say why it did not succeed, and its warnings besides those of the model."""
    if not result.success:
        notice(f"the simulation did not succeed: {result.status}; {result.message}")
    for warning in own_warnings(model, result.warnings):
        notice(warning)
    return result


def final_rows(run: Run) -> tuple[Rows, Array]:
    """All rows of a run that are sound, and its last state."""
    rows = Rows(*(np.concatenate(x) for x in zip(*run.rows.kept, strict=True)))
    for check in run.checks:
        if check.status == run.status:
            rows = rows.part(check.sound(rows.t))
            return rows, rows.y[-1]
    end = run.state()
    if run.status != "done" and run.integrator.t > rows.t[-1]:
        # the last good state is kept, also between samples
        t, y, u = rows
        rows = Rows(np.append(t, run.integrator.t), np.vstack([y, end]), np.vstack([u, run.kernels.u]))
    return rows, end


def state_columns(model: Model, q: Array, v: Array) -> list[Any]:
    """The columns of coordinates and of speeds."""
    return [
        (model.coordinates, dict(zip(model.coordinates, q.T, strict=True))),
        (model.speeds, dict(zip(model.speeds, v.T, strict=True))),
    ]


def generalized_speed_columns(kernels: Kernels, rows: Rows) -> list[Any]:
    """The columns of generalized speeds, computed when they are asked for."""
    model = kernels.system.model
    names = tuple(model.generalized_speeds)

    def speeds() -> dict[str, Array]:
        u = _loaded(kernels, rows, {}, completed_speeds(model, ()))["u"]
        return dict(zip(names, u.T, strict=True))

    return [(names, speeds)] if names else []


def energy_columns(kernels: Kernels, rows: Rows) -> Any:
    """The columns of energies, computed when they are asked for."""

    def energies() -> dict[str, Array]:
        values = kernels.rows(kernels.system.energies(), *rows)
        return {**values, "energy": values["kinetic"] + values["potential"]}

    return ENERGIES, energies


def signal_columns(kernels: Kernels, rows: Rows, names: Any) -> list[Any]:
    """The columns of these signals, computed when they are asked for."""

    def signals() -> dict[str, Array]:
        values = kernels.rows(kernels.system.signals(), *rows)
        return {name: values[name] for name in names}

    return [(names, signals)] if names else []


def drive_effort_columns(model: Model, loads: Loads) -> list[Any]:
    """The columns NAME.effort of drives, computed when they are asked for."""
    names = [drive_effort_name(name) for name in model.drives]
    return [(names, lambda: dict(zip(names, loads()["efforts"].T, strict=True)))] if names else []


def reaction_columns(kernels: Kernels, rows: Rows, loads: Loads) -> list[Any]:
    """The columns NAME.reaction of joints and constraints, computed when they are asked for."""
    model = kernels.system.model
    columns = {name: f"{name}.reaction" for name in carriers(model)}

    @cache
    def together() -> dict[str, Array]:
        return {columns[n]: x for n, x in _loaded(kernels, rows, loads(), reactions(model)).items()}

    return [
        (
            [column],
            lambda name=name, column=column: {column: _reaction(kernels, rows, loads(), name)},
            together,
        )
        for name, column in columns.items()
    ]


def frames_on_request(kernels: Kernels, rows: Rows) -> Callable[[str], Any]:
    """A function that computes the signal of a frame or a sensor by its name, or returns None."""
    system = kernels.system

    def column(name: str) -> Any:
        if frame_signal_of(system.model, name) is None:
            return None
        return kernels.rows(system.reading(name), *rows)["value"]

    return column


def sensor_groups(kernels: Kernels, rows: Rows, loads: Loads) -> list[Any]:
    """The columns of sensors, computed when they are asked for."""
    model = kernels.system.model
    names = [name for sensor in model.sensors.values() for name in sensor_names(sensor)]
    return [(names, lambda: _loaded(kernels, rows, loads(), measurements(model)))] if names else []


def _reaction(kernels: Kernels, rows: Rows, loads: dict[str, Array], name: str) -> Array:
    """The wrench of the first end of a joint or constraint on its second end, for every row."""
    return _loaded(kernels, rows, loads, reaction(kernels.system.model, name))["wrench"]


def _loaded(kernels: Kernels, rows: Rows, loads: dict[str, Array], f: Any) -> dict[str, Array]:
    """The outputs by name of a Function of the motion and its loads, for every row."""
    system, (t, y, u) = kernels.system, rows
    q, v, z, _ = system.layout.split(y)
    states, held = system.extras.of_forces
    every = list(system.extras.states)
    known = {
        **loads,
        "q": q,
        "v": v,
        "t": t,
        "z": z[:, [every.index(n) for n in states]],
        "u": u[:, [system.held.index(n) for n in held]],
    }
    inputs = {p.name: np.ascontiguousarray(known[p.name]) for p in f.inputs if p.name in known}
    return f.outputs_by_name(compile(f)(**inputs, **kernels.given(f)))


def acceleration_names(model: Model) -> tuple[str, ...]:
    """The names of all accelerations, in the order of the speeds."""
    return tuple(map(acceleration_name, model.speeds))
