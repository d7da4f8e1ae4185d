"""A simulated device behind an actuator: the hand feels what the actuator makes of the command.

hand = hs.haptics.Actuated(hs.haptics.SimulatedHand(...), coil.stage(1 / 4000))
"""

import dataclasses
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.compiler.native import Array, Ints, Kernel, native, record, sized
from hapsis.errors import DeviceError
from hapsis.touch.haptics.conditioning.stage import Stage
from hapsis.touch.haptics.devices.device_base import DeviceBase
from hapsis.touch.realtime.device import MEASURES, checked

COMMAND = -1  # in `takes`: the command, else a place in MEASURES


@record
class ActuatedMemory:
    """A device and the actuator before it; `sample` is the device's last one."""

    axes: int
    inputs: int  # of the actuator for one axis
    read: Kernel
    write: Kernel
    actuator: Kernel
    takes: Ints = sized("inputs")
    sample: Array = sized("3 * axes + 2")
    x: Array = sized("axes * inputs")
    force: Array = sized("axes")


@native
def actuated_read(t: Array, sample: Array, own: ActuatedMemory) -> None:
    """The device's sample."""
    own.read(t, own.sample)
    for k in range(3 * own.axes + 2):
        sample[k] = own.sample[k]


@native
def actuated_write(t: Array, command: Array, own: ActuatedMemory) -> None:
    """The force that the actuator has now; its new command is in force from now on."""
    n, inputs = own.axes, own.inputs
    for axis in range(n):
        for k in range(inputs):
            place = own.takes[k]
            number = command[axis] if place == COMMAND else own.sample[place * n + axis]
            own.x[axis * inputs + k] = number
    own.actuator(t, own.x, own.force)
    own.write(t, own.force)


@verb
class Actuated(DeviceBase):
    """A simulated `device` behind an actuator, the `stage` of an `Actuator` or a `VoiceCoil`.

    Samples pass unchanged. A real device has its actuator already and is refused.
    """

    def __init__(self, device: Any, stage: Stage) -> None:
        if not isinstance(stage, Stage):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise DeviceError("commands pass through the stage of an actuator: actuator.stage(period)")
        self.inner, self.stage = checked(device), stage
        self.name, self.axes, can = device.name, device.axes, device.capabilities
        if can.hardware or can.causality != "impedance":
            raise DeviceError(
                f'"{device.name}" cannot have an actuator before it',
                expected="a simulated device that takes forces",
            )
        known = ("command", *can.measures)
        if stage.outputs != ("force",) or "command" not in stage.inputs or set(stage.inputs) - set(known):
            raise DeviceError(
                f"the stage makes {', '.join(stage.outputs)} of {', '.join(stage.inputs)}",
                expected=f"a force of command and {', '.join(can.measures)}",
            )
        self.capabilities = dataclasses.replace(can, facts={**can.facts, "actuator delay": stage.delay})
        n = len(device.axes)
        self.memory = ActuatedMemory(
            axes=n,
            inputs=len(stage.inputs),
            read=device.read,
            write=device.write,
            actuator=stage.kernel(n),
            takes=np.array([COMMAND if x == "command" else MEASURES.index(x) for x in stage.inputs]),
        )
        self.read = actuated_read.bound(vary=("t", "sample"), own=self.memory)
        self.write = actuated_write.bound(vary=("t", "command"), own=self.memory)

    def open(self) -> None:
        """Opens the device."""
        self.inner.open()

    def close(self) -> None:
        """Closes it: no force."""
        self.inner.close()
