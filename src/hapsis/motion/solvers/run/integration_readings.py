"""What can be read from an integration: where it is, its samples and events, its counts, what stopped it."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hapsis.motion.solvers.run.run_memory import (
    NOT_CONVERGED,
    NOT_FINITE,
    SMALL_STEP,
    STIFF,
    TOO_MANY,
    RunMemory,
)

Numbers = NDArray[np.float64]

TROUBLE = {
    SMALL_STEP: "the step that the accuracy asks for is below the resolution of time",
    NOT_FINITE: "the equations give a value that is not finite",
    STIFF: "the problem is stiff: an explicit method is held back by stability",
    NOT_CONVERGED: "the iteration of an implicit step does not converge",
    TOO_MANY: "the steps allowed are used up",
}


class Event(NamedTuple):
    """Something that happened: when, which, and the state just after the sign changed."""

    time: float
    index: int
    state: Numbers


def _count(name: str, text: str) -> Any:
    """The property that reads a count of the memory."""
    return property(lambda run: int(getattr(run.memory, name)), doc=text)


class IntegrationReadings:
    """The readings of an `Integration`, which has the memory.

    method    the integrator
    size      numbers in the state
    answer    why the last call of `advance` came back
    """

    memory: RunMemory
    method: Any
    size: int
    answer: int

    @property
    def t(self) -> float:
        """The time that has been reached."""
        return float(self.memory.t)

    @property
    def sampled(self) -> Numbers:
        """The states at the sample times that have been reached, one per row."""
        return self.memory.samples.reshape(-1, self.size)[: self.memory.sample]

    @property
    def events(self) -> list[Event]:
        """What has happened, in order; events of one moment in the order of g."""
        memory = self.memory
        rows = memory.records.reshape(-1, 1 + self.size)[: memory.events]
        return [Event(float(r[0]), int(i), r[1:].copy()) for i, r in zip(memory.marks, rows, strict=False)]

    steps = _count("steps", "Steps made.")
    rejected = _count("rejected", "Steps tried and not made.")
    evaluations = _count("evaluations", "Calls of f.")
    jacobians = _count("jacobians", "Calls of the Jacobian.")

    @property
    def passed(self) -> tuple[int, int, float]:
        """How many zones fixed steps went through unseen; which was the first, and when."""
        zones = self.memory.zones
        return int(zones.passed), int(zones.passed_zone), float(zones.passed_time)

    @property
    def watch_stiffness(self) -> bool:
        """Whether a run of an explicit method stops with STIFF; can be set."""
        return self.memory.watch_stiffness

    @watch_stiffness.setter
    def watch_stiffness(self, watch: bool) -> None:
        self.memory.watch_stiffness = bool(watch) and self.method.stable > 0

    def trouble(self) -> str:
        """In words and with the time, why the run stopped before its end; empty if it did not."""
        text = TROUBLE.get(self.answer)
        return f"t = {self.t:.12g}: {text}" if text else ""
