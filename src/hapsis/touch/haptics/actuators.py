"""Actuators: the force that acts is not the force of the model (F_act, F_mod).

A command is held between two ticks, comes late by a delay, is limited, and followed with a lag:

    time F_act' + F_act = limited(gain F_mod(t - delay))

Friction and cogging of the drive are added where the motion is known.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from hapsis.compiler.ir.graph.elementary_functions import clip, sin, tanh
from hapsis.errors import ModelError
from hapsis.mechanics.model.laws import Law, LawState
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.haptics.conditioning import layout
from hapsis.touch.haptics.conditioning.low_pass import Lead
from hapsis.touch.haptics.conditioning.stage import SMALL, Array, Stage, positive

START: Any = LawState(0.0)
LONGEST = 10_000  # periods of delay
MOST = 100_000  # samples of a response


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
            found = positive(getattr(self, name), f"Actuator: {name}", zero=True)
            object.__setattr__(self, name, found)
        object.__setattr__(self, "creep", positive(self.creep, "Actuator: creep"))
        object.__setattr__(self, "cogging", real(self.cogging, "Actuator: cogging"))
        for name in ("limit", "pitch"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, positive(getattr(self, name), f"Actuator: {name}"))
        if self.cogging and self.pitch is None:
            raise ModelError("Actuator: cogging needs the pitch after which it comes again")

    def stage(self, period: Any) -> "ActuatorStage":
        """command -> force now, for commands that are held between ticks: exact."""
        return ActuatorStage(period, self)

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


class ActuatorStage(Stage):
    """The sampled actuator: at every tick the force of now, then the new command.

    A command that is missing leaves the one before in force. Slow commands are late by about
    delay + time + half a period, since a command is held.
    """

    code = layout.ACTUATOR
    inputs, outputs = ("command",), ("force",)

    def __init__(self, period: Any, actuator: Actuator) -> None:
        if actuator.friction or actuator.cogging:
            raise ModelError(
                "friction and cogging need the motion, which a stage does not have",
                remedy="use the law in a model, or leave them out",
            )
        self.period, self.actuator = positive(period, "the period"), actuator
        whole, decay, older, newer = weights(self.period, actuator.time, actuator.delay)
        limit = np.inf if actuator.limit is None else actuator.limit
        self.constants = np.array([whole, decay, older, newer, actuator.gain, limit])
        self.memory = 3 + whole + 2
        late = whole + 1 + (older + decay) / (1.0 - decay)  # the mean of its response
        self.delays = {"force": late * self.period}

    def response(self) -> Array:
        """That within its limit."""
        whole, decay, older, newer, gain, _ = self.constants
        more = 4 + int(np.log(SMALL) / np.log(decay)) if 0.0 < decay < 1.0 else 4
        h, first = np.zeros((int(whole) + 1 + min(more, MOST), 1, 1)), int(whole) + 1
        h[first] = gain * newer
        for k in range(first + 1, len(h)):
            h[k] = decay * h[k - 1] + (gain * older if k == first + 1 else 0.0)
        return h


def weights(period: float, time: float, delay: float) -> tuple[int, float, float, float]:
    """Whole periods of delay, decay over a period, and the parts of the older and newer command
    that fall into it."""
    whole = int(delay / period * (1.0 + 1e-12))
    if whole > LONGEST:
        raise ModelError(f"a delay of {whole} periods", expected=f"at most {LONGEST}")
    rest = max(0.0, delay - whole * period)
    decay, left = (np.exp(-x / time) if time else 0.0 for x in (period, period - rest))
    return whole, float(decay), float(left - decay), float(1.0 - left)
