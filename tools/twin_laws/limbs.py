"""Random mechanisms with limbs that are equal, mirrored or nearly so, trees and with loops."""

import random
from typing import Any

import numpy as np

import hapsis as hs
from twin_laws.laws import broken


def robot(draw: random.Random, loops: bool = False) -> hs.Model:
    """A base with two to six limbs; some are bound to each other by loops, some touch the ground."""
    count, length = draw.randrange(2, 7), draw.randrange(1, 4)
    alike, mirrored = draw.choice(["equal", "mirrored", "nearly", "other numbers"]), draw.random() < 0.4
    axes = [draw.choice(["x", "y", "z", (0.6, 0.0, 0.8)]) for _ in range(length)]
    if loops:
        axes = ["y"] * length
    masses = [draw.uniform(0.2, 2.0) for _ in range(length)]
    steps = [tuple(draw.choice([0.0, draw.uniform(-0.4, 0.4)]) for _ in range(3)) for _ in range(length)]
    coms = [tuple(draw.choice([0.0, draw.uniform(-0.2, 0.2)]) for _ in range(3)) for _ in range(length)]
    springs = draw.random() < 0.3
    facts: list[Any] = []
    corners = {}
    for k in range(count):
        x, y = np.cos(2 * np.pi * k / count), np.sin(2 * np.pi * k / count)
        corners[f"c{k}"] = (
            round(float(x), 12),
            (round(float(y), 12) if not mirrored else 0.2 * (-1) ** k),
            0.0,
        )
    free = draw.random() < 0.7 and not loops
    facts.append(hs.Body("base", 3.0, (0, 0, 0.01), (0.2, 0.3, 0.4), frames=corners))
    facts.append(
        hs.Free("float", hs.WORLD, "base") if free else hs.Revolute("turn", hs.WORLD, "base", axis="y")
    )
    for k in range(count):
        sign = -1.0 if mirrored and k % 2 else 1.0
        at = f"base.c{k}"
        for j in range(length):
            off = 1.0
            if alike == "other numbers":
                off = draw.uniform(0.8, 1.2)
            elif alike == "nearly" and draw.random() < 0.15:
                off = 1.0 + 1e-12
            step = (steps[j][0], sign * steps[j][1], steps[j][2] * off - 0.05)
            com = (coms[j][0], sign * coms[j][1], coms[j][2])
            I = tuple(off * masses[j] * x for x in (0.02, 0.025, 0.03))
            facts.append(
                hs.Body(f"b{k}.{j}".replace(".", "_"), masses[j] * off, com, I, frames={"end": step})
            )
            facts.append(hs.Revolute(f"j{k}_{j}", at, f"b{k}_{j}", axis=axes[j]))
            if springs:
                facts.append(
                    hs.Spring(f"s{k}_{j}", "base", f"b{k}_{j}.end", stiffness=10.0 * off, damping=0.1)
                )
            at = f"b{k}_{j}.end"
    return hs.Model(*facts)


def _functions(model: hs.Model) -> list[hs.Function]:
    every = [hs.inverse_dynamics(model), hs.mass_matrix(model), hs.bias(model), hs.forward_dynamics(model)]
    if not model.cuts:
        every += [hs.derivatives(model), hs.derivatives(model, of="forward_dynamics")]
    return every


def limbs(seed: int) -> list[str]:
    """A tree."""
    draw = random.Random(seed)
    model = robot(draw)
    found: list[str] = []
    for f in draw.sample(_functions(model), 3):
        found += [f"{f.name} {text}" for text in broken(draw, f, draw.choice([0.0, 0.0, 0.05]))]
    return found


def loops(seed: int) -> list[str]:
    """Several equal four-bar linkages side by side on one base: what is reduced, and the rows."""
    draw = random.Random(seed)
    count = draw.randrange(2, 6)
    made = draw.choice([lambda: hs.library.n_four_bar(count), hs.library.stewart, hs.library.car])()
    every = [hs.inverse_dynamics(made), hs.mass_matrix(made), hs.constraints(made)]
    every += [hs.reduced_dynamics(made)]
    found: list[str] = []
    for f in draw.sample(every, 2):
        found += [f"{made} {f.name} {text}"[:300] for text in broken(draw, f, 0.0)]
    return found
