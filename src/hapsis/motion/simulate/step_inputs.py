"""The inputs of a time step at every part of it: motions of drives go on evenly, efforts on request.

What a drive takes from outside is its motion at the end of the step. Before the end, at the part s
of a step of dt seconds (0 at its start, 1 at its end), it is

    tracked        p(s) = p₀ + s (p - p₀)           p₀ was given to the step before: a first-order hold
    with rates     p(s) = p + v τ + a τ²/2,    v(s) = v + a τ,    τ = (s - 1) dt
    sampled        the cubic with p₀, v₀ at the start and p, v at the end; v(s) and a(s) are its rates

An effort, and an acceleration that a drive takes, is held; or with hold="linear" f(s) = f₀ + s (f - f₀), and
the position and the velocity of the drive are its integrals.

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

The acceleration of the cubic is a line whose mean is (v - v₀) / dt, the change of momentum of the step.
What a step tells at its end is told with this mean, not with the end of the line: positions enter the line
with 6 / dt², and their noise would be felt. A hand that moves a free mass m feels m (v - v₀) / dt, held
during the next period: on a motion with ω rad/s it loses the mean power

    m |v|² sin²(ω dt / 2) sin(ω dt) · 2 / (ω dt²)

which is positive for all ω below π / dt, half the rate.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from hapsis.mechanics.model.model import Model


class StepInputs:
    """Expressions of what is held, in the order of `given`, at a part of the step.

    given       {name: expression} of all inputs, at the end of the step
    before      {name: expression} of tracked positions, and of positions and velocities that are sampled,
                at the end of the step before
    """

    def __init__(self, model: Model, given: Mapping[str, Any], before: Mapping[str, Any], dt: float) -> None:
        self.given, self.before, self.dt = given, before, dt
        self._rates = _rates(model)
        self._sampled = {
            name: drive.held for drive in model.drives.values() if drive.sampled for name in drive.held
        }

    def at(self, part: float, until: float | None = None) -> list[Any]:
        """All inputs at that part of the step; until: sampled accelerations as their mean up to there."""
        return [self._value(name, part, until) for name in self.given]

    def told(self, start: float = 0.0, end: float = 1.0) -> list[Any]:
        """All inputs at the end of a part of the step; sampled accelerations as their mean over it."""
        return [
            self._mean(self._sampled[name], start, end)
            if self._follows(name)
            else self._value(name, end, None)
            for name in self.given
        ]

    def _follows(self, name: str) -> bool:
        """Whether it is the acceleration of a sampled motion."""
        return name in self._sampled and name == self._sampled[name][-1]

    def _value(self, name: str, part: float, until: float | None) -> Any:
        if self._follows(name):
            names = self._sampled[name]
            return self._cubic(names, part, 2) if until is None else self._mean(names, part, until)
        end = self.given[name]
        if part == 1.0:
            return end
        if name in self._sampled:
            names = self._sampled[name]
            return self.before[name] if part == 0.0 else self._cubic(names, part, names.index(name))
        if name in self.before:
            start = self.before[name]
            return start if part == 0.0 else start + part * (end - start)
        tau, power, value = (part - 1.0) * self.dt, 1.0, end
        for order, rate in enumerate(self._rates.get(name, ()), start=1):
            power *= tau / order
            value = value + power * self.given[rate]
        last = self._rates.get(name, ())[-1:]
        if last and last[0] in self.before:  # the acceleration goes evenly too: its rate is known
            power *= tau / (len(self._rates[name]) + 1)
            value = value + (power / self.dt) * (self.given[last[0]] - self.before[last[0]])
        return value

    def _mean(self, names: Sequence[str], part: float, until: float) -> Any:
        """The mean acceleration of a sampled motion between two parts of the step."""
        v0, v1 = (self._value(names[1], each, None) for each in (part, until))
        return (v1 - v0) / ((until - part) * self.dt)

    def _cubic(self, names: Sequence[str], s: float, rate: int) -> Any:
        """The position, velocity (rate 1) or acceleration (rate 2) of a sampled motion within the step."""
        (p0, v0), (p1, v1) = ([of[name] for name in names[:2]] for of in (self.before, self.given))
        speed = (p1 - p0) / self.dt
        bend, twist = 3.0 * speed - 2.0 * v0 - v1, v0 + v1 - 2.0 * speed
        if rate == 0:
            return p0 + (s * self.dt) * (v0 + s * (bend + s * twist))
        if rate == 1:
            return v0 + s * (2.0 * bend + (3.0 * s) * twist)
        return (2.0 * bend + (6.0 * s) * twist) / self.dt


def remembered_inputs(model: Model) -> tuple[str, ...]:
    """The names of what drives take from outside and a step remembers: what is tracked or sampled."""
    drives = [drive for drive in model.drives.values() if drive.tracking is not None or drive.sampled]
    return tuple(name for drive in drives for name in drive.inputs)


def evenly_held(model: Model, names: Sequence[str]) -> tuple[str, ...]:
    """Those of these inputs that go evenly from step to step with hold="linear": they have no rate."""
    rates = _rates(model)
    follow = {name for drive in model.drives.values() for name in drive.held if name not in drive.inputs}
    return tuple(name for name in names if not rates.get(name) and name not in follow)


def _rates(model: Model) -> dict[str, Sequence[str]]:
    """For each motion of a drive from outside the names of its rates, lowest first."""
    rates: dict[str, Sequence[str]] = {}
    for drive in model.drives.values():
        names = drive.inputs
        for k, name in enumerate(names):
            rates[name] = names[k + 1 :]
    return rates
