"""Random hands: smooth, slow, fast, jerky, tapping, releasing; led exactly, or a mass that forces move."""

import random
from typing import Any

import numpy as np

import hapsis as hs
from hand_laws.models import Case

MOTIONS = ("smooth", "slow", "fast", "jerky", "tapping", "releasing")
SECONDS = 0.5
KNOTS = 1000.0  # per second
STROKES = {"fast": (0.01, 0.03, 0.08), "jerky": (0.004, 0.02, 0.01), "releasing": (0.004, 0.01, 0.1)}  # s
SHARE = 0.3  # of the largest force, that a stroke may need
PEAK = 5.7736  # acceleration of a stroke, of way / time²


def motion(draw: random.Random, case: Case, which: str) -> tuple[Any, Any]:
    """Times and positions of a hand from the start of the case, at rest at first."""
    t = np.arange(0.0, SECONDS + 0.01, 1.0 / KNOTS)
    low, high = case.low - case.start, case.high - case.start
    if which == "smooth":
        waves = [(draw.uniform(0.5, 8.0), draw.uniform(0.0, 6.28), draw.gauss(0.0, 1.0)) for _ in range(4)]
        x = np.sum([a * np.sin(6.28 * f * t + p) for f, p, a in waves], axis=0)
        x = draw.uniform(0.2, 1.0) * (x - x[0]) / np.abs(x - x[0]).max()
        return t, case.start + np.where(x > 0, x * high, -x * low) * _rise(t / 0.2)
    if which == "slow":
        x = draw.choice((low, high)) * draw.uniform(0.3, 1.0) * np.sin(np.pi * t / SECONDS) ** 2
        return t, case.start + x
    if which == "tapping":
        rate = draw.uniform(4.0, 14.0)
        x = high * draw.uniform(0.3, 1.0) * np.sin(np.pi * rate * t) ** 2 * _rise(t / 0.1)
        return t, case.start + x
    # from place to place, each in a time of its own
    short, long, pause = STROKES[which]
    most = SHARE * case.most / case.mass
    x, now, place, pressed = np.zeros_like(t), 0.01, 0.0, False
    while now < SECONDS:
        pressed = not pressed
        aim, time = draw.uniform(low, high), draw.uniform(short, long)
        if which == "releasing":  # down slowly, and let go
            aim = high * draw.uniform(0.7, 1.0) if pressed else 0.0
            time = draw.uniform(0.05, 0.15) if pressed else time
        time = max(time, (PEAK * abs(aim - place) / most) ** 0.5)
        x += (aim - place) * _rise((t - now) / time)
        place, now = aim, now + time + draw.uniform(0.0, pause)
    return t, case.start + x


def _rise(s: Any) -> Any:
    """From 0 to 1, with speed and acceleration zero at both ends."""
    s = np.clip(s, 0.0, 1.0)
    return s**3 * (10.0 - 15.0 * s + 6.0 * s * s)


def hand(draw: random.Random, case: Case, which: str, mass: float = 0.0) -> Any:
    """A device whose hand moves so; with a mass, kg, on a spring and a damper, forces move it."""
    settings: dict[str, Any] = {"unit": case.unit, "max_force": case.most}
    if mass:
        omega = 6.28 * draw.uniform(2.0, 15.0)
        damping = 2.0 * draw.uniform(0.02, 1.0) * mass * omega
        settings |= {"mass": mass, "stiffness": mass * omega**2, "damping": damping}
    return hs.haptics.SimulatedHand(motion=motion(draw, case, which), **settings)
