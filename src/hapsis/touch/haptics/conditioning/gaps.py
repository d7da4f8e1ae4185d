"""The three kinds of stages: what each does with samples that are missing and periods left out.

    Conversion      remembers nothing: a missing sample is missing in the result
    SampledFilter   needs samples at equal times: the next good sample is joined to the last one by a
                    straight line, so a ramp with gaps is still a ramp; meanwhile the last result is
                    held. After a gap longer than FILLED periods it starts anew.
    PeriodicStage   makes a step in every period, with missing samples (NaN) where none came

Time is counted in periods.
"""

from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Kernel, floor, isfinite, native, record, sized
from hapsis.touch.haptics.conditioning.stage import SingleStage, positive

FILLED = 64  # periods: the longest gap that is filled


@record
class StepMemory:
    """What the memory of a step begins with; a step that finds `started` false starts anew."""

    started: bool = False


@record
class Clock:
    """Counts periods; `index` is the number of the last one."""

    period: float
    longest: int  # gap in periods that is filled
    started: bool = False
    index: float = 0.0


@record
class GapFiller(Clock):
    """A SampledFilter in the loop."""

    last: float = 0.0  # sample
    held: float = 0.0  # result
    between: Array = sized("1")  # a sample on the line
    step: Kernel
    memory: StepMemory


@record
class PeriodFiller(Clock):
    """A PeriodicStage in the loop."""

    inputs: int
    missing: Array = sized("inputs")
    step: Kernel


@native
def period_number(t: float, clock: Clock) -> float:
    """The number of the period at a time."""
    return floor(t / clock.period + 0.5)


@native
def passed(now: float, clock: Clock) -> int:
    """Periods since the last sample, at least one; at most one more than the stage fills."""
    if not clock.started:
        return 1
    count = now - clock.index
    if not count >= 1.0:
        return 1
    return int(min(count, clock.longest + 1.0))


@native
def note(now: float, clock: Clock) -> None:
    """Stores the number of this period: at least one more than the last, even if time does not increase."""
    if not isfinite(now) or (clock.started and now <= clock.index):
        now = clock.index + 1.0
    clock.index = now
    clock.started = True


@native
def fill_gap(t: Array, x: Array, y: Array, own: GapFiller) -> None:
    """One tick of a SampledFilter: gaps become straight lines."""
    if not isfinite(x[0]):
        y[0] = own.held if own.started else x[0] - x[0]
        return
    now = period_number(t[0], own)
    count = passed(now, own)
    if count > own.longest:
        own.memory.started = False
        count = 1
    for k in range(1, count):
        own.between[0] = own.last + (x[0] - own.last) * (float(k) / count)
        own.step(t, own.between, y)
    own.step(t, x, y)
    note(now, own)
    own.last, own.held = x[0], y[0]


@native
def fill_periods(t: Array, x: Array, y: Array, own: PeriodFiller) -> None:
    """One tick of a PeriodicStage: periods left out have missing samples."""
    now = period_number(t[0], own)
    for _k in range(1, min(passed(now, own), own.longest)):
        own.step(t, own.missing, y)
    own.step(t, x, y)
    note(now, own)


class Conversion(SingleStage):
    """A stage that remembers nothing."""

    def axis_kernel(self) -> Any:
        """The step itself."""
        return self.step_kernel()[0]


class SampledFilter(SingleStage):
    """A filter of one signal at equal times; the record of its step is a StepMemory."""

    def axis_kernel(self) -> Any:
        """The step, with gaps filled by straight lines."""
        kernel, memory = self.step_kernel()
        period = positive(self.period, "the period")
        filler = GapFiller(period=period, longest=FILLED, step=kernel, memory=memory)
        return fill_gap.bound(vary=("t", "x", "y"), own=filler)


class PeriodicStage(SingleStage):
    """A stage that makes a step in every period, and knows what a missing sample means."""

    def axis_kernel(self) -> Any:
        """The step, repeated with missing samples for periods left out."""
        kernel, _ = self.step_kernel()
        period = positive(self.period, "the period")
        filler = PeriodFiller(period=period, longest=FILLED, inputs=len(self.inputs), step=kernel)
        filler.missing[:] = np.nan
        return fill_periods.bound(vary=("t", "x", "y"), own=filler)
