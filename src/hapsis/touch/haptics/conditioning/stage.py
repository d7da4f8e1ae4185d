"""Stages: what every filter can do in the loop and over a record of samples, its delay and noise gain.

    velocity = hs.haptics.SavitzkyGolay(1 / 4000, window=25)
    velocity.delay, velocity.noise_gain        # seconds; output noise over input noise
    v = velocity.apply(t, position)            # over a record
    kernel = velocity.kernel()                 # for the loop: kernel(t, sample, result)

Both run the same native code, so they give the same bits.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.compiler.native import Array, Kernel, Kernels, at, native, record, sized
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import described, real

SMALL = 1e-12  # of an impulse response: its end


@record
class StageSequence:
    """Stages in a row for several axes; `steps` has the Kernels (t, x, y) axis by axis."""

    axes: int
    stages: int
    inputs: int  # of one axis
    outputs: int
    width: int  # the most numbers that pass between two stages
    between: Array = sized("2 * width")
    steps: Kernels


@native
def tick(t: Array, x: Array, y: Array, sequence: StageSequence) -> None:
    """One tick of all stages for each axis; intermediate results alternate between two places."""
    last, width, between = sequence.stages - 1, sequence.width, sequence.between
    step = 0
    for axis in range(sequence.axes):
        source, place = at(x, axis * sequence.inputs), 0
        for _k in range(last):
            target = at(between, place)
            sequence.steps[step](t, source, target)
            source, place, step = target, width - place, step + 1
        sequence.steps[step](t, source, at(y, axis * sequence.outputs))
        step += 1


@native
def rows(f: Kernel, count: int, inputs: int, outputs: int, t: Array, x: Array, y: Array) -> None:
    """Calls a stage's Kernel for each row of samples."""
    for k in range(count):
        f(at(t, k), at(x, k * inputs), at(y, k * outputs))


class Stage(ABC):
    """A filter, a conversion, or several in a row; `inputs` and `outputs` name its columns."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    period: float | None = None  # seconds; None where the stage remembers nothing
    delays: Mapping[str, float]  # of each output, at low frequency

    @property
    def delay(self) -> float:
        """Seconds by which slow motion comes late; the longest of its outputs."""
        return max(self.delays.values())

    @property
    def noise_gain(self) -> Any:
        """Standard deviation of the outputs for white noise of 1: a number, or a table
        [output, input]."""
        h = self.response()
        gains = np.sqrt(np.sum(h * h, axis=0))
        return float(gains[0, 0]) if gains.size == 1 else gains

    @abstractmethod
    def response(self) -> Array:
        """The impulse response: [sample, output, input]."""

    @property
    @abstractmethod
    def stages(self) -> tuple["SingleStage", ...]:
        """The single stages in their order."""

    def kernel(self, axes: int = 1) -> Any:
        """A Kernel called (t, sample, result) at every tick, with memory of its own.

        For several axes samples and results of all lie one after the other.
        """
        if isinstance(axes, bool) or not isinstance(axes, int) or axes < 1:
            raise ModelError(f"axes must be a whole number from 1 on, not {axes!r:.40}")
        steps = [stage.axis_kernel() for _ in range(axes) for stage in self.stages]
        if len(steps) == 1:
            return steps[0]
        sequence = StageSequence(
            axes=axes,
            stages=len(self.stages),
            inputs=len(self.inputs),
            outputs=len(self.outputs),
            width=max(len(stage.outputs) for stage in self.stages),
            steps=steps,
        )
        return tick.bound(vary=("t", "x", "y"), sequence=sequence)

    def apply(self, t: Any, x: Any) -> Array:
        """The results of a record, sample by sample as in the loop; a column for each output.

        A stage with one input takes, and one with one output gives, a plain vector.
        """
        t, x = _rows(t, x, self.inputs)
        y = np.empty((len(t), len(self.outputs)))
        width = len(self.inputs), len(self.outputs)
        rows(self.kernel(), len(t), *width, t, x.ravel(), y.reshape(-1))
        return y[:, 0] if len(self.outputs) == 1 else y

    def __repr__(self) -> str:
        columns = f"{', '.join(self.inputs)} -> {', '.join(self.outputs)}"
        return f"<{type(self).__name__} {columns}, delay {1e3 * self.delay:.3g} ms>"


class SingleStage(Stage):
    """One stage with a native step; `gaps` has the three kinds, which differ in missing samples."""

    @property
    def stages(self) -> tuple["SingleStage", ...]:
        """Itself."""
        return (self,)

    @abstractmethod
    def step(self) -> tuple[Any, Any]:
        """The native function (t, x, y, own) of one step, and a new record `own` for one axis."""

    @abstractmethod
    def axis_kernel(self) -> Any:
        """A Kernel (t, x, y) for one axis, with memory of its own."""

    def step_kernel(self) -> tuple[Any, Any]:
        """The step as a Kernel (t, x, y), and the record it works on."""
        function, own = self.step()
        return function.bound(vary=("t", "x", "y"), own=own), own


def _rows(t: Any, x: Any, names: tuple[str, ...]) -> tuple[Array, Array]:
    """Times and samples as arrays of floats that fit each other."""
    t = array(t, "the times")
    x = array(x, "the samples")
    if x.ndim == 1:
        x = x[:, None]
    if t.ndim != 1 or x.shape != (len(t), len(names)):
        raise ModelError(
            f"{len(t) if t.ndim else 1} times and samples of shape {x.shape}",
            expected=f"{len(names)} columns ({', '.join(names)})",
        )
    if not np.isfinite(t).all():
        raise ModelError("a time is not finite")
    return np.ascontiguousarray(t), np.ascontiguousarray(x)


def array(x: Any, what: str) -> Array:
    """An array of floats, a copy; NaN is a missing sample."""
    numbers = float_array(x)
    if numbers is None:
        raise ModelError(f"{what} must be numbers, not {described(x)}")
    return numbers


def positive(x: Any, what: str, zero: bool = False) -> float:
    """The float of a number above zero; or zero too."""
    value = real(x, what)
    if value < 0.0 or (value == 0.0 and not zero):
        raise ModelError(f"{what} must be {'zero or more' if zero else 'positive'}, not {value:g}")
    return value


def whole(x: Any, what: str, least: int, most: int = 2**63) -> int:
    """A whole number, from the least one on."""
    if isinstance(x, bool) or not isinstance(x, int | np.integer) or not least <= x <= most:
        limit = f" to {most}" if most < 2**63 else " on"
        raise ModelError(f"{what} must be a whole number from {least}{limit}, not {x!r:.40}")
    return int(x)
