"""The Model of a scene as the memory of native code: its equations, anchored particles, shapes to touch."""

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.function import Function
from hapsis.errors import ModelError, SolveError, check_known
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.formalisms.deferred_verbs import (
    closed_state_rates,
    constraints,
    drift,
    mass_matrix,
    state_rates,
)
from hapsis.mechanics.formalisms.dynamics.velocity_terms import supports
from hapsis.mechanics.formalisms.tree.kinematics import jacobian, pose
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.derived import derived
from hapsis.mechanics.model.joints.weld import Weld
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import speed_name
from hapsis.motion.particles.scenes.anchor import WORLD
from hapsis.motion.particles.scenes.scene_shapes import (
    Shape,
    fill_shapes,
    floor_shapes,
    grounds,
    touched_shapes,
)
from hapsis.motion.simulate.contact.contact_model import Numbers, contact_model
from hapsis.motion.simulate.equations.closed_system import ClosedSystem
from hapsis.motion.simulate.equations.function_store import kept_for
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.simulate.initial_value_problem import InitialValueProblem, initial_value_problem
from hapsis.motion.solvers.particles.bodies.model_memory import ModelMemory

Array = np.ndarray[Any, Any]
HELD = ""  # in place of the body that a particle is fixed to


class SceneModel(NamedTuple):
    """The Model of a scene in a run.

    places   the anchored particles: (number, body, place on the body)
    """

    model: Model
    problem: InitialValueProblem
    kernels: Kernels
    bodies: tuple[str, ...]
    places: tuple[tuple[int, str, Array], ...]
    shapes: tuple[Shape, ...]

    @property
    def size(self) -> int:
        """Numbers of the state y."""
        return self.problem.system.layout.size

    def facet_speeds(self, scene: Any) -> int:
        """How many speeds move facets; 0 if no particle of a facet is anchored."""
        carried = {k for k, *_ in self.places}
        corners = (
            first + each.facets for (name, each) in scene.objects.items() for first in [scene.first[name]]
        )
        return (
            self.problem.system.layout.n_v if any(carried & set(c.ravel().tolist()) for c in corners) else 0
        )


class ModelState(NamedTuple):
    """The state of the model at the end of a run, and where particles are anchored."""

    y: Array
    places: tuple[tuple[int, str, Array], ...]


def continued(scene: Any, state: Any, t: float, inputs: Any, parameters: Any) -> SceneModel:
    """The model at the end of an earlier run."""
    if state.model is None:
        raise ModelError("the start is of a scene without a Model")
    given = scene_model(scene, None, inputs, parameters, state.model.places)
    if given.size != len(state.model.y):
        raise ModelError("the start is of a scene with another Model")
    return given._replace(problem=given.problem._replace(t=t, y=state.model.y))


def model_scale(scene: Any, given: SceneModel) -> float:
    """About the energy that the model can exchange, J: of its motion, of lifting it by the scene's size."""
    system, y, t = given.problem.system, given.problem.y, given.problem.t
    energies = given.kernels.values(system.energies(), t=np.array(t), y=y)
    mass = sum(given.model.value(body.mass) for body in given.model.bodies.values())
    g = float(np.linalg.norm(given.model.gravity_vector))
    size = float(np.linalg.norm(np.ptp(scene.points, axis=0)))
    return float(energies["kinetic"]) + mass * g * size


def scene_model(scene: Any, start: Any, inputs: Any, parameters: Any, places: Any = None) -> SceneModel:
    """The model with the masses of anchored particles, at a start; `places` are those of an earlier run."""
    model: Model = scene.model
    first = initial_value_problem(model, Inputs(model, inputs), start, parameters)
    _check_sticking(first)
    if places is None:
        places = _places(scene, model, first)
    heavier = with_masses(model, [(scene.masses[k], body, at) for k, body, at in places])
    problem = first
    if heavier is not model:
        y, layout = first.y, first.system.layout
        names = (*model.coordinates, *model.speeds, *first.system.extras.states)
        values = dict(zip(names, y[: layout.size - 1].tolist(), strict=True))
        problem = initial_value_problem(heavier, Inputs(heavier, inputs), values, parameters)
        problem = problem._replace(t=first.t, y=y)
    _check_inputs(problem)
    kernels = Kernels(problem.system, problem.parameters)
    kernels.hold(problem.system.inputs.values(problem.t))
    shapes = (*touched_shapes(scene, model), *(floor_shapes(scene, model) if places else ()))
    named = (*(body for _, body, _ in places), *(shape.body for shape in shapes))
    bodies = tuple(dict.fromkeys(body for body in named if body != WORLD))
    return SceneModel(heavier, problem, kernels, bodies, tuple(places), shapes)


