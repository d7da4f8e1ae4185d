"""Random bodies with legs that fall, bounce, stand and leave: runs, steps, files and many starts of them."""

import random
import tempfile
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

import hapsis as hs
from hybrid_laws.legged import Leg, Legged
from hybrid_laws.loop import Loop, UnclearError

STEPS = 1500  # of the loop
GROWTH = 30.0  # times what an error of 1e-8 at the start becomes
CLOSE = 3e-7
MOST = 14  # events


def body_of(draw: random.Random, size: float, mass: float, g: float) -> Legged:
    """One or two legs of any mass; stiffnesses for the time of a fall."""

    def leg() -> Leg:
        m = mass * 10 ** draw.uniform(-2, 0.3)
        length = size * draw.uniform(0.4, 1.0)
        unit = m * g * length
        return Leg(
            (draw.uniform(-0.3, 0.3) * size, draw.uniform(-0.2, 0.1) * size),
            (draw.uniform(-0.1, 0.1) * length, -draw.uniform(0.3, 0.6) * length),
            (draw.uniform(-0.1, 0.1) * length, -length),
            m,
            m * length**2 * draw.uniform(0.02, 0.2),
            unit * draw.uniform(1.0, 30.0),
            unit * sqrt(length / g) * draw.choice([0.0, draw.uniform(0.0, 1.0)]),
        )

    legs = tuple(leg() for _ in range(draw.randint(1, 2)))
    return Legged(mass, mass * size**2 * draw.uniform(0.05, 0.5), legs, g)


def hybrid_of(draw: random.Random, body: Legged, fast: float, e: float, mu: float) -> hs.Hybrid:
    """The same as a Hybrid, its facts and events in any order."""
    count = len(body.legs)
    facts: list[Any] = [
        hs.Body(
            "trunk",
            mass=body.mass,
            inertia=(body.inertia,) * 3,
            frames={f"hip{k}": (leg.hip[0], 0, leg.hip[1]) for k, leg in enumerate(body.legs)},
        )
    ]
    for k, leg in enumerate(body.legs):
        facts += [
            hs.Body(
                f"leg{k}",
                mass=leg.mass,
                com=(leg.com[0], 0, leg.com[1]),
                inertia=(leg.inertia,) * 3,
                frames={"foot": (leg.foot[0], 0, leg.foot[1])},
            ),
            hs.JointSpring(f"s{k}", f"j{k}", stiffness=leg.stiffness, damping=leg.damping),
        ]
    draw.shuffle(facts)
    facts.append(hs.Chain("at", hs.WORLD, "trunk", "Tx Tz Ry"))
    facts += [hs.Revolute(f"j{k}", f"trunk.hip{k}", f"leg{k}", axis="y") for k in range(count)]
    model = hs.Model(*facts, gravity=(0, 0, -body.g))
    phases = {"flight": model} | {f"on{k}": model.pinned(f"leg{k}.foot") for k in range(count)}
    events: list[hs.Event] = []
    for k in range(count):
        foot, height = f"leg{k}.foot", hs.height(f"leg{k}.foot")
        others = [f"on{j}" for j in range(count) if j != k]
        events += [
            hs.Event(
                f"bounce {k}", height, falling=True, during="flight",
                only=lambda s, foot=foot: s[f"{foot}.vz"] < -fast,
                then=hs.impact(foot, restitution=e, friction=mu),
            ),
            hs.Event(
                f"stand {k}", height, falling=True, during="flight", to=f"on{k}",
                only=lambda s, foot=foot: s[f"{foot}.vz"] >= -fast, then=hs.impact(foot),
            ),
            hs.Event(
                f"leave {k}", lambda s, foot=foot: s[f"{foot}.push"], falling=True, during=f"on{k}",
                to="flight",
            ),
        ]  # fmt: skip
        if others:
            events.append(
                hs.Event(f"over {k}", height, falling=True, during=others, to=f"on{k}", then=hs.impact(foot))
            )
    draw.shuffle(events)
    return hs.Hybrid(phases, events, start="flight")


