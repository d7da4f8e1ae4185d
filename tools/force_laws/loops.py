"""Loops for scenarios: one or two cranks on springs, turned by a device that keeps every command."""

import random
from functools import cache
from typing import Any

import hapsis as hs
from force_laws.recorder import Recorder

LIVE = ("spring1.stiffness", "crank1.mass")
SETTINGS: dict[str, tuple[Any, ...]] = {
    "slew": (5e3, 1e5),
    "ramp": (0.005, 0.02, 0.05, 0.1),
    "passive": (False, False, True),
    "small_force": (0.5, 5.0, 100.0),
    "patience": (1, 2, 10),
    "misses": (1, 5, 100_000),
    "bucket": (2.0, 1e6),
}


@cache
def step(rate: float, axes: int) -> Any:
    """The step of some cranks, each with a stiff spring and moved by a hand."""
    facts: list[Any] = []
    for k in range(1, axes + 1):
        facts += [
            hs.Rod(f"crank{k}", length=0.1, mass=0.2),
            hs.Revolute(f"A{k}", hs.WORLD, f"crank{k}", axis="y", damping=0.01),
            hs.JointSpring(f"spring{k}", f"A{k}", stiffness=100.0 / k),
            hs.Drive(f"hand{k}", f"A{k}", position="input", tracking=300.0),
        ]
    names = [f"hand{k}" for k in range(1, axes + 1)]
    return hs.stepper(
        hs.Model(*facts, gravity=(0, 0, 0)),
        dt=1.0 / rate,
        inputs=[f"{name}.position" for name in names],
        outputs=[f"{name}.force" for name in names],
        start={f"A{k}": 0.3 for k in range(1, axes + 1)},
    )


def settings(draw: random.Random) -> dict[str, Any]:
    """Some settings of a guard."""
    return {name: draw.choice(values) for name, values in SETTINGS.items() if draw.random() < 0.3}


def recorder(draw: random.Random, axes: int, **given: Any) -> Recorder:
    """A device with random limits and motion."""
    most = tuple(draw.choice((5.0, 50.0)) for _ in range(axes))
    return Recorder(most, place=draw.choice((0.0, 0.1, 0.3)), speed=draw.choice((0.0, 0.3, -0.5)), **given)


def loop_of(draw: random.Random, device: Recorder, rate: float, **given: Any) -> Any:
    """A loop around a device with random settings of its guard."""
    chosen: dict[str, Any] = settings(draw)
    if draw.random() < 0.3:
        chosen["max_force"] = min(device.capabilities.max_force)
    if "ramp" in chosen and "slew" in chosen:
        del chosen["slew"]  # it may be too slow for the ramp
    return hs.realtime.Loop(step(rate, len(device.axes)), rate, live=LIVE, guard=chosen, **given).connect(
        device
    )
