"""Our side of `hapsis bench simulate`: the kernels and solvers of `hs.simulate`, run bare.

What is timed is the native run, from the start to the end. Compiling is done before, as the rivals'
models are made before; so is the set-up of a run, its first step among it (two evaluations). Errors
are bounded as `hs.simulate` bounds them: relative, a thousandth absolute. The control of the arm is
an `hs.Controller`, traced into the equations.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from hapsis.bench.dynamics.dynamics_ours import model_of, order
from hapsis.bench.simulate.simulate_cases import Case, Control
from hapsis.bench.work_precision import Outcome, clock
from hapsis.compiler.backends.llvm import background
from hapsis.mechanics.model.forces.controller import Controller
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.initial_value_problem import initial_value_problem
from hapsis.motion.simulate.run.run_parts import MomentumForm, SpeedForm
from hapsis.motion.solvers.run import integration as solver
from hapsis.motion.solvers.run import run_memory as answers

STEPS = (5e-2, 2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2e-4, 1e-4, 5e-5, 2e-5, 1e-5)
TOLERANCES = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13)
METHODS = {"order8": TOLERANCES, "order5": TOLERANCES, "rk4": STEPS, "symplectic": STEPS, "euler": STEPS}
ABSOLUTE = 1e-3  # of the relative tolerance
SIZE = 1.0  # of coordinates and momenta: the iteration of symplectic ends at its rounding errors
EVERYTHING = 2**40  # steps: a run is not paused


class Equations:
    """A model's equations as `hs.simulate` compiles them, in one thread."""

    def __init__(self, model: Any):
        self.system = initial_value_problem(model, Inputs(model, None)).system
        self.kernels = Kernels(self.system, {}, 1)
        self.layout = self.system.layout
        self._handles: dict[str, dict[str, Any]] = {}

    def handles(self, method: str) -> dict[str, Any]:
        """What a method calls, by the names of `solver.Integration`; compiled when first asked for."""
        if method not in self._handles:
            form = (MomentumForm if method == "symplectic" else SpeedForm)(self.kernels)
            self._handles[method] = {**form.of_method(method), "prepare": self.kernels.broad_phase()}
        return self._handles[method]

    def fresh(self, method: str, until: float, y: Any, setting: float, adaptive: bool) -> Any:
        """A run that stands at its start; the setting is its tolerance or its step."""
        y = self.kernels.momenta(y) if method == "symplectic" else y
        how: dict[str, Any] = {"step": setting, "atol": SIZE}
        if adaptive:
            atol = np.full(len(y), ABSOLUTE * setting)
            atol[-1] = np.inf  # the work is watched in runs that keep it
            how = {"rtol": setting, "atol": atol}
        handles, turns = self.handles(method), self.system.quaternions
        run = solver.Integration(span=(0.0, until), y=y, quaternions=turns, **handles, **how)
        run.watch_stiffness = False
        return run

    def timed(self, method: str, until: float, y: Any, setting: float, adaptive: bool) -> Any:
        """Seconds of the native run, the run, and the last y; nan where it did not end."""
        run = self.fresh(method, until, y, setting, adaptive)
        go = bare(run)
        background.settled()
        begin = clock()
        answer = go()
        took = clock() - begin
        end = self.kernels.momenta(run.y, inverse=True) if method == "symplectic" else run.y
        return took, run, end if answer == answers.DONE else np.full(len(end), np.nan)


def bare(run: Any) -> Callable[[], int]:
    """What `solver.advance` calls, its arguments made ready: nothing of Python is left to time."""
    run.memory.budget = EVERYTHING
    return run.method.advance.ready(run.f, run.g, run.memory)


class Ours:
    """One case by our own solvers."""

    name = "ours"

    def __init__(self, case: Case):
        self.case = case
        model = model_of(case.robot)
        if case.control is not None:
            model = model + controller(case.control, case.robot.joints)
        self.equations = Equations(model)
        self.place, self.speeds = order(case.robot, model)
        self.y = np.zeros(self.equations.layout.size)
        self.y[self.place] = case.q

    def curves(self) -> dict[str, list[tuple[float, Callable[[], Outcome]]]]:
        """Per method: tolerances or steps, and runs."""

        def run(method: str, setting: float) -> Callable[[], Outcome]:
            return lambda: self._run(method, setting)

        return {m: [(x, run(m, x)) for x in settings] for m, settings in METHODS.items()}

    def _run(self, method: str, setting: float) -> Outcome:
        adaptive = METHODS[method] is TOLERANCES
        took, run, end = self.equations.timed(method, self.case.until, self.y, setting, adaptive)
        q, v, _, _ = self.equations.layout.split(end)
        return Outcome(took, max(run.steps, 1), q[self.place], v[self.speeds])

    def close(self) -> None:
        """Nothing to end."""


def controller(control: Control, joints: tuple[str, ...]) -> Controller:
    """The law of a case as a fact of a model."""

    c = control
    rows = zip(joints, c.hold, c.stiffness, c.damping, c.feedforward, strict=True)
    numbers = [(name, *(float(x) for x in row)) for name, *row in rows]

    def law(s: Any) -> dict[str, Any]:
        return {
            name: effort - stiffness * (s[name] - hold) - damping * s[f"{name}.v"]
            for name, hold, stiffness, damping, effort in numbers
        }

    return Controller("control", law)
