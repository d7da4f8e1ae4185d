"""Mechanisms that a hand holds in the benchmark of the loop: closest pose, rates, wrenches, bearings, guard.

The rates of 1998 are those that the paper on virtual mechanisms from CAD reached with the same stages:
inverse kinematics, Jacobian, dynamics, and the projection on the arm of the device.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import hapsis as hs
from hapsis.bench.realtime.realtime_cases import arm, assembled_four_bar, crank
from hapsis.library.slider_crank import slider_crank
from hapsis.touch.realtime.loop import Loop

RATE = 10_000.0
POINTS, WIDE = 60, 0.01  # of the way of the hand, m or rad
SECONDS = 1.0


class Grasp(NamedTuple):
    """A mechanism, the frame that is held, the kind of grasp, joints with bearings, and its goals."""

    name: str
    model: Callable[[], hs.Model]
    frame: str
    kind: str
    bearings: tuple[str, ...] = ()
    asked: float | None = None
    rate_1998: float | None = None


def two_loops() -> hs.Model:
    """A four-bar that pulls a second loop by its coupler."""
    model = hs.Model(
        assembled_four_bar(),
        hs.Rod("link", length=0.45, mass=0.3),
        hs.Rod("lever", length=0.3, mass=0.2),
        hs.Revolute("E", "coupler.mid", "link", axis="y"),
        hs.Revolute("G", hs.WORLD.at(0.1, 0.0, 0.4), "lever", axis="y"),
        hs.Revolute("F", "link.end", "lever.end", axis="y"),
    )
    start = hs.assemble(model, {"A": 0.3}, near={"E": -2.0, "G": 0.3})
    return model.replace(poses={"start": {name: float(start[name]) for name in model.coordinates}})


GRASPS = (
    Grasp("crank", crank, "crank.end", "point", ("crank",), 1e-6, 1e4),
    Grasp("slider-crank", slider_crank, "crank.end", "point", ("pin",), 2e-6, 1e3),
    Grasp("four-bar", assembled_four_bar, "coupler.mid", "full", ("C",)),
    Grasp("two loops", two_loops, "coupler.mid", "point", ("C", "F")),
    Grasp("arm", arm, "link6.end", "full"),
)


def held(grasp: Grasp, bearings: bool) -> Loop:
    """An unpaced loop of a tick of the grasp, with a hand that moves smoothly about the start."""
    reactions = grasp.bearings if bearings else ()
    tick = hs.haptics.grasp(
        grasp.model(), grasp.frame, 1.0 / RATE, kind=grasp.kind, coupling="rigid", reactions=reactions
    )
    places = {p.name: float(p.stand_in) for p in tick.inputs if p.name.endswith(".position")}
    axes = [name.removeprefix("hand.").removesuffix(".position") for name in places]
    t = np.linspace(0.0, SECONDS, POINTS)
    waves = np.stack([WIDE * np.sin(2 * np.pi * (k + 1) * t) ** 2 for k in range(len(axes))], axis=1)
    hand = hs.haptics.SimulatedHand(motion=(t, np.array(list(places.values())) + waves), axes=axes)
    loop: Any = Loop(tick, RATE, paced=False, guard={"passive": False})
    return loop.connect(hand)
