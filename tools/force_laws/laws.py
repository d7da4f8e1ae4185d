"""What is wrong with the commands that a device got: nothing, or a sentence for each law broken."""

from typing import Any

import numpy as np

ROUNDING = 1e-9
SPARE = 3  # steps: a late tick and the next one, and one of the supervisor in the same period


def broken(guard: Any, commands: Any, times: Any = None) -> list[str]:
    """Sentences on a log of commands, from the first one on: before it the device has no force.

    times    s, of each command: then the change in every stretch of time is compared with the slew
    """
    memory = guard.memory
    together, most, step = bool(memory.together), memory.max_force, memory.max_step
    if not np.isfinite(commands).all():
        return ["a command is not finite"]
    before = np.vstack([np.zeros((1, commands.shape[1])), commands])[:-1]
    sentences = [
        *_above("force", commands, most, together),
        *_above("step", commands - before, step, together),
    ]
    if len(commands) and commands[-1].any():
        sentences.append(f"the last command is {commands[-1]}")
    if times is not None and len(times):
        slew = step / float(memory.period)
        sentences += _too_fast(commands, times, slew, step, together)
    return sentences


def _above(what: str, values: Any, limits: Any, together: bool) -> list[str]:
    """A sentence if a row is above its limit."""
    sizes = np.linalg.norm(values, axis=1) / limits[0] if together else (np.abs(values) / limits).max(axis=1)
    if not len(sizes) or sizes.max() <= 1.0 + ROUNDING:
        return []
    k = int(sizes.argmax())
    return [f"{what} {sizes[k]:.3g} of its limit at command {k} of {len(sizes)}: {values[k]}"]


def _too_fast(commands: Any, times: Any, slew: Any, step: Any, together: bool) -> list[str]:
    """A sentence if the force changed in some stretch of time by more than the slew allows."""
    for j in range(commands.shape[1]):
        limit = 0 if together else j
        for sign in (1.0, -1.0):
            level = sign * commands[:, j] - slew[limit] * (times - times[0])
            rise = level - np.minimum.accumulate(level)
            if rise.max() > SPARE * step[limit] * (1.0 + ROUNDING):
                k = int(rise.argmax())
                return [
                    f"axis {j} changes too fast up to command {k}: {rise[k] / step[limit]:.3g} steps ahead"
                ]
    return []


def kept_after_faults(guard: Any, faults: Any, commands: Any, left_out: int = 3) -> list[str]:
    """Sentences on ticks, each with the fault in it: no force grows with a fault, and it goes.

    left_out    ticks that may be without a command, as the supervisor wrote at that moment; many, if
                the device does not come back from that
    """
    slowest = int(guard.memory.ramp_ticks) + left_out
    size = np.abs(commands).max(axis=1, initial=0.0)
    falling = 0
    for k in range(len(faults)):
        falling = falling + 1 if faults[k] else 0
        if falling > 1 and size[k] > size[k - 1] * (1.0 + ROUNDING):
            return [f"with fault {faults[k]:g} the force grows at tick {k}: {size[k - 1]:g} to {size[k]:g}"]
        if falling > slowest and size[k] > 0.0:
            return [f"with fault {faults[k]:g} there is a force {falling} ticks later: {size[k]:g}"]
    return []
