"""A mechanism, the hands that hold it and the springs between them, as one model that is integrated.

The hand is the arm of its device without masses, and each of its coordinates is driven from outside.
"""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

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


class CoupledHand(NamedTuple):
    """A hand, the frame that it holds, and the name of the spring between both.

    prefix   of the names of its outputs: empty for a hand alone
    """

    held: HeldMechanism
    arm: HandArm
    spring: str = COUPLING
    prefix: str = ""


class CoupledModel:
    """The model, with what a step of it takes.

    model     mechanism, hands and springs; the coordinates of the mechanism come first
    hands     in the order of their axes
    drives    {coordinate of a hand: its drive}
    start     all coordinates at the start
    grip      {parameter: value} of what a gripper changes, with the values at the start
    """

    def __init__(
        self, hands: Sequence[CoupledHand], stiffness: float, damping: float, most: float, grips: bool = False
    ) -> None:
        held = hands[0].held
        model = held.model.with_stops() if unstopped(held.model) else held.model
        self.hands, self.mechanism = tuple(hands), held.model
        self.names = tuple(name for hand in hands for name in hand.arm.names)
        self.drives = {name: f"{name} of the hand" for name in self.names}
        self._check_names(model)
        self.start = dict(zip(model.coordinates, map(float, held.q), strict=True))
        self.parameters = dict(model.parameters)
        for hand in hands:
            self.start |= dict(zip(hand.arm.names, map(float, hand.arm.q), strict=True))
            self.parameters |= hand.arm.model.parameters
        self.grip: dict[str, float] = {}
        springs = [self._spring(hand, stiffness, damping, most, grips) for hand in hands]
        drives = [Drive(drive, name, position=INPUT, velocity=INPUT) for name, drive in self.drives.items()]
        arms = [fact for hand in hands for fact in massless(hand.arm.model)]
        settings = {name: getattr(model, name) for name in SETTINGS}
        settings["parameters"] = {**self.parameters, **self.grip}
        self.model = Model(*model.facts, *arms, *drives, *springs, **settings)

    def _check_names(self, model: Model) -> None:
        """Refuses names that two of mechanism, arms and couplings have."""
        taken = {fact.name for fact in model.facts}
        for hand in self.hands:
            own = {fact.name for fact in hand.arm.model.facts}
            for name in (*own, hand.spring):
                if name in taken:
                    raise ModelError(f'two of mechanism, hands and couplings have "{name}"')
            taken |= {*own, hand.spring}
        for name in self.drives.values():
            if name in taken:
                raise ModelError(f'mechanism or arm has "{name}", as a drive of the hand would be called')

    def _spring(
        self, hand: CoupledHand, stiffness: float, damping: float, most: float, grips: bool
    ) -> HandSpring:
        """The spring of a hand."""
        held, arm = hand.held, hand.arm
        sizes = [*[0.0] * (6 - len(held.weights)), *held.weights]
        rows: dict[str, Any] = {
            name: tuple(map(float, row)) for name, row in zip(ROWS, arm.turn, strict=True)
        }
        if grips:
            rows = self._open(hand.spring, arm.turn if held.kind == "full" else ())
        return HandSpring(
            hand.spring,
            arm.frame,
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

    def _open(self, spring: str, turn: Any) -> dict[str, Any]:
        """The fields of the spring that a gripper changes, as names of parameters."""
        fields: dict[str, Any] = {}
        for name in ("held", "damped"):
            fields[name] = f"{spring}_{name}"
            self.grip[fields[name]] = 1.0  # substeps must suffice for a frame that is held
        vectors = {"offset": (0.0,) * 3, **dict(zip(ROWS, turn, strict=False))}
        for name, values in vectors.items():
            fields[name] = tuple(f"{spring}_{name}_{axis}" for axis in "xyz")
            self.grip |= dict(zip(fields[name], map(float, values), strict=True))
        if taken := sorted({*self.grip} & {*self.parameters}):
            raise ModelError(f'mechanism or arm has a parameter "{taken[0]}", as one of the grip is called')
        return fields

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
