"""Actuators: the force F_act that acts when the model asks for F_mod, with gain, limit, delay and lag.

A command is held between two ticks, comes late by a delay, is limited, and followed with a lag:

    time F_act' + F_act = limited(gain F_mod(t - delay))

Friction and cogging of the drive are added where the motion is known.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.elementary_functions import clip, sin, tanh
from hapsis.errors import ModelError
from hapsis.mechanics.model.laws import Law, LawState
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.haptics.actuator_stage import ActuatorStage
from hapsis.touch.haptics.conditioning.low_pass import Lead
from hapsis.touch.haptics.conditioning.stage import positive

START: Any = LawState(0.0)


@verb
@dataclass(frozen=True)
class Actuator:
    """A lag behind a delay, with a limit; N and m, or N m and rad.

    gain       force over command
    time       of the lag, s
    delay      s
    limit      of the force; None for none
    friction   dry, against the motion, smooth below the speed `creep`
    cogging    amplitude over position, with the period `pitch`

    stage(period)          in the loop or over a record: command -> force (no friction, no cogging)
    law(command)           in a model: the law of an hs.JointForce
    compensation(period)   the stage that makes up for most of the lag
    """

    gain: Any = 1.0
    time: Any = 0.0
    delay: Any = 0.0
    limit: Any = None
    friction: Any = 0.0
    creep: Any = 1e-3
    cogging: Any = 0.0
    pitch: Any = None

    def __post_init__(self) -> None:
        gain = real(self.gain, "Actuator: gain")
        if gain == 0.0:
            raise ModelError("Actuator: gain is zero")
        object.__setattr__(self, "gain", gain)
        for name in ("time", "delay", "friction"):
            value = positive(getattr(self, name), f"Actuator: {name}", zero=True)
            object.__setattr__(self, name, value)
        object.__setattr__(self, "creep", positive(self.creep, "Actuator: creep"))
        object.__setattr__(self, "cogging", real(self.cogging, "Actuator: cogging"))
        for name in ("limit", "pitch"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, positive(getattr(self, name), f"Actuator: {name}"))
        if self.cogging and self.pitch is None:
            raise ModelError("Actuator: cogging needs the pitch after which it comes again")

    def stage(self, period: Any) -> ActuatorStage:
        """command -> force now, for commands that are held between ticks: exact."""
        if self.friction or self.cogging:
            raise ModelError(
                "friction and cogging need the motion, which a stage does not have",
                remedy="use the law in a model, or leave them out",
            )
        limit = np.inf if self.limit is None else self.limit
        return ActuatorStage(period, self.gain, self.time, self.delay, limit)

    def compensation(self, period: Any, within: Any = None) -> Lead:
        """wanted force -> command: the lag becomes `within`, a quarter of it where left out.

        Noise grows by time / within, and the delay stays: no filter can take that back.
        """
        if self.time == 0.0:
            raise ModelError("Actuator: without a lag there is nothing to compensate")
        within = self.time / 4.0 if within is None else within
        return Lead(period, self.time, within, self.gain)

    def law(self, command: Callable[..., Any]) -> Law:
        """The force of an hs.JointForce whose wanted force is command(position, speed, t).

        Lag and delay are states of the law; the delay is Padé's, of second order, good for
        motion slower than about 2 / delay rad/s.
        """

        def given(position: Any, speed: Any, t: Any, gain: Any) -> Any:
            wanted = gain * command(position, speed, t)
            return wanted if self.limit is None else clip(wanted, -self.limit, self.limit)

        def added(position: Any, speed: Any) -> Any:
            more = 0.0
            if self.friction:
                more = more - self.friction * tanh(speed / self.creep)
            if self.cogging:
                more = more + self.cogging * sin((2.0 * np.pi / self.pitch) * position)
            return more

        return Law(_law(self, given, added))


def _law(actuator: Actuator, given: Any, added: Any) -> Callable[..., Any]:
    """The law with those states that it needs."""
    if actuator.time and actuator.delay:

        def lagging_late(
            position,
            speed,
            t,
            gain=actuator.gain,
            time=actuator.time,
            delay=actuator.delay,
            force=START,
            late=START,
            later=START,
        ):
            wanted = given(position, speed, t, gain)
            rates = _late(wanted, delay, late, later)
            rates["force"] = (wanted - later - force) / time
            return force + added(position, speed), rates

        return lagging_late
    if actuator.time:

        def lagging(position, speed, t, gain=actuator.gain, time=actuator.time, force=START):
            rate = (given(position, speed, t, gain) - force) / time
            return force + added(position, speed), {"force": rate}

        return lagging
    if actuator.delay:

        def late_only(position, speed, t, gain=actuator.gain, delay=actuator.delay, late=START, later=START):
            wanted = given(position, speed, t, gain)
            force = wanted - later + added(position, speed)
            return force, _late(wanted, delay, late, later)

        return late_only

    def direct(position, speed, t, gain=actuator.gain):
        return given(position, speed, t, gain) + added(position, speed)

    return direct


def _late(wanted: Any, delay: Any, late: Any, later: Any) -> dict[str, Any]:
    """Padé: e^(-sT) = 1 - sT / (1 + sT/2 + s²T²/12), of which `later` is the second term."""
    return {"late": later / delay, "later": (12.0 * (wanted - late) - 6.0 * later) / delay}
