"""The integrations of runs: tolerances, kernels and events as the solvers take them.

Everything that runs know of the inside of `motion.solvers` stands in this file.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, final

import numpy as np

from hapsis.mechanics.model.units import energy_unit
from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.run.run_options import RunOptions
from hapsis.motion.solvers.run import integration as solver
from hapsis.motion.solvers.run import run_memory as answers
from hapsis.motion.solvers.run.discrete_adjoint import DiscreteAdjoint
from hapsis.motion.solvers.run.integration_readings import Event
from hapsis.motion.solvers.run.phase_memory import ENTRY, LOG_FULL, PhaseKernels
from hapsis.motion.solvers.run.phased_explicit import PhasedRun
from hapsis.motion.solvers.run.switched_explicit import TAPE_FULL as TAPE_FULL
from hapsis.motion.solvers.run.switched_explicit import SwitchedRun

Array = np.ndarray[Any, np.dtype[np.float64]]
LOOSE = 100.0  # times the tolerance: of the energy exchanged, for the work
STATUS = {
    answers.DONE: "done",
    answers.EVENT: "event",
    answers.SMALL_STEP: "step too small",
    answers.NOT_FINITE: "not finite",
    answers.NOT_CONVERGED: "not converged",
    answers.TOO_MANY: "too many steps",
    answers.STIFF: "stiff",
}


DONE, EVENT, PAUSED, STIFF = answers.DONE, answers.EVENT, answers.PAUSED, answers.STIFF
COUNTED = ("steps", "rejected", "evaluations", "jacobians")


class Watch(NamedTuple):
    """Values that pass zero at events: their kernel, and for each its direction and whether it stops."""

    g: Any
    directions: Sequence[int]
    terminals: Sequence[bool]


@final
class Integrator:
    """An integration in progress: where it stands, what it has sampled, and how it goes on."""

    def __init__(self, run: solver.Integration) -> None:
        self._run = run
        self.y, self.size, self.times = run.y, run.size, run.times
        self.phased: PhasedRun | None = None
        self.asked = 0  # the answer of a run with phases that needs a response
        self.enter: Callable[[Integrator], bool] | None = None  # writes what an entry of a phase asks for

    def advance(self, steps: int) -> int:
        """Tries at most so many steps; the answer is DONE, EVENT, PAUSED, STIFF, TAPE_FULL or a failure."""
        answer = solver.advance(self._run, steps)
        if self.phased is None:
            return answer
        while answer == LOG_FULL or (answer == ENTRY and self.enter is not None and self.enter(self)):
            if answer == LOG_FULL:
                self.phased.grow()
            answer = solver.advance(self._run, steps)
        self.asked = answer if answer > LOG_FULL else 0
        return EVENT if self.asked else answer

    def restart(self, sides: bool = True) -> None:
        """Goes on from here after the state, or what the kernels read, has changed.

        sides    whether events take the sides that they have now; else a change of side is an event
        """
        self._run.restart(sides=sides)

    def skip(self, t: float) -> None:
        """Moves the time on without a step; samples up to there have the state as it is."""
        self._run.skip(t)

    def until(self, end: float) -> None:
        """Goes on to another end."""
        self._run.until(end)

    @property
    def t(self) -> float:
        """The time that has been reached."""
        return self._run.t

    @property
    def sampled(self) -> Array:
        """The vectors at the sample times that have been reached, one per row."""
        return self._run.sampled

    @property
    def events(self) -> list[Event]:
        """All events so far, in order."""
        return self._run.events

    @property
    def unresolved(self) -> tuple[float, float] | None:
        """Since when events were finer than can be told, and the time between two looks there."""
        memory = self._run.memory
        return (float(memory.unresolved_at), float(memory.unresolved_part)) if memory.unresolved else None

    def counts(self) -> dict[str, int]:
        """Steps made and rejected, and evaluations of f and of its Jacobian."""
        return {name: getattr(self._run, name) for name in COUNTED}

    def passed(self) -> tuple[int, int, float]:
        """How many zones fixed steps went through unseen; which was the first, and when."""
        return self._run.passed

    def trouble(self) -> str:
        """Why the integration stopped before its end; empty if it did not."""
        return self._run.trouble()

    def limit_step(self, longest: float = np.inf) -> None:
        """No step from here on is longer."""
        self._run.memory.max_step[0] = longest

    def next_step(self) -> float:
        """The length of the step that would be tried next."""
        return abs(float(self._run.memory.h))

    def use_phases(self, kernels: PhaseKernels, **fields: Any) -> PhasedRun:
        """Integrates equations with phases; f and g of the integration are those of these kernels."""
        self.phased = PhasedRun(self._run, kernels, **fields)
        return self.phased

    # equations with modes ------------------------------------------------------------------------

    def use_modes(self, modes: Array, taped: bool = False) -> None:
        """Integrates equations with these modes; taped where all steps are kept."""
        self._switched = SwitchedRun(self._run, modes, taped=taped)

    def new_modes(self) -> Array:
        """The modes that the signs of the guards say."""
        return self._switched.sides()

    @property
    def taped_steps(self) -> int:
        """Steps on the tape."""
        return self._switched.stored

    def grow_tape(self, most: int) -> bool:
        """Twice the room on the tape; False where that would be more numbers than `most`."""
        if 2 * len(self._switched.tape) > most:
            return False
        self._switched.grow()
        return True

    def backwards(self, pull: Any, more: int) -> DiscreteAdjoint:
        """The way back along the tape."""
        return DiscreteAdjoint(self._switched, pull, more)


def least_work(kernels: Kernels, tolerance: float) -> float:
    """The error of the work, J, that is allowed however little energy the motion turns over."""
    return LOOSE * tolerance * (1e-3 * energy_unit(kernels.system.model))


def integration(
    kernels: Kernels,
    options: RunOptions,
    span: tuple[float, float],
    y: Array,
    scale: float,
    of_method: Mapping[str, Any],
    watch: Watch | None = None,
    **more: Any,
) -> Integrator:
    """The integration of a system over a span of time.

    scale       the energy that the motion turns over
    of_method   the method, and the kernels that it takes; `controlled` says in how many numbers of
                y errors are controlled, if not in all
    """
    layout, tolerance = kernels.system.layout, options.tolerance
    chosen = dict(of_method)
    controlled = chosen.pop("controlled", len(y))
    atol = np.full(len(y), np.inf)
    symplectic = chosen["method"] == "symplectic"
    units = np.ones(len(y))  # of what is integrated beside the state
    units[: layout.size] = kernels.system.momentum_units if symplectic else kernels.system.units
    if symplectic:
        # an iteration to rounding must not ask for more digits than sums of larger numbers have
        atol[:controlled] = units[:controlled]
        kernels.near[:] = 1.0  # momenta do not tell how fast pairs come nearer
    else:
        atol[:controlled] = tolerance * 1e-3 * units[:controlled]
        # the work must be known as well as it takes to tell whether energy is kept
        atol[layout.size - 1] = max(LOOSE * tolerance * scale, least_work(kernels, tolerance))
        more["max_step"] = np.full(1, np.inf)  # written by `limit_step`
        more["prepare"] = kernels.broad_phase()
    run = solver.Integration(
        span=span,
        y=y,
        step=options.step,
        rtol=tolerance,
        atol=atol,
        quaternions=kernels.system.quaternions,
        **chosen,
        **(watch._asdict() if watch is not None else {}),
        **more,
    )
    if not options.stiffness:
        run.watch_stiffness = False
    return Integrator(run)


def motion_kernels(kernels: Kernels, method: str, account: bool = False) -> dict[str, Any]:
    """The method, and the kernels that it takes, of the motion of a system, or with its energy account."""
    system, layout = kernels.system, kernels.system.layout
    motion = system.account() if account else system.motion()
    chosen: dict[str, Any] = {"method": method, "f": kernels.handle(motion, "dy")}
    if method == "euler":
        chosen["rates"] = kernels.handle(system.kinematics(), "dy")
        chosen["split"] = (layout.n_q, layout.n_v)
    elif method == "stiff":
        jacobian = system.account_jacobian() if account else system.jacobian()
        chosen["jacobian"] = kernels.handle(jacobian, "J", "ft")
    return chosen | kernels.approach(system.approach())


def one_step(kernels: Kernels, t: float, y: Array, step: float, samples: Array) -> Integrator | None:
    """One step of order 8 of that length, made; None where it cannot be."""
    over = solver.Integration(
        "order8",
        kernels.handle(kernels.system.motion(), "dy"),
        (t, t + step),
        y,
        step=step,
        samples=samples,
        quaternions=kernels.system.quaternions,
    )
    return Integrator(over) if solver.advance(over, 2) == answers.DONE else None
