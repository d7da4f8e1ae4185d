"""The verb `continue_cycle`: a cycle followed over a parameter, with the places where steps double."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, final

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.immutable import Immutable
from hapsis.errors import ModelError, SolveError
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.cycles.chart import Array, Point
from hapsis.motion.cycles.find_cycle import Cycle, find_cycle, solved, whole_from
from hapsis.motion.hybrid.hybrid import Hybrid
from hapsis.view.plots import Plot
from hapsis.view.series import Panel, Series

MOST_CYCLES = 100_000  # of one branch
NARROWEST = 2e-3  # of the whole range: a step between two values is not made shorter
LOCATED = 1e-9  # of the value of the parameter: how exactly a doubling is located
REACH = 4e-3  # of the range: how far behind a doubling the doubled branch begins
AMPLITUDES = (0.003, 0.01, 0.03, 0.1)  # of the first doubled cycle, in the units of its chart
WIDER = (1.0, 2.0, 4.0, 8.0)  # times: by how much two halves of a cycle may become more different
APART = 1e-5  # two strides that differ less are one
REAL = 1e-9  # of a multiplier: a smaller imaginary part is rounding


class Doubling(NamedTuple):
    """Where a multiplier passes -1: a value of the parameter, and the cycle there."""

    value: float
    cycle: Cycle


@final
@verb
@dataclass(frozen=True, eq=False)
class Branch(Immutable):
    """Cycles over a parameter.

    parameter   its name
    values      its values, in the order in which they were followed
    cycles      a Cycle for each
    doublings   where a multiplier passes -1 and cycles of twice as many strides begin
    end         why the branch ended before the last value asked for; empty if it did not
    """

    parameter: str
    values: Array
    cycles: tuple[Cycle, ...]
    doublings: tuple[Doubling, ...]
    end: str = ""

    def __len__(self) -> int:
        return len(self.cycles)

    @property
    def stable(self) -> Array:
        """Whether each cycle is stable."""
        return np.array([cycle.stable for cycle in self.cycles])

    @property
    def multipliers(self) -> Array:
        """A row of multipliers for each cycle, the largest first."""
        return np.array([cycle.multipliers for cycle in self.cycles])

    @property
    def periods(self) -> Array:
        """The time of each cycle, s."""
        return np.array([cycle.period for cycle in self.cycles])

    def __getitem__(self, name: str) -> Array:
        """A coordinate or speed just after the event: a row for each cycle, a column for each stride."""
        rows: list[list[float]] = []
        for cycle in self.cycles:
            point, row = cycle.point, list[float]()
            for k in range(cycle.strides):
                point = point if k == 0 else cycle.map.after(point).point
                row.append(_value(cycle, point, name))
            rows.append(row)
        return np.array(rows)

    def plot(self, name: str) -> Plot:
        """A coordinate or speed just after the event over the parameter: stable cycles and unstable ones."""
        return Plot((Panel(self.lines(name), name),), "", self.parameter)

    def lines(self, name: str, scale: float = 1.0, scale_x: float = 1.0) -> tuple[Series, ...]:
        """The lines of such a plot, one for each stride, in parts that are stable or not; in other units."""
        values, stable = self[name] * scale, self.stable
        lines: list[Series] = []
        for word, mine in (("stable", stable), ("unstable", np.logical_not(stable))):
            near = np.array(mine)
            if word == "unstable":
                near[:-1] |= mine[1:]  # lines meet where it changes
            for column in values.T if mine.any() else ():
                y = np.where(near, column, np.nan)
                lines.append(Series(f"{word}, {values.shape[1]}", self.values * scale_x, y))
        return tuple(lines)

    def doubled(self, to: float, steps: int = 20, which: int = 0) -> "Branch":
        """The branch of twice as many strides that begins at a doubling, up to another value.

        to      the last value of the parameter
        steps   how many cycles
        which   which of the doublings
        """
        if not self.doublings:
            raise SolveError("no multiplier passes -1 on this branch, so that none begins there")
        at = self.doublings[whole_from(which, "which", 0, len(self.doublings) - 1)]
        to, steps = real(to, "to"), whole_from(steps, "steps", 2, MOST_CYCLES)
        first = _first_doubled(self.parameter, at, to)
        begin = first.parameters[self.parameter]  # near it cycles change as a square root
        values = begin + (to - begin) * np.linspace(0.0, 1.0, steps) ** 2
        return _followed(first, self.parameter, values)

    def __str__(self) -> str:
        first, last = self.cycles[0], self.cycles[-1]
        rows = [
            f"{len(self)} cycles of {first.strides} strides over {self.parameter}, "
            f"{self.values[0]:.6g} to {self.values[-1]:.6g}",
            f"stable       {int(self.stable.sum())} of {len(self)}",
            f"period       {first.period:.6g} to {last.period:.6g} s",
            *(f"doubling     at {self.parameter} = {each.value:.9g}" for each in self.doublings),
        ]
        return "\n".join([*rows, *([f"ended        {self.end}"] if self.end else [])])


def _value(cycle: Cycle, point: Point, name: str) -> float:
    names = (*cycle.start.coordinates, *cycle.start.speeds)
    cycle.start[name]  # its error says what there is
    return float((*point.q, *point.v)[names.index(name)])


@verb
def continue_cycle(
    hybrid: Hybrid,
    along: Mapping[str, Sequence[float] | Array],
    near: Any = None,
    *,
    strides: int = 1,
    event: str | None = None,
    period: float | None = None,
    parameters: Mapping[str, float] | None = None,
    drifting: Sequence[str] | None = None,
    tolerance: float = 1e-9,
) -> Branch:
    """Cycles of a hybrid over the values of one parameter, each found from those before.

    along        {parameter: values}, in the order to follow; a pair of numbers is filled to twenty
    near         where the first cycle is, as in `find_cycle`
    strides      how often the event happens in one cycle
    event        the event after which cycles begin; the first that happens if None
    period       about the time of one stride, s; found by a trial if None
    parameters   {name: value} other than the model's own
    drifting     coordinates that nothing depends on; found by trials if None
    tolerance    how far the state may be from itself after one cycle, in the units of its motion

    Between two values shorter steps are taken where the cycle changes fast. Where none is found any more the
    branch ends there and says so in `end`. A multiplier that passes -1 is located.
    """
    if not isinstance(along, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"along must be {{parameter: values}}, not {described(along)}")
    if len(along) != 1:
        raise ModelError(f"along must be {{parameter: values}} of one parameter, not of {len(along)}")
    [(name, given)] = along.items()
    if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"along names {described(name)}", expected="the name of a parameter")
    values = np.array([real(x, f'along "{name}"') for x in np.ravel(np.asarray(given, dtype=object))])
    if len(values) == 2:
        values = np.linspace(values[0], values[1], 20)
    if len(values) < 2:
        raise ModelError(f'along has {len(values)} value of "{name[:60]}"', expected="two or more")
    first = find_cycle(
        hybrid,
        near,
        strides=strides,
        event=event,
        period=period,
        parameters={**(parameters or {}), name: float(values[0])},
        drifting=drifting,
        tolerance=tolerance,
    )
    return _followed(first, name, values)


def _followed(first: Cycle, name: str, values: Array) -> Branch:
    """The branch from its first cycle."""
    cycles, at, doublings, end = [first], [float(values[0])], list[Doubling](), ""
    narrowest = NARROWEST * float(np.abs(values[-1] - values[0]))
    for value in values[1:].tolist():
        while not end and at[-1] != value:
            target = value
            while True:
                try:
                    cycle = _next(cycles, at, name, target)
                    break
                except SolveError as error:
                    target = at[-1] + 0.5 * (target - at[-1])
                    if abs(target - at[-1]) < narrowest:
                        end = f"beyond {name} = {at[-1]:.9g}: {error.what}"
                        break
            if end:
                break
            if (_least(cycle) + 1.0) * (_least(cycles[-1]) + 1.0) < 0.0:
                doublings.append(_located(cycles[-1], at[-1], cycle, target, name))
            cycles.append(cycle)
            at.append(target)
    return Branch(name, np.array(at), tuple(cycles), tuple(doublings), end)


def _next(cycles: Sequence[Cycle], at: Sequence[float], name: str, value: float) -> Cycle:
    """The cycle at a value of the parameter, from the line through the last two."""
    last = cycles[-1]
    poincare = last.map.at({name: value})
    point = poincare.chart(last.point).at(np.zeros(poincare.chart(last.point).size))
    if len(cycles) > 1 and at[-1] != at[-2]:
        chart = poincare.chart(point)
        point = chart.at(-(value - at[-1]) / (at[-1] - at[-2]) * chart.of(cycles[-2].point))
    middle = None if last.strides % 2 else poincare.after(point, last.strides // 2)
    if middle is None or middle.phase != last.phase:
        return solved(poincare, point, last.strides, _tolerance(last))
    chart = poincare.chart(point)
    half = chart.of(middle.point)
    for wider in WIDER:  # where steps begin to differ they do so as a square root
        try:
            cycle = solved(poincare, chart.at(0.5 * (1.0 - wider) * half), last.strides, _tolerance(last))
        except SolveError:
            continue
        if not _halved(cycle):
            return cycle
    raise SolveError(f"its {last.strides} strides are lost, or become twice the same {last.strides // 2}")


def _tolerance(cycle: Cycle) -> float:
    return cycle.map.tolerance * 100.0


def _halved(cycle: Cycle) -> bool:
    """Whether half of its strides already come back."""
    half = cycle.map.after(cycle.point, cycle.strides // 2)
    off = float(np.abs(cycle.map.chart(cycle.point).of(half.point)).max())
    return half.phase == cycle.phase and off < APART


def _least(cycle: Cycle) -> float:
    """The smallest real multiplier."""
    values = cycle.multipliers
    real_ones = values.real[np.abs(values.imag) <= REAL * np.maximum(np.abs(values), 1e-3)]
    return float(real_ones.min(initial=0.0))


def _located(before: Cycle, low: float, after: Cycle, high: float, name: str) -> Doubling:
    """The value between two at which a multiplier is -1, by the Illinois method."""
    f_low, f_high, cycle, middle = _least(before) + 1.0, _least(after) + 1.0, after, high
    side = 0
    for _ in range(60):
        middle = high - f_high * (high - low) / (f_high - f_low)
        cycle = _next([before], [low], name, middle)
        f = _least(cycle) + 1.0
        if abs(f) < 1e-10 or abs(high - low) < LOCATED * abs(middle):
            break
        if f * f_high > 0.0:
            high, f_high = middle, f
            f_low *= 0.5 if side == 1 else 1.0
            side = 1
        else:
            low, f_low = middle, f
            f_high *= 0.5 if side == -1 else 1.0
            side = -1
    return Doubling(middle, cycle)


def _first_doubled(name: str, at: Doubling, to: float) -> Cycle:
    """A cycle of twice as many strides just behind a doubling."""
    cycle = at.cycle
    J = cycle.map.derivative(cycle.point, cycle.strides)
    values, vectors = np.linalg.eig(J)
    direction = np.real(vectors[:, int(np.argmin(np.abs(values + 1.0)))])
    direction /= np.abs(direction).max()
    for part in (1.0, 4.0, 16.0):
        value = at.value + part * REACH * (to - at.value)
        poincare = cycle.map.at({name: value})
        for amplitude in AMPLITUDES:
            start = poincare.chart(cycle.point).at(amplitude * direction)
            try:
                other = solved(poincare, start, 2 * cycle.strides, _tolerance(cycle))
            except SolveError:
                continue
            if not _halved(other):
                return other
    raise SolveError(
        f"no cycle of {2 * cycle.strides} strides was found behind {name} = {at.value:.9g}",
        remedy="follow it to the other side",
    )