def _check_inputs(problem: InitialValueProblem) -> None:
    """Refuses what changes between steps: tables, and what is sampled from outside."""
    system = problem.system
    if system.inputs.tables or system.inputs.motions:
        raise SolveError("inputs of a scene's model are numbers or functions of time, not tables")
    if system.extras.held and not {*system.extras.held} <= {*system.inputs.names}:
        name = next(n for n in system.extras.held if n not in system.inputs.names)
        raise SolveError(f'"{name[:60]}" is sampled from outside, which scenes do not do')


def _check_sticking(problem: InitialValueProblem) -> None:
    """Refuses dry friction of joints, whose bristles are too stiff for these steps."""
    bend = next((name for name in problem.system.extras.states if name.endswith(".bend")), None)
    if bend is not None:
        name = bend.removesuffix(".bend")[:60]
        raise SolveError(
            f'dry friction of "{name}" sticks, which joints in a scene of particles do not know',
            remedy="give hs.Friction(..., smooth=...)",
        )


def _places(scene: Any, model: Model, problem: InitialValueProblem) -> list[tuple[int, str, Array]]:
    """Where anchored particles lie on their bodies at the start."""
    places: list[tuple[int, str, Array]] = []
    points = scene.points
    taken = {scene.first[name] + k: HELD for name, each in scene.objects.items() for k in each.held}
    for anchor in sorted(scene.anchors.values(), key=lambda each: each.to != WORLD):
        if anchor.to == WORLD:
            taken |= dict.fromkeys(scene.anchored(anchor), WORLD)
            continue
        check_known(anchor.to, model.bodies, f"{anchor.name}: the model has no body {{}}")
        p, R = body_pose(problem, anchor.to)
        for k in scene.anchored(anchor):
            if k in taken and taken[k] == anchor.to:
                continue  # lists of anchors may share particles
            if k in taken:
                other = "is held" if taken[k] == HELD else f'is fixed to "{taken[k][:60]}"'
                raise ModelError(
                    f'particle "{scene.particle_name(k)}" {other}, and to "{anchor.to[:60]}"',
                    where=anchor.name,
                )
            taken[k] = anchor.to
            places.append((k, anchor.to, R.T @ (points[k] - p)))
    return places


def body_pose(problem: InitialValueProblem, body: str) -> tuple[Array, Array]:
    """The place and the axes of a body at the start."""
    q, *_ = problem.system.layout.split(problem.y)
    p, R = compile(pose(problem.system.model, body))(np.ascontiguousarray(q))
    return np.array(p), np.array(R).reshape(3, 3)


def with_masses(model: Model, points: list[tuple[float, str, Array]]) -> Model:
    """The model with point masses welded to its bodies, made once for the same points."""
    if not points:
        return model
    key = "with masses", tuple((float(m), body, *map(float, at)) for m, body, at in points)
    return derived(model, key, lambda: _with_masses(model, points))


def _with_masses(model: Model, points: list[tuple[float, str, Array]]) -> Model:
    facts: list[Any] = []
    for body in dict.fromkeys(body for _, body, _ in points):
        mine = [(m, at) for m, owner, at in points if owner == body]
        mass = sum(m for m, _ in mine)
        com = sum((m * at for m, at in mine), np.zeros(3)) / mass
        second = sum((m * np.outer(at - com, at - com) for m, at in mine), np.zeros((3, 3)))
        I = np.trace(second) * np.eye(3) - second
        name = f"particles on {body}"
        moments = (I[0, 0], I[1, 1], I[2, 2], I[0, 1], I[0, 2], I[1, 2])
        facts.append(
            Body(name, mass=float(mass), com=tuple(com.tolist()), inertia=tuple(map(float, moments)))
        )
        facts.append(Weld(f"{name}.weld", body, name))
    return model + facts


def terms(system: System, bodies: tuple[str, ...]) -> Function:
    """(t, y, u) -> dy, M, C, X, J, energy of `ModelMemory`; written once for a model and these bodies."""
    _check_drives(system.model)
    return _kept(system, "scene terms", lambda: _terms(system, bodies), bodies)


def _kept(system: System, name: str, write: Callable[[], Function], *more: Any) -> Function:
    """The Function that `write` writes, kept with the model and on disk."""
    key = (__name__, name), *more, repr(system.partition)
    function = system.store.function(key, lambda: kept_for(system, key[0], write, *key[1:]))
    assert function is not None
    return function


