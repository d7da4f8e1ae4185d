"""What a tick of a grasp is made of, for those who show it."""

from typing import NamedTuple

from hapsis.mechanics.model.model import Model
from hapsis.touch.haptics.virtual_mechanisms.hand_arm import HandArm
from hapsis.touch.haptics.virtual_mechanisms.held_mechanism import HeldMechanism


class TickParts(NamedTuple):
    """The mechanism, and for each hand the frame that it holds and the arm of its device."""

    mechanism: Model
    hands: tuple[tuple[HeldMechanism, HandArm], ...]
