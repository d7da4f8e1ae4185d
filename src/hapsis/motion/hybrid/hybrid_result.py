"""A run of a hybrid as a Result: the columns of a model, each by the phase of its row."""

from typing import Any, NamedTuple

import numpy as np

from hapsis.mechanics.formalisms.dynamics.carriers import carriers
from hapsis.mechanics.model.names import drive_effort_name
from hapsis.mechanics.model.result import GOOD, Columns, PhaseEvent, Result
from hapsis.mechanics.model.signals.column_units import column_units
from hapsis.mechanics.model.signals.frame_signals import sensor_names
from hapsis.mechanics.model.state import State
from hapsis.motion.hybrid.actions import Impact
from hapsis.motion.hybrid.hybrid_run import PhaseRows
from hapsis.motion.hybrid.machine import PhaseMachine
from hapsis.motion.hybrid.phase_columns import (
    Columned,
    accelerations_of,
    efforts_of,
    foot_forces_of,
    measurements_of,
    reaction_of,
    signals_of,
)
from hapsis.motion.hybrid.readings import Height
from hapsis.motion.simulate.run.events import Event
from hapsis.motion.simulate.run.motion_scene import scene_of
from hapsis.motion.simulate.run.result_builder import (
    acceleration_names,
    energy_columns,
    final_rows,
    frames_on_request,
    generalized_speed_columns,
    state_columns,
)
from hapsis.motion.simulate.run.run import Run
from hapsis.motion.simulate.run.run_warnings import run_warnings
from hapsis.motion.solvers.run import phase_memory as native

Array = np.ndarray[Any, np.dtype[np.float64]]
BELOW = 1e-6  # m: a point that is further below its ground has gone through it


class HybridMemory(NamedTuple):
    """The part of a Result from which a run of a hybrid can be continued."""

    names: tuple[str, ...]
    y: Array
    held: dict[str, float]
    phase: str
    begun: float
    loss: float


def hybrid_result(run: Run, machine: PhaseMachine, record: PhaseRows, title: str) -> Result:
    """The Result of a run; what a phase does not have is NaN in its rows."""
    kernels = run.kernels
    model, layout = kernels.system.model, kernels.system.layout
    rows, end = final_rows(run)
    vector = run.integrator.y.copy()
    behind = record.columns(vector, len(rows.t))
    phases = behind[:, native.PHASE].astype(int)
    q, v, _, work = layout.split(rows.y)

    def by_phase(columns: Columned, names: Any, *shape: int) -> dict[str, Array]:
        values: dict[str, Array] = {}
        for p in np.unique(phases):
            phase, own = machine.phases[p], np.flatnonzero(phases == p)
            for some in phase.parts(rows.t[own]):
                mine = own[some]
                for name, column in columns(phase, rows.part(mine)).items():
                    if name in names:
                        whole = np.full((len(phases), *np.shape(column)[1:]), np.nan)
                        values.setdefault(name, whole)[mine] = column
        return values | {n: np.full((len(phases), *shape), np.nan) for n in names if n not in values}

    accelerations = acceleration_names(model)
    reactions = tuple(
        dict.fromkeys(f"{name}.reaction" for phase in machine.phases for name in carriers(phase.model))
    )
    signals = kernels.system.signal_names
    groups: list[Any] = [
        *state_columns(model, q, v),
        *generalized_speed_columns(kernels, rows),
        energy_columns(kernels, rows),
        (("work",), {"work": work}),
        (("phase",), {"phase": phases.astype(float)}),
        (("impact_loss",), {"impact_loss": behind[:, native.LOSS]}),
        (accelerations, lambda: by_phase(accelerations_of, accelerations)),
    ]
    if signals:
        groups.append((signals, lambda: by_phase(signals_of, signals)))
    efforts = tuple(
        dict.fromkeys(drive_effort_name(name) for phase in machine.phases for name in phase.model.drives)
    )
    if efforts:
        groups.append((efforts, lambda: by_phase(efforts_of, efforts)))
    for name in reactions:
        groups.append(((name,), lambda name=name: by_phase(reaction_of(name), (name,), 6)))
    sensed = tuple(name for sensor in model.sensors.values() for name in sensor_names(sensor))
    if sensed:
        groups.append((sensed, lambda: by_phase(measurements_of, sensed)))
    for foot in machine.hybrid.watch:
        groups.append((foot.columns, lambda foot=foot: by_phase(foot_forces_of(foot), foot.columns)))
    columns = Columns(groups, frames_on_request(kernels, rows))
    margins = least_margins(machine.hybrid.watch, columns, rows.t)
    forces = {name: "N" for foot in machine.hybrid.watch for name in foot.columns}
    t = run.rows.asked_times(rows.t)
    t.flags.writeable = False
    report = {"method": " then ".join(run.methods), **run.counted, "seconds": run.seconds}
    report["preparation_seconds"] = run.preparation_seconds
    report["events"] = len(run.happened)
    report["phases"] = tuple(phase.name for phase in machine.phases)
    if margins:
        report["margins"] = margins
    present = int(vector[machine.size + native.PHASE])
    last = machine.phases[present].name
    return Result(
        t=t,
        columns=columns,
        status=run.status,
        message=_in_phase(run, last),
        events=_events(run, machine, rows.t, phases),
        energy_drift=run.energy.drift,
        constraint_error=record.error,
        last=State(model.coordinates, model.speeds, *layout.split(end)[:2]),
        report=report,
        warnings=(
            *model.warnings,
            *run_warnings(run, q),
            *margin_warnings(margins),
            *depth_warnings(machine, columns, rows.t, phases),
        ),
        units=column_units(model, tuple(columns)) | {"phase": "1", "impact_loss": "J"} | forces,
        title=title,
        scene=lambda: scene_of(kernels, rows),
        memory=HybridMemory(
            tuple(kernels.system.extras.states),
            end,
            dict(zip(kernels.system.held, kernels.u.tolist(), strict=True)),
            last,
            *vector[machine.size + native.BEGUN :].tolist(),
        ),
    )


