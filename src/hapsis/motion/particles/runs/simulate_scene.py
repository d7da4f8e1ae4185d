"""The motion of a scene of particles: its memory, its run, its Result."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.progress_bar import Bar
from hapsis.errors import ModelError, SolveError, notice
from hapsis.mechanics.model.result import Columns, Result
from hapsis.mechanics.model.values.numbers import real
from hapsis.motion.particles.objects.connectors import Slide
from hapsis.motion.particles.runs.body_result import body_faults, body_warnings
from hapsis.motion.particles.runs.implicit_run import ImplicitRun
from hapsis.motion.particles.runs.scene_methods import check_method, method_run
from hapsis.motion.particles.runs.scene_result import ParticleState, columns_of, drawn_scene, units_of
from hapsis.motion.particles.runs.smooth_run import SmoothRun
from hapsis.motion.particles.runs.step_limit import NOTHING, met_particles, step_limit, turned_joint
from hapsis.motion.particles.runs.step_scale import step_scale
from hapsis.motion.particles.runs.touch_result import touch_faults, touch_report, touch_warnings
from hapsis.motion.particles.scenes.scene import Scene
from hapsis.motion.particles.scenes.scene_memory import energy_scale, scene_memory
from hapsis.motion.particles.scenes.scene_model import ModelState, SceneModel, continued, scene_model
from hapsis.motion.particles.scenes.touch_table import relieve, touch_state
from hapsis.motion.simulate.run.run_options import RunOptions, sample_times
from hapsis.motion.solvers.particles.energy_step import advance, begin, sample_start
from hapsis.motion.solvers.particles.particle_memory import (
    DONE,
    NOT_FINITE,
    PAUSED,
    SMALL_STEP,
    TOO_MANY,
    UNSOLVED,
    ParticleMemory,
)

STATUS = {DONE: "done", SMALL_STEP: "step too small", NOT_FINITE: "not finite", TOO_MANY: "too many steps"}
STATUS[UNSOLVED] = "step not solved"
MOST_DRIFT = 0.05  # of the energy exchanged: more ends a run's success
MANY = 10_000  # steps, from which `why` names a method with longer ones
HOPELESS = 1e-8  # of the time: steps that are as short lead nowhere where a slider is at the end of its rail
WORK = 2e6  # connector evaluations in a call of native code


def simulate_scene(
    scene: Scene,
    until: Any,
    start: Any,
    *,
    options: RunOptions,
    every: float | None,
    progress: bool | None,
    title: str,
    near: Any = None,
    inputs: Mapping[str, Any] | None = None,
    events: Sequence[Any] = (),
    parameters: Mapping[str, Any] | None = None,
    losses: bool = False,
    threads: int | None = None,
) -> Result:
    """The motion of a scene; options as those of `simulate`."""
    _refuse(near=near, events=events, losses=losses)
    run = prepared(scene, until, start, options, every=every, inputs=inputs, parameters=parameters)
    with Bar(progress) as bar:
        bar.expect(float(run.samples[0]), run.end)
        run.go(bar)
    result = run.result(title)
    if not result.success:
        notice(f"the simulation did not succeed: {result.status}; {result.message}")
    for warning in result.warnings:
        notice(warning)
    return result


class SceneRun:
    """A run whose memory is there: `go` moves it, `result` says what happened."""

    def __init__(
        self,
        scene: Scene,
        memory: ParticleMemory,
        options: RunOptions,
        samples: Any,
        model: SceneModel | None,
    ) -> None:
        self.scene, self.memory, self.options, self.samples, self.model = (
            scene,
            memory,
            options,
            samples,
            model,
        )
        self.end = float(memory.t_end)
        self.answer, self.seconds = DONE, 0.0
        self.method: ImplicitRun | SmoothRun | None = None

    def go(self, bar: Bar) -> None:
        """Moves the scene to the end."""
        memory = self.memory
        began = time.perf_counter()
        begin(memory)
        _check_mobility(memory)
        while relieve(memory):
            begin(memory)
        self.method = method_run(self.scene, memory, self.options, self.samples)
        self.answer = _run(self.scene, memory, bar, self.method)
        self.seconds = time.perf_counter() - began

    def result(self, title: str) -> Result:
        """The Result of what was run."""
        return _result(
            self.scene,
            self.memory,
            self.samples,
            self.answer,
            self.options,
            self.seconds,
            title,
            self.model,
            self.method,
        )


def _check_mobility(memory: ParticleMemory) -> None:
    """An error for a Model whose accelerations are not known one by one."""
    n = int(memory.model.n_v)
    if n and not np.isfinite(np.array(memory.model.mobility[: n * n])).all():
        raise SolveError(
            "the mass matrix of the scene's Model is singular: some coordinate moves no mass",
            remedy="give every body that moves a mass",
        )


def prepared(
    scene: Scene,
    until: Any,
    start: Any,
    options: RunOptions,
    *,
    every: float | None,
    inputs: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
) -> SceneRun:
    """The run of a scene before its first step."""
    if scene.model is None:
        _refuse(inputs=inputs, parameters=parameters)
    if options.method == "energy" and options.step is not None:
        raise SolveError(
            'the method "energy" finds its steps by itself',
            remedy='leave step out, give longest_step, or method="symplectic"',
        )
    check_method(scene, options.method)
    begins, state, model = scene_start(scene, start, inputs, parameters)
    ends = real(until, "until")
    if not ends > begins:
        raise SolveError(f"until is {ends:g} s, and the run begins at {begins:g} s")
    samples = sample_times(begins, ends, every, 6 * scene.count)
    memory = scene_memory(scene, samples, state, model)
    _options(scene, memory, options, ends - begins, model)
    return SceneRun(scene, memory, options, samples, model)


def _refuse(**given: Any) -> None:
    """An error for options that scenes do not have."""
    for name, value in given.items():
        if value:
            raise SolveError(f"{name} is no option of scenes of particles")


def scene_start(
    scene: Scene, start: Any, inputs: Any, parameters: Any
) -> tuple[float, ParticleState | None, SceneModel | None]:
    """The time and the state that a run begins with, and the scene's Model there."""
    begins, state = 0.0, None
    if isinstance(start, Result | ParticleState):
        state = start.memory if isinstance(start, Result) else start
        if not isinstance(state, ParticleState):
            raise ModelError("the start of a scene must be a Result of the same scene, or nothing")
        if len(state.x) != scene.count:
            raise ModelError(f"the start has {len(state.x)} particles, the scene {scene.count}")
        if state.objects != _objects(scene):
            other = ", ".join(name for name, _ in state.objects)
            raise ModelError(f"the start is of a scene with other objects: {other[:120]}")
        begins = float(start.t[-1]) if isinstance(start, Result) else 0.0
    if scene.model is None:
        if start is not None and state is None:
            raise ModelError("the start of a scene must be a Result of the same scene, or nothing")
        return begins, state, None
    if state is None:
        return 0.0, None, scene_model(scene, start, inputs, parameters)
    return begins, state, continued(scene, state, begins, inputs, parameters)


