"""The integrations of runs: tolerances, kernels and events as the solvers take them.

Everything that runs know of the inside of `motion.solvers` stands in this file.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from hapsis.motion.simulate.equations.kernels import Kernels
from hapsis.motion.simulate.run.run_options import RunOptions
from hapsis.motion.solvers.run import integration as solver
from hapsis.motion.solvers.run.switched_explicit import Modal

Array = np.ndarray[Any, np.dtype[np.float64]]
LOOSE = 100.0  # times the tolerance: of the energy turned over, for the work
STATUS = {
    solver.DONE: "done",
    solver.EVENT: "event",
    solver.SMALL_STEP: "step too small",
    solver.NOT_FINITE: "not finite",
    solver.NOT_CONVERGED: "not converged",
    solver.TOO_MANY: "too many steps",
    solver.STIFF: "stiff",
}


class Watch(NamedTuple):
    """Values that pass zero at events: their kernel, and for each its direction and whether it stops."""

    g: Any
    directions: Sequence[int]
    terminals: Sequence[bool]


def integration(
    kernels: Kernels,
    options: RunOptions,
    span: tuple[float, float],
    y: Array,
    scale: float,
    of_method: Mapping[str, Any],
    watch: Watch | None = None,
    **more: Any,
) -> solver.Run:
    """The integration of a system over a span of time.

    scale       the energy that the motion turns over
    of_method   the method, and the kernels that it takes; `controlled` says in how many numbers of
                y errors are controlled, if not in all
    """
    layout, tolerance = kernels.system.layout, options.tolerance
    chosen = dict(of_method)
    controlled = chosen.pop("controlled", len(y))
    atol = np.full(len(y), np.inf)
    if chosen["method"] == "symplectic":
        # an iteration to rounding must not ask for more digits than sums of larger numbers have
        atol[:controlled] = 1.0
        kernels.near[:] = 1.0  # momenta do not tell how fast pairs come nearer
    else:
        atol[:controlled] = tolerance * 1e-3
        # the work must be known as well as it takes to tell whether energy is kept
        atol[layout.size - 1] = LOOSE * tolerance * max(scale, 1e-3)
        more["memory"] = np.zeros(solver.layout.REALS)
        longest = more["memory"][solver.layout.MAX_STEP :][:1]
        more["prepare"] = kernels.broad_phase(longest)
    run = solver.Run(
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
    return run


def motion_kernels(kernels: Kernels, method: str) -> dict[str, Any]:
    """The method, and the kernels that it takes, of the motion of a system."""
    system, layout = kernels.system, kernels.system.layout
    chosen: dict[str, Any] = {"method": method, "f": kernels.handle(system.motion(), "dy")}
    if method == "euler":
        chosen["rates"] = kernels.handle(system.kinematics(), "dy")
        chosen["split"] = (layout.n_q, layout.n_v)
    elif method == "stiff":
        chosen["jacobian"] = kernels.handle(system.jacobian(), "J", "ft")
    return chosen


def one_step(kernels: Kernels, t: float, y: Array, step: float, samples: Array) -> solver.Run | None:
    """One step of order 8 of that length, made; None where it cannot be."""
    over = solver.Run(
        "order8",
        kernels.handle(kernels.system.motion(), "dy"),
        (t, t + step),
        y,
        step=step,
        samples=samples,
        quaternions=kernels.system.quaternions,
    )
    return over if solver.advance(over, 2) == solver.DONE else None


def with_modes(run: solver.Run, modes: Array, taped: bool = False) -> Modal:
    """An integration of equations with modes; taped where all steps are kept."""
    return Modal(run, modes, taped=taped)


def limit_step(run: solver.Run, longest: float = np.inf) -> None:
    """No step of the integration from here on is longer."""
    run.real[solver.layout.MAX_STEP] = longest


def step_to_try(run: solver.Run) -> float:
    """The length of the step that the integration would try next."""
    return abs(float(run.real[solver.layout.H]))
