"""The phases of a hybrid as parts of its step: what is computed is that of the phase of the moment.

What does not happen is not computed: the Functions of other phases are skipped in native code.
"""

from collections.abc import Sequence
from typing import Any, final

import numpy as np

from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import abs, where
from hapsis.motion.hybrid.steps.phase_steps import (
    arguments,
    held_numbers,
    phase_motion,
    phase_pivot,
    phase_values,
)
from hapsis.motion.simulate.equations.system import System
from hapsis.motion.simulate.run.events import Event

FLAT = 1e-9  # of its unit: a pivot that is as good as zero
LARGEST = float(np.finfo(float).max)

Vector = Sequence[Any]


@final
class StepPhases:
    """The motions of all phases, and the values of their events.

    active   by phase which events can happen in it
    """

    def __init__(
        self,
        systems: Sequence[System],
        events: Sequence[Event],
        active: Sequence[Sequence[bool]],
        substeps: int,
    ) -> None:
        self.systems, self.events, self.active = list(systems), list(events), active
        self.size, self.n_u = systems[0].layout.size - 1, held_numbers(systems[0])
        self._motions = [phase_motion(system, substeps) for system in systems]
        self._pivots = [phase_pivot(system) for system in systems]
        self._values = [phase_values(s, events, on) for s, on in zip(systems, active, strict=True)]

    def moved(self, y: Vector, phase: Any, t: Any, h: Any, u: Vector) -> list[Any]:
        """The state after h seconds in that phase."""
        return self._by_phase(phase, self._motions, y, t, h, u)

    def watched(self, y: Vector, phase: Any, t: Any, begun: Any, u: Vector) -> tuple[list[Any], list[Any]]:
        """The values of all events in that phase, and their rates."""
        both, count = self._by_phase(phase, self._values, y, t, begun, u), len(self.events)
        return both[:count], both[count:]

    def singular(self, y: Vector, end: Vector, phase: Any, t: Any, h: Any, u: Vector) -> Any:
        """1 where the partition of that phase has come to a singular position from y to the end, else 0.

        There a pivot passes zero; or it would at the speeds of the begin, and closing has thrown it back.
        """
        singular = 0.0 * t
        for k, (system, pivot) in enumerate(zip(self.systems, self._pivots, strict=True)):
            if pivot is None:
                continue
            kinematics = system.kinematics()
            rates = blocks.call(kinematics, *arguments(system, kinematics, y, t, u))
            ahead = [a + h * r for a, r in zip(y, rates, strict=False)]
            moments = ((y, t), ([*ahead, *y[len(ahead) :]], t), (end, t + h))
            first, *others = (blocks.call(pivot, *arguments(system, pivot, x, at, u)) for x, at in moments)
            passed = sum((where(first * each <= FLAT * FLAT, 1.0, 0.0) for each in others), 0.0 * t)
            singular = where(abs(phase - float(k)) < 0.5, where(passed > 0.0, 1.0, 0.0), singular)
        return singular

    def _by_phase(self, phase: Any, bodies: Sequence[Function], y: Vector, *others: Any) -> list[Any]:
        """The output of the Function of that phase; those of the others are skipped."""
        if len(bodies) == 1:
            return list(blocks.call(bodies[0], list(y), *given(others)))
        total: list[Any] | None = None
        for k, body in enumerate(bodies):
            part = when(abs(phase - float(k)) < 0.5, body, y, *others)
            total = part if total is None else [a + b for a, b in zip(total, part, strict=True)]
        assert total is not None
        return total


def when(condition: Any, function: Function, x: Vector, *others: Any) -> list[Any]:
    """The output of a Function, computed only where the condition holds; else zeros."""
    flat = blocks.map(function, np.array([list(x)], object), *given(others), when=[condition])
    return list(np.asarray(flat, object)[0])


def given(others: Sequence[Any]) -> list[Any]:
    """Those arguments that are not empty."""
    return [other for other in others if not isinstance(other, list) or other]


def finite(values: Vector) -> Any:
    """1 where all values are finite, else 0."""
    sound: Any = abs(values[0]) <= LARGEST
    for value in values[1:]:
        sound = sound * (abs(value) <= LARGEST)
    return sound
