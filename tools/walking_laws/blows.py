"""Impacts of several points at once by all cases of their linear complementarity problem."""

import itertools
import random
from typing import Any

import numpy as np

import hapsis as hs

CLOSE = 1e-8  # of the speeds before


def blows(seed: int) -> list[str]:
    """One to four points of a body or its legs hit: none is pulled, none goes in, energy is lost."""
    draw = random.Random(seed)
    count, legs = draw.randint(1, 4), draw.random() < 0.5
    if count == 4:
        legs = True  # four points of one body are redundant
    size, mass = 10 ** draw.uniform(-4, 2), 10 ** draw.uniform(-4, 2)
    frames = {f"h{k}": (draw.uniform(-1, 1) * size, draw.uniform(-1, 1) * size, 0.0) for k in range(count)}
    facts: list[Any] = [_body("b", mass, size, frames), hs.Free("f", hs.WORLD, "b")]
    if legs:
        foot = {"foot": (0, 0, -0.3 * size)}
        for k in range(count):
            axis = (1, draw.uniform(-1, 1), draw.uniform(-1, 1))
            facts += [_body(f"l{k}", mass * draw.uniform(0.05, 1.0), 0.3 * size, foot)]
            facts += [hs.Revolute(f"j{k}", f"b.h{k}", f"l{k}", axis=axis)]
    points = [f"l{k}.foot" if legs else f"b.h{k}" for k in range(count)]
    model = hs.Model(*facts, gravity=(0, 0, 0))
    e, mu = draw.choice([0.0, 0.0, 0.5]), draw.choice([None, 0.4])
    blow = hs.Event(
        "blow", when=lambda s: s.since - 0.01, rising=True, during="free", to="then",
        then=[hs.impact(points, restitution=e, friction=mu)],
    )  # fmt: skip
    start = {n: draw.uniform(-1, 1) * (size if n in ("f.vx", "f.vy", "f.vz") else 1.0) for n in model.speeds}
    run = hs.simulate(hs.Hybrid({"free": model, "then": model}, [blow]), 0.02, start, tolerance=1e-10)
    at = np.flatnonzero(run.t == run.events[0].time)
    q = np.array([run[n][at[0]] for n in model.coordinates])
    before, after = (np.array([run[n][k] for n in model.speeds]) for k in (at[0], at[-1]))
    M = np.asarray(hs.compile(hs.mass_matrix(model))(q))
    J = np.array([np.asarray(hs.compile(hs.jacobian(model, p))(q))[5] for p in points])
    impulses = run.events[0].impulses
    normal = np.array([impulses.get(f"{p} impact.z", 0.0) for p in points])
    return _broken(M, J, before, after, normal, impulses, points, e, mu)


def _body(name: str, mass: float, size: float, frames: Any) -> hs.Body:
    inertia = tuple(mass * size**2 * x for x in (0.1, 0.12, 0.15))
    return hs.Body(name, mass=mass, inertia=inertia, frames=frames)


def _broken(
    M: Any, J: Any, before: Any, after: Any, normal: Any, impulses: Any, points: list[str], e: float, mu: Any
) -> list[str]:
    """What is wrong with an impact."""
    found: list[str] = []
    energies = [v @ M @ v for v in (before, after)]
    unit = np.abs(normal).max() + 1e-300
    speed = np.abs(J @ before).max()
    if energies[1] > energies[0] * (1.0 + 1e-9):
        found.append(f"energy grows by {energies[1] / energies[0] - 1:.2g}")
    if normal.min() < -CLOSE * unit:
        found.append(f"a point is pulled: {normal / unit}")
    if (J @ after).min() < -CLOSE * speed:
        found.append(f"a point goes in: {J @ after / speed}")
    for point, n in zip(points, normal, strict=True):
        across = np.hypot(*(impulses.get(f"{point} impact.{x}", 0.0) for x in "xy"))
        if across > (mu or 0.0) * n + 1e-7 * unit:
            found.append(f"friction at {point} is {across / unit:.2g} with {n / unit:.2g}")
    if mu is None and e == 0.0:
        off = np.linalg.cholesky(M).T @ (after - _caught(M, J, before))
        if not np.linalg.norm(off) <= CLOSE * np.sqrt(energies[0]):
            found.append(f"speeds are {np.linalg.norm(off) / np.sqrt(energies[0]):.2g} off")
    return found


def _caught(M: Any, J: Any, v: Any) -> Any:
    """The speeds after an impact without restitution: the first case in which all is as it should be."""
    W, count = np.linalg.solve(M, J.T), len(J)
    least = -1e-10 * np.abs(J @ v).max()
    for some in itertools.chain(*(itertools.combinations(range(count), k) for k in range(count + 1))):
        S, lam = list(some), np.zeros(count)
        lam[S] = np.linalg.solve((J @ W)[np.ix_(S, S)], -(J @ v)[S])
        if lam.min() >= 0.0 and (J @ (v + W @ lam)).min() >= least:
            return v + W @ lam
    raise AssertionError("no case is possible")
