"""Cycles in closed form: balls that are logistic maps, rimless wheels, and similar walkers."""

import random
from math import cos, pi, sin, sqrt
from typing import Any

import numpy as np

import hapsis as hs

CLOSE = 1e-7  # of the size of a cycle


def logistic(r: float, size: float, time: float, mass: float) -> hs.Hybrid:
    """A ball whose speed after a bounce is r x (1 - x) of a unit, x the speed before it."""
    unit = size / time
    ball = hs.Model(
        hs.Body("ball", mass=mass, frames={"mark": ("r", 0, 0)}),
        hs.Chain("at", hs.WORLD, "ball", "Tx Tz"),
        gravity=(0, 0, -size / time**2),
        parameters={"r": r},
    )
    kick = {
        "at.Tz.v": lambda s: -(s["ball.mark.x"] - s["ball.x"]) * s["at.Tz.v"] * (1.0 + s["at.Tz.v"] / unit)
    }
    kick |= {"at.Tx.v": lambda s: 0.25 * s["at.Tx.v"]}
    return hs.Hybrid(
        {"flight": ball}, [hs.Event("hit", when=hs.height("ball"), falling=True, then=hs.reset(kick))]
    )


def maps(seed: int) -> list[str]:
    """Cycles of one and two bounces of a ball that is a logistic map, of any size and time."""
    draw = random.Random(seed)
    r, size, time = draw.uniform(1.3, 3.95), 10 ** draw.uniform(-6, 3), 10 ** draw.uniform(-3, 2)
    hybrid, unit = logistic(r, size, time, 10 ** draw.uniform(-6, 3)), size / time
    found: list[str] = []
    wanted = [(1, [1 - 1 / r], 2 - r)]
    if r > 3.05:
        root = sqrt((r - 3) * (r + 1))
        wanted.append((2, [(r + 1 - root) / (2 * r), (r + 1 + root) / (2 * r)], 4 + 2 * r - r * r))
    for strides, places, multiplier in wanted:
        start = {"at.Tz.v": unit * draw.choice(places) * draw.uniform(0.99, 1.01), "at.Tz": 1e-3 * size}
        cycle = hs.find_cycle(hybrid, start, strides=strides)
        off = min(abs(cycle.start["at.Tz.v"] / unit - x) for x in places)
        if not off <= CLOSE:
            found.append(f"{strides} bounces with r = {r:.3g} begin {off:.2g} off")
        every = sorted([multiplier, 0.25**strides, 0.0], key=abs, reverse=True)
        if not np.abs(cycle.multipliers - every).max() <= 1e-5 * max(1.0, abs(multiplier)):
            found.append(f"their multipliers are {cycle.multipliers}, not {every}")
        if cycle.drifting != ("at.Tx",):
            found.append(f"{cycle.drifting} drift")
    return found


def wheels(seed: int) -> list[str]:
    """Rimless wheels of any size, mass and inertia in closed form, from anywhere in a step."""
    draw = random.Random(seed)
    n, l, m, g = draw.randint(5, 40), *(10 ** draw.uniform(-a, b) for a, b in ((6, 3), (6, 3), (2, 3)))
    half, turn, k2 = pi / n, 2 * pi / n, draw.choice([0.0, draw.uniform(0.0, 1.0)])
    eta = (cos(turn) + k2) / (1.0 + k2)  # ω⁺ / ω⁻, by the momentum about the next foot
    for lean in np.linspace(0.002, 0.5, 400) * draw.uniform(1.1, 2.0):  # until it comes over the top
        speed = eta * sqrt(4.0 * g * sin(lean) * sin(half) / (l * (1.0 + k2)) / (1.0 - eta * eta))
        if speed**2 > 2.4 * g * (1.0 - cos(min(half - lean, 0.0) or half - lean)) / (l * (1.0 + k2)):
            break
    frames = {"foot": (0, 0, -l), "next": (l * sin(turn), 0, -l * cos(turn))}
    name = draw.choice(["wheel", "a b", "é"])
    facts: list[Any] = [
        hs.Body(name, mass=m, inertia=(k2 * m * l * l,) * 3, frames=frames),
        hs.Chain("c", hs.WORLD, name, "Tx Tz Ry"),
    ]
    draw.shuffle(facts)
    model = hs.Model(*facts, gravity=(g * sin(lean), 0, -g * cos(lean)))
    back = hs.reset({"c.Ry": lambda s: s["c.Ry"] - turn})
    hit = hs.Event("hit", when=hs.height(f"{name}.next"), falling=True, then=[back, hs.impact()])
    hybrid = hs.Hybrid({"roll": model.pinned(f"{name}.foot")}, [hit])
    w = speed * draw.uniform(0.995, 1.005)
    start = {"c.Tx": -l * sin(half), "c.Tz": l * cos(half), "c.Ry": -half, "c.Ry.v": w}
    start |= {"c.Tx.v": w * l * cos(half), "c.Tz.v": w * l * sin(half)}
    run = hs.simulate(hybrid, draw.uniform(0.0, 3.0) * half / speed + 1e-9 / speed, start, tolerance=1e-10)
    cycle = hs.find_cycle(hybrid, draw.choice([start, run.last, run]))
    found: list[str] = []
    if not abs(cycle.start["c.Ry.v"] / speed - 1.0) <= CLOSE:
        found.append(f"{n} spokes roll with {cycle.start['c.Ry.v'] / speed:.9g} of their speed")
    if not abs(cycle.multipliers[0] - eta * eta) <= 1e-5 or np.abs(cycle.multipliers[1:]).max() > 1e-5:
        found.append(f"their multipliers are {cycle.multipliers[:3]}, not {eta * eta:.9g} and zeros")
    if not abs(cycle.travel.get("c.Tx", 0.0) / (2.0 * l * sin(half)) - 1.0) <= CLOSE:
        found.append(f"they go {cycle.travel} in a step")
    return found


