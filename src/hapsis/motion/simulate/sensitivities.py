"""The verb `sensitivities`: a motion and how it changes with parameters, starts and inputs."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.errors import ModelError, SolveError, near, notice
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.values.numbers import described
from hapsis.motion.simulate.derivatives.differentiation_targets import Wanted
from hapsis.motion.simulate.derivatives.sensitivity_run import Ready, Sensing
from hapsis.motion.simulate.equations.fixed_partition import check_starts, packed_for
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.equations.parameter_inputs import Opened, known_parameters, refuse
from hapsis.motion.simulate.equations.system import Packed
from hapsis.motion.simulate.run.events import Event, contact_events, events_of
from hapsis.motion.simulate.run.progress import Bar
from hapsis.motion.simulate.run.result_builder import acceleration_names, recorded
from hapsis.motion.simulate.run.run import FIXED, MOST_WATCHED, Plan
from hapsis.motion.simulate.run.run_options import (
    MOST_STEPS,
    TOLERANCE,
    asked_plan,
    parameter_values,
    sample_times,
)
from hapsis.motion.simulate.run.step_stability import check_step

Array = np.ndarray[Any, np.dtype[np.float64]]
METHODS = ("order8", "order5", "rk4")


class Sensitivities:
    """How a motion changes: s["hinge", "arm.mass"] is d hinge(t) / d mass at the times of s.t.

        result    the motion itself, a Result
        names     what it is differentiated by

    The first name may be any column of the result; of a vector the rows are vectors. The second
    may be a table's, which adds an axis, one number for each of its values.
    """

    def __init__(self, running: Sensing) -> None:
        self.result: Result = recorded(running)
        self._wanted, self._kernels = running.wanted, running.ready.kernels
        self.names = running.wanted.names
        S, du = list(running.slopes), [np.tile(du, (k, 1, 1)) for k, du in running.turned]
        if len(self.result.t) > sum(map(len, S)):  # stopped between samples
            S.append(running.run.y[running.size :].reshape(1, *S[0].shape[1:]))
            du.append(running.ready.du[None].copy())
        self._S, self._du = np.concatenate(S), np.concatenate(du)
        rows = [*zip(running.times, running.states, running.held, strict=True)]
        last = len(self.result.t) > sum(len(t) for t, _, _ in rows)
        end = [(self.result.t[-1:], running.run.y[None, : running.size], running.kernels.u[None])]
        parts = [*rows, *(end if last else [])]
        self._rows = tuple(np.concatenate(x) for x in zip(*parts, strict=True))
        self._theta = running.ready.kernels.theta.copy()
        self._found: dict[str, dict[str, Array]] = {}

    @property
    def t(self) -> Array:
        """The times."""
        return self.result.t

    def __getitem__(self, pair: tuple[str, str]) -> Array:
        if not (isinstance(pair, tuple) and len(pair) == 2):  # pyright: ignore
            raise ModelError('sensitivities are asked for by two names, s["hinge", "arm.mass"]')
        what, by = (str(name) for name in pair)
        if by not in self._wanted.places:
            raise ModelError(
                f'not differentiated by "{by[:60]}"{near(by, self.names)}', expected=", ".join(self.names[:6])
            )
        column = self._columns(what)  # times, columns, ...
        found = column[:, self._wanted.places[by]]
        found.flags.writeable = False
        return found

    def _columns(self, what: str) -> Array:
        packed = self._wanted.packed
        states = (*self._wanted.starts, "work")
        if what in states:
            return self._S[:, :, states.index(what)]
        energies = ("kinetic", "potential", "energy")
        if what in energies:
            found = self._along("energies", self._kernels.functions["energies"])
            return found[what] if what != "energy" else found["kinetic"] + found["potential"]
        accelerations = acceleration_names(packed.model)
        if what in accelerations:
            dy = self._along("motion", self._kernels.functions["motion"])["dy"]
            return dy[:, :, packed.layout.n_q + accelerations.index(what)]
        if what in packed.signal_names:
            return self._along("signals", packed.signals())[what]
        raise ModelError(f'the result has no "{what[:60]}"{near(what, self.result.names)}')

    def _along(self, name: str, function: Function) -> dict[str, Array]:
        """The outputs of a Function of (t, y, u) in all directions: (times, columns, ...)."""
        if name in self._found:
            return self._found[name]
        t, y, u = self._rows
        kernels, wanted = self._kernels, self._wanted
        along, by = kernels.along(name, function)
        known = kernels.known(along)
        given: dict[str, Any] = {"t": t, "y": y, "u": u, "theta": self._theta}
        given = {n: x for n, x in given.items() if n == "t" or n in by}
        columns: list[Any] = []
        for k in range(wanted.count):
            rates = {"d_y": self._S[:, k], "d_u": self._du[:, k], "d_theta": wanted.by_theta[k]}
            rates = {f"d_{n}": np.ascontiguousarray(rates[f"d_{n}"]) for n in by}
            found = kernels.compiled(along)(**given, **rates, **({"p": known} if known else {}))
            columns.append([found] if len(along.outputs) == 1 else found)
        made = [np.stack(x, axis=1) for x in zip(*columns, strict=True)]
        self._found[name] = {p.name[2:]: x for p, x in zip(along.outputs, made, strict=True)}
        return self._found[name]

    def __repr__(self) -> str:
        return f"Sensitivities({self.result!r} by {', '.join(self.names[:6])})"


def sensitivities(
    model: Model,
    until: float,
    to: Any,
    start: Any = None,
    *,
    method: str = "auto",
    step: float | None = None,
    tolerance: float = TOLERANCE,
    every: float | None = None,
    inputs: Mapping[str, Any] | None = None,
    events: Any = (),
    parameters: Mapping[str, float] | None = None,
    most_steps: int = MOST_STEPS,
    progress: bool | None = None,
) -> Sensitivities:
    """The motion of a model and its derivatives with respect to what `to` names.

    to        names of parameters ("arm.mass"), of starts ("hinge", "hinge.v", a law's state) and
              of held inputs ("elbow.effort"); see `wanted`
    method    "order8" (the default), "order5", or with a step "rk4"

    The other options are those of `simulate`. The derivative is taken at fixed times. The equations
    are differentiated exactly and integrated along with the motion, one more system of its size for
    each column; `gradient` costs less where there are many parameters and one number depends on
    them. Where a force jumps, as that of a damped contact on touching, the jump of the derivative
    is computed too. Many contacts of one kind, which share a kernel, are not looked at one by one:
    three digits are right then, and laws that jump are refused. Parameters do not move the start,
    also where a pose is a formula of them; but of a model with loops what depends follows, and only
    starts that lead can be differentiated by. Singular positions are not passed.
    """
    if not isinstance(model, Model):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"sensitivities takes a Model, not {described(model)}")
    plan = plan_of(method, step, tolerance, most_steps)
    given = parameter_values(parameters)
    packed, (t, until), y = packed_for(model, inputs, start, until, given, to)
    refuse(packed)
    own = events_of(events)
    ready = ready_for(packed, to, given, plan["method"], own)
    if plan["step"] is not None:
        check_step(ready.kernels, plan["method"], plan["step"], t, y)
    samples = sample_times(t, until, every, len(y) * (1 + ready.wanted.count))
    running = Sensing(ready, (t, until), y, Plan(**plan, samples=samples), len(own))
    with Bar(t, until, progress) as bar:
        running.go(bar)
    running.checked()
    found = Sensitivities(running)
    for warning in found.result.warnings:
        notice(warning)
    return found


def plan_of(method: str, step: float | None, tolerance: float, most_steps: int) -> dict[str, Any]:
    """The fields of a Plan, for methods that carry derivatives."""
    plan = asked_plan(method, step, tolerance, True, most_steps)
    if plan["method"] not in METHODS:
        raise SolveError(f'the method "{method}" has no derivatives', expected=", ".join(METHODS))
    del plan["samples"]
    return {**plan, "stiffness": False}


def ready_for(
    packed: Packed, to: Any, parameters: Mapping[str, float], method: str, events: Sequence[Event] = ()
) -> Ready:
    """Kernels of runs that are differentiated by these names."""
    known = known_parameters(Kernels(packed, parameters, None))
    wanted = Wanted(packed, to, known)
    check_starts(packed, wanted.names)
    alone = packed.extras.alone
    noted = contact_events(alone) if method not in FIXED and len(alone) <= MOST_WATCHED else []
    kernels = Opened(packed, parameters, wanted.thetas)
    return Ready(kernels, wanted, [*events, *noted])
