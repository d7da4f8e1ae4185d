"""A mechanism, the hand that holds it and the spring between both, as one model that is integrated.

The hand is the arm of its device without masses, and each of its coordinates is driven from outside.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any

from hapsis.errors import ModelError
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.changes import SETTINGS
from hapsis.mechanics.model.drives import INPUT, Drive
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.structure.limit_stops import unstopped
from hapsis.touch.haptics.virtual_mechanisms.hand_arm import HandArm
from hapsis.touch.haptics.virtual_mechanisms.hand_spring import ROWS, HandSpring
from hapsis.touch.haptics.virtual_mechanisms.held_mechanism import HeldMechanism

COUPLING = "coupling"
LEVELS = ("position", "velocity")


class CoupledModel:
    """The model, with what a step of it takes.

    model     mechanism, hand and spring; the coordinates of the mechanism come first
    spring    its name
    drives    {coordinate of the hand: its drive}
    start     all coordinates at the start
    """

    def __init__(
        self,
        held: HeldMechanism,
        hand: HandArm,
        stiffness: float,
        damping: float,
        most: float,
        grips: bool = False,
        spring: str = COUPLING,
    ) -> None:
        model = held.model.with_stops() if unstopped(held.model) else held.model
        taken = {fact.name for fact in (*model.facts, *hand.model.facts)}
        self.drives = {name: f"{name} of the hand" for name in hand.names}
        for name in (spring, *self.drives.values()):
            if name in taken:
                raise ModelError(f'mechanism or arm has "{name}", as the coupling would be called')
        self.spring = spring
        self.start = dict(zip(model.coordinates, map(float, held.q), strict=True))
        self.start |= dict(zip(hand.names, map(float, hand.q), strict=True))
        sizes = [*[0.0] * (6 - len(held.weights)), *held.weights]
        rows: dict[str, Any] = {
            name: tuple(map(float, row)) for name, row in zip(ROWS, hand.turn, strict=True)
        }
        coupling = HandSpring(
            spring,
            hand.frame,
            held.frame,
            stiffness=[stiffness * w for w in sizes],
            damping=[damping * w for w in sizes],
            kind=held.kind,
            length=held.length,
            most=most,
            grips=grips,
            turned=True,
            **rows,
        )
        drives = [Drive(drive, name, position=INPUT, velocity=INPUT) for name, drive in self.drives.items()]
        settings = {name: getattr(model, name) for name in SETTINGS}
        settings["parameters"] = {**hand.model.parameters, **model.parameters}
        self.model = Model(*model.facts, *massless(hand.model), *drives, coupling, **settings)

    @property
    def inputs(self) -> list[str]:
        """The names of what the step takes of the hand."""
        return [f"{drive}.{level}" for drive in self.drives.values() for level in LEVELS]


def massless(arm: Model) -> list[Any]:
    """The bodies and joints of an arm, without masses, forces and limits."""
    facts: list[Any] = []
    for fact in arm.facts:
        if isinstance(fact, Body):
            facts.append(dataclasses.replace(fact, mass=0.0, com=(0.0,) * 3, inertia=(0.0,) * 6))
        elif isinstance(fact, Joint):
            still: Mapping[str, Any] = {"armature": 0.0, "damping": 0.0, "friction": 0.0, "limits": None}
            facts.append(dataclasses.replace(fact, **still))
    return facts
