"""The step of a hybrid as `hs.stepper` returns it: its start, its inputs and its outputs."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import abs, sqrt, where
from hapsis.compiler.ir.graph.expr import symbols
from hapsis.errors import ModelError, SolveError
from hapsis.mechanics.model.model_warnings import tell_warnings
from hapsis.mechanics.model.result import Result
from hapsis.motion.hybrid.hybrid import Hybrid
from hapsis.motion.hybrid.phase_system import PhaseSystem
from hapsis.motion.hybrid.readings import Foot
from hapsis.motion.hybrid.simulate_hybrid import PHASE, start_phase
from hapsis.motion.hybrid.steps.hybrid_step import MORE, HybridStep
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.initial_value_problem import initial_value_problem
from hapsis.motion.simulate.run.singular_positions import check_regular
from hapsis.motion.simulate.run.step_stability import check_step
from hapsis.motion.simulate.step_inputs import StepInputs, remembered_inputs
from hapsis.motion.simulate.step_outputs import StepOutputs
from hapsis.motion.simulate.step_writer import StepWriter, resting_inputs

STATUS = "status"  # the output that is 0 while the motion goes on
ONLY = {"method": ("rk4", "a hybrid steps by"), "hold": ("zero", "inputs of a hybrid have the hold")}


def hybrid_stepper(
    hybrid: Hybrid,
    dt: float,
    *,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] = (),
    start: Any = None,
    near: Mapping[str, float] | None = None,
    method: str = "rk4",
    substeps: int = 1,
    hold: str = "zero",
) -> Function:
    """(q, v, z, t, inputs) -> q, v, z, t, outputs: one step of dt seconds, through the events in it.

    The last four numbers of z are the number of the phase, the time at which it began, the status of the
    motion and the number of the event that ended it. `phase` and `status` are outputs too.
    """
    for name, value in (("method", method), ("hold", hold)):
        allowed, what = ONLY[name]
        if value != allowed:
            raise SolveError(f'{what} "{allowed}", not "{value[:60]}"')
    tell_warnings(hybrid.model)
    name, start = start_phase(hybrid, start)
    since = start.t[-1] - getattr(start.memory, "begun", start.t[-1]) if isinstance(start, Result) else 0.0
    phases, first, y = _phases(hybrid, name, start, near, inputs)
    kernels, system, t = phases[first].kernels, phases[first].system, 0.0
    assert kernels is not None and system is not None
    rest = resting_inputs(system, inputs, y)
    kernels.hold(rest)
    check_step(
        kernels, method, dt / substeps, t, y, phases[first].loops, remedy="take that step", substeps=substeps
    )
    written = _Written(hybrid, phases, dt, substeps, phases[first].store.layout.split(y)[0])
    step = written.function(outputs, y, (float(first), -float(since)), rest)
    step.model = hybrid.model
    step.options = {
        "dt": dt,
        "inputs": tuple(inputs),
        "outputs": tuple(outputs),
        "start": start,
        "near": near,
    }
    step.options |= {"method": method, "substeps": substeps, "hold": hold, "hybrid": hybrid}
    return step


def _phases(
    hybrid: Hybrid, name: str, start: Any, near: Mapping[str, float] | None, inputs: Sequence[str]
) -> tuple[list[PhaseSystem], int, Any]:
    """All phases with their systems, the number of the first one, and the state at the start."""
    for model in hybrid.phases.values():
        for drive in model.drives.values():
            if drive.inputs and drive.tracking is None:
                raise drive.wrong(
                    "in the step of a hybrid a drive takes a position that it tracks from outside",
                    remedy='position="input", tracking=...',
                )
        if remembered_inputs(model) != remembered_inputs(hybrid.phases[name]):
            raise ModelError(
                "the phases have other drives that take a position from outside", expected="the same in all"
            )
    given = {n: Inputs(m, dict.fromkeys(inputs, 0.0)) for n, m in hybrid.phases.items()}
    problem = initial_value_problem(hybrid.phases[name], given[name], start, drive_values={}, near=near)
    check_regular(problem.singular)
    phases = [PhaseSystem(n, m, given[n], {}, None) for n, m in hybrid.phases.items()]
    first = list(hybrid.phases).index(name)
    q = problem.system.layout.split(problem.y)[0]
    for phase in phases:
        phase.settle(q, problem.t)
        if phase.system is not None and set(phase.system.extras.held) - set(phase.inputs.names.values()):
            raise ModelError(
                f'phase "{phase.name[:60]}" has a sampled controller, which is Python code and cannot be '
                "part of a step",
                remedy="leave out its rate, so that it is traced",
            )
    return phases, first, problem.y


class _Written:
    """The Function of a step, with its outputs by phase."""

    def __init__(
        self, hybrid: Hybrid, phases: Sequence[PhaseSystem], dt: float, substeps: int, q: Any
    ) -> None:
        self.hybrid, self.phases = hybrid, phases
        self.step = HybridStep(hybrid, phases, dt, substeps, q)
        self.writers = [StepWriter(system, dt, "rk4") for system in self.step.systems]
        for writer in self.writers[1:]:  # one graph and its symbols for all
            first = self.writers[0]
            writer.graph, writer.t, writer.state, writer.given = (
                first.graph,
                first.t,
                first.state,
                first.given,
            )
            writer.inputs = first.inputs

    def function(
        self, outputs: Sequence[str], y: Any, first: tuple[float, float], rest: Mapping[str, float]
    ) -> Function:
        """The whole step, with the start and the inputs that keep it at rest as defaults.

        first    the phase of the start and when it began; the start is at the time 0
        """
        writer = self.writers[0]
        layout, t, tracked = self.step.systems[0].layout, writer.t, tuple(writer.inputs.before)
        z = symbols("z", layout.n_z + len(tracked) + MORE, kind="coordinate", graph=writer.graph)
        writer.state["z"] = z
        writer.check_names(tuple(rest), "inputs")
        writer.check_names(outputs, "outputs")
        q, v, laws, last = list(writer.state["q"]), list(writer.state["v"]), *_parts(z, layout.n_z)
        for each in self.writers:
            each.inputs = StepInputs(
                each.system.model, writer.given, dict(zip(tracked, last, strict=True)), writer.dt
            )
        u = list(writer.given.values())
        if tracked:
            rates = [(writer.given[n] - x) / writer.dt for n, x in zip(tracked, last, strict=True)]
            u += [t + writer.dt, *rates]
        after = self.step.state([*q, *v, *laws, *z[-MORE:]], t, u)
        phase, _, status, _ = after[-MORE:]
        names = [name for name in outputs if name not in (PHASE, STATUS)]
        measured = self._measured(names, [*q, *v, *laws], after[:-MORE], phase)
        for name in self._drive_outputs():
            if name in measured:  # what has ended pulls nobody
                measured[name] = where(status > 0.0, 0.0 * t, measured[name])
        measured |= {PHASE: where(status > 0.0, -1.0 + 0.0 * t, phase), STATUS: status}
        ends = (len(q), len(q) + len(v))
        given = [writer.given[name] for name in tracked]
        states = {"q": after[: ends[0]], "v": after[ends[0] : ends[1]]}
        states["z"] = [*after[ends[1] : -MORE], *given, *after[-MORE:]]
        ports = {"q": q, "v": v, "z": z, "t": t, **{n: writer.given[writer.held_name(n)] for n in rest}}
        defaults = {"q": y[: ends[0]], "v": y[ends[0] : ends[1]], "t": 0.0, **rest}
        defaults["z"] = [*y[ends[1] : -1], *(rest[name] for name in tracked), *first, 0.0, 0.0]
        known = {**states, "t": t + writer.dt, **{name: measured[name] for name in outputs}}
        return Function("step", ports, known, defaults=defaults)

    def _drive_outputs(self) -> list[str]:
        """The names of the forces and efforts of all drives."""
        drives = [name for system in self.step.systems for name in system.model.drives]
        return [f"{name}.{what}" for name in drives for what in ("force", "effort")]

    def _measured(self, names: Sequence[str], before: Any, after: Any, phase: Any) -> dict[str, Any]:
        """The outputs by the system of the phase at the end of the step."""
        if not names:
            return {}
        feet = [foot for foot in self.hybrid.watch if {*foot.columns} & {*names}]
        own = [name for name in names if not any(name in foot.columns for foot in feet)]
        every = [StepOutputs(writer, [before, after]).of(own) for writer in self.writers]
        for values, writer in zip(every, self.writers, strict=True):
            values |= {n: x for foot in feet for n, x in _pressed(foot, writer, after).items() if n in names}
        values = dict(every[0])
        for k, others in enumerate(every[1:], start=1):
            here = abs(phase - float(k)) < 0.5
            for name, value in others.items():
                values[name] = _chosen(here, value, values[name])
        return values


def _pressed(foot: Foot, writer: StepWriter, after: Any) -> dict[str, Any]:
    """The forces on a foot at the end of a step; zero in a phase that does not hold it."""
    loads = writer.system.constraint_loads()
    if loads is None or foot.pin(writer.system.model) is None:
        return dict.fromkeys(foot.columns, writer.t * 0.0)
    lam = loads.outputs_by_name(writer.call(loads, 1.0, after, writer.inputs.told(0.0, 1.0)))["lam"]
    return foot.forces(writer.system.model, list(lam), sqrt)


def _chosen(here: Any, a: Any, b: Any) -> Any:
    if np.ndim(a) == 0:
        return where(here, a, b)
    flat = [where(here, x, y) for x, y in zip(np.ravel(a), np.ravel(b), strict=True)]
    return np.array(flat, object).reshape(np.shape(a))


def _parts(z: Any, laws: int) -> tuple[list[Any], list[Any]]:
    """The states of laws, and the positions that drives took in the step before."""
    return list(z[:laws]), list(z[laws:-MORE])