def walkers(seed: int) -> list[str]:
    """Walkers of the library in any size: similar cycles; multipliers by differences of plain runs."""
    draw = random.Random(seed)
    hybrid = draw.choice([hs.library.compass_gait, hs.library.simplest_walker])()
    own = hybrid.model.parameters
    slope = {"slope": own["slope"] * draw.uniform(0.8, 1.2)}
    cycle = hs.find_cycle(hybrid, parameters=slope)
    found: list[str] = []
    wanted = np.linalg.eigvals(_return_map(hybrid, cycle, own["length"]))
    for x in wanted:
        if np.abs(cycle.multipliers - x).min() > 2e-5 * max(1.0, abs(x)):
            found.append(f"{x:.6g} is not among the multipliers {cycle.multipliers.round(6)}")
    length, g = (own[n] * 10 ** draw.uniform(-5, 3) for n in ("length", "g"))
    far, time = length / own["length"], sqrt(length / own["length"] / (g / own["g"]))
    start = {
        n: cycle.start[n] * (far if n.startswith("hip.") else 1.0) / (time if n.endswith(".v") else 1.0)
        for n in cycle.start.names
    }
    size = {n: own[n] * far for n in ("length", "b") if n in own}
    similar = hs.find_cycle(hybrid, start, parameters={**slope, **size, "g": g})
    if not abs(similar.period / time / cycle.period - 1.0) <= CLOSE:
        found.append(f"the similar cycle takes {similar.period / time:.9g}, not {cycle.period:.9g}")
    if not np.abs(similar.multipliers - cycle.multipliers).max() <= 2e-5:
        found.append(f"{similar.multipliers} of the similar cycle are not {cycle.multipliers}")
    return found


def _return_map(hybrid: hs.Hybrid, cycle: hs.Cycle, length: float) -> Any:
    """The derivative of the return map over angles and speeds of legs, by differences of plain runs."""
    names = ["stance", "swing", "stance.v", "swing.v"]
    x0 = np.array([cycle.start[n] for n in names])

    def image(x: Any) -> Any:
        a, w = x[0], x[2]
        start = dict(zip(names, x, strict=True)) | {"phase": cycle.phase}
        start |= {"hip.Tx": length * sin(a), "hip.Tz": length * cos(a)}
        start |= {"hip.Tx.v": w * length * cos(a), "hip.Tz.v": -w * length * sin(a)}
        run = hs.simulate(hybrid, 2.5 * cycle.period, start, parameters=cycle.parameters, tolerance=1e-12)
        time = next(e.time for e in run.events if e.name == cycle.event)
        row = int(np.flatnonzero(run.t == time)[-1])
        return np.array([run[n][row] for n in names])

    h = 2e-5
    return np.array([(image(x0 + h * e) - image(x0 - h * e)) / (2 * h) for e in np.eye(4)]).T
