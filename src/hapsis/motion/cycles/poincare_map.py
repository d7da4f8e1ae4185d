"""The Poincaré map of a hybrid: from a state just after an event to the state just after its next occurrence.

A state off the section is taken back to it by the map itself, so that the section needs no equation: it only
adds multipliers that are zero.
"""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, final

import numpy as np

from hapsis.errors import ModelError, Notice, SolveError, check_known
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.result import Result
from hapsis.mechanics.model.state import State
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.motion.cycles.chart import Array, Chart, Point, Scale
from hapsis.motion.cycles.stride_runs import End, StrideRuns
from hapsis.motion.hybrid.hybrid import Hybrid
from hapsis.motion.simulate.simulate import simulate

FIRST, LONGEST = 10.0, 5120.0  # s: how long the first stride may take at first, and at last
SLOWER = 8.0  # times: a stride that takes that much longer than the first never ends
LONGEST_PERIOD = 1e9  # s, that may be given
STEP = 1e-4  # of derivatives, in the units of the chart
SHIFT = 0.6180339887  # of a coordinate on which nothing should depend, of its way in a stride
SAME = 1e-7  # what such a shift may change, in the units of the chart
INSTANT = 1e-4  # of the time of a stride: what takes less is no stride
SMALL = 1e-2  # of the size of the first stride: a cycle that is smaller is looked for in its own units
INSIDE = (0.29, 0.53, 0.71)  # of a stride: where it is compared besides its end


class Lost(SolveError):
    """A motion that does not come back to the section."""


class Stride(NamedTuple):
    """The point after some strides, how long they took, and its phase."""

    point: Point
    time: float
    phase: str