def machines(seed: int) -> list[str]:
    """A machine of any size by its own event loop; steps, a file and many starts of it by the run."""
    draw = random.Random(seed)
    size, mass, g = 10 ** draw.uniform(-4, 3), 10 ** draw.uniform(-4, 3), 10 ** draw.uniform(-1, 2)
    time = sqrt(size / g)
    body = body_of(draw, size, mass, g)
    fast, e, mu = draw.uniform(0.1, 1.5) * size / time, draw.uniform(0.0, 1.0), draw.choice([0.0, 0.4, 1.0])
    q = [
        0.0,
        draw.uniform(1.2, 2.0) * size,
        draw.uniform(-0.3, 0.3),
        *[draw.uniform(-0.3, 0.3) for _ in body.legs],
    ]
    v = [draw.uniform(-1, 1) * x for x in (size, size, 1.0, *[1.0] * len(body.legs))]
    y, until = np.array([*q, *(x / time for x in v)]), draw.uniform(2.0, 6.0) * time
    try:
        loop, end = _ended(body, fast, e, mu, size, y, until)
        near = _ended(body, fast, e, mu, size, y * (1.0 + 1e-8), until)[1]
    except UnclearError:
        return []
    units = np.array([size, size, 1.0, *[1.0] * len(body.legs)])
    units = np.concatenate([units, units / time])
    allowed = CLOSE + GROWTH * np.abs((near - end) / units).max()
    if len(loop.events) > MOST or allowed > 1e-4:
        return []
    hybrid = hybrid_of(draw, body, fast, e, mu)
    names = [*hybrid.coordinates, *hybrid.speeds]
    start = dict(zip(names, y.tolist(), strict=True))
    run = hs.simulate(hybrid, until, start, tolerance=1e-11)
    wanted, seen = [n for _, n in loop.events], [each.name.replace("over", "stand") for each in run.events]
    if not run.success or seen != wanted:
        return [f"it ends {run.status} after {seen}, not after {wanted} {run.message}"]
    found: list[str] = []
    times = np.array([[a, b.time] for (a, _), b in zip(loop.events, run.events, strict=True)])
    if len(times) and not np.abs(np.diff(times)).max() <= allowed * time:
        found.append(f"events are {np.abs(np.diff(times)).max() / time:.2g} off")
    last = np.array([run[n][-1] for n in names])
    if not np.abs((last - end) / units).max() <= allowed:
        found.append(f"it ends {np.abs((last - end) / units).max():.2g} off, with {allowed:.2g} allowed")
    if not run.energy_drift <= 1e-7:
        found.append(f"energy drifts by {run.energy_drift:.2g}")
    return found + _other_ways(draw, hybrid, start, until, run, names, units, allowed)


def _ended(
    body: Legged, fast: float, e: float, mu: float, size: float, y: Any, until: float
) -> tuple[Loop, Any]:
    loop = Loop(body, fast, e, mu, size)
    return loop, loop.run(y, until, until / STEPS)


def _other_ways(
    draw: random.Random,
    hybrid: hs.Hybrid,
    start: Any,
    until: float,
    run: Any,
    names: Any,
    units: Any,
    allowed: float,
) -> list[str]:
    """What differs in steps, in a file, among many starts."""
    found: list[str] = []
    last = np.array([run[n][-1] for n in names])
    count = draw.randint(150, 400)
    off = np.abs((_stepped(hybrid, start, until, count) - last) / units).max()
    if not off <= 300.0 * allowed:  # a finer step is nearer by the order of the method
        finer = np.abs((_stepped(hybrid, start, until, 2 * count) - last) / units).max()
        if not finer <= off / 6.0:
            found.append(f"{count} steps end {off:.2g} off, twice as many {finer:.2g}")
    plain = hs.simulate(hybrid, until, start, every=until / 200)
    with tempfile.TemporaryDirectory() as folder:
        hs.save(hybrid, Path(folder) / "h.yaml")
        again = hs.load(Path(folder) / "h.yaml")
    read = hs.simulate(again, until, start, every=until / 200)
    if not all((read[n] == plain[n]).all() for n in names) or len(read.events) != len(plain.events):
        found.append("a file gives other bits")
    lift = f"{names[1]}"
    many = hs.simulate(
        hybrid, until, {**start, lift: start[lift] * np.array([1.1, 1.0, 0.95])}, every=until / 200
    )
    alone = plain["t"]
    mine = np.append(alone[1:] != alone[:-1], True) & np.isin(alone, many.t)
    if many.status[1] != plain.status or not all((many[n][1] == plain[n][mine]).all() for n in names):
        found.append("one of many starts has other bits")
    return found


def _stepped(hybrid: hs.Hybrid, start: Any, until: float, count: int) -> Any:
    """The end of a motion by so many steps; NaN where they fail."""
    native = hs.compile(hs.stepper(hybrid, dt=until / count, start=start, outputs=["status"]))
    state = native()
    for _ in range(count - 1):
        state = native(state.q, state.v, state.z, state.t)
    return np.concatenate([state.q, state.v]) + (0.0 if state.status == 0 else np.nan)
