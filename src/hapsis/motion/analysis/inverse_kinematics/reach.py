"""Inverse kinematics: the coordinates that bring a frame to a pose, within the joints' limits.

A residual of six numbers, distance and angle from the pose, is made zero by damped least squares
within the limits: from the start, and where that ends short of the pose, from other places.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.limits import Seed
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, SolveError
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.state import State
from hapsis.mechanics.model.units import length_unit
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.analysis.inverse_kinematics.ik_chain import Array, ik_chain
from hapsis.motion.analysis.inverse_kinematics.ik_problem import IkProblem
from hapsis.motion.analysis.inverse_kinematics.ik_target import Target
from hapsis.motion.analysis.start_values import held_places, inside, start_of
from hapsis.motion.solvers.linear.least_squares import Solution

TOLERANCE = 1e-9  # of the unit of length, and rad
FARTHEST = 1e12  # m; farther away squares overflow, or digits do not suffice
SLOW = 1e-2  # a try is given up where a step promises less than this part of |r|²
SPREAD = 0.5  # how far the second try starts from the first, of the whole range; then doubled


@dataclass(frozen=True)
class Reached:
    """What `reach` says about the state it found.

    position_error  metres from the pose
    rotation_error  radians from the pose; None where only a position was asked for
    iterations      steps computed, over all tries
    tries           starts tried
    at_limit        the coordinates of the arm that stand at a limit
    """

    position_error: float
    rotation_error: float | None
    iterations: int
    tries: int
    at_limit: tuple[str, ...]


class OutOfReach(SolveError):
    """No try reached the pose; `nearest` is the State that came nearest, with its report."""

    def __init__(self, what: str, remedy: str, nearest: State) -> None:
        super().__init__(what, remedy=remedy)
        self.nearest = nearest


@verb
def reach(
    model: Model,
    frame: str,
    pose: Any,
    *,
    start: Any = None,
    held: Any = (),
    position_only: bool = False,
    tolerance: float | None = None,
    tries: int = 20,
    seed: Seed = 0,
    length: float | None = None,
) -> State:
    """A State, at rest, with a frame of the model at a pose in the world; within all limits.

        frame          its name: `body` or `body.frame`
        pose           (x, y, z) for the position alone; a 4x4 matrix, a pair (p, R) as a
                       compiled `hs.pose` returns it, or an hs.Frame for position and axes
        start          where to search from: {coordinate: value}, a State, or all coordinates;
                       else, and for those not named, the model's pose "start", else zeros
        held           coordinates, or joints, that keep their value of the start
        position_only  leave the axes of the pose out
        tolerance      metres and radians that may remain; if not given 1e-9, metres in the unit
                       of length of a model of millimetres or kilometres (see `model.units`)
        tries          starts to try: the given one, then random ones, farther and farther away
        seed           of the random starts
        length         metres that count like one radian; a quarter of the arm if not given

    A redundant arm takes short steps from the start, so that it stays near. Coordinates that do
    not move the frame keep their value; what starts outside its limits is put on them. Loops are
    not closed; drives are not imposed. OutOfReach, a SolveError, if no try gets there.
    """
    _check(frame, tolerance, tries, length)
    target = Target.of(pose, model, position_only)
    fixed = held_places(model, held)
    q = inside(model, start_of(model, start), fixed)
    task = IkProblem(ik_chain(model, frame), target, q, fixed, model.limits, length)
    if tolerance is None:
        allowed = TOLERANCE * length_unit(model), TOLERANCE
    else:
        allowed = float(tolerance), float(tolerance)
    return _searched(model, frame, task, allowed, int(tries), seed)


def _searched(
    model: Model, frame: str, task: IkProblem, tolerance: tuple[float, float], tries: int, seed: int
) -> State:
    goal = min(tolerance[1], tolerance[0] / task.length)
    random = np.random.default_rng(int(seed))
    k, total, best = 0, 0, None
    distance, _ = task.errors(task.start)
    if not distance <= FARTHEST:
        raise ModelError(f"the pose is {distance:.3g} m from the start: are both in metres?")
    if task.is_within(task.start, tolerance):
        return _state(model, task, task.start, 0, 1)
    for k in range(tries if task.columns else 1):
        begin = task.start if k == 0 else task.scattered(random, min(1.0, SPREAD * 2 ** (k - 1)))
        solution = task.solved(begin, goal, SLOW, 100)
        total += solution.iterations
        if best is None or solution.cost < best.cost:
            best = solution
        if solution.reached:
            break
    assert best is not None
    if not best.reached:  # it was left early: now all the way
        best = task.solved(best.x, goal, 0.0, 300)
        total += best.iterations
    settled = task.unwound(best.x)
    q = settled if task.is_within(settled, tolerance) else best.x
    state = _state(model, task, q, total, k + 1)
    if task.is_within(q, tolerance):
        return state
    raise _out_of_reach(model, frame, task, best, state)


def _state(model: Model, task: IkProblem, q: Array, iterations: int, tries: int) -> State:
    distance, angle = task.errors(q)
    report = Reached(distance, angle, iterations, tries, task.at_limit(q, model.coordinates))
    return State(model.coordinates, model.speeds, q, report=report)


def _out_of_reach(model: Model, frame: str, task: IkProblem, solution: Solution, state: State) -> OutOfReach:
    report = state.report
    left = f"{report.position_error:.3g} m"
    if report.rotation_error is not None:
        left += f" and {report.rotation_error:.3g} rad"
    what = f'frame "{frame[:60]}" does not get there: {left} remain'
    if not task.columns:
        remedy = "hold less" if task.all_columns else "ask for a frame that a joint moves"
        return OutOfReach(f"{what}, and nothing can move it", remedy, state)
    plural = "1 try" if report.tries == 1 else f"{report.tries} tries"
    what += f" at the nearest pose found in {plural}"
    pushing = [c.q for c, stuck in zip(task.columns, solution.blocked, strict=True) if stuck]
    if pushing:
        names = [model.coordinates[k] for k in pushing]
        what += f", at {'its limit' if len(names) == 1 else 'their limits'}: {', '.join(names)}"
    remedy = "move the pose" + (" or those limits" if pushing else "")
    remedy += ", hold less" if len(task.columns) < len(task.all_columns) else ""
    return OutOfReach(what, f"{remedy}, or try more or another start", state)


def _check(frame: Any, tolerance: Any, tries: Any, length: Any) -> None:
    if not isinstance(frame, str):
        raise ModelError(
            f"a frame is given by its name, not {described(frame)}", expected='"body" or "body.frame"'
        )
    for name, value in (("tolerance", tolerance), ("length", length)):
        if value is None:
            continue
        if not real(value, name) > 0:
            raise ModelError(f"{name} must be above zero, not {value}")
    if isinstance(tries, bool) or not isinstance(tries, int) or tries < 1:
        raise ModelError(f"tries must be a whole number, at least 1, not {str(tries)[:60]}")