@final
class PoincareMap:
    """The map of the section just after an event, with these values of parameters.

    event       its name, or None: the first event that happens
    drifting    coordinates that nothing depends on, or None: found by trials
    period      about the time of one stride, or None: found by a trial
    """

    def __init__(
        self,
        hybrid: Hybrid,
        event: str | None,
        parameters: Mapping[str, float],
        tolerance: float,
        drifting: Sequence[str] | None = None,
        period: float | None = None,
    ) -> None:
        if not hybrid.events:
            raise ModelError("the hybrid has no events, so that no cycle begins after one")
        if event is not None:
            check_known(event, [each.name for each in hybrid.events], "there is no event {}")
        for name in drifting or ():
            check_known(name, [n for n in hybrid.model.plain], "drifting: there is no coordinate {}")
        self.hybrid, self.event, self.phase = hybrid, event, hybrid.start
        self.parameters, self.tolerance = dict(parameters), tolerance
        self.drifting = None if drifting is None else tuple(drifting)
        self.limit = None if period is None else SLOWER * _time(period)
        self.names: tuple[str, ...] = ()  # of states of laws
        self.scale: Scale | None = None
        self._prepared: dict[str, StrideRuns] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Without what is compiled for this process."""
        return {**self.__dict__, "_prepared": {}}

    def at(self, parameters: Mapping[str, float], tolerance: float | None = None) -> "PoincareMap":
        """The same map with other values of parameters, and with another tolerance of runs if given."""
        every = self.parameters | dict(parameters)
        other = PoincareMap(self.hybrid, self.event, every, tolerance or self.tolerance, self.drifting)
        other.phase, other.limit, other.names, other.scale = self.phase, self.limit, self.names, self.scale
        return other

    @property
    def model(self) -> Model:
        """The model of the phase after the event."""
        assert self.phase is not None
        return self.hybrid.phases[self.phase]

    def chart(self, point: Point) -> Chart:
        """The chart of a point on the section."""
        known = {n: x for n, x in self.parameters.items() if n in self.model.parameters}
        assert self.scale is not None
        return Chart(self.model, point, known, self.scale, self.drifting or ())

    # the motion ----------------------------------------------------------------------------------

    def landed(self, near: Any) -> Point:
        """The first point on the section from any start; it decides what was left open."""
        result = self._until_event(self.hybrid, near, None)
        self.event = result.events[-1].name
        self.phase, self.names = result.memory.phase, tuple(result.memory.names)
        return _last(result)

    def measure(self, point: Point) -> None:
        """Takes the size of a stride as the scale of states, and the time of the first to limit others."""
        self.scale = self._measured(point)
        self.limit = self.limit or SLOWER * self.scale.time

    def _measured(self, point: Point) -> Scale:
        """The size of the stride from a point."""
        hybrid = replace(self.hybrid, start=self.phase)
        result = self._until_event(hybrid, self.start(point), point)
        time = float(result.t[-1] - result.t[0])
        if self.scale is not None and time < INSTANT * self.scale.time:  # it was just before the event
            result = self._until_event(hybrid, self.start(_last(result)), point)
            time = float(result.t[-1] - result.t[0])
        fastest = [float(np.abs(result[name]).max()) for name in self.model.speeds]
        states = [float(np.abs(result[name]).max()) or 1.0 for name in self.names]
        return Scale.of(self.model, np.array(fastest), time, np.array(states))

    def shrinks(self, point: Point) -> bool:
        """Whether the motion from a point is much smaller or shorter than that by which it is measured."""
        assert self.scale is not None
        old = self.scale
        try:
            new = self._measured(point)
        except Lost:
            return True
        return bool(new.ways.max() < SMALL * old.ways.max() or new.time < SMALL * old.time)

    def _until_event(self, hybrid: Hybrid, start: Any, point: Point | None) -> Any:
        """The motion up to the event, or to the first one where none is named; `Lost` without it."""
        limit, begin = self.limit or FIRST, float(start.t[-1]) if isinstance(start, Result) else 0.0
        while True:
            result = self._run(self._stopping(hybrid), begin + limit, start)
            if not isinstance(result, Result):
                raise ModelError("near or the parameters are those of many runs", expected="one state")
            if result.status != "done" or limit >= LONGEST or self.limit is not None:
                break
            limit *= 8.0
        ends = {event.name for event in self.hybrid.events if event.stop}
        last = result.events[-1].name if result.events else ""
        if result.status != "event" or last in ends or self.event not in (None, last):
            raise self._lost(float(result.t[-1] - result.t[0]), result.message, point)
        return result

    def after(self, point: Point, strides: int = 1) -> Stride:
        """The point after so many strides; `Lost` where the motion does not come back to the event."""
        assert self.phase is not None
        if not isinstance(point, Point):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError(
                f"after takes a point of the map, not {described(point)}", expected="cycle.point"
            )
        time, phase, y = 0.0, self.phase, np.concatenate(point)
        for _ in range(strides):
            took, end = 0.0, self._runs(phase, self.point(y)).end(y)
            if self._at_once(end):  # it begins before the section: that event belongs to the stride before
                took = 2.0 * INSTANT * self._stride_time
                passed = self._quiet(phase, self.point(y), took).end(y)
                phase, y = passed.phase, passed.y
                end = self._runs(phase, self.point(y)).end(y, -took)
            if end.status != "event" or end.event != self.event:
                raise self._lost(end.t, end.message, self.point(y))
            if self._at_once(end):
                raise self._lost(took, f'event "{self.event}" happens again at once', self.point(y))
            phase, y, took = end.phase, end.y, took + end.t
            time += took
        return Stride(self.point(y), time, phase)

    @property
    def _stride_time(self) -> float:
        return 0.0 if self.scale is None else self.scale.time

    def _at_once(self, end: End) -> bool:
        """Whether a run has ended at the event sooner than any stride takes."""
        return end.status == "event" and end.event == self.event and end.t < INSTANT * self._stride_time

    def back(self, point: Point, strides: int = 1) -> Stride:
        """The point after so many strides; `Lost` where they lead to another phase, too."""
        stride = self.after(point, strides)
        if stride.phase != self.phase:
            raise Lost(
                f'no cycle of {strides} strides: from phase "{str(self.phase)[:60]}" the event '
                f'"{str(self.event)[:60]}" leads to phase "{stride.phase[:60]}"',
                remedy="try another number of strides",
            )
        return stride

    def point(self, y: Array) -> Point:
        """The point of the numbers of a state."""
        n, m = len(self.model.coordinates), len(self.model.speeds)
        return Point(y[:n], y[n : n + m], y[n + m :])

    def _runs(self, phase: str, point: Point) -> StrideRuns:
        """The runs that begin in a phase, prepared at a point."""
        if phase not in self._prepared:
            assert self.limit is not None
            hybrid = self._stopping(replace(self.hybrid, start=phase))
            start = State(self.model.coordinates, self.model.speeds, point.q, point.v)
            self._prepared[phase] = StrideRuns(hybrid, self.limit, self.tolerance, self.parameters, start)
        return self._prepared[phase]

    def _quiet(self, phase: str, point: Point, time: float) -> StrideRuns:
        """The runs that begin in a phase and pass by the event for so long."""
        key = f"{phase}, {time!r}"
        if key not in self._prepared:
            others = [event for event in self.hybrid.events if event.name != self.event]
            hybrid = replace(self.hybrid, start=phase, events=others)
            start = State(self.model.coordinates, self.model.speeds, point.q, point.v)
            self._prepared[key] = StrideRuns(hybrid, time, self.tolerance, self.parameters, start)
        return self._prepared[key]

    def motion(self, point: Point, time: float, every: float | None = None) -> Any:
        """The motion from a point, as a Result."""
        return self._run(replace(self.hybrid, start=self.phase), time, self.start(point), every)

    def start(self, point: Point) -> Any:
        """What a run starts from."""
        model = self.model
        if not self.names:
            return State(model.coordinates, model.speeds, point.q, point.v)
        return self.values(point)

    def values(self, point: Point) -> dict[str, float]:
        """{name: value} of a point."""
        names = (*self.model.coordinates, *self.model.speeds, *self.names)
        return dict(zip(names, map(float, (*point.q, *point.v, *point.z)), strict=True))

    def _stopping(self, hybrid: Hybrid) -> Hybrid:
        """The hybrid that stops at the section, or at any event where none is named."""
        return replace(
            hybrid, events=[replace(e, stop=self.event in (None, e.name) or e.stop) for e in hybrid.events]
        )

    def _run(self, hybrid: Hybrid, until: float, start: Any, every: float | None = None) -> Any:
        options: dict[str, Any] = {"tolerance": self.tolerance, "parameters": self.parameters or None}
        options["every"] = every
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Notice)  # of motions that fall: the map's own error says it
            return simulate(hybrid, until, start, progress=False, **options)

    def _lost(self, took: float, message: str, point: Point | None) -> Lost:
        where = "from near" if point is None else f"from {point.words(self.model)}"
        event = "any event" if self.event is None else f'the event "{self.event[:60]}"'
        why = f" ({message})" if message and "reached t" not in message else ""
        return Lost(
            f"the motion {where} does not come to {event} within {took:.4g} s{why}",
            remedy="start nearer to the cycle, or give period= if it takes longer",
        )

    # drifting coordinates and derivatives --------------------------------------------------------

    def find_drifting(self, point: Point, strides: int) -> None:
        """Finds the coordinates whose shift changes nothing but themselves; given ones must be such."""
        given = self.drifting
        if given is not None:
            self.drifting = None
        reference, names = self.back(point, strides), list[str]()
        chart = self.chart(reference.point)
        rows = chart.jacobian(reference.point.q)[: chart.loops.positions]
        inside: list[tuple[Array, Array]] = []
        for k, name in enumerate(self.model.coordinates):
            held = np.abs(rows @ chart.direction(k)).max(initial=0.0) > 0.0
            if held or name not in self.model.plain:
                continue
            shift = np.zeros(len(point.q))
            shift[k] = SHIFT / np.abs(chart.direction(k)).max()
            there = point._replace(q=point.q + shift)
            try:
                other = self.back(there, strides)
            except SolveError:
                continue  # it matters
            gap = chart.of(other.point._replace(q=other.point.q - shift))
            if np.abs(gap).max() >= SAME or abs(other.time - reference.time) >= SAME * reference.time:
                continue
            inside = inside or self._inside(point, reference.time)
            gaps = [
                max(chart.far(q, p - shift), float(np.abs((u - v) * chart.time / chart.units).max()))
                for (q, v), (p, u) in zip(inside, self._inside(there, reference.time), strict=True)
            ]
            if sorted(gaps)[1] < SAME:  # one of them may be beside an event
                names.append(name)
        odd = [name for name in given or () if name not in names]
        if odd:
            raise ModelError(
                f'drifting: the motion depends on "{odd[0][:60]}", which must come back',
                expected=f"of {', '.join(names)[:200] or 'none'}",
                remedy="where it goes down a slope tilt gravity, not the ground",
            )
        self.drifting = tuple(names) if given is None else given

    def _inside(self, point: Point, time: float) -> list[tuple[Array, Array]]:
        """The coordinates and speeds of the motion from a point at some parts of this time."""
        result, model = self.motion(point, time, time / 100.0), self.model
        rows = [int(np.argmin(np.abs(result.t - part * time))) for part in INSIDE]
        return [
            (
                np.array([result[n][k] for n in model.coordinates]),
                np.array([result[n][k] for n in model.speeds]),
            )
            for k in rows
        ]

    def derivative(self, point: Point, strides: int = 1) -> Array:
        """The derivative of the map at a point, in its chart: central differences, extrapolated."""
        chart = self.chart(point)

        def image(x: Array) -> Array:
            return chart.of(self.back(chart.at(x), strides).point)

        columns: list[Array] = []
        for e in STEP * np.eye(chart.size):
            wide, narrow = ((image(h * e) - image(-h * e)) / (2 * h * STEP) for h in (1.0, 0.5))
            columns.append((4.0 * narrow - wide) / 3.0)
        return np.array(columns).reshape(chart.size, chart.size).T


def _time(period: float) -> float:
    period = real(period, "period")
    if not 0.0 < period <= LONGEST_PERIOD:
        raise ModelError(f"period is {period:g} s", expected=f"above 0, to {LONGEST_PERIOD:g} s")
    return period


def _last(result: Any) -> Point:
    """The last state of a run."""
    q, v = np.array(result.last.q), np.array(result.last.v)
    return Point(q, v, np.array(result.memory.y)[len(q) + len(v) : -1])
