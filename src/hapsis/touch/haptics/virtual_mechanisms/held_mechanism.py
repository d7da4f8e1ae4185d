"""A mechanism that is held by a frame: its start, its lengths, and what the grasp prescribes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, check_known
from hapsis.mechanics.formalisms.constraints.constraint_rows import constraints
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import inverse_dynamics
from hapsis.mechanics.formalisms.tree.kinematics import jacobian, pose
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.numbers import described
from hapsis.motion.analysis.assembly.assemble import assemble
from hapsis.touch.haptics.conditioning.stage import positive

Array = np.ndarray[Any, np.dtype[np.float64]]
KINDS = {"full": 6, "point": 3}
SINGULAR = 1e-6  # of the largest singular value: what is less is none
SHORTEST, LONGEST = 1e-9, 1e9  # m that count like a radian
MOVES = 1e-6  # the part of a free motion above which a coordinate takes part in it


@verb
@dataclass(frozen=True)
class GraspReport:
    """What a grasp prescribes in one pose.

    speeds       how many there are
    rank         how many combinations of them the hand and the loops prescribe
    mobility     how many the loops leave
    free         the coordinates that flop: that can move while the hand and the loops hold still
    regularity   the smallest singular value over the largest; small where the pose is nearly singular
    """

    speeds: int
    rank: int
    mobility: int
    free: tuple[str, ...]
    regularity: float

    @property
    def prescribed(self) -> bool:
        """Whether the hand prescribes the motion of the whole mechanism."""
        return self.rank == self.speeds

    def __str__(self) -> str:
        """One line."""
        told = "all are prescribed" if self.prescribed else f"free: {', '.join(self.free)}"
        return f"rank {self.rank} of {self.speeds}, mobility {self.mobility}; {told}"


class HeldMechanism:
    """A mechanism, the frame it is held by, and the lengths that make its numbers comparable.

    weights   of the grasped directions, those of turns in m²: W
    rows      factors of the rows of loops: those of turns count in lengths
    scales    for each speed the length in m by which it moves things: 1 of a slide
    q         the coordinates at the start, loops closed
    states    whether laws of its forces have states
    """

    def __init__(
        self, model: Model, frame: str, kind: str, length: Any, weights: Any, start: Any, near: Any
    ) -> None:
        check_known(kind, KINDS, "there is no grasp of the kind {}", expected="full or point")
        self.states = _check(model)
        if not isinstance(frame, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError(
                f"the frame to hold is {described(frame)}", expected="the name of a body or frame"
            )
        model.frame(frame)  # or the error that it does not exist
        self.model, self.frame, self.kind = model, frame, kind
        self.q: Array = np.array(assemble(model, start, near=near).q)
        J = compile(jacobian(model, frame))(self.q)
        if not J.any():
            raise ModelError(f'no joint of the mechanism moves "{frame}"', expected="a frame of what moves")
        self.length = _length(model, frame, self.q, J) if length is None else positive(length, "length")
        if not SHORTEST <= self.length <= LONGEST:
            raise ModelError(f"length is {self.length:g} m", expected=f"{SHORTEST:g} to {LONGEST:g} m")
        units = (self.length**2,) * 3 + (1.0,) * 3
        self.weights = [w * u for w, u in zip(_weights(weights, kind), units[-KINDS[kind] :], strict=True)]
        self.row_names = constraint_names(model) if model.cuts or model.constraints else ()
        angles = {f"{joint.name}.r{axis}" for joint in model.cuts for axis in "xyz"}
        self.rows = [self.length if name in angles else 1.0 for name in self.row_names]
        self.scales = [1.0 if unit == "m/s" else self.length for unit in _speed_units(model)]

    def grasped(self, six: Sequence[Any]) -> list[Any]:
        """Of six numbers, turning first, those that the grasp holds."""
        return list(six)[-KINDS[self.kind] :]

    def report(self) -> GraspReport:
        """What the grasp prescribes at the start."""
        n = len(self.model.speeds)
        J = compile(jacobian(self.model, self.frame))(self.q)[-KINDS[self.kind] :]
        J = np.sqrt(self.weights)[:, None] * J / self.scales
        C = np.zeros((0, n))
        if self.row_names:
            C = compile(constraints(self.model))(self.q, np.zeros(n)).J
            C = np.array(self.rows)[:, None] * C / self.scales
        mobility = n - _rank(C)
        both = np.concatenate([C, J])
        values, motions = np.linalg.svd(both)[1:]
        values = np.concatenate([values, np.zeros(n)])[:n]
        rank = _rank(both)
        moving = np.abs(motions[rank:]).max(axis=0, initial=0.0) > MOVES
        free = tuple(name.removesuffix(".v") for name, x in zip(self.model.speeds, moving, strict=True) if x)
        return GraspReport(n, rank, mobility, free, float(values[-1] / max(values[0], 1e-300)))

    def check_prescribed(self) -> GraspReport:
        """The report, or an error if coordinates flop."""
        report = self.report()
        if not report.prescribed:
            more = ' or hold it with kind="full"' if self.kind == "point" else ""
            raise ModelError(
                f'a {self.kind} grasp of "{self.frame}" does not prescribe '
                f"{', '.join(report.free)} at the start: rank {report.rank} of {report.speeds}",
                expected="a grasp that leaves nothing free",
                remedy=f'hold another frame{more}, start in a regular pose, or coupling="spring"',
            )
        return report


@verb
def grasp_report(
    model: Model,
    frame: str,
    kind: str = "full",
    *,
    start: Any = None,
    near: Mapping[str, float] | None = None,
    length: float | None = None,
) -> GraspReport:
    """What a hand that holds a frame prescribes of a mechanism in one pose, and what flops.

    kind          "full" or "point", as for `grasp`
    start, near   of the pose, as `given` and `near` of `assemble`
    length        m that count like a radian; by default the lever of the frame
    """
    return HeldMechanism(model, frame, kind, length, None, start, near).report()


def _check(model: Model) -> bool:
    """Refuses what has a time of its own; whether laws have states."""
    if not model.speeds:
        raise ModelError("the mechanism has no coordinates, so that nothing of it can be moved")
    if model.drives:
        raise ModelError(f'"{next(iter(model.drives))}" drives the mechanism, and so would the hand')
    more = [port.name for port in inverse_dynamics(model).inputs if port.name not in ("q", "v", "a")]
    if model.cuts or model.constraints:
        more += [port.name for port in constraints(model).inputs if port.name not in ("q", "v")]
    if [name for name in more if name != "z"]:
        raise ModelError(
            f"forces or constraints of the mechanism need {', '.join(more)}",
            expected="those of coordinates, speeds and states of laws only",
        )
    return bool(more)


def _length(model: Model, frame: str, q: Array, J: Array) -> float:
    """How far a radian of the fastest joint moves the frame, or else its distance from the origin; or 1 m."""
    turning = [unit != "m/s" for unit in _speed_units(model)]
    lever = float(np.linalg.norm(J[3:, turning], axis=0).max(initial=0.0))
    return lever or float(np.linalg.norm(compile(pose(model, frame))(q).p)) or 1.0


def _speed_units(model: Model) -> list[str]:
    from hapsis.mechanics.model.signals.column_units import column_units

    units = column_units(model, model.speeds)
    return [units[name] for name in model.speeds]


def _weights(weights: Any, kind: str) -> list[float]:
    count = KINDS[kind]
    if weights is None:
        return [1.0] * count
    given = [positive(x, "a weight") for x in weights]
    if len(given) != count:
        raise ModelError(f"a {kind} grasp has {count} directions, and weights {len(given)} numbers")
    return given


def _rank(A: Array) -> int:
    if not A.size:
        return 0
    values = np.linalg.svd(A, compute_uv=False)
    return int(np.sum(values > SINGULAR * values[0]))