def _terms(system: System, bodies: tuple[str, ...]) -> Function:
    x = system.symbols()
    at = system.closed(x)
    zero = x["y"][0] * 0.0
    if isinstance(system, ClosedSystem):
        rates = system.evaluate(closed_state_rates, x, system.partition)
        power: Any = rates.power
    else:
        rates = system.evaluate(state_rates, x)
        power = zero
    power = sum((t * speed for t, speed in zip(x["tau"], at["v"], strict=True)), power)
    dz = list(rates.dz) if system.layout.n_z else []
    M = system.outputs(mass_matrix(system.model), at)
    potential = system.outputs_by_name(system.force_signals(), at)["potential"]
    outputs: dict[str, Any] = {
        "dy": [*rates.dq, *rates.a, *dz, power - rates.loss],
        "M": [entry for row in M for entry in row],
        "C": [entry for row in _rows(system, at, zero) for entry in row] or [zero],
        "X": [zero],
        "J": [zero],
        "energy": [potential, power, rates.loss],
    }
    poses: list[Any] = []
    moved: list[Any] = []
    for body in bodies:
        p, R = system.outputs(pose(system.model, body), at)
        poses += [entry for row in R for entry in row] + list(p)
        moved += [entry for row in system.outputs(jacobian(system.model, body), at) for entry in row]
    outputs |= {"X": poses or [zero], "J": moved or [zero]}
    outputs = {name: [zero + entry for entry in values] for name, values in outputs.items()}
    return system.function("scene_terms", x, outputs)


def closing_function(system: System) -> Function | None:
    """(t, y, u) -> w: y with its loops closed; None for a tree."""
    if not isinstance(system, ClosedSystem):
        return None

    def write() -> Function:
        x = system.symbols()
        return system.function("closing", x, {"w": list(system.closed(x)["y"])})

    return _kept(system, "scene closing", write)


def _check_drives(model: Model) -> None:
    """Refuses drives that steps of particles do not hold."""
    for drive in model.drives.values():
        if drive.joint is None or drive.tracking is not None:
            raise SolveError(
                f"{drive.label}: a scene's model has no drives of points or with tracking",
                expected="a drive of a joint by a function of time",
            )


def _rows(system: System, at: Mapping[str, Any], zero: Any) -> list[list[Any]]:
    """What loops and drives hold: rows of coefficients of the speeds."""
    model = system.model
    rows: list[list[Any]] = []
    if constraint_names(model):
        J = system.outputs_by_name(constraints(model), at)["J"]
        rows += [list(row) for row in J]
    for drive in model.drives.values():
        assert drive.joint is not None  # as _check_drives saw
        row = [zero] * len(model.speeds)
        row[model.speeds.index(speed_name(drive.joint))] = zero + 1.0
        rows.append(row)
    return rows


def model_memory(scene: Any, given: SceneModel, samples: int) -> ModelMemory:
    """The memory of the model for a run with so many rows."""
    system, layout, kernels = given.problem.system, given.problem.system.layout, given.kernels
    function = terms(system, given.bodies)
    closing = closing_function(system)
    rows = next(math.prod(port.shape) for port in function.outputs if port.name == "C")
    if closing is not None:
        moves: dict[str, Any] = {"closing": kernels.handle(closing, "w")}
    else:
        free = system.store.function("free drift", lambda: drift(contact_model(given.model).free))
        assert free is not None
        moves = {"free": kernels.bind(free, ("w", "dw"))}
    held = bool(given.model.drives) or bool(constraint_names(given.model))
    quaternions = np.array(system.quaternions, np.int64)
    memory = ModelMemory(
        closed=closing is not None,
        n_q=layout.n_q,
        n_v=layout.n_v,
        size=layout.size,
        row_count=rows // layout.n_v if held else 0,
        body_count=len(given.bodies),
        anchor_count=len(given.places),
        piece_count=len(given.shapes),
        particle_count=scene.count,
        quaternion_count=len(quaternions),
        sample_count=samples,
        terms=kernels.handle(function, "dy", "M", "C", "X", "J", "energy"),
        rates=kernels.handle(system.kinematics(), "dy"),
        **moves,
        grounds=grounds(given.shapes),
    )
    memory.quaternions[: len(quaternions)] = quaternions
    memory.y[: layout.size] = given.problem.y
    number = {body: k for k, body in enumerate(given.bodies)}
    moved = [supports(given.model)[body] for body in given.bodies]
    memory.support_first[: len(moved) + 1] = np.cumsum([0, *map(len, moved)])
    memory.supports[: sum(map(len, moved))] = [k for each in moved for k in each]
    memory.fixed_to[:] = -1
    for a, (k, body, at) in enumerate(given.places):
        memory.anchor_particle[a], memory.anchor_body[a] = k, number[body]
        memory.anchor_place[3 * a : 3 * a + 3] = at
        memory.fixed_to[k] = number[body]
    numbers = Numbers(given.model, given.problem.parameters)
    fill_shapes(scene, given.shapes, numbers, memory, number)
    return memory
