"""Random hands at mechanisms that they hold: how much energy the hand gets, and how long a tick takes."""

import warnings
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

import numpy as np

import hapsis as hs
from grasp_laws.mechanisms import ALL, LIMITED, LOOSE
from hapsis.touch.realtime import connection

CASES = ("crank", "slider_crank", "four_bar", "two_loops", "six_joints")
RATES = (1000, 4000, 10000)
MEASURED = ("position", "velocity")
SECONDS, POINTS = 0.5, 40
GUARD = {"passive": False, "slew": 1e6}  # the observer counts, and nothing else has a part in it
ROUNDING = 1e-9  # J


class Told(NamedTuple):
    """What a hand got: J of all axes together at worst, J that it gave at the end, and how far it moved."""

    case: str
    measured: str
    rate: int
    worst: float
    spent: float
    moved: float
    fault: str

    @property
    def broken(self) -> bool:
        """Whether the hand got energy, or the guard found a fault."""
        return self.worst > ROUNDING or bool(self.fault)


@cache
def step(case: str, rate: int, measured: str, gravity: bool = False, **options: Any) -> Any:
    """The tick of a mechanism; without gravity it has no energy at rest."""
    held = (ALL | LOOSE | LIMITED)[case]()
    model = held.model if gravity else hs.Model(held.model, gravity=(0.0, 0.0, 0.0))
    return hs.haptics.grasp(model, held.frame, 1.0 / rate, kind=held.kind, measured=measured, **options)


def places(tick: Any) -> dict[str, float]:
    """{axis: where it is at the start} of the hand."""
    ends = (
        (port.name.removesuffix(".position"), port.stand_in)
        for port in tick.inputs
        if "position" in port.name
    )
    return {name.removeprefix("hand."): float(x) for name, x in ends}


def device(start: dict[str, float], random: Any, **more: Any) -> Any:
    """A hand that follows random waves of up to 4 Hz about the start, by its spring and damper."""
    t = np.linspace(0.0, SECONDS, POINTS)
    waves = np.zeros((POINTS, len(start)))
    for k in range(len(start)):
        for _ in range(3):
            waves[:, k] += 0.01 * random.normal() * np.sin(2 * np.pi * random.uniform(0.5, 4.0) * t)
    waves *= np.minimum(1.0, 4.0 * t)[:, None] ** 2
    return hs.haptics.SimulatedHand(
        motion=(t, np.array(list(start.values())) + waves), axes=list(start), **more
    )


@cache
def felt_mass(case: str) -> float:
    """kg: the most that the hand feels in any direction at the start, turns included."""
    tick = step(case, 1000, "acceleration", coupling="rigid", max_force=1e9)
    call, axes = hs.compile(tick), list(places(tick))
    columns = []
    for axis in axes:
        out = tick.outputs_by_name(call(**{f"hand.{axis}.acceleration": 1.0}))
        columns.append([-float(out[f"hand.{name}.effort"]) for name in axes])
    return float(np.linalg.eigvalsh(np.array(columns)).max())


def random_hand(seed: int) -> Told:
    """A hand of 2 to 10 times the mass that it feels: it gets no energy, without the guard's controller."""
    return told(seed, 10.0 ** np.random.default_rng([seed, 1]).uniform(0.3, 1.0), GUARD)


def light_hand(seed: int) -> Told:
    """A hand of 0.2 to 0.9 times the mass that it feels, without the guard's controller. There is no law."""
    return told(seed, np.random.default_rng([seed, 2]).uniform(0.2, 0.9), GUARD)


def guarded_hand(seed: int) -> Told:
    """The light hand of the same seed, with the guard as it is by default. There is no law."""
    return told(seed, np.random.default_rng([seed, 2]).uniform(0.2, 0.9), {})


def limited_hand(seed: int) -> Told:
    """The random hand at a mechanism with limits and a rigid coupling. There is no law."""
    mass = 10.0 ** np.random.default_rng([seed, 1]).uniform(0.3, 1.0)
    return told(seed, mass, GUARD, cases=("limited",), coupling="rigid")


def sprung_hand(seed: int) -> Told:
    """A hand of 30 g to 3 kg that holds by a spring what may flop, by the guard's observer alone."""
    random = np.random.default_rng([seed, 3])
    cases = (*LOOSE, *LIMITED, *CASES)
    options = {"coupling": "spring", "max_force": 20.0}
    return told(seed, 10.0 ** random.uniform(-1.5, 0.5), GUARD, cases=cases, felt=1.0, **options)


def told(
    seed: int,
    share: float,
    guard: dict[str, Any],
    cases: Any = CASES,
    felt: float | None = None,
    **options: Any,
) -> Told:
    """What a hand got whose mass is that share of what it feels; more or less stiff and damped."""
    random = np.random.default_rng(seed)
    case, rate, measured = cases[seed % len(cases)], int(random.choice(RATES)), str(random.choice(MEASURED))
    stiffness, damped = 10.0 ** random.uniform(1.5, 3.0), random.uniform(0.05, 1.0)
    return hand_at(case, rate, measured, share, stiffness, damped, random, guard, felt=felt, **options)


def hand_at(
    case: str,
    rate: int,
    measured: str,
    share: float,
    stiffness: float,
    damped: float,
    random: Any,
    guard: dict[str, Any],
    *,
    felt: float | None = None,
    seconds: float = SECONDS,
    **options: Any,
) -> Told:
    """What a hand got at a mechanism.

    share    of its mass in what it feels
    damped   its damper, as a part of the critical one
    """
    tick = step(case, rate, measured, **options)
    start = places(tick)
    mass = share * (felt or felt_mass(case))
    damping = 2.0 * damped * np.sqrt(stiffness * mass)
    hand = device(start, random, mass=mass, stiffness=stiffness, damping=damping)
    with short_telemetry(seconds):
        loop = hs.realtime.Loop(tick, rate=rate, paced=False, guard=guard).connect(hand)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hs.Notice)
        report = loop.run(seconds).report()
    x = np.array([report[f"hand.{axis}.position"] for axis in start])
    force = np.array([report[f"hand.{axis}.command"] for axis in start])
    # each force is held until the next sample; axes of one mechanism pass energy to each other
    taken = np.cumsum(-(force[:, :-1] * np.diff(x, axis=1)).sum(axis=0))
    moved = float(np.abs(x - x[:, :1]).max())
    return Told(case, measured, rate, -float(taken.min()), float(taken[-1]), moved, report.cause)


@contextmanager
def short_telemetry(seconds: float) -> Any:
    """Loops that are connected here keep the telemetry of that many seconds: most of their time is memory."""
    kept = connection.ROWS, connection.SECONDS
    connection.ROWS, connection.SECONDS = 1, 1.1 * seconds
    try:
        yield
    finally:
        connection.ROWS, connection.SECONDS = kept


def tick_time(case: str, rate: int = 10000, paced: bool = True, **options: Any) -> tuple[float, float, str]:
    """Median and 99th percentile of reading, stepping, guarding and writing, s; and the operations."""
    tick = step(case, rate, "position", gravity=True, **options)
    hand = device(places(tick), np.random.default_rng(0))
    loop = hs.realtime.Loop(tick, rate=rate, paced=paced, guard=GUARD).connect(hand)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", hs.Notice)
        spent = loop.run(1.0).report()["compute"]
    return float(np.median(spent)), float(np.percentile(spent, 99)), str(tick.cost())
