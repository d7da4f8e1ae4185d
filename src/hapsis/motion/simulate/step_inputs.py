"""The inputs of a time step at every part of it: efforts are held, motions of drives go on evenly.

What a drive takes from outside is its motion at the end of the step. Before the end, at the part s
of a step of dt seconds (0 at its start, 1 at its end), it is

    tracked        p(s) = p₀ + s (p - p₀)           p₀ was given to the step before: a first-order hold
    with rates     p(s) = p + v τ + a τ²/2,    v(s) = v + a τ,    τ = (s - 1) dt

If the position were held instead, a filter that tracks it would brake during the step and be pulled
on by the next position: its acceleration is a saw tooth about the right one, and what is told at the
end of a step, m b² v dt / 2 along the motion, would drive the hand on (negative damping). With the
first-order hold the accelerations at the ends of steps are, for a step by the exact solution,

    a = b² e^(-b dt) (z - 1)² / (z - e^(-b dt))² p

which is zero for every even motion. With m a as the force that is held during the next period, a hand
that moves a free mass gets no energy from it on any motion slower than θ / dt, where

    e^(-b dt) = cos θ + sin θ tan(θ / 4),    θ ≈ 2 √(b dt) for small b dt

Nothing that is causal does so at all frequencies: a force that is held knows nothing of the motion
during its period, so what it takes from some motions it gives to others [ColgateSchenkel].
"""

from collections.abc import Mapping, Sequence
from typing import Any

from hapsis.mechanics.model.model import Model


class StepInputs:
    """Expressions of what is held, in the order of `given`, at a part of the step.

    given       {name: expression} of all inputs, at the end of the step
    before      {name: expression} of tracked positions, at the end of the step before
    """

    def __init__(self, model: Model, given: Mapping[str, Any], before: Mapping[str, Any], dt: float) -> None:
        self.given, self.before, self.dt = given, before, dt
        self._rates = _rates(model)

    def at(self, part: float) -> list[Any]:
        """All inputs at that part of the step."""
        return [self._value(name, part) for name in self.given]

    def _value(self, name: str, part: float) -> Any:
        end = self.given[name]
        if part == 1.0:
            return end
        if name in self.before:
            start = self.before[name]
            return start if part == 0.0 else start + part * (end - start)
        tau, power, value = (part - 1.0) * self.dt, 1.0, end
        for order, rate in enumerate(self._rates.get(name, ()), start=1):
            power *= tau / order
            value = value + power * self.given[rate]
        return value


def tracked_inputs(model: Model) -> tuple[str, ...]:
    """The names of the positions that drives take from outside and track."""
    drives = [drive for drive in model.drives.values() if drive.tracking is not None]
    return tuple(name for drive in drives for name in drive.inputs)


def _rates(model: Model) -> dict[str, Sequence[str]]:
    """For each motion of a drive from outside the names of its rates, lowest first."""
    rates: dict[str, Sequence[str]] = {}
    for drive in model.drives.values():
        names = drive.inputs
        for k, name in enumerate(names):
            rates[name] = names[k + 1 :]
    return rates
