"""The verb `stepper`: a whole time step as one Function, for loops that run at a fixed rate.

The Function closes the loops, applies forces and drives, reduces and integrates the dynamics, and
computes the outputs. It has no branches outside, so every backend can compile it, C included.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, SolveError, check_known
from hapsis.mechanics.formalisms.constraints.partition import Partition
from hapsis.mechanics.model.forces.stop import Stop
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.model_warnings import tell_warnings
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.analysis.assembly.loop_numbers import Loops
from hapsis.motion.analysis.assembly.reduce import pivot_units
from hapsis.motion.analysis.assembly.several_partitions import turned_partitions
from hapsis.motion.simulate.distinct_names import distinct_names
from hapsis.motion.simulate.equations.closed_system import ClosedSystem
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.simulate.initial_value_problem import initial_value_problem
from hapsis.motion.simulate.led_functions import led_by_the_best
from hapsis.motion.simulate.run.impact_depths import impact_depths, sufficient_depths
from hapsis.motion.simulate.run.singular_positions import check_regular
from hapsis.motion.simulate.run.step_stability import DEPTH, MOST, MOST_SUBSTEPS, check_step
from hapsis.motion.simulate.run.substep_choice import DECAYING, SWINGING, least_substeps
from hapsis.motion.simulate.step_outputs import DEEPEST
from hapsis.motion.simulate.step_writer import StepWriter, resting_inputs

METHODS = ("rk4", "euler", "split")
HOLDS = ("zero", "linear")
AUTO = "auto"


@runtime_checkable
class Stepped(Protocol):
    """What steps and is no Model: it writes its own step."""

    def stepped(self, dt: float, **options: Any) -> Function:
        """The step; the options are those of `stepper`, checked."""
        ...


@verb
def stepper(
    model: Model | Stepped,
    dt: float,
    *,
    inputs: Iterable[str] = (),
    outputs: Iterable[str] = (),
    start: Any = None,
    near: Mapping[str, float] | None = None,
    method: str = "rk4",
    substeps: int | str | None = None,
    hold: str = "zero",
    depth: float | None = None,
    speed: float = 0.0,
    limits: str | None = None,
) -> Any:
    """(q, v, z, t, inputs) -> q, v, z, t, outputs: one step of dt seconds.

    inputs   names of efforts ("elbow"), held in the step, and of what drives take ("key.position"):
             their motion at the end of the step
    outputs  names of coordinates, speeds, accelerations, forces, efforts of drives, as in a Result;
             of these NAME.max and NAME.min over the substeps; CONTACT.touch.time of the first touch in the
             step (-1 without one) and CONTACT.touch.speed (0);
             deepest: the depth of contacts over that for which the substeps suffice;
             NAME.force of a drive is what whoever moves it feels, the other way round;
             energy, and energy.before the step: its difference to the energy after the previous
             step is the energy added by parameter changes
    start    as for `simulate`; the state at the start is the default of q, v, z, and of what
             drives take
    near     {name: value} of guesses of coordinates, as for `simulate`: they choose the branch of loops
    method   "rk4"; "euler": first the speeds, then with the new ones the coordinates; "split": as "rk4", but
             the states of laws first, each implicit, for dry friction that slides fast; "contact" solves
             contacts in each step: the result is a ContactStep, for calls, loops and pages
    substeps steps of the method in one step: for what is too stiff for dt; "auto" chooses so many that what
             is fastest at the start, and with each contact and stop pressed in, is resolved. If it is not
             given, it is "auto" where a contact or stop would make one step unstable, else 1. `notes` of
             the Function, which `explain` shows, say how many and why
    hold     "zero": efforts are held in the step; "linear": they go evenly from those of the step before to
             the new ones, and so do accelerations that drives take
    depth    m, to which substeps="auto" presses contacts and stops; if it is not given, each so deep as what
             meets there with the speeds and accelerations of the start is stopped, and at least 0.1 mm
    speed    m/s, with which at least things meet: for what is at rest at the start and fast later
    limits   "stops": limits of joints act, with the method "contact"

    z are the states of laws, and for each position that is tracked, and with hold="linear" each effort, the
    one given before, if there are any. Of a model with loops the partition is that of the start: good as long
    as the independent coordinates lead. A step that cannot be stable from the start is refused, as by
    `simulate`.
    """
    if not isinstance(model, Model):
        if not isinstance(model, Stepped):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError(f"stepper takes a Model or a Hybrid, not {described(model)}")
        parts = 1 if substeps in (AUTO, None) else _whole(substeps)
        names = {"inputs": distinct_names(inputs, "inputs"), "outputs": distinct_names(outputs, "outputs")}
        return model.stepped(
            _period(dt), start=start, near=near, method=method, substeps=parts, hold=hold, **names
        )
    given = {"inputs": inputs, "outputs": outputs, "start": start, "near": near}
    if method == "contact":
        if depth is not None or speed != 0.0:
            raise SolveError(
                'a step by "contact" solves contacts of any depth and speed',
                remedy="leave depth= and speed= out",
            )
        return _contact_step(model, dt, substeps, hold, limits, **given)
    if limits is not None:
        raise SolveError('limits act in steps by the method "contact" only', remedy="use model.with_stops()")
    chosen: list[tuple[Partition, Any]] = []

    def choose(loops: Loops, q: Any, first: Partition) -> list[Partition]:
        parts = turned_partitions(loops, q, first)
        chosen.extend((part, pivot_units(loops, part)) for part in parts)
        return parts

    how = {"method": method, "substeps": substeps, "hold": hold, "depth": depth, "speed": speed}
    written = steps(model, dt, choose, **how, **given)
    if len(written) == 1:
        return written[0]
    parts, units = [part for part, _ in chosen], [unit for _, unit in chosen]
    step = led_by_the_best(model, parts, units, written)
    step.model, step.options, step.notes = written[0].model, written[0].options, written[0].notes
    return step


def _contact_step(
    model: Model, dt: Any, substeps: Any, hold: str, limits: Any, *, inputs: Any, outputs: Any, **more: Any
) -> Any:
    """The step with contacts, where nothing is asked of it that it has not."""
    from hapsis.motion.simulate.contact.contact_stepper import contact_stepper

    if substeps not in (None, 1) or hold != "zero":
        raise SolveError('a step by "contact" has no substeps, and holds its inputs', remedy="leave them out")
    if limits not in (None, "stops"):
        raise SolveError(f"limits is {limits!r:.60}", expected='"stops", or nothing')
    tell_warnings(model)
    names = {"inputs": distinct_names(inputs, "inputs"), "outputs": distinct_names(outputs, "outputs")}
    return contact_stepper(model, _period(dt), limits=limits is not None, **names, **more)


def steps(
    model: Model,
    dt: float,
    choose: Callable[[Loops, Any, Partition], Sequence[Partition]] | None = None,
    *,
    inputs: Iterable[str] = (),
    outputs: Iterable[str] = (),
    start: Any = None,
    near: Mapping[str, float] | None = None,
    method: str = "rk4",
    substeps: int | str | None = None,
    hold: str = "zero",
    depth: float | None = None,
    speed: float = 0.0,
) -> list[Function]:
    """The step of `stepper`; with loops one for each partition that is chosen, that of the start first.

    choose    gets the loops, the coordinates and the partition of the start; all steps have the same state,
              so that any of them can continue what another one has begun
    """
    tell_warnings(model)
    dt = _period(dt)
    check_known(method, METHODS, "there is no stepper by {}", SolveError, expected=", ".join(METHODS))
    check_known(hold, HOLDS, "there is no hold {}", SolveError, expected=" or ".join(HOLDS))
    speed = real(speed, "speed")
    if not speed >= 0.0:
        raise SolveError(f"speed is {speed:g} m/s", expected="0 or more")
    if depth is not None:
        depth = real(depth, "depth")
        if not depth > 0.0:
            raise SolveError(f"depth is {depth:g} m", expected="more than 0")
    parts = 0 if substeps in (AUTO, None) else _whole(substeps)
    input_names, output_names = distinct_names(inputs, "inputs"), distinct_names(outputs, "outputs")
    held_inputs = _held_inputs(model, input_names)
    problem = initial_value_problem(model, held_inputs, start, drive_values={}, near=near)
    system = problem.system
    check_regular(problem.singular)
    if set(system.extras.held) - set(held_inputs.names.values()):
        _refuse_sampled(model)
    kernels = Kernels(system, problem.parameters)
    kernels.hold(resting_inputs(system, input_names, problem.y))
    start_of = (problem.t, problem.y, problem.loops)
    notes: tuple[str, ...] = ()
    if substeps == AUTO or (substeps is None and _meets_something(model, problem.y)):
        few = len(problem.y) <= MOST  # of more, the choice says so
        depths = impact_depths(kernels, *start_of, speed) if depth is None and few else depth or DEPTH
        choice = least_substeps(kernels, method, dt, *start_of, depths)
        if substeps == AUTO or not choice.one_is_stable:
            parts, notes = choice.count, (choice.note(dt, depths),)
    parts = parts or 1
    check_step(kernels, method, dt / parts, *start_of, remedy="take that step", substeps=parts)
    enough: dict[str, float] = {}
    if DEEPEST in output_names:
        limits = SWINGING[method] * parts / dt, DECAYING[method] * parts / dt
        enough = sufficient_depths(kernels, problem.y, problem.loops, *limits)
    systems: list[System] = [system]
    if choose is not None and isinstance(system, ClosedSystem) and problem.loops is not None:
        q = system.layout.split(problem.y)[0]
        systems += [system.by(part) for part in choose(problem.loops, q, system.partition)[1:]]
    options = {"dt": dt, "inputs": input_names, "outputs": output_names, "start": start}
    options |= {"near": near, "method": method, "substeps": parts, "hold": hold}
    written = [
        StepWriter(each, dt, method, parts, hold, enough).function(input_names, output_names, problem.y)
        for each in systems
    ]
    for step in written:
        step.model, step.options, step.notes = model, options, notes
    return written


def _meets_something(model: Model, y: Any) -> bool:
    """Whether it has contacts or stops, and few enough states to see what they do to a step."""
    stops = any(isinstance(force, Stop) for force in model.forces.values())
    return (stops or bool(model.contacts)) and len(y) <= MOST


def _period(dt: Any) -> float:
    dt = real(dt, "dt")
    if not 1e-9 <= dt <= 1e3:
        raise SolveError(f"dt is {dt:g} s", expected="from 1e-9 to 1000 s")
    return dt


def _whole(substeps: Any) -> int:
    if isinstance(substeps, str):
        raise SolveError(f'substeps is "{substeps[:60]}"', expected=f'a whole number, or "{AUTO}"')
    parts = real(substeps, "substeps")
    if not (parts == int(parts) and 1 <= parts <= MOST_SUBSTEPS):
        raise SolveError(f"substeps is {parts:g}", expected=f"a whole number from 1 to {MOST_SUBSTEPS}")
    return int(parts)


def _refuse_sampled(model: Model) -> None:
    sampled = next(force for force in model.forces.values() if getattr(force, "rate", None) is not None)
    raise sampled.wrong(
        "a sampled controller is Python code and cannot be part of a step",
        remedy="leave out its rate, so that it is traced",
    )


def _held_inputs(model: Model, names: Sequence[str]) -> Inputs:
    """The inputs of these names; or which input of a drive is missing."""
    for drive in model.drives.values():
        for name in drive.inputs:
            if name not in names:
                raise drive.wrong(
                    f'it takes "{name[:60]}" from outside', remedy=f'give inputs=["{name[:60]}", ...]'
                )
    return Inputs(model, dict.fromkeys(names, 0.0))
