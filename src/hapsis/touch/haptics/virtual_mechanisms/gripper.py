"""The fingers of a gripper: when they grasp what is within reach, and what they feel of it.

    near      the hand is nearer than `reach` to the frame, or holds it
    begins    all fingers are closed further than `close`, near, after all were open further than `open`
    ends      a finger is open further than `open`
    force     of a finger on its motor: k (face - x) - c ẋ where it is positive and the finger is near

The face of what is held is at `touch`, or where a finger was that came near closed further than that. So no
force jumps when a hand comes near or a grasp begins: the spring to the frame begins where both are, and its
damper rises within `BLEND`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.ir.graph.elementary_functions import maximum, minimum, where
from hapsis.errors import ModelError
from hapsis.touch.haptics.conditioning.stage import positive
from hapsis.touch.haptics.devices.device_base import names

BLEND = 0.02  # s


@verb
@dataclass(frozen=True)
class Gripper:
    """The fingers of a hand, each with one coordinate that grows as it opens.

        close, open          openings: a grasp begins when all fingers are closed further than the first,
                             and ends when one is open further than the second
        reach                m, how near the hand must be to the frame
        touch                the opening at which fingers touch what they hold; halfway if not given
        stiffness, damping   of what they squeeze, per opening and its rate
        fingers              their names; three by default

    Openings are in m or rad, as the device has them; forces then in N or N m.
    """

    close: float
    open: float
    reach: float = 0.03
    touch: float | None = None
    stiffness: float = 300.0
    damping: float = 1.0
    fingers: Iterable[str] = ("thumb", "index", "middle")

    def __post_init__(self) -> None:
        values = {name: positive(getattr(self, name), name) for name in ("close", "open", "reach")}
        values |= {name: positive(getattr(self, name), name, zero=True) for name in ("stiffness", "damping")}
        if not values["close"] < values["open"]:
            raise ModelError(
                f"a gripper closes at {values['close']:g} and opens at {values['open']:g}",
                expected="open more than close",
            )
        middle = 0.5 * (values["close"] + values["open"])
        values["touch"] = middle if self.touch is None else positive(self.touch, "touch")
        for name, value in values.items():
            object.__setattr__(self, name, value)
        object.__setattr__(self, "fingers", names(self.fingers))  # pyright: ignore[reportArgumentType]


class Grip(NamedTuple):
    """What a gripper knows from tick to tick; all are numbers or expressions.

    held     1 while it holds the frame
    ready    1 after it was open
    damped   how much of the damper acts
    faces    where the fingers touch
    """

    held: Any
    ready: Any
    damped: Any
    faces: Sequence[Any]

    @staticmethod
    def of(memory: Sequence[Any]) -> "Grip":
        """From numbers in a row."""
        return Grip(memory[0], memory[1], memory[2], memory[3:])

    @property
    def memory(self) -> list[Any]:
        """The numbers in a row."""
        return [self.held, self.ready, self.damped, *self.faces]


def grip_at_start(gripper: Gripper) -> list[float]:
    """The memory of a gripper that is open."""
    return [0.0, 0.0, 0.0, *[float(gripper.touch or 0.0)] * len(tuple(gripper.fingers))]


def gripped(
    gripper: Gripper, before: Grip, far: Any, x: Sequence[Any], v: Sequence[Any], dt: float
) -> tuple[Grip, list[Any]]:
    """The grip after a tick, and the efforts of the motors of the fingers.

    far    the distance from the hand to the frame
    """
    touch: Any = gripper.touch
    widest = x[0]
    for opening in x[1:]:
        widest = maximum(widest, opening)
    opened, closed = 1.0 * (widest > gripper.open), 1.0 * (widest < gripper.close)
    inside = 1.0 * (far < gripper.reach)
    near = maximum(before.held, inside * before.ready)
    begins = closed * inside * before.ready
    held = maximum(before.held, begins) * (1.0 - opened)
    ready = maximum(before.ready, opened) * (1.0 - closed)
    damped = minimum(before.damped + dt / BLEND, 1.0) * held
    efforts, faces = [], []
    for opening, rate, face in zip(x, v, before.faces, strict=True):
        met = where(near > 0.5, face, minimum(opening, touch))
        force = gripper.stiffness * (met - opening) - gripper.damping * rate
        efforts.append(near * where(opening < met, maximum(force, 0.0), 0.0))
        faces.append(where(opening > touch, touch + 0.0 * opening, met))
    return Grip(held, ready, damped, faces), efforts
