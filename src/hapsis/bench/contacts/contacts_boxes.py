"""Scenes of boxes: a stack, two piles, a row of dominoes; and a rover on uneven ground."""

from dataclasses import replace
from typing import Any

import numpy as np

from hapsis.bench.contacts.contacts_scene import Bumps, Part, Scene, Solid, box, box_inertia
from hapsis.bench.simulate import simulate_pile

SIDE, MASS, GAP = simulate_pile.SIDE, simulate_pile.MASS, simulate_pile.GAP
HEAP_COLUMNS, HEAP_HIGH, APART = 10, 10, 0.16
DOMINO = (0.01, 0.03, 0.06)  # m
DOMINOES, DOMINO_MASS, SPACING, PUSH = 20, 0.03, 0.03, 4.0  # kg, m, rad/s of the first
WHEEL, TORQUE = 0.1, 1.5  # m, N m
DAMPED = (1e5, 2e3)  # N/m and N s/m of a point: as firm as boxes at rest need, without bounces
STANDING = {"penetration": 3e-3, "creep": 1e-3}


def stack(folder: Any = None) -> Scene:
    """Three boxes on top of one another, let go with small gaps."""
    parts = [box(f"box{k}", MASS, (SIDE,) * 3, (0.0, 0.0, _height(k))) for k in range(3)]
    return Scene("stack 3", 2.0, tuple(parts), "stands", STANDING, law=DAMPED, still=_names(parts))


def pile(folder: Any = None) -> Scene:
    """Three columns of four boxes, as in `hapsis bench simulate`."""
    centres, turns = simulate_pile.start()
    boxes = [box(f"box{k}", MASS, (SIDE,) * 3, at) for k, at in enumerate(centres)]
    parts = [replace(part, q=(*part.q[:3], *turn)) for part, turn in zip(boxes, turns, strict=True)]
    return Scene("pile 12", 2.0, tuple(parts), "stands", STANDING, law=DAMPED, still=_names(parts))


def heap(folder: Any = None, columns: int = HEAP_COLUMNS, high: int = HEAP_HIGH) -> Scene:
    """Ten columns of ten boxes in two rows, each box a little off and turned by a fixed draw."""
    draw, parts = np.random.default_rng(7), list[Part]()
    for column in range(columns):
        x, y = APART * (column // 2), APART * (column % 2)
        for level in range(high):
            aside, yaw = draw.uniform(-0.004, 0.004, 2), draw.uniform(-0.1, 0.1)
            at = (x + aside[0], y + aside[1], _height(level))
            parts.append(box(f"box{len(parts)}", MASS, (SIDE,) * 3, at, yaw))
    return Scene("pile 100", 2.0, tuple(parts), "stands", STANDING, law=DAMPED, still=_names(parts))


def dominoes(folder: Any = None, count: int = DOMINOES) -> Scene:
    """A row of dominoes; the first one turns about its lower edge."""
    half = DOMINO[0] / 2, DOMINO[2] / 2
    parts = [box(f"domino{k}", DOMINO_MASS, DOMINO, (SPACING * k, 0.0, half[1])) for k in range(count)]
    # about the lower front edge, which is at (x, z) = (half[0], -half[1]) of the box
    first = replace(parts[0], v=(0.0, PUSH, 0.0, PUSH * half[1], 0.0, PUSH * half[0]))
    bounds = {"penetration": 1e-3, "creep": 1e-3}
    law = (2e4, 10.0)
    return Scene(
        "dominoes 20", 3.0, (first, *parts[1:]), "topples", bounds, friction=0.3, law=law, still=_names(parts)
    )


def rover(folder: Any = None) -> Scene:
    """A box on four driven balls that cross smooth bumps."""
    size, mass, wheel_mass = (0.6, 0.3, 0.1), 10.0, 1.0
    start = WHEEL + 0.05 + 1e-3
    body = Part(
        "chassis",
        mass,
        box_inertia(mass, size),
        solids=(Solid("box", size),),
        q=(0.0, 0.0, start, 1.0, 0.0, 0.0, 0.0),
        v=(0.0,) * 6,
    )
    wheels: list[Part] = []
    for k, (x, y) in enumerate(((0.25, 0.2), (0.25, -0.2), (-0.25, 0.2), (-0.25, -0.2))):
        place = np.eye(4)
        place[:3, 3] = x, y, -0.05
        inertia = 0.4 * wheel_mass * WHEEL**2 * np.eye(3)
        wheels.append(
            Part(
                f"wheel{k}",
                wheel_mass,
                inertia,
                "revolute",
                "chassis",
                place,
                axis=(0.0, 1.0, 0.0),
                solids=(Solid("sphere", (WHEEL,)),),
                damping=0.1,
                effort=TORQUE,
            )
        )
    names = _names(wheels)
    bounds = {"penetration": 3e-3, "creep": 5e-3}
    return Scene("rover", 5.0, (body, *wheels), "drives", bounds, bumps(), 0.8, rolling=names, passive=False)


def bumps() -> Bumps:
    """A grid of 16 m by 16 m with waves of 3 cm; it is flat where the rover starts."""
    x = np.linspace(-4.0, 12.0, 161)
    near = np.clip((np.hypot(*np.meshgrid(x, x, indexing="ij")) - 0.6) / 1.0, 0.0, 1.0)
    waves = np.outer(np.sin(2.6 * x), np.cos(2.1 * x))
    return Bumps(0.03 * near**2 * (3 - 2 * near) * waves, -4.0, 0.1)


def _height(level: int) -> float:
    return SIDE * (level + 0.5) + GAP * (level + 1)


def _names(parts: list[Part]) -> tuple[str, ...]:
    return tuple(part.name for part in parts)
