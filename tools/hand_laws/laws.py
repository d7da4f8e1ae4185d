"""Scenarios of hands by seed: what is told of each, and the laws that it breaks.

random     led exactly, or with 2 to 10 times the mass that is felt: the observer never counts more than
           the reserve; a free mass is felt as m a. Felt behind a tracked drive is stiffer than its delay
           allows: there the controller acts, and the hand gets up to 2 mJ for a moment, none at the end
resonant   hands of springs and masses that nothing damps but the device. At tracked drives: those that
           ask for the most damping, on a device that has it; at sampled ones: any up to the bound
           m tan(ω T / 2) < M ω T / 2. They do not get more than the reserve
beyond     hands lighter than that at sampled drives, on a device of 50 N with the default slew: a drive
           that is not passive. There is no law but the guard's own; the figures say how the controller acts
"""

import random
import warnings
from math import pi, tan
from typing import Any, NamedTuple

import numpy as np

import hapsis as hs
from hand_laws.hands import MOTIONS, SECONDS, hand
from hand_laws.models import CASES, KINDS, RATES, reserve, step
from hand_laws.resonant import ResonantHand, hand_of_spring, weakness
from hapsis.touch.haptics.passive_hands import hand_resonating_at

ROUNDING = 1e-9  # J, and N of a free mass
PART = 1e-6  # of the energy of a resonant hand that is rounding
FELT, FELTED = 2e-3, ("key", "action")  # J that the controller lets through for a moment, as was measured
IN_FELT = 6e-5  # J in the felts of the action at its start, `NAME.stored` of a run, which no reserve counts
LINEAR = ("free", "sprung", "pendulum", "key")
WIDE = {"slew": 1e6}  # N/s: no other rule of the guard has a part in it
MODES = 6
MARGIN = 1.05  # of the damping that is needed


class Told(NamedTuple):
    """What a scenario gave: J beyond the reserve at worst, at the end; ticks of the controller; sentences."""

    case: str
    kind: str
    rate: float
    worst: float
    last: float
    damped: int
    broken: tuple[str, ...] = ()


def random_hand(seed: int) -> Told:
    """A random hand at one of the drives."""
    draw, (name, kind, rate) = random.Random(seed), drawn(seed)
    case, which = CASES[name], MOTIONS[seed % len(MOTIONS)]
    mass = 0.0 if draw.random() < 0.5 else case.mass * 10.0 ** draw.uniform(0.3, 1.0)
    loop = run(name, kind, rate, hand(draw, case, which, mass), WIDE)
    told = _told(name, kind, rate, loop)
    sentences = list(told.broken)
    if told.worst > allowed(name, kind) or told.last > ROUNDING:
        sentences.append(f"the hand got {told.worst:.3g} J beyond the reserve")
    if name == "free":
        beyond = free_force(loop.report(), kind, rate)
        if beyond > ROUNDING:
            sentences.append(f"a free mass is felt with {beyond:.3g} N beyond m a")
    return told._replace(broken=tuple(sentences))


def allowed(name: str, kind: str) -> float:
    """J beyond the reserve that a random hand may have for a moment."""
    if kind == "tracked" and name in FELTED:
        return FELT
    return IN_FELT if name == "action" else ROUNDING


def drawn(seed: int) -> tuple[str, str, float]:
    """The case, the kind of its drive and the rate of a random hand."""
    draw = random.Random(f"drive {seed}")
    return draw.choice(list(CASES)), draw.choice(KINDS), draw.choice(RATES)


def free_force(report: Any, kind: str, rate: float) -> float:
    """N by which the force of the free mass differs from -m a; a of sampled speeds, or of what is tracked."""
    mass, a = CASES["free"].mass, report["x.a"]
    if kind == "sampled":
        speed = np.concatenate([[0.0], report["hand.velocity"]])
        a = np.diff(speed) * rate
    return float(np.abs(report["hand.force"] + mass * a).max())


def resonant_hand(seed: int) -> Told:
    """A lossless hand where the drive gives most, or anywhere up to the bound."""
    draw = random.Random(seed)
    kind, rate = KINDS[seed % 2], draw.choice(RATES)
    name = draw.choice(LINEAR if kind == "tracked" else ("free", "sprung", "carried"))
    case, at_first, T = CASES[name], 10.0 ** draw.uniform(-5.0, -3.0), 1.0 / rate
    if kind == "tracked":
        damping, frequency = weakness(step(name, kind, rate), case.start, case.tracking, rate)
        mass = case.mass * 10.0 ** draw.uniform(-0.5, 0.5)
        body = hand_resonating_at(frequency, T, mass, draw.randint(1, MODES))
    else:
        half = 0.5 * draw.uniform(0.02, 0.7) * pi  # ω T / 2
        mass = case.mass * draw.uniform(1.1, 3.0) * tan(half) / half
        body, damping = hand_of_spring(mass, 2.0 * half * rate), 0.0
    device = ResonantHand(body, T, case, at_first, MARGIN * damping, draw)
    loop = run(name, kind, rate, device, {**WIDE, "passive": False})
    told = _told(name, kind, rate, loop)
    # a device with enough damping: at no time; without any: they may for a moment, and do not keep it
    energy = device.memory.most if kind == "tracked" else device.memory.now
    got, sentences = float(energy) - reserve(name) - at_first, list(told.broken)
    if got > PART * at_first + ROUNDING:
        sentences.append(f"a hand of {at_first:.3g} J got {got:.3g} J")
    return told._replace(broken=tuple(sentences))


def light_hand(seed: int) -> Told:
    """A hand lighter than what it feels, at a drive by position and velocity."""
    draw = random.Random(seed)
    name, kind, rate = draw.choice(("free", "sprung", "carried", "key")), "sampled", draw.choice(RATES)
    case = CASES[name]._replace(most=50.0)
    mass = case.mass * draw.uniform(0.2, 0.9)
    loop = run(name, kind, rate, hand(draw, case, MOTIONS[seed % len(MOTIONS)], mass), {})
    return _told(name, kind, rate, loop)


def run(name: str, kind: str, rate: float, device: Any, settings: Any, seconds: float = SECONDS) -> Any:
    """A loop behind its run, with the energy of the start in reserve."""
    joules = reserve(name)
    guard = {**settings, **({"reserve": joules} if joules else {})}
    loop = hs.realtime.Loop(step(name, kind, rate), rate, paced=False, guard=guard).connect(device)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hs.Notice)
        return loop.run(seconds)


def _told(name: str, kind: str, rate: float, loop: Any) -> Told:
    guard = loop.guard
    worst, last = guard.given["x"] - guard.reserve, -guard.energy["x"] - guard.reserve
    broken = (f"fault {guard.fault}",) if guard.fault else ()
    damped = guard.report()["damping injected"]
    return Told(name, kind, rate, worst, last, damped, broken)