def _events(run: Run, machine: PhaseMachine, t: Array, phases: Array) -> tuple[Any, ...]:
    """What has happened, with its phases: jumps of drives too, which stay in theirs."""
    events: list[Any] = []
    for event in sorted(run.happened, key=lambda event: event.time):
        if event.time > t[-1]:
            break
        if not isinstance(event, PhaseEvent):
            name = machine.phases[int(phases[np.searchsorted(t, event.time)])].name
            event = PhaseEvent(event.time, event.name, name, name, 0.0, {})
        events.append(event)
    return tuple(events)


def _in_phase(run: Run, phase: str) -> str:
    """The message of a run; where it fails, with the phase."""
    if run.status in GOOD or 'phase "' in run.message:
        return run.message
    return f'{run.message}, in phase "{phase[:60]}"'


def least_margins(feet: Any, columns: Columns, t: Array) -> dict[str, tuple[float, float]]:
    """{column: (its least value, when)} of feet that were held at all."""
    margins: dict[str, tuple[float, float]] = {}
    for name in (name for foot in feet for name in foot.columns):
        values = columns[name]
        if not np.isnan(values).all():
            k = int(np.nanargmin(values))
            margins[name] = float(values[k]), float(t[k])
    return margins


def margin_warnings(margins: dict[str, tuple[float, float]]) -> list[str]:
    """What to say of feet that the ground would have to pull, or that slip."""
    words = {"push": "the ground would have to pull", "grip": "friction does not hold"}
    return [
        f'at t = {t:.6g} s {words[name.rpartition(".")[2]]} the foot "{name.rpartition(".")[0][:60]}": '
        f"{name.rpartition('.')[2]} is {value:.3g} N"
        for name, (value, t) in margins.items()
        if value < 0.0
    ]


def depth_warnings(machine: PhaseMachine, columns: Columns, t: Array, phases: Array) -> list[str]:
    """What to say of points that get below the ground that an impact should keep them above."""
    texts: list[str] = []
    for i, event in enumerate(machine.events):
        if not _keeps_above(event):
            continue
        name = f"{event.when.frame}.z"
        here = np.isin(phases, [p for p, active in enumerate(machine.active) if active[i]])
        value = np.where(here, event.when({name: columns[name]}), 0.0)
        value[: int(np.argmax(here & (value >= -BELOW)))] = 0.0  # it came from below
        k = int(np.argmin(value))
        if value[k] < -BELOW:
            frame, phase = event.when.frame[:60], machine.phases[int(phases[k])].name[:60]
            texts.append(
                f'at t = {t[k]:.6g} s the run has "{frame}" {-value[k]:.3g} m below the ground of event '
                f'"{event.name[:60]}", which did not happen again in phase "{phase}": the point was on this '
                "ground or below it where the phase began"
            )
    return texts


def _keeps_above(event: Event) -> bool:
    """Whether an event is a strike of the point whose height it watches, under no condition."""
    if not isinstance(event.when, Height) or event.direction >= 0 or event.only:
        return False
    return any(isinstance(a, Impact) and event.when.frame in a.points for a in event.then)
