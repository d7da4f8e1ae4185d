"""How the step of a model with contacts is made: `hs.stepper(model, dt, method="contact")`."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.errors import ModelError
from hapsis.errors import near as hint_of
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.frames import End
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.shapes.surfaces import Surface
from hapsis.mechanics.model.structure.limit_stops import tell_without_stops
from hapsis.motion.simulate.contact.contact_model import METHOD, Numbers, contact_model
from hapsis.motion.simulate.contact.contact_scene import SceneTables
from hapsis.motion.simulate.contact.contact_step import ITERATIONS, ContactStep
from hapsis.motion.simulate.contact.simulate_contact import closed_start
from hapsis.motion.simulate.equations.closed_system import has_constraints
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.simulate.initial_value_problem import InitialValueProblem, initial_value_problem
from hapsis.motion.solvers.contact import contact_tick as native
from hapsis.motion.solvers.integrators.contact import ContactMemory
from hapsis.motion.solvers.run.integration import Integration

CONTACT_OUTPUTS = {
    "force": native.NORMAL,
    "gap": native.GAP,
    "push.x": native.PUSH_X,
    "push.y": native.PUSH_Y,
    "push.z": native.PUSH_Z,
    "slip": native.SLIP,
}
SOLVER_OUTPUTS = {"residual": native.RESIDUAL, "iterations": native.ITERATIONS}
LEVELS = ("position", "velocity")  # what a drive takes from outside


def contact_stepper(
    model: Model,
    dt: float,
    *,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    start: Any = None,
    near: Mapping[str, float] | None = None,
    limits: bool = False,
) -> ContactStep:
    """The step of a model whose contacts are solved in every step; options as those of `stepper`."""
    options = {"dt": dt, "inputs": tuple(inputs), "outputs": tuple(outputs), "start": start, "near": near}
    options["limits"] = "stops" if limits else None
    if limits:
        tell_without_stops(model)
    driven = _driven(model, inputs)
    problem = _problem(model, driven, inputs, start, near)
    kernels, numbers = Kernels(problem.system, {}), Numbers(model, None)
    tables = SceneTables(contact_model(model), kernels, numbers, limits, tuple(driven))
    tick = _tick(problem, tables, driven, dt, inputs, outputs)
    begin = np.append(problem.y[:-1], problem.t)
    for k, drive in enumerate(driven.values()):
        assert drive.joint is not None
        tables.driven[2 * k] = begin[model.coordinates.index(drive.joint)]
    layout = problem.system.layout
    sizes = layout.n_q, layout.n_v, layout.n_z
    return ContactStep(model, options, sizes, tick, begin, _places(model) | numbers.read)


def _driven(model: Model, inputs: Sequence[str]) -> dict[str, Drive]:
    """The drives that take their motion from outside; each must be among the inputs."""
    driven = {name: drive for name, drive in model.drives.items() if drive.inputs}
    for name, drive in driven.items():
        if f"{name}.position" not in inputs:
            raise drive.wrong(
                f'it takes "{name[:60]}.position" from outside',
                remedy=f'give inputs=["{name[:60]}.position"]',
            )
    return driven


def _problem(
    model: Model, driven: Mapping[str, Drive], inputs: Sequence[str], start: Any, near: Any
) -> InitialValueProblem:
    """The smooth motion of a model from its start, with loops closed and drives where they begin."""
    parts = contact_model(model)
    levels = {f"{name}.{level}" for name in driven for level in LEVELS}
    efforts = {name: 0.0 for name in inputs if name not in levels}
    if has_constraints(parts.closed):
        start, near = closed_start(parts, start, {}, near, dict.fromkeys(inputs, 0.0)), None
    problem = initial_value_problem(parts.smooth, Inputs(parts.smooth, efforts), start, near=near)
    system = problem.system
    if set(system.extras.held) - set(system.inputs.names.values()):
        raise ModelError("a sampled controller is Python code and cannot be part of a step")
    return problem


def _tick(
    problem: InitialValueProblem,
    tables: SceneTables,
    driven: Mapping[str, Drive],
    dt: float,
    inputs: Sequence[str],
    outputs: Sequence[str],
) -> native.ContactTick:
    """The memory of the native step."""
    system, kernels = problem.system, tables.kernels
    scene = tables.scene()
    tables.ease(scene, problem.t, problem.y, dt)
    scene.most, scene.lagging = ITERATIONS, ITERATIONS // 2
    motion = kernels.handle(system.motion(), "dy")
    span = problem.t, problem.t + dt
    settings: dict[str, Any] = {"step": dt, "quaternions": system.quaternions, "scene": scene}
    run = Integration(METHOD, motion, span, problem.y, **settings)
    kinds, places, smooth_names = _outputs(tables.parts.whole, tables, system, outputs)
    readings = _readings(system, smooth_names)
    return native.ContactTick(
        run=cast(ContactMemory, run.memory),
        motion=motion,
        readings=motion if readings is None else kernels.handle(readings, "values"),
        dt=dt,
        inputs=len(inputs),
        outputs=len(outputs),
        reading_count=len(smooth_names),
        drives=len(driven),
        pairs=len(tables.found.pairs),
        held=kernels.u if len(kernels.u) else np.zeros(1),
        driven=tables.driven,
        rated=np.array([int(f"{name}.velocity" in inputs) for name in driven], np.int64),
        input_place=np.array(_input_places(system, driven, inputs), np.int64),
        output_kind=np.array(kinds, np.int64),
        output_place=np.array(places, np.int64),
        contact_of=np.array([pair.contact for pair in tables.found.pairs], np.int64),
    )


def _input_places(system: System, driven: Mapping[str, Drive], inputs: Sequence[str]) -> list[int]:
    """For each input its place among what is held; -1 - its place among position and velocity of drives."""
    from hapsis.motion.analysis.linear.operating_point import input_of

    levels = [f"{name}.{level}" for name in driven for level in LEVELS]
    held = {name: k for k, name in enumerate(system.held)}

    def place(name: str) -> int:
        if name in levels:
            return -1 - levels.index(name)
        return held[system.inputs.names[input_of(system.model, name)]]

    return [place(name) for name in inputs]


def _places(model: Model) -> frozenset[str]:
    """The parameters of named frames at which contacts have their solids: "arm.tip.x"."""
    sides = [side for contact in model.contacts.values() for side in (contact.first, contact.second)]
    ends = [End.of(side.on if isinstance(side, Surface) else side) for side in sides]
    frames = [end.body if end.frame is None else f"{end.body}.{end.frame}" for end in ends]
    return frozenset(f"{frame}.{axis}" for frame in frames for axis in "xyz")


def _outputs(
    model: Model, tables: SceneTables, system: System, names: Sequence[str]
) -> tuple[list[int], list[int], list[str]]:
    """The kind and the place of each output, and the names of those that follow from the state."""
    contacts = {name: k for k, name in enumerate(model.contacts)}
    rows = {row.column: k for k, row in enumerate(tables.rows.rows)}
    kinds, places, smooth = list[int](), list[int](), list[str]()
    for name in names:
        owner, quantity = next(
            ((name.removesuffix(f".{q}"), q) for q in CONTACT_OUTPUTS if name.endswith(f".{q}")), ("", "")
        )
        if owner in contacts:
            kinds.append(CONTACT_OUTPUTS[quantity])
            places.append(contacts[owner])
        elif name in rows:
            kinds.append(native.ROW)
            places.append(rows[name])
        elif name in SOLVER_OUTPUTS:
            kinds.append(SOLVER_OUTPUTS[name])
            places.append(0)
        else:
            parts = [f"{contact}.{quantity}" for contact in contacts for quantity in CONTACT_OUTPUTS]
            _check_readable(system, name, (*parts, *rows, *SOLVER_OUTPUTS))
            kinds.append(native.SMOOTH)
            places.append(len(smooth))
            smooth.append(name)
    return kinds, places, smooth


def _check_readable(system: System, name: str, others: Sequence[str]) -> None:
    """An error for an output that nothing has."""
    known = (*system.model.coordinates, *system.model.speeds, *system.signal_names, "energy")
    shape: tuple[int, ...] = ()
    try:
        if name != "energy":
            shape = system.reading(name).outputs[0].shape
    except ModelError:
        hint = hint_of(name, (*known, *others))
        raise ModelError(
            f'outputs name "{name[:60]}", which a step with contacts does not have{hint}'
        ) from None
    if shape not in ((), (1,)):
        numbers = "x".join(map(str, shape))
        raise ModelError(
            f'outputs name "{name[:60]}", which is {numbers} numbers',
            expected="outputs of one number each",
            remedy="name single ones, as coordinates and speeds of the joint",
        )


def _readings(system: System, names: Sequence[str]) -> Function | None:
    """(t, y, u) -> values of these names; None without any."""
    if not names:
        return None
    x = system.symbols()
    view = system.view(x)
    energies = None
    values: list[Any] = []
    for name in names:
        if name == "energy":
            energies = energies or system.outputs_by_name(system.force_signals(), x)
            values.append(energies["kinetic"] + energies["potential"])
        else:
            values.append(view[name])
    return system.function("readings", x, {"values": values})
