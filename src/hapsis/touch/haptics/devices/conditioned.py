"""A device whose samples pass through filters before the loop sees them.

    knob = hs.haptics.Conditioned(device, hs.haptics.motion_filter(...))

The filter takes what the device measures, by the names of its inputs, for each axis; its outputs
`position`, `velocity` and `force` take the place of what was measured. All in native code.
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


@record
class ConditionedMemory:
    """A device and a filter; `takes` and `gives` are places in MEASURES, -1 for none."""

    axes: int
    inputs: int  # of the filter for one axis
    outputs: int
    device: Kernel
    filter: Kernel
    takes: Ints = sized("inputs")
    gives: Ints = sized("outputs")
    sample: Array = sized("3 * axes + 2")  # of the device
    x: Array = sized("axes * inputs")
    y: Array = sized("axes * outputs")


@native
def conditioned_read(t: Array, sample: Array, own: ConditionedMemory) -> None:
    """The device's sample, with the filter's outputs in place of what was measured."""
    n, inputs, outputs = own.axes, own.inputs, own.outputs
    own.device(t, own.sample)
    for k in range(3 * n + 2):
        sample[k] = own.sample[k]
    for axis in range(n):
        for k in range(inputs):
            own.x[axis * inputs + k] = own.sample[own.takes[k] * n + axis]
    own.filter(t, own.x, own.y)
    for axis in range(n):
        for k in range(outputs):
            if own.gives[k] >= 0:
                sample[own.gives[k] * n + axis] = own.y[axis * outputs + k]


@verb
class Conditioned(DeviceBase):
    """A `device` behind the filter `stage`; commands pass unchanged.

    `delay` is that of the filter, in seconds.
    """

    def __init__(self, device: Any, stage: Stage) -> None:
        if not isinstance(stage, Stage):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise DeviceError("samples pass through a filter of hs.haptics, or Filters")
        self.inner, self.stage = checked(device), stage
        self.name, self.axes, can = device.name, device.axes, device.capabilities
        for name in stage.inputs:
            if name not in can.measures:
                raise DeviceError(
                    f'"{device.name}" measures {", ".join(can.measures)}, and the '
                    f"filter takes {', '.join(stage.inputs)}"
                )
        replaced = [name for name in stage.outputs if name in MEASURES]
        if not replaced:
            raise DeviceError(
                f"the filter gives {', '.join(stage.outputs)}", expected=f"some of {', '.join(MEASURES)}"
            )
        measures = tuple(n for n in MEASURES if n in can.measures or n in replaced)
        self.delay = stage.delay
        facts = {**can.facts, "filter delay": stage.delay}
        self.capabilities = dataclasses.replace(can, measures=measures, facts=facts)
        n = len(device.axes)
        memory = ConditionedMemory(
            axes=n,
            inputs=len(stage.inputs),
            outputs=len(stage.outputs),
            device=device.read,
            filter=stage.kernel(n),
            takes=np.array([MEASURES.index(name) for name in stage.inputs]),
            gives=np.array([MEASURES.index(x) if x in MEASURES else -1 for x in stage.outputs]),
        )
        self.read = conditioned_read.bound(vary=("t", "sample"), own=memory)
        self.write = device.write

    def open(self) -> None:
        """Opens the device."""
        self.inner.open()

    def close(self) -> None:
        """Closes it."""
        self.inner.close()
