"""Steady motions of random bicycles and discs, by formulas of their own.

Small motions of a bicycle that rides straight are those of [Meijaard], from its 25 numbers; a disc in a
circle obeys, with its lean φ, its heading's rate Ω and n = spin's rate + Ω sin φ,

    (C + m r²) n Ω cos φ + m g r sin φ - A Ω² sin φ cos φ = 0
"""

import math
import random
from collections.abc import Mapping
from typing import Any

import numpy as np

import hapsis as hs

Array = Any
G = 9.81
CLOSE = 1e-7


def bicycle_matrices(p: Mapping[str, float]) -> tuple[Array, Array, Array, Array]:
    """M, C1, K0, K2 of lean and steer: M q̈ + v C1 q̇ + (g K0 + v² K2) q = 0."""
    w, c, lam = p["w"], p["c"], p["lam"]
    s, k, mu = math.sin(lam), math.cos(lam), c / w * math.cos(lam)
    xB, zB, mB, xH, zH, mH = (p[n] for n in ("xB", "zB", "mB", "xH", "zH", "mH"))
    rR, mR, rF, mF = (p[n] for n in ("rR", "mR", "rF", "mF"))
    mx, mz = xB * mB + xH * mH + w * mF, -rR * mR + zB * mB + zH * mH - rF * mF
    Txx = p["IRxx"] + p["IBxx"] + p["IHxx"] + p["IFxx"] + mR * rR**2 + mB * zB**2 + mH * zH**2 + mF * rF**2
    Txz = p["IBxz"] + p["IHxz"] - mB * xB * zB - mH * xH * zH + mF * w * rF
    Tzz = p["IRxx"] + p["IBzz"] + p["IHzz"] + p["IFxx"] + mB * xB**2 + mH * xH**2 + mF * w**2
    mA = mH + mF
    xA, zA = (xH * mH + w * mF) / mA, (zH * mH - rF * mF) / mA
    Axx = p["IHxx"] + p["IFxx"] + mH * (zH - zA) ** 2 + mF * (rF + zA) ** 2
    Axz = p["IHxz"] - mH * (xH - xA) * (zH - zA) + mF * (w - xA) * (rF + zA)
    Azz = p["IHzz"] + p["IFxx"] + mH * (xH - xA) ** 2 + mF * (w - xA) ** 2
    u = (xA - w - c) * k - zA * s
    ll = mA * u * u + Axx * s * s + 2 * Axz * s * k + Azz * k * k
    lx, lz = -mA * u * zA + Axx * s + Axz * k, mA * u * xA + Axz * s + Azz * k
    SF, ST = p["IFyy"] / rF, p["IRyy"] / rR + p["IFyy"] / rF
    SA = mA * u + mu * mx
    M = np.array([[Txx, lx + mu * Txz], [lx + mu * Txz, ll + 2 * mu * lz + mu * mu * Tzz]])
    C1 = np.array(
        [
            [0.0, mu * ST + SF * k + Txz / w * k - mu * mz],
            [-(mu * ST + SF * k), lz / w * k + mu * (SA + Tzz / w * k)],
        ]
    )
    K0 = np.array([[mz, -SA], [-SA, -SA * s]])
    K2 = np.array([[0.0, (ST - mz) / w * k], [0.0, (SA + SF * s) / w * k]])
    return M, C1, K0, K2


def bicycles(seed: int) -> list[str]:
    """The eigenvalues of a random bicycle at a random speed, forwards or backwards."""
    draw = random.Random(seed)
    heavy = {body: draw.uniform(0.5, 2.0) for body in "RBHF"}  # inertias of a body change together
    values = {
        n: x * (heavy[n[1]] if n[0] == "I" else draw.uniform(0.8, 1.25))
        for n, x in hs.library.whipple_bicycle().parameters.items()
    }
    values["lam"] = draw.uniform(-0.3, 0.6)
    v = draw.choice([1.0, -1.0]) * draw.uniform(0.5, 10.0)
    model = hs.library.whipple_bicycle(v, **values)
    M, C1, K0, K2 = bicycle_matrices(values)
    straight = hs.equilibrium(model, speeds={"rear.v": v / values["rR"]}, nearest=draw.random() < 0.5)
    small = hs.linearize(model, straight)
    rows = [small.states.index(n) for n in ("lean", "steer", "lean.v", "steer.v")]
    A = small.A[np.ix_(rows, rows)]
    below = np.linalg.solve(M, np.hstack([-(G * K0 + v * v * K2), -v * C1]))
    off = np.abs(A[2:] - below).max() / np.abs(below).max()
    found = [f"small motions are {off:.2g} off at {v:.3g} m/s"] if not off <= CLOSE else []
    unstable = np.linalg.eigvals(np.vstack([np.eye(4)[2:], below])).real.max() > 1e-4
    if unstable != (straight.report.stability == "unstable"):
        found.append(f"the ride is called {straight.report.stability}")
    return found


def discs(seed: int) -> list[str]:
    """A disc of any size in a circle, either way round: one of lean, spin and heading is found."""
    draw = random.Random(seed)
    r, rim = 10 ** draw.uniform(-4, 3), draw.random()
    model = hs.library.rolling_disc(r, rim)
    mass, rate = model.parameters["mass"], math.sqrt(G / r)
    axial, across = mass * r * r * (1 + rim) / 2, mass * r * r * (1 + rim) / 4
    lean = draw.choice([1.0, -1.0]) * draw.uniform(0.1, 1.0)
    turn = draw.choice([1.0, -1.0]) * draw.uniform(0.5, 2.0) * rate
    s, c = math.sin(lean), math.cos(lean)
    n = (across * turn**2 * s * c - mass * G * r * s) / ((axial + mass * r * r) * turn * c)
    spin = n - turn * s
    start = {"lean": lean, "spin.v": spin * draw.uniform(0.8, 1.2), "place.Rz.v": turn}
    speeds = {"spin.v": None, "place.Rz.v": turn}
    state = hs.equilibrium(model, start, held=["lean"], speeds=speeds)
    found: list[str] = []
    if not abs(state["spin.v"] - spin) <= CLOSE * rate:
        found.append(f"it spins with {state['spin.v'] / rate:.9g} instead of {spin / rate:.9g}")
    run = hs.simulate(model, 0.5 / rate, state)
    if not np.ptp(run["lean"]) <= CLOSE:
        found.append(f"its lean changes by {np.ptp(run['lean']):.2g}")
    return found
