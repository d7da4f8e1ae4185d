"""A voice coil behind an amplifier: current limited, voltage limited, late, and with its own time constant.

    L i' = u - R i - K v,    F = K i,    |u| <= voltage,    |i| <= current

The amplifier is told a force and gives the voltage that holds it, u = R F/K + K v. Between two ticks
voltage and speed are held; then the current is an exponential, and the stage is exact.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.native import Array, isfinite, native, record, sized
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.haptics.actuator_stage import LONGEST, MOST
from hapsis.touch.haptics.actuators import Actuator
from hapsis.touch.haptics.conditioning.gaps import PeriodicStage
from hapsis.touch.haptics.conditioning.stage import SMALL, positive

SLOWEST = 1e9  # periods of the time constant: a current that moves less is lost in rounding


@record
class CoilMemory:
    """Constants of a voice coil, its current, and the last voltages in a ring."""

    periods: int  # whole ones of delay
    constant: float
    resistance: float
    most_current: float
    most_voltage: float
    first: float  # decay while the older voltage acts
    second: float  # and while the newer one does
    feedforward: bool
    started: bool = False
    current: float = 0.0
    velocity: float = 0.0  # of the last tick
    newest: int = 0
    ring: Array = sized("periods + 2")


@native
def drive_coil(t: Array, x: Array, y: Array, own: CoilMemory) -> None:
    """The force now, of the voltages before; then the voltage of the new command.

    A command or a speed that is missing leaves the one before.
    """
    count, ring, newest = own.periods + 2, own.ring, own.newest
    if own.started:
        newer, older = (newest - own.periods) % count, (newest - own.periods - 1) % count
        emf = own.constant * own.velocity
        settled = (ring[older] - emf) / own.resistance
        current = settled + (own.current - settled) * own.first
        settled = (ring[newer] - emf) / own.resistance
        current = settled + (current - settled) * own.second
        own.current = min(max(current, -own.most_current), own.most_current)
    own.started = True
    if isfinite(x[1]):
        own.velocity = x[1]
    voltage = ring[newest]
    if isfinite(x[0]):
        wanted = min(max(x[0] / own.constant, -own.most_current), own.most_current)
        voltage = own.resistance * wanted
        if own.feedforward:
            voltage += own.constant * own.velocity
        voltage = min(max(voltage, -own.most_voltage), own.most_voltage)
    newest = (newest + 1) % count
    ring[newest] = voltage
    own.newest = newest
    y[0] = own.constant * own.current


class VoiceCoilStage(PeriodicStage):
    """command and velocity -> force, at every tick the force of now, then the new command."""

    inputs, outputs = ("command", "velocity"), ("force",)

    def __init__(self, period: Any, coil: "VoiceCoil") -> None:
        self.period, self.coil = positive(period, "the period"), coil
        self._periods = int(coil.delay / self.period * (1.0 + 1e-12))
        if self._periods > LONGEST:
            raise ModelError(f"a delay of {self._periods} periods", expected=f"at most {LONGEST}")
        rest = max(0.0, coil.delay - self._periods * self.period)
        time = coil.time
        if not time <= SLOWEST * self.period:
            raise ModelError(
                f"VoiceCoil: a time constant of {time:g} s with a period of {self.period:g} s",
                expected=f"at most {SLOWEST:g} periods",
                remedy="take a smaller inductance",
            )
        self._first = float(np.exp(-rest / time)) if time else 0.0 if rest else 1.0
        self._second = float(np.exp(-(self.period - rest) / time)) if time else 0.0
        h = self.response()[:, 0, 0]
        self.delays = {"force": float(h @ np.arange(len(h)) / h.sum()) * self.period}

    def step(self, limited: bool = True) -> tuple[Any, Any]:
        """The coil; without its limits where that is asked for."""
        coil = self.coil
        return drive_coil, CoilMemory(
            periods=self._periods,
            constant=coil.constant,
            resistance=coil.resistance,
            most_current=np.inf if coil.current is None or not limited else coil.current,
            most_voltage=np.inf if coil.voltage is None or not limited else coil.voltage,
            first=self._first,
            second=self._second,
            feedforward=coil.feedforward,
        )

    def response(self) -> Array:
        """The impulse response within the limits, of the command and of the speed."""
        decay = self._first * self._second
        more = 4 + int(np.log(SMALL) / np.log(decay)) if 0.0 < decay < 1.0 else 4
        count = self._periods + 2 + min(more, MOST)
        h = np.zeros((count, 1, 2))
        for k in range(2):
            function, own = self.step(limited=False)
            t, y = np.zeros(1), np.zeros(1)
            for n in range(count):
                x = np.zeros(2)
                x[k] = float(n == 0)
                function(t, x, y, own)
                h[n, 0, k] = y[0]
        return h


@verb
@dataclass(frozen=True)
class VoiceCoil:
    """A voice coil, or a linear motor without cogging.

    constant      N/A, which is V s/m too: force over current, and voltage over speed
    resistance    Ohm
    inductance    H; `time` = inductance / resistance is the electrical time constant
    current       A, the most that the amplifier gives; None for any
    voltage       V, the most of its supply; None for any
    delay         s, from the command to the voltage
    feedforward   whether the amplifier makes up for the voltage that the motion induces

    stage(period)    in the loop or over a record: command (N) and velocity -> force
    actuator()       the same coil at rest with voltage enough, as an `Actuator`
    force_limit      N, of the current; largest_force(speed) also of the voltage
    """

    constant: Any
    resistance: Any
    inductance: Any = 0.0
    current: Any = None
    voltage: Any = None
    delay: Any = 0.0
    feedforward: bool = True

    def __post_init__(self) -> None:
        for name in ("constant", "resistance"):
            object.__setattr__(self, name, positive(getattr(self, name), f"VoiceCoil: {name}"))
        for name in ("inductance", "delay"):
            object.__setattr__(self, name, positive(getattr(self, name), f"VoiceCoil: {name}", zero=True))
        for name in ("current", "voltage"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, positive(getattr(self, name), f"VoiceCoil: {name}"))
        if not isinstance(self.feedforward, bool):
            raise ModelError("VoiceCoil: feedforward", expected="True or False")

    @property
    def time(self) -> float:
        """The electrical time constant, s."""
        return self.inductance / self.resistance

    @property
    def force_limit(self) -> float:
        """N that the current allows; infinite where it is not limited."""
        return np.inf if self.current is None else self.constant * self.current

    def largest_force(self, speed: Any = 0.0) -> float:
        """N along a motion of that speed, which current and voltage allow for long.

        It is negative where the motion induces more than the voltage: then the coil brakes.
        """
        by_voltage = np.inf
        if self.voltage is not None:
            room = self.voltage - self.constant * abs(real(speed, "VoiceCoil: the speed"))
            by_voltage = self.constant * room / self.resistance
        return float(max(-self.force_limit, min(self.force_limit, by_voltage)))

    def stage(self, period: Any) -> VoiceCoilStage:
        """command and velocity -> force now, for commands and speeds that are held between ticks."""
        return VoiceCoilStage(period, self)

    def actuator(self) -> Actuator:
        """The coil as a lag behind a delay with a limit: for models and for compensation."""
        limit = self.force_limit
        return Actuator(time=self.time, delay=self.delay, limit=None if np.isinf(limit) else limit)