def _objects(scene: Scene) -> tuple[tuple[str, int], ...]:
    """Names of objects, and how many particles they have."""
    return tuple((name, len(each)) for name, each in scene.objects.items())


def _options(
    scene: Scene, memory: ParticleMemory, options: RunOptions, span: float, model: SceneModel | None
) -> None:
    """The step, its limits and its scheme."""
    step = scene.step
    memory.t_end = memory.t + span
    memory.limit = options.limit
    memory.scale = span
    if step.alpha is not None or step.beta is not None:
        if model is not None:
            raise SolveError("steps with alpha and beta are for scenes without a Model")
        memory.scheme, memory.alpha, memory.beta = 1, step.alpha or 0.0, step.beta or 0.0
    memory.longest = span
    for longest in (step.longest, options.longest):
        if longest is not None:
            memory.longest = min(memory.longest, longest)
    if options.step is not None:
        memory.h, memory.allowed = options.step, np.inf
        memory.longest = options.step
        return
    error = step.error if step.error is not None else step.relative * step_scale(scene, model)
    memory.allowed, memory.h = error, min(1e-3 * span, memory.longest)


def _run(scene: Scene, memory: ParticleMemory, bar: Bar, run: ImplicitRun | SmoothRun | None) -> int:
    """Advances to the end; PAUSED never comes out."""
    connectors = memory.spring_count + memory.torsion_count + memory.joint_count
    budget = max(1, int(WORK / (memory.count * (1 + memory.plane_count) + connectors)))
    while True:
        memory.budget = budget
        answer = int(advance(memory)) if run is None else run.advance()
        bar.reached(float(memory.t))
        if answer != PAUSED:
            return answer
        if float(memory.h) < HOPELESS * float(memory.scale) and met_particles(scene, memory, Slide):
            return SMALL_STEP
        relieve(memory)


