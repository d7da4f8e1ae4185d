"""What a gripper adds to a coupled tick: its memory, and where the frame was in the hand when it closed."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import where
from hapsis.mechanics.formalisms.tree.kinematics import pose
from hapsis.motion.simulate.equations.parameter_inputs import with_parameter_inputs
from hapsis.touch.haptics.virtual_mechanisms.gripper import Grip, Gripper, grip_at_start, gripped
from hapsis.touch.haptics.virtual_mechanisms.hand_arm import HandArm
from hapsis.touch.haptics.virtual_mechanisms.held_mechanism import HeldMechanism


class Gripped(NamedTuple):
    """After a tick: whether it holds, the parameters of the spring, the efforts of fingers, the memory."""

    held: Any
    theta: list[Any]
    efforts: list[Any]
    memory: list[Any]


class GripMemory:
    """The part of a tick that belongs to the gripper.

    memory   at the start: the grip, the offset, and for a full grasp the axes of the frame in the hand
    """

    def __init__(
        self, gripper: Gripper, held: HeldMechanism, hand: HandArm, parameters: Mapping[str, float], dt: float
    ) -> None:
        self.gripper, self.held, self.hand, self.parameters, self.dt = gripper, held, hand, parameters, dt
        self.full = held.kind == "full"
        self.memory = [*grip_at_start(gripper), *[*parameters.values()][2:]]

    def open_to(self, step: Function) -> Function:
        """The step with the parameters of the spring that a grip changes as an input, theta."""
        used = [name for name in self.parameters if name in step.parameters]
        self.used = [[*self.parameters].index(name) for name in used]
        return with_parameter_inputs(step, used)

    def after(
        self, memory: Sequence[Any], q: Sequence[Any], hand: Any, x: Sequence[Any], v: Sequence[Any]
    ) -> Gripped:
        """The grip after a tick in which the mechanism is where the last one has left it.

        hand   place and axes; x, v: openings of the fingers, and their rates
        """
        count = len(x) + 3
        before, kept = Grip.of(memory[:count]), memory[count:]
        p, R = hand
        place, axes = pose(self.held.model, self.held.frame)(q=q)
        offset = [a - b for a, b in zip(place, p, strict=True)]
        far = sum((d * d for d in offset), 0.0) ** 0.5
        now = offset
        if self.full:
            own = np.array(R, dtype=object) @ self.hand.turn.T  # axes of the hand itself
            now = [*(own.T @ np.array(offset, dtype=object)), *np.ravel(own.T @ np.array(axes, dtype=object))]
        grip, efforts = gripped(self.gripper, before, far, x, v, self.dt)
        begins = grip.held * (1.0 - before.held)
        kept = [where(begins > 0.5, new, old) for new, old in zip(now, kept, strict=True)]
        every = [grip.held, grip.damped, *kept]
        return Gripped(grip.held, [every[k] for k in self.used], efforts, [*grip.memory, *kept])
