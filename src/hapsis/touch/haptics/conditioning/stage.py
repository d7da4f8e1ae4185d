"""What every stage can do: run in the loop, run over a record, and say what it costs.

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

from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import described, real
from hapsis.touch.haptics.conditioning import layout
from hapsis.touch.haptics.conditioning.ticking import rows, tick

Array = np.ndarray[Any, np.dtype[np.float64]]
FILLED = 64  # periods: the longest gap that is joined by a straight line
SMALL = 1e-12  # of a response: its end


class Stage(ABC):
    """One stage: `inputs` and `outputs` are the names of its columns.

    A subclass gives its code, the constants of its step, and how much its step remembers.
    """

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    period: float | None = None  # seconds; None where the stage remembers nothing
    delays: Mapping[str, float]  # of each output, at low frequency
    code: int
    constants: Array
    memory = 0

    @property
    def delay(self) -> float:
        """Seconds by which slow motion comes late; the longest of its outputs."""
        return max(self.delays.values())

    @property
    def noise_gain(self) -> Any:
        """Standard deviation that comes out of white noise of 1: a number, or a table
        [output, input]."""
        h = self.response()
        found = np.sqrt(np.sum(h * h, axis=0))
        return float(found[0, 0]) if found.size == 1 else found

    @abstractmethod
    def response(self) -> Array:
        """Its answer to an impulse: [sample, output, input]."""

    @property
    def stages(self) -> tuple["Stage", ...]:
        """Its parts in their order: a single stage is its own."""
        return (self,)

    def kernel(self, axes: int = 1) -> Any:
        """A Kernel called (t, sample, result) at every tick, with memory of its own.

        For several axes samples and results of all lie one after the other.
        """
        if isinstance(axes, bool) or not isinstance(axes, int) or axes < 1:
            raise ModelError(f"axes must be a whole number from 1 on, not {axes!r:.40}")
        plan, constants, at_memory = [], [np.zeros(0)], 0
        for stage in self.stages:
            own = _head(stage)
            memory = _memory(stage)
            size = sum(map(len, constants))
            plan += [stage.code, len(stage.inputs), len(stage.outputs), size, at_memory]
            constants.append(own)
            at_memory += memory
        wide = max(max(len(s.inputs), len(s.outputs)) for s in self.stages)
        middle = np.zeros(1 + 2 * wide)
        middle[0] = wide
        return tick.bound(
            vary=("t", "x", "y"),
            plan=np.array([len(self.stages), axes, at_memory, *plan], np.int64),
            c=np.concatenate(constants),
            m=np.zeros(max(1, axes * at_memory)),
            middle=middle,
        )

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
        told = f"{', '.join(self.inputs)} -> {', '.join(self.outputs)}"
        return f"<{type(self).__name__} {told}, delay {1e3 * self.delay:.3g} ms>"


def _head(stage: Stage) -> Array:
    period = 1.0 if stage.period is None else stage.period
    return np.concatenate([[period, FILLED, np.nan], np.asarray(stage.constants, float)])


def _memory(stage: Stage) -> int:
    if stage.code < layout.FIRST_SAMPLED:
        return 0
    if stage.code < layout.FIRST_OWN:
        return layout.MEMORY + 3 + stage.memory
    return layout.MEMORY + len(stage.inputs) + stage.memory


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
    try:
        return np.array(x, dtype=float)
    except (TypeError, ValueError):
        raise ModelError(f"{what} must be numbers, not {described(x)}") from None


def positive(x: Any, what: str, zero: bool = False) -> float:
    """The float of a number above zero; or zero too."""
    found = real(x, what)
    if found < 0.0 or (found == 0.0 and not zero):
        raise ModelError(f"{what} must be {'zero or more' if zero else 'positive'}, not {found:g}")
    return found


def whole(x: Any, what: str, least: int) -> int:
    """A whole number, from the least one on."""
    if isinstance(x, bool) or not isinstance(x, int | np.integer) or x < least:
        raise ModelError(f"{what} must be a whole number from {least} on, not {x!r:.40}")
    return int(x)
