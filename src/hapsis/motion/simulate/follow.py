"""The verb `follow`: kinematics and inverse dynamics along a motion that is given.

The coordinates whose motion is given become drives that take it from outside. At each time the
loops are closed from where they were before; then one Function gives all accelerations, what rows
carry, and the efforts of these drives: what each of those coordinates alone would have to be
pushed with,

    e = Sᵀ (M a + c)

Actuators elsewhere must do the same virtual work: S_Aᵀ tau_A = e, equation (8) of seed 000.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.errors import ModelError, near
from hapsis.mechanics.model.changes import SETTINGS
from hapsis.mechanics.model.drives import INPUT, Drive
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.result import Columns, Result
from hapsis.mechanics.model.state import State
from hapsis.mechanics.model.values.numbers import real
from hapsis.motion.analysis.assembly.loop_numbers import Array
from hapsis.motion.simulate.equations.inputs import Inputs, effort_name
from hapsis.motion.simulate.followed_motion import Following
from hapsis.motion.simulate.prescribed_motion import Prescribed
from hapsis.motion.simulate.run.motion_scene import scene_of
from hapsis.motion.simulate.run.result_builder import acceleration_names, units
from hapsis.motion.simulate.run.run_options import parameter_values, sample_times
from hapsis.motion.simulate.run.run_reactions import Carried

ROWS = 1000  # of a result, if nothing is said


def follow(
    model: Model,
    motion: Mapping[str, Any],
    until: float | None = None,
    *,
    every: float | None = None,
    actuated: Sequence[str] | None = None,
    start: Any = None,
    inputs: Mapping[str, Any] | None = None,
    parameters: Mapping[str, float] | None = None,
    title: str = "",
) -> Result:
    """All coordinates, speeds, accelerations, efforts and reactions of a motion that is given.

    motion      {coordinate: motion} of as many as the model has freedoms: a function of t, a
                number, a table (times, values), or a recording (times, q, v, a)
    until       the last time; the end of the tables if not given
    every       s between two rows; a thousandth of the time if not given
    actuated    the coordinates whose efforts cause the motion, NAME.effort; those whose motion is
                given if not said. With more of them than freedoms the least efforts
    start       {name: value}, where coordinates that follow start: which branch is taken
    inputs      {coordinate: effort} that act besides
    """
    prescribed = Prescribed(motion)
    moved = driven(model, prescribed.names, start)
    until = prescribed.end if until is None else real(until, "until")
    if until is None or not until > 0.0:
        raise ModelError("until must be given, and later than 0")
    prescribed.check(0.0, until)
    every = until / ROWS if every is None else every
    actuators = _actuators(model, prescribed, actuated, inputs)
    given: dict[str, Any] = {**(inputs or {}), **dict.fromkeys(actuators, 0.0)}
    for name in prescribed.names:
        given |= dict.fromkeys(prescribed.inputs(_drive(name)), 0.0)
    t = sample_times(0.0, until, every, len(model.coordinates))
    run = Following(
        moved,
        prescribed,
        [_drive(n) for n in prescribed.names],
        Inputs(moved, given),
        parameter_values(parameters),
    )
    run.go(np.asarray(t))
    if actuators:
        run.actuate(actuators)
    return _recorded(run, model, actuators, str(title))


def check_not_driven(model: Model, names: Iterable[str]) -> None:
    """Raises an error unless these are coordinates whose motion can be given."""
    drives = {drive.joint: drive for drive in model.drives.values()}
    known = {speed.removesuffix(".v") for speed in model.speeds if speed.endswith(".v")}
    for name in map(str, names):
        if name not in known:
            raise ModelError(
                f'there is no coordinate "{name[:60]}" whose motion can be given{near(name, known)}'
            )
        if name in drives:
            raise ModelError(f'"{name[:60]}" is driven by {drives[name].label} already')


def driven(model: Model, names: Sequence[str], start: Any) -> Model:
    """The model with these coordinates driven from outside, started elsewhere if that is said."""
    check_not_driven(model, names)
    settings: dict[str, Any] = {name: getattr(model, name) for name in SETTINGS}
    settings |= {"independent": tuple(names)}
    if isinstance(start, State):
        start = dict(zip(start.coordinates, start.q.tolist(), strict=True))
    if start is not None:
        poses = {name: dict(values) for name, values in model.poses.items()}
        poses["start"] = {**poses.get("start", {}), **start}
        settings["poses"] = poses
    drives = [Drive(_drive(name), name, position=INPUT) for name in names]
    return Model(*model.facts, *drives, **settings)


def _drive(name: str) -> str:
    return f"{name} followed"


def _actuators(
    model: Model, prescribed: Prescribed, actuated: Sequence[str] | None, inputs: Mapping[str, Any] | None
) -> list[str]:
    """The efforts that are asked for, by name; none where they belong to what is given."""
    if actuated is None:
        return []
    if isinstance(actuated, str):
        actuated = (actuated,)
    slots = {effort_name(speed).removesuffix(".effort") for speed in model.speeds}
    found: list[str] = []
    for name in (str(each).removesuffix(".effort") for each in actuated):
        if name not in slots:
            raise ModelError(
                f'actuated names "{name[:60]}", which is no coordinate with an effort{near(name, slots)}'
            )
        if f"{name}.effort" in found or name in (inputs or {}) or f"{name}.effort" in (inputs or {}):
            raise ModelError(f'the effort on "{name[:60]}" is asked for and given, or asked twice')
        found.append(f"{name}.effort")
    return found


class _Loads(Carried):
    """What joints and loops carry along a motion that is given."""

    @property
    def _known(self) -> dict[str, Array]:  # pyright: ignore[reportIncompatibleVariableOverride]
        return self.running.carried  # type: ignore[attr-defined]


def _recorded(run: Following, model: Model, actuators: list[str], title: str) -> Result:
    kernels, packed, (t, y, u) = run.kernels, run.packed, run.rows
    q, v, _, _ = packed.layout.split(y)
    own = {name for n in run.drives for name in run.prescribed.inputs(n)}

    def energies() -> dict[str, Array]:
        found = kernels.rows(kernels.functions["energies"], t, y, u)
        return {**found, "energy": found["kinetic"] + found["potential"]}

    a = run.carried["a"]
    groups: list[Any] = [
        (model.coordinates, {n: q[:, k] for k, n in enumerate(model.coordinates)}),
        (model.speeds, {n: v[:, k] for k, n in enumerate(model.speeds)}),
        (acceleration_names(model), dict(zip(acceleration_names(model), a.T, strict=True))),
        (("energy", "kinetic", "potential"), energies),
    ]
    told = [name for name in packed.signal_names if name not in own]
    if told:

        def signals() -> dict[str, Array]:
            found = kernels.rows(packed.signals(), t, y, u)
            return {name: found[name] for name in told}

        groups.append((told, signals))
    efforts = dict(zip(packed.model.drives, run.carried["efforts"].T, strict=True))
    columns = {f"{n}.effort": efforts[n] for n in model.drives}
    if not actuators:
        columns |= {f"{n}.effort": efforts[_drive(n)] for n in run.prescribed.names}
    groups.append((list(columns), columns))
    groups += [g for g in _Loads(run, t, y, u).groups() if g[0][0].endswith(".reaction")]  # type: ignore[arg-type]
    error = float(run.loops.errors(t, q, v)[0].max(initial=0.0))
    last = State(model.coordinates, model.speeds, q[-1], v[-1])
    return Result(
        t=t,
        columns=Columns(groups),
        message=f"followed until t = {t[-1]:.6g} s",
        last=last,
        constraint_error=error,
        units=units(model),
        title=title,
        report=run.report,
        scene=lambda: scene_of(packed, kernels, t, y, u),
    )