def _result(
    scene: Scene,
    memory: ParticleMemory,
    samples: Any,
    answer: int,
    options: RunOptions,
    seconds: float,
    title: str,
    model: SceneModel | None,
    run: ImplicitRun | SmoothRun | None,
) -> Result:
    if not int(memory.sampled):
        sample_start(memory)
    rows = int(memory.sampled)
    state = ParticleState(
        np.array(memory.x).reshape(-1, 3),
        np.array(memory.v).reshape(-1, 3),
        np.array(memory.spring_rest),
        np.array(memory.spring_group),
        np.array(memory.cell_slopes),
        np.array(memory.cell_volume),
        np.array(memory.cell_flowed),
        float(memory.h),
        None if model is None else ModelState(np.array(memory.model.y[: model.size]), model.places),
        touch_state(memory.touch),
        _objects(scene),
    )
    t = np.array(samples[:rows])
    columns, on_request = columns_of(scene, memory, rows, model)
    numbers = {name: np.asarray(array) for name, array in columns.items()}
    exchanged = max(_exchanged(numbers), energy_scale(scene, model))
    drift = float(memory.largest_error) / exchanged if exchanged > 0.0 else 0.0
    status, message = STATUS[answer], ""
    if answer != DONE:
        message = f"t = {float(memory.t):.9g}: " + _reason(answer, scene, memory)
    elif drift > MOST_DRIFT:
        status = "energy drift"
        message = f"{100 * drift:.3g} % of the energy exchanged is unexplained: use a smaller step or error"
    if answer == DONE:
        deep, why = touch_faults(scene, memory, exchanged)
        if not deep:
            deep, why = body_faults(scene, memory, model)
        status, message = (deep, why) if deep else (status, message)
    lightest = float(np.min(scene.masses))
    error = float(memory.allowed) if np.isfinite(memory.allowed) else float("nan")
    speed_error = float(np.sqrt(2.0 * error / lightest))
    report = {
        "method": options.method,
        "why": _why(options, scene, int(memory.steps)),
        "steps": int(memory.steps),
        "rejected": int(memory.rejected),
        "energy_error": error,
        "speed_error": speed_error,  # ε_v, if all of ε were the kinetic energy of the lightest particle
        "position_error": speed_error
        * float(memory.t - (samples[0] if rows else 0.0))
        / max(1, int(memory.steps)),
        "shortest_step": float(memory.shortest),
        "limit_of_steps": step_limit(scene, memory),
        "created": float(memory.error),
        "torn": int(memory.torn_count),
        "seconds": seconds,
        **touch_report(memory),
        **({} if run is None else run.report()),
    }
    warnings = touch_warnings(scene, memory) + body_warnings(scene, memory, model)
    if run is not None:
        warnings += run.warnings(exchanged)
    t.flags.writeable = False
    return Result(
        t=t,
        columns=Columns([(tuple(numbers), numbers)], on_request),
        status=status,
        message=message,
        energy_drift=drift,
        warnings=tuple(warnings),
        report=report,
        units=units_of(scene, tuple(numbers), model),
        title=title,
        scene=lambda: drawn_scene(scene, memory, rows, model),
        memory=state,
    )


def _why(options: RunOptions, scene: Scene, steps: int) -> str:
    """Why the run has its method, and which other one could take longer steps."""
    if not options.why:
        return f'method="{options.method}" was asked for'
    if steps < MANY:
        return options.why
    try:
        check_method(scene, "implicit")
    except SolveError:
        return options.why
    return f'{options.why}; method="implicit" takes longer steps, where fast vibrations do not matter'


def _reason(answer: int, scene: Scene, memory: ParticleMemory) -> str:
    if answer == NOT_FINITE:
        return "positions or velocities are not finite: use a smaller step"
    met = met_particles(scene, memory)
    if met:
        return met
    if answer == UNSOLVED:
        return f"the equations of an implicit step have no solution near, not even in {float(memory.h):.3g} s"
    if answer == TOO_MANY:
        limit = step_limit(scene, memory)
        bound = "" if limit == NOTHING else f"; explicit steps are bounded to {limit}"
        return "the budget of steps is used up" + bound
    if abs(float(memory.created)) <= float(memory.allowed):
        return "steps are below the resolution of time: " + step_limit(scene, memory)
    turned = turned_joint(scene, memory)
    if turned:
        return (
            f"the joint spring {turned} goes through the plane of its fourth particle, where its energy "
            "jumps: give more stiffness, or less torsion"
        )
    return (
        f"a step of {float(memory.h):.3g} s still creates {float(memory.created):.3g} J, more than the "
        f"{float(memory.allowed):.3g} J allowed: it is too stiff, or two particles are in one place"
    )


def _exchanged(columns: Mapping[str, Any]) -> float:
    """How much energy changed its form: the largest range of any part of the account."""
    parts = ("kinetic", "potential", "dissipated", "work")
    return max((float(np.ptp(columns[name])) for name in parts if len(columns[name])), default=0.0)
