"""The verb `find_cycle`: a motion of a hybrid that repeats itself, and how errors of it grow or shrink."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, final

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import Immutable
from hapsis.errors import ModelError, SolveError
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.state import State
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.cycles.chart import Array, Point
from hapsis.motion.cycles.clocks import check_clock, refuse_samples
from hapsis.motion.cycles.poincare_map import Lost, PoincareMap
from hapsis.motion.hybrid.hybrid import Hybrid
from hapsis.motion.simulate.distinct_names import distinct_names

MOST = 30  # steps of Newton
MOST_STRIDES = 1000
SHORTEST = 1.0 / 64.0  # of a step of Newton: below it there is no way down
LARGEST = 0.5  # of a step of Newton, in the units of the chart
SMALLER = 4  # times that a cycle may be much smaller than the motion that it was measured by
NEUTRAL = 1e-6  # a multiplier that close to 1 leaves a step of Newton undecided
REMOVED = 1e-6  # of the largest singular value: a direction that the event removes
INTEGRATION = 1e-2  # of the tolerance of a cycle: that of its integration


@final
@verb
@dataclass(frozen=True, eq=False)
class Cycle(Immutable):
    """A motion of a hybrid that repeats itself, from just after an event.

    start         the State just after the event
    period        the time of one cycle, s
    multipliers   how much small errors grow in one cycle (Floquet), the largest first; those of directions
                  that the event removes are zero
    residual      how far the state is from itself after one cycle, in the units of its motion: ways by the
                  longest one, speeds by that over its time
    strides       occurrences of the event in one cycle
    event         its name
    phase         the phase after it
    drifting      coordinates that nothing depends on; they need not come back
    parameters    values other than the model's own
    map           the map from one event to the next: `map.after(point)`
    point         the start as a point of the map
    """

    start: State
    period: float
    multipliers: Array
    residual: float
    strides: int
    event: str
    phase: str
    drifting: tuple[str, ...]
    parameters: Mapping[str, float]
    map: PoincareMap = field(repr=False)
    point: Point = field(repr=False)

    @property
    def stable(self) -> bool:
        """Whether no small error grows; one that stays, as of energy that nothing takes, does not count."""
        return bool(np.abs(self.multipliers).max(initial=0.0) < 1.0 + NEUTRAL)

    @cached_property
    def travel(self) -> dict[str, float]:
        """How far each drifting coordinate goes in one cycle."""
        after = self.map.after(self.point, self.strides).point
        places = {name: k for k, name in enumerate(self.start.coordinates)}
        return {n: float(after.q[places[n]] - self.point.q[places[n]]) for n in self.drifting}

    @cached_property
    def result(self) -> Result:
        """The motion of one cycle."""
        return self.map.motion(self.point, self.period)

    def __str__(self) -> str:
        sizes = ", ".join(_number(x) for x in self.multipliers[:6])
        worst = float(np.abs(self.multipliers).max(initial=0.0))
        word = "unstable" if not self.stable else "stable" if worst < 1.0 - NEUTRAL else "neutral"
        going = ", ".join(f"{name} by {x:.10g}" for name, x in self.travel.items())
        names = (*self.start.coordinates, *self.start.speeds)
        rows = [
            f'cycle        {self.strides} x "{self.event}", {self.period:.12g} s',
            f"multipliers  {sizes}{', ...' if len(self.multipliers) > 6 else ''}",
            f"             {word}, the largest is {worst:.8g}",
            f"goes on      {going or 'nothing'}",
            f"residual     {self.residual:.2g}",
            *(f"{'start' if not k else '':<12} {n} = {self.start[n]:.12g}" for k, n in enumerate(names)),
        ]
        return "\n".join(rows)


def _number(x: complex) -> str:
    if abs(x.imag) < 1e-12 * max(abs(x), 1e-12):
        return f"{x.real:.8g}"
    return f"{x.real:.8g}{x.imag:+.8g}i"


@verb
def find_cycle(
    hybrid: Hybrid,
    near: Any = None,
    *,
    strides: int = 1,
    event: str | None = None,
    period: float | None = None,
    parameters: Mapping[str, float] | None = None,
    drifting: Sequence[str] | None = None,
    tolerance: float = 1e-9,
) -> Cycle:
    """A motion of a hybrid that repeats itself after some occurrences of an event, by Newton's method.

    near         where to begin: {name: value} over the pose "start", a State, or a Cycle; the pose if None
    strides      how often the event happens in one cycle
    event        the event after which the cycle begins; the first that happens if None
    period       about the time of one stride, s; found by a trial if None
    parameters   {name: value} other than the model's own
    drifting     coordinates that nothing depends on, as the distance gone, and that need not come back;
                 found by trials if None
    tolerance    how far the state may be from itself after one cycle, in the units of its motion

    The cycle need not be stable. An error says what failed: the motion fell and never came back, or Newton's
    method did not converge.
    """
    if not isinstance(hybrid, Hybrid):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"find_cycle takes a Hybrid, not {described(hybrid)}")
    refuse_samples(hybrid)
    strides = whole_from(strides, "strides", 1, MOST_STRIDES)
    tolerance = real(tolerance, "tolerance")
    if not 1e-12 <= tolerance <= 1e-3:
        raise ModelError(f"tolerance is {tolerance:g}", expected="from 1e-12 to 1e-3")
    accuracy = max(INTEGRATION * tolerance, 1e-13)
    free = None if drifting is None else distinct_names(drifting, "drifting")
    if isinstance(near, Cycle):
        parameters = {**near.parameters, **(parameters or {})}
        if near.map.hybrid is hybrid and event in (None, near.event) and free is None and period is None:
            return solved(near.map.at(parameters, accuracy), near.point, strides, tolerance)
        near = {"phase": near.phase, **near.map.values(near.point)}
    poincare = PoincareMap(hybrid, event, parameters or {}, accuracy, free, period)
    point = poincare.landed(near)
    poincare.measure(point)
    poincare.find_drifting(point, strides)
    return solved(poincare, point, strides, tolerance)


def whole_from(number: Any, what: str, least: int, most: int) -> int:
    """A whole number within these bounds."""
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
        shown = number if isinstance(number, int) else described(number)
        raise ModelError(f"{what} is {shown}"[:120], expected=f"a whole number from {least} to {most}")
    return number


class Fixed(NamedTuple):
    """A point that comes back: the time that takes, the derivative of the map, and by how much it is off."""

    point: Point
    time: float
    J: Array
    error: float


class NoFixedPoint(SolveError):
    """Newton's method ended at `point`."""

    point: Point


