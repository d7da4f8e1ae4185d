"""Hands of masses and springs in the loop: they have the energy of their start, and no other.

A `passive_hands.Hand` swings freely at a frequency and at its aliases; between two ticks its motion is the
exact solution. At the start the device is at rest where the drive is, and what hangs on it swings.
"""

import random
from math import cos, pi, sin
from typing import Any

import numpy as np

import hapsis as hs
from hand_laws.models import Case
from hapsis.compiler.native import Array, native, record, sized
from hapsis.touch.haptics.passive_hands import Hand, held
from hapsis.touch.haptics.passivity import needed_damping_of
from hapsis.touch.realtime.device import Capabilities

SETTLED = 60.0  # time constants of the filter, after which nothing is left of an impulse


@record
class ResonantMemory:
    """State, its transition over a period, and the energies of the hand so far."""

    states: int
    ticks: int = 0
    origin: float = 0.0
    force: float = 0.0
    most: float = 0.0  # J that the hand ever had
    now: float = 0.0  # J
    state: Array = sized("states")
    before: Array = sized("states")
    over: Array = sized("states * states")
    push: Array = sized("states")
    form: Array = sized("states * states")  # of the energy


@native
def read(t: Array, sample: Array, own: ResonantMemory) -> None:
    """Moves the hand by a period, and gives its sample."""
    n = own.states
    if own.ticks > 0:
        for i in range(n):
            own.before[i] = own.state[i]
        for i in range(n):
            total = own.push[i] * own.force
            for j in range(n):
                total += own.over[n * i + j] * own.before[j]
            own.state[i] = total
    energy = 0.0
    for i in range(n):
        for j in range(n):
            energy += own.state[i] * own.form[n * i + j] * own.state[j]
    own.now = energy
    own.most = max(own.most, energy)
    own.ticks += 1
    sample[0], sample[1], sample[2], sample[3] = own.origin + own.state[0], own.state[n // 2], 0.0, 0.0
    sample[4] = float(own.ticks)


@native
def write(t: Array, command: Array, own: ResonantMemory) -> None:
    """The force from now on."""
    own.force = command[0]


class ResonantHand:
    """A device with such a hand; `at_first` J are in its springs, `damping` is the device's own."""

    name, axes = "hand", ("x",)

    def __init__(
        self, hand: Hand, period: float, case: Case, at_first: float, damping: float, draw: random.Random
    ) -> None:
        limits = (case.most,), (case.unit,)
        self.capabilities = Capabilities("impedance", ("position", "velocity"), *limits, False)
        masses, springs = hand.matrices()
        n, system = len(masses), held(hand, damping, period)
        form = 0.5 * np.block([[springs, np.zeros((n, n))], [np.zeros((n, n)), np.diag(masses)]])
        state = np.zeros(2 * n)
        if n == 1:
            state[0] = 1.0  # the spring to the ground is stretched
        for k in range(1, n):  # each of what hangs has its share
            swing, angle = draw.random(), draw.uniform(0.0, 2.0 * pi)
            state[k] = swing * cos(angle) / springs[k, k] ** 0.5
            state[n + k] = swing * sin(angle) / masses[k] ** 0.5
        state *= (at_first / (state @ form @ state)) ** 0.5
        self.memory = ResonantMemory(states=2 * n)
        self.memory.over[:], self.memory.push[:] = system.over.ravel(), system.push
        self.memory.form[:], self.memory.state[:] = form.ravel(), state
        self.memory.origin = case.start - state[0]
        self.read = read.bound(vary=("t", "sample"), own=self.memory)
        self.write = write.bound(vary=("t", "command"), own=self.memory)

    def open(self) -> None:
        """Nothing: it starts once."""

    def close(self) -> None:
        """No force."""
        self.memory.force = 0.0


def impulse_response(step: Any, start: float, length: int, size: float = 1e-7) -> Any:
    """Forces against the hand per way, tick by tick, of a step by position that was moved for one tick."""
    run, state = hs.compile(step), {port.name: port.stand_in for port in step.inputs}
    (name,) = [name for name in state if name.endswith(".position")]
    rows = {}
    for way in (size, -size):
        now, rows[way] = dict(state), []
        for k in range(length):
            told = run(**now | {name: start + (way if k == 0 else 0.0)})
            now |= {key: getattr(told, key) for key in ("q", "v", "z", "t")}
            rows[way].append(float(told[4]))
    return -(np.array(rows[size]) - np.array(rows[-size])) / (2.0 * size)


def weakness(step: Any, start: float, tracking: float, rate: float) -> tuple[float, float]:
    """The device damping that a tracked drive asks for, and the frequency, rad/s, of the hand that does."""
    response = impulse_response(step, start, max(40, round(SETTLED * rate / tracking)))
    delays = np.arange(len(response))
    return needed_damping_of(lambda z: np.power.outer(1.0 / np.asarray(z), delays) @ response, 1.0 / rate)


def hand_of_spring(mass: float, frequency: float) -> Hand:
    """A mass on a spring that swings at a frequency, rad/s."""
    return Hand(mass, mass * frequency**2)
