"""How stiff a sampled wall may be: the bounds that hold for every hand.

A wall of stiffness K and damping B, computed every T seconds from sampled positions and held in
between, gives away a little energy with every press. The device's own damping b takes it up if

    b > K T / 2 + |B|                                         `needed_damping`
    b > T/2 Re[(1 - e^(-jωT)) H] / (1 - cos ωT)               `needed_damping_of`, any law H(z)

for all ω up to π/T. Then no passive hand whatever can make the wall unstable; beyond it there is
one that can (`worst_hand`), even if a hand of plain mass stays calm (`stiffest_stable_wall`).
Reference: [ColgateSchenkel].

Left out: delay beyond one sample (write it into H), quantisation of positions, friction.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import pi
from typing import Any

import numpy as np

from hapsis.errors import SolveError
from hapsis.touch.haptics.passive_hands import (
    ROUNDING,
    Hand,
    Held,
    calm,
    hand_resonating_at,
    held,
    positive,
    real,
)
from hapsis.view.plots import Plot, curves

Law = Callable[[Any], Any]  # H(z): force per displacement
NOTHING = 1e-9  # of the largest stiffness of a boundary
FREQUENCIES = 2001  # of the first look
LOWEST = 1e-3  # of π/T: below it rounding eats 1 - cos ωT
MODES = 12  # of the worst hand; more come closer to the bound
FIRST = 1e-3  # N·s/m: stiffness times period where the search begins
HALVINGS = 40
MOST = 1e15  # N/m


def wall(stiffness: float, period: float, damping: float = 0.0) -> Law:
    """The law of a sampled wall, H(z) = K + B (1 - 1/z) / T."""
    stiffness, damping, period = _numbers(stiffness, damping, period)
    return lambda z: stiffness + damping * (1.0 - 1.0 / z) / period


def needed_damping(stiffness: float, period: float, damping: float = 0.0) -> float:
    """Device damping above which a sampled wall is passive, K T / 2 + |B|, in N·s/m.

    >>> round(needed_damping(600, 0.001, 0.2), 12)
    0.5
    """
    stiffness, damping, period = _numbers(stiffness, damping, period)
    return 0.5 * stiffness * period + abs(damping)


def needed_damping_of(law: Law, period: float) -> tuple[float, float]:
    """Device damping above which any sampled law is passive, and the frequency, rad/s, that asks
    for it.

    The law H(z) takes arrays of complex z on the unit circle; a delay of d samples is a factor
    z ** -d. The greatest value is searched for on a grid and then refined.
    """
    period = positive("period", period)
    angles = np.linspace(LOWEST * pi, pi, FREQUENCIES)
    for _ in range(4):  # closer to the peak each time
        needs = _need(law, angles, period)
        best = int(np.argmax(needs))
        low, high = angles[max(0, best - 1)], angles[min(len(angles) - 1, best + 1)]
        damping, frequency = float(needs[best]), float(angles[best] / period)
        angles = np.linspace(low, high, 101)
    return damping, frequency


def stiffest_passive_wall(device_damping: float, period: float, damping: float = 0.0) -> float:
    """The stiffness in N/m up to which a sampled wall is passive, 2 (b - |B|) / T; 0 if none is."""
    b, damping, period = _numbers(device_damping, damping, period)
    return max(0.0, 2.0 * (b - abs(damping)) / period)


def stiffest_stable_wall(
    device_damping: float, period: float, damping: float = 0.0, mass: float = 0.1
) -> float:
    """The stiffness up to which a device of plain mass in nobody's hand is stable at the wall.

    About 2 (b + B) / T for a mass that is not too small. With B > 0 that is more than what is
    passive: a wall that is stable alone may oscillate in a hand.
    """
    return stiffest_wall_for(Hand(positive("mass", mass)), device_damping, period, damping)


def stiffest_wall_for(hand: Hand, device_damping: float, period: float, damping: float = 0.0) -> float:
    """The stiffness up to which this hand on the device does not make the wall unstable."""
    b, damping, period = _numbers(device_damping, damping, period)
    system = held(hand, b, period)
    # where it grows by a little, twice and three times that: from these to where it does not grow
    first, second, third = (_stiffest(system, damping, k * ROUNDING) for k in (1.0, 2.0, 3.0))
    return max(0.0, 3.0 * (first - second) + third)


def _stiffest(system: Held, damping: float, growth: float) -> float:
    """The stiffness up to which oscillations grow by no more than this per sample."""
    # first doubled until it shakes, then halved
    low, high = 0.0, FIRST / system.period
    while calm(system, high, damping, growth):
        low, high = high, 2.0 * high
        if high > MOST:
            raise SolveError(
                f"a wall of {MOST:g} N/m and this hand: nothing seems to grow",
                remedy="the mass is too large to tell",
            )
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if calm(system, middle, damping, growth) else (low, middle)
    return low


def worst_hand(
    stiffness: float, period: float, damping: float = 0.0, mass: float = 0.1, modes: int = MODES
) -> Hand:
    """The passive hand that needs the most damping at this wall: springs and masses.

    It swings freely at the frequency where the wall gives most and at the frequencies that look
    like it when sampled; device damping that is just enough for every hand is just enough for it.
    With 12 modes it needs 98 % of that damping.
    """
    _, frequency = needed_damping_of(wall(stiffness, period, damping), period)
    if frequency <= 2 * LOWEST * pi / period:
        return Hand(positive("mass", mass))  # the slowest motion is worst: nothing but mass
    return hand_resonating_at(frequency, period, positive("mass", mass), modes)


def spring_leak(stiffness: float, speed: float, period: float, depth: float) -> float:
    """J that a sampled spring gives away when pressed to a depth at a speed and let back: K v T d.

    >>> round(spring_leak(1000, 0.1, 0.001, 0.020), 9)
    0.002
    """
    stiffness, _, period = _numbers(stiffness, 0.0, period)
    return stiffness * positive("speed", speed) * period * positive("depth", depth)


@dataclass(frozen=True, eq=False)
class ZWidth:
    """The walls that a device can show at one period.

    damping   B, N·s/m
    passive   for each the stiffness up to which every hand is safe, N/m
    stable    and up to which the bare device is quiet
    """

    period: float
    device_damping: float
    damping: Any
    passive: Any
    stable: Any

    def holds(self, stiffness: float, damping: float = 0.0) -> bool:
        """Whether a wall is passive on this device."""
        return self.device_damping > needed_damping(stiffness, self.period, damping)


def z_width(device_damping: float, period: float, mass: float = 0.1, points: int = 61) -> ZWidth:
    """The region of stiffness and damping that a device with this damping can show at a period."""
    b = positive("device_damping", device_damping)
    damping = np.linspace(-b, b, points)
    passive = np.array([stiffest_passive_wall(b, period, x) for x in damping])
    stable = np.array([stiffest_stable_wall(b, period, x, mass) for x in damping])
    return ZWidth(positive("period", period), b, damping, passive, stable)


def z_width_plot(
    device_damping: float, rates: Sequence[float] = (1000.0, 10000.0), mass: float = 0.1
) -> Plot:
    """The boundaries of the regions at some rates, Hz: below them walls are passive, or stable."""
    x, y = {}, {}
    for rate in rates:
        region = z_width(device_damping, 1.0 / positive("rate", rate), mass)
        for kind in ("passive", "stable"):
            name = f"{rate / 1000:g} kHz, {kind}"
            stiffness = getattr(region, kind)
            shown = stiffness > NOTHING * stiffness.max()  # at the ends it is zero, or rounding
            x[name], y[name] = region.damping[shown], stiffness[shown]
    title = f"Walls on a device of b = {device_damping:g} N·s/m"
    return curves(x, y, "wall damping B, N·s/m", "wall stiffness K, N/m", title=title, logarithmic="y")


def _need(law: Law, angles: Any, period: float) -> Any:
    """The right side of the condition at angles ωT."""
    z = np.exp(1j * angles)
    value = np.broadcast_to(np.asarray(law(z), complex), angles.shape)
    if not np.isfinite(value).all():
        at = angles[~np.isfinite(value)][0] / period
        raise SolveError(
            f"the law is not finite at {at:.6g} rad/s", remedy="give H(z) without poles on the unit circle"
        )
    # 1 - cos is 2 sin²(half), without cancellation
    return 0.5 * period * ((1.0 - 1.0 / z) * value).real / (2.0 * np.sin(0.5 * angles) ** 2)


def _numbers(stiffness: float, damping: float, period: float) -> tuple[float, float, float]:
    k, b = real("stiffness", stiffness), real("damping", damping)
    if k < 0.0:
        raise SolveError(f"a stiffness or device damping of {k:g}", expected="0 or more")
    return k, b, positive("period", period)
