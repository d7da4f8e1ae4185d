"""The verb `follow`: kinematics and inverse dynamics along a motion that is given.

The coordinates whose motion is given become drives that take it from outside. At each time the
loops are closed, starting from the previous pose; then one Function gives all accelerations, the
multipliers of the rows, and the efforts of these drives: the effort that each of those coordinates
needs if it alone is actuated,

    e = Sᵀ (M a + c)

Actuators elsewhere must do the same virtual work: S_Aᵀ tau_A = e [Docquier, equation 8].
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, check_known
from hapsis.mechanics.model.changes import SETTINGS
from hapsis.mechanics.model.checks.changed_values import parameter_values
from hapsis.mechanics.model.driven_points import driven_coordinate
from hapsis.mechanics.model.drives import INPUT, Drive
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.model_warnings import tell_warnings
from hapsis.mechanics.model.names import (
    coordinate_name,
    drive_effort_name,
    effort_name,
    speed_name,
    without_effort,
)
from hapsis.mechanics.model.result import Columns, Result
from hapsis.mechanics.model.signals.column_units import column_units
from hapsis.mechanics.model.state import State
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.followed_motion import FollowedMotion
from hapsis.motion.simulate.prescribed_motion import PrescribedMotion
from hapsis.motion.simulate.run.motion_scene import scene_of
from hapsis.motion.simulate.run.open_loops import constraint_error
from hapsis.motion.simulate.run.result_builder import (
    acceleration_names,
    energy_columns,
    frames_on_request,
    generalized_speed_columns,
    reaction_columns,
    sensor_groups,
    signal_columns,
    state_columns,
)
from hapsis.motion.simulate.run.run_options import sample_times

ROWS = 1000  # of a result, by default


@verb
def follow(
    model: Model,
    motion: Mapping[str, Any],
    until: float | None = None,
    *,
    every: float | None = None,
    actuated: Sequence[str] | None = None,
    start: Any = None,
    near: Mapping[str, float] | None = None,
    inputs: Mapping[str, Any] | None = None,
    parameters: Mapping[str, float] | None = None,
    title: str = "",
) -> Result:
    """All coordinates, speeds, accelerations, efforts and reactions of a motion that is given.

    motion      {coordinate: motion} of as many as the model has freedoms: a function of t, a
                number, a table (times, values), or a recording (times, q, v, a). Empty where the
                model's drives lead all of it
    until       the last time; the end of the tables if not given
    every       s between two rows; a thousandth of the time if not given
    actuated    the coordinates whose efforts cause the motion, NAME.effort; by default those whose
                motion is given. With more of them than degrees of freedom, the least efforts
    start       {name: value} of dependent coordinates, from which the loops are closed at the first time
    near        {name: value} of guesses, as for `simulate`: of all branches found the nearest to them
    inputs      {coordinate: effort} that act besides
    parameters  {name: value} other than the model's own
    title       the heading of plots and of the player
    """
    tell_warnings(model)
    prescribed = PrescribedMotion(motion)
    if not prescribed.names and not model.drives:
        raise ModelError("motion is empty, and no drive leads the model", expected="{coordinate: motion}")
    if not prescribed.names and actuated is not None:
        raise ModelError("actuated needs a motion: the model's own drives say their efforts themselves")
    driven = with_drives(model, prescribed.names, start)
    until = prescribed.end if until is None else real(until, "until")
    if until is None or not until > 0.0:
        raise ModelError("until must be given, and later than 0")
    prescribed.check(0.0, until)
    every = until / ROWS if every is None else every
    actuators = _actuators(model, actuated, inputs)
    input_values: dict[str, Any] = {**(inputs or {}), **dict.fromkeys(actuators, 0.0)}
    for name in prescribed.names:
        input_values |= dict.fromkeys(prescribed.inputs(_drive(name)), 0.0)
    t = sample_times(0.0, until, every, len(model.coordinates))
    drives = [_drive(n) for n in prescribed.names]
    followed = FollowedMotion(
        driven, prescribed, drives, Inputs(driven, input_values), parameter_values(driven, parameters), near
    )
    followed.compute(t)
    if actuators:
        followed.actuate(actuators)
    return _result(followed, model, actuators, str(title))


def with_drives(model: Model, names: Sequence[str], start: Any) -> Model:
    """The model with drives that take the motion of these coordinates; with another start if given."""
    check_not_driven(model, names)
    settings: dict[str, Any] = {name: getattr(model, name) for name in SETTINGS}
    settings |= {"independent": tuple(names)}
    if isinstance(start, State):
        start = dict(zip(start.coordinates, start.q.tolist(), strict=True))
    if start is not None and not isinstance(start, Mapping):
        raise ModelError(f"start must be a State or {{coordinate: value}}, not {described(start)}")
    if start is not None:
        poses = {name: dict(values) for name, values in model.poses.items()}
        poses["start"] = {**poses.get("start", {}), **start}
        settings["poses"] = poses
    drives = [Drive(_drive(name), name, position=INPUT) for name in names]
    return Model(*model.facts, *drives, **settings)


def check_not_driven(model: Model, names: Iterable[str]) -> None:
    """Raises an error for names without a coordinate that can be driven, or driven already."""
    drives = {driven_coordinate(model, drive): drive for drive in model.drives.values()}
    known = {coordinate_name(speed) for speed in model.speeds if speed == speed_name(coordinate_name(speed))}
    for name in names:
        check_known(name, known, "there is no coordinate {} whose motion can be given")
        if name in drives:
            raise ModelError(f'"{name[:60]}" is driven by {drives[name].label} already')


def _drive(name: str) -> str:
    return f"{name} followed"


def _actuators(model: Model, actuated: Sequence[str] | None, inputs: Mapping[str, Any] | None) -> list[str]:
    """The names of the actuated efforts; empty if they are those of the given coordinates."""
    if actuated is None:
        return []
    if isinstance(actuated, str):
        actuated = (actuated,)
    known = {coordinate_name(speed) for speed in model.speeds}
    efforts: list[str] = []
    for name in (without_effort(str(each)) for each in actuated):
        check_known(name, known, "actuated names {}, which is no coordinate with an effort")
        effort = effort_name(name)
        if effort in efforts or name in (inputs or {}) or effort in (inputs or {}):
            raise ModelError(f'the effort on "{name[:60]}" is actuated and given, or actuated twice')
        efforts.append(effort)
    return efforts


def _result(motion: FollowedMotion, model: Model, actuators: list[str], title: str) -> Result:
    """The Result of a motion that has been followed; model is the one without its drives."""
    kernels, rows, loads = motion.kernels, motion.rows, motion.loads
    system = kernels.system
    q, v, _, _ = system.layout.split(rows.y)
    own = {name for n in motion.drives for name in motion.prescribed.inputs(n)}
    efforts = dict(zip(system.model.drives, loads["efforts"].T, strict=True))
    columns = {drive_effort_name(n): efforts[n] for n in model.drives}
    if not actuators:
        columns |= {drive_effort_name(n): efforts[_drive(n)] for n in motion.prescribed.names}
    names = acceleration_names(model)
    groups: list[Any] = [
        *state_columns(model, q, v),
        *generalized_speed_columns(kernels, rows),
        (names, dict(zip(names, loads["a"].T, strict=True))),
        energy_columns(kernels, rows),
        *signal_columns(kernels, rows, [name for name in system.signal_names if name not in own]),
        (list(columns), columns),
        *reaction_columns(kernels, rows, lambda: loads),
        *sensor_groups(kernels, rows, lambda: loads),
    ]
    every = Columns(groups, frames_on_request(kernels, rows))
    return Result(
        t=rows.t,
        columns=every,
        message=f"followed until t = {rows.t[-1]:.6g} s",
        last=State(model.coordinates, model.speeds, q[-1], v[-1]),
        constraint_error=constraint_error(motion.loops, system.layout, rows),
        units=column_units(model, tuple(every)),
        title=title,
        warnings=model.warnings,
        report=motion.report,
        scene=lambda: scene_of(kernels, rows),
    )