def solved(poincare: PoincareMap, point: Point, strides: int, tolerance: float) -> Cycle:
    """The cycle that Newton's method finds from a point on the section."""
    shrunk: Point | None = None
    for _ in range(SMALLER):
        try:
            found = fixed_point(poincare, point, strides, tolerance)
        except NoFixedPoint as error:
            if shrunk is None and not poincare.shrinks(error.point):
                raise
            shrunk = error.point
            break
        if not poincare.shrinks(found.point):
            return _cycle(poincare, found, strides)
        point = shrunk = found.point  # in units of a much larger motion: once more in its own
        try:
            poincare.measure(point)
        except Lost:
            break
    assert shrunk is not None
    raise SolveError(
        f"no cycle of {strides} strides: they shrink to nothing, to {shrunk.words(poincare.model)}",
        remedy="that is rest, and no cycle; start nearer to one, as where a long run ends",
    )


def fixed_point(poincare: PoincareMap, point: Point, strides: int, tolerance: float) -> Fixed:
    """The point that comes back, by Newton's method in the units of the map."""
    size = gap = np.inf
    for _ in range(MOST):
        chart = poincare.chart(point)
        stride = poincare.back(point, strides)
        residual = chart.of(stride.point)
        size = float(np.abs(residual).max(initial=0.0))
        J = poincare.derivative(point, strides)
        if size <= tolerance and (size <= 0.01 * tolerance or size > 0.3 * gap):
            return Fixed(point, stride.time, J, size)
        gap = size
        best = _descended(poincare, point, residual, J, strides)
        if best is None:
            if size <= tolerance:
                return Fixed(point, stride.time, J, size)
            break
        point = best
    error = NoFixedPoint(
        f"no cycle of {strides} strides: Newton's method ends where the state comes back with an error of "
        f"{size:.3g}, at {point.words(poincare.model)}",
        expected=f"an error of at most {tolerance:g}",
        remedy="start nearer to a cycle, or try another number of strides",
    )
    error.point = point
    raise error


def _cycle(poincare: PoincareMap, found: Fixed, strides: int) -> Cycle:
    point, time, J, size = found
    model, multipliers = poincare.model, multipliers_of(J)
    check_clock(poincare, point, time, strides, multipliers)
    multipliers.flags.writeable = False
    assert poincare.event is not None and poincare.phase is not None
    return Cycle(
        State(model.coordinates, model.speeds, point.q, point.v),
        time,
        multipliers,
        size,
        strides,
        poincare.event,
        poincare.phase,
        poincare.drifting or (),
        dict(poincare.parameters),
        poincare,
        point,
    )


def multipliers_of(J: Array) -> Array:
    """The eigenvalues of the derivative of a map, the largest first; exact zeros where it loses rank."""
    size = len(J)
    while len(J):
        U, sizes, _ = np.linalg.svd(J)
        kept = sizes > REMOVED * max(sizes[0], 1e-300)
        if kept.all():
            break
        J = U[:, kept].T @ J @ U[:, kept]  # the same eigenvalues but for those of what is removed
    values = np.linalg.eigvals(J) if len(J) else np.zeros(0)
    order = sorted(range(len(values)), key=lambda k: (-abs(values[k]), -values[k].real, -values[k].imag))
    return np.concatenate([values[order], np.zeros(size - len(order))]).astype(complex)


def _descended(poincare: PoincareMap, point: Point, residual: Array, J: Array, strides: int) -> Point | None:
    """The point after a step of Newton's method, shortened until the error shrinks; None without such."""
    chart, size = poincare.chart(point), float(np.abs(residual).max(initial=0.0))
    A = np.eye(len(J)) - J  # x + A⁻¹ (P(x) - x)
    U, sizes, V = np.linalg.svd(A)
    kept = sizes > NEUTRAL * sizes[0]
    step = V[kept].T @ ((U[:, kept].T @ residual) / sizes[kept])
    largest = float(np.abs(step).max(initial=0.0))
    share = min(1.0, LARGEST / largest) if largest > 0.0 else 1.0
    while share >= SHORTEST:
        other = chart.at(share * step)
        try:
            after = poincare.back(other, strides).point
        except Lost:
            share *= 0.5
            continue
        if float(np.abs(poincare.chart(other).of(after)).max(initial=0.0)) < size:
            return other
        share *= 0.5
    return None
