"""Why the steps of a hybrid have ended: numbers in its state, and a sentence with time and names."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import described
from hapsis.motion.solvers.run.phase_memory import INSTANT

# the third number behind the states of laws; 0 while the motion goes on
STOP, OPEN, ZENO, CHATTERING, IMPACT, NOT_FINITE, TOO_MANY, SINGULAR = range(1, 9)
MOST = 4096  # segments of one step: two of each bounce
STATUS = (
    "",
    "event",
    "contradiction",
    "zeno",
    "chattering",
    "impact",
    "not finite",
    "too many events",
    "singular",
)
REASONS: Mapping[int, str] = {
    STOP: "ends the motion",
    OPEN: "leads to a phase whose constraints the state does not meet",
    ZENO: f"happens ever faster, within {INSTANT:g} s of the one before, and its impact has no rest",
    CHATTERING: "happens again at once: what it does does not lead away from it",
    IMPACT: "has an impact without a finite solution",
    NOT_FINITE: "leads to values that are not finite",
}


def ending(phases: Sequence[str], events: Sequence[str], z: Sequence[float]) -> str:
    """Status, time and names of what ended the steps, from their last z; empty while the motion goes on."""
    phase, begun, status, event = _ending_numbers(phases, events, z)
    if status == 0.0:
        return ""
    kind, when, place = STATUS[int(status)], f"t = {begun:.9g}", f'in phase "{phases[int(phase)][:60]}"'
    if status == TOO_MANY:
        return f"{kind}: {when}: {place} one step meets more than {MOST // 2}: take a shorter step"
    if status == SINGULAR:
        why = "leads to a singular position of the partition that steps keep: give the model independent="
        return f"{kind}: {when}: {place} the motion {why}"
    if event < 0.0:
        why = "values that are not finite, or to constraints that contradict each other"
        return f"{kind}: {when}: {place} the motion leads to {why}"
    return f'{kind}: {when}: event "{events[int(event)][:60]}" {place} {REASONS[int(status)]}'


def _ending_numbers(phases: Sequence[str], events: Sequence[str], z: Any) -> list[float]:
    """The last four numbers of z; an error for what no step has given."""
    try:
        numbers = np.asarray(z, float)
    except (TypeError, ValueError):
        raise ModelError(f"z must be numbers, not {described(z)}", expected="the z of a step") from None
    if numbers.ndim == 1 and len(numbers) >= 4:
        phase, _, status, event = last = numbers[-4:].tolist()
        if phase in range(len(phases)) and status in range(len(STATUS)) and event in range(-1, len(events)):
            return last
    raise ModelError(
        f"z is {described(z)}, which no step of this hybrid gives",
        expected="phase, time, status and event as its last four numbers",
    )
