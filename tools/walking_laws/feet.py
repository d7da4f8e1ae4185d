"""Feet of a body in a plane by all contact modes, written for themselves."""

import itertools
import random
from typing import Any

import numpy as np

import hapsis as hs

CLOSE = 1e-8  # of the largest number of its kind
SAME = 1e-6  # of gravity: two motions that differ less are one
G = 9.81


def feet(seed: int) -> list[str]:
    """A body on one to three feet that rest or slide, pushed anyhow: its motion is that of some mode."""
    draw = random.Random(seed)
    count, m, L = draw.randint(1, 3), 10 ** draw.uniform(-3, 3), 10 ** draw.uniform(-3, 3)
    inertia, h = m * L * L * draw.uniform(0.01, 0.5), draw.uniform(0.05, 1.0) * L
    xs, slope = [draw.uniform(-L, L) for _ in range(count)], draw.choice([0.0, 0.3, -0.8])
    frames = {f"c{k}": (x, 0, -h) for k, x in enumerate(xs)}
    body = hs.Body("b", mass=m, inertia=(inertia,) * 3, frames=frames)
    pull = np.array([G * np.sin(slope), 0, -G * np.cos(slope)])
    model = hs.Model(body, hs.Chain("f", hs.WORLD, "b", "Tx Tz Ry"), gravity=tuple(pull))
    mu = [draw.choice([0.0, 0.1, 0.5, 1.0, 5.0, 50.0]) for _ in xs]
    names = [f"b.{n}" for n in frames]
    verb = hs.complementarity(
        model, names, dict(zip(names, mu, strict=True)), touching=1e-6 * L, rest=1e-6 * L
    )
    push = draw.choice([0.0, 1.0, 2.0])
    tau = np.array([draw.uniform(-1, 1) * m * G * push * x for x in (1.0, 1.0, L)])
    u = draw.choice([0.0, 0.0, L, -L])
    J = np.array([row for x in xs for row in ([1, 0, -h], [0, 1, -x])])
    M = np.diag([m, m, inertia])
    unit = np.array([G, G, G / L])
    every = [a / unit for a in modes(M, tau + m * np.array([pull[0], pull[2], 0]), J, mu, float(np.sign(u)))]
    try:
        solution = verb([0, h, 0], [u, 0, 0], tau)
    except hs.SolveError as error:
        return [f"{len(every)} motions are possible: {error}"] if every else []
    apart = [np.abs(a - solution.a / unit).max() for a in every]
    found: list[str] = []
    if not apart or min(apart) > SAME:
        found.append(f"it moves with {solution.a / unit}, which is none of {every}")
    if solution.unique and max(apart, default=0.0) > SAME:
        found.append("it is not the only motion")
    for other in solution.others:
        if min(np.abs(a - other / unit).max() for a in every) > SAME:
            found.append(f"another motion, {other / unit}, is none of {every}")
    if max(apart, default=0.0) > SAME and not solution.others:
        found.append("other motions are not told")
    return found


def modes(M: Any, force: Any, J: Any, mu: list[float], way: float) -> list[Any]:
    """The accelerations of all modes that meet their conditions; J has rows along x and z, foot by foot."""
    count, W = len(mu), np.linalg.inv(M)
    A, b = J @ W @ J.T, J @ W @ force
    possible: list[Any] = []
    for ways in itertools.product(("lift", "stick", 1.0, -1.0) if not way else ("lift", way), repeat=count):
        K, r = np.eye(2 * count), np.zeros(2 * count)
        for i, each in enumerate(ways):
            if each == "lift":
                continue
            K[2 * i + 1], r[2 * i + 1] = A[2 * i + 1], -b[2 * i + 1]
            if each == "stick":
                K[2 * i], r[2 * i] = A[2 * i], -b[2 * i]
            else:
                K[2 * i, 2 * i + 1] = float(each) * mu[i]
        F = np.linalg.lstsq(K, r, rcond=1e-11)[0]
        a = A @ F + b
        least = [-CLOSE * np.abs(x).max() for x in (F, b)]
        if np.abs(K @ F - r).max() <= CLOSE * max(np.abs(r).max(), 1e-300) and all(
            _meets(each, F[2 * i : 2 * i + 2], a[2 * i : 2 * i + 2], mu[i], way, least)
            for i, each in enumerate(ways)
        ):
            possible.append(W @ (force + J.T @ F))
    return possible


def _meets(each: Any, F: Any, a: Any, mu: float, way: float, least: list[float]) -> bool:
    """Whether one foot does what its mode says."""
    if each == "lift":
        return a[1] >= least[1]
    if F[1] < least[0]:
        return False
    if each == "stick":
        return mu * F[1] - abs(F[0]) >= least[0]
    return bool(way) or each * a[0] >= least[1]
