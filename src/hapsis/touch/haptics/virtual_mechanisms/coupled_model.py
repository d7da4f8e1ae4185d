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
    grip      {parameter: value} of what a gripper changes, with the values at the start
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
        self.spring, self.model_parameters = spring, {**hand.model.parameters, **model.parameters}
        self.start = dict(zip(model.coordinates, map(float, held.q), strict=True))
        self.start |= dict(zip(hand.names, map(float, hand.q), strict=True))
        sizes = [*[0.0] * (6 - len(held.weights)), *held.weights]
        rows: dict[str, Any] = {
            name: tuple(map(float, row)) for name, row in zip(ROWS, hand.turn, strict=True)
        }
        self.grip: dict[str, float] = {}  # parameters that a gripper changes, with their values at the start
        if grips:
            rows = self._open(hand.turn if held.kind == "full" else ())
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
        settings["parameters"] = {**self.model_parameters, **self.grip}
        self.model = Model(*model.facts, *massless(hand.model), *drives, coupling, **settings)

    def _open(self, turn: Any) -> dict[str, Any]:
        """The fields of the spring that a gripper changes, as names of parameters."""
        fields: dict[str, Any] = {}
        for name in ("held", "damped"):
            fields[name] = f"{self.spring}_{name}"
            self.grip[fields[name]] = 1.0  # substeps must suffice for a frame that is held
        vectors = {"offset": (0.0,) * 3, **dict(zip(ROWS, turn, strict=False))}
        for name, values in vectors.items():
            fields[name] = tuple(f"{self.spring}_{name}_{axis}" for axis in "xyz")
            self.grip |= dict(zip(fields[name], map(float, values), strict=True))
        if taken := sorted({*self.grip} & {*self.model_parameters}):
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
