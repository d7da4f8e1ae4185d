"""A device whose samples pass through filters before the loop sees them.

    knob = hs.haptics.Conditioned(device, hs.haptics.motion_filter(...))

The filter takes what the device measures, by the names of its inputs, for each axis; its outputs
`position`, `velocity` and `force` take the place of what was measured. All in native code.
"""

import dataclasses
from typing import Any

import numpy as np

from hapsis.compiler.native import Array, Ints, Kernel, native
from hapsis.errors import DeviceError
from hapsis.touch.haptics.conditioning.stage import Stage
from hapsis.touch.haptics.devices.device_base import DeviceBase
from hapsis.touch.realtime.device import MEASURES, Layout, checked

TAKEN, GIVEN, AXES = range(3)  # sizes


@native
def passed(
    t: Array,
    sample: Array,
    inner: Kernel,
    stage: Kernel,
    sizes: Ints,
    takes: Ints,
    gives: Ints,
    own: Array,
    x: Array,
    y: Array,
) -> None:
    """The device's sample with what the stage makes of it."""
    inner(t, own)
    n = sizes[AXES]
    for k in range(3 * n + 2):
        sample[k] = own[k]
    for axis in range(n):
        for k in range(sizes[TAKEN]):
            x[axis * sizes[TAKEN] + k] = own[takes[k] * n + axis]
    stage(t, x, y)
    for axis in range(n):
        for k in range(sizes[GIVEN]):
            if gives[k] >= 0:
                sample[gives[k] * n + axis] = y[axis * sizes[GIVEN] + k]


class Conditioned(DeviceBase):
    """A device behind a filter; commands pass unchanged.

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
        told = [name for name in stage.outputs if name in MEASURES]
        if not told:
            raise DeviceError(
                f"the filter gives {', '.join(stage.outputs)}", expected=f"some of {', '.join(MEASURES)}"
            )
        measures = tuple(n for n in MEASURES if n in can.measures or n in told)
        self.delay = stage.delay
        facts = {**can.facts, "filter delay": stage.delay}
        self.capabilities = dataclasses.replace(can, measures=measures, facts=facts)
        n, taken, given = len(device.axes), len(stage.inputs), len(stage.outputs)
        self.read = passed.bound(
            vary=("t", "sample"),
            inner=device.read,
            stage=stage.kernel(n),
            sizes=np.array([taken, given, n]),
            takes=np.array([MEASURES.index(name) for name in stage.inputs]),
            gives=np.array([MEASURES.index(x) if x in MEASURES else -1 for x in stage.outputs]),
            own=np.zeros(Layout(n).size),
            x=np.zeros(n * taken),
            y=np.zeros(n * given),
        )
        self.write = device.write

    def open(self) -> None:
        """Opens the device."""
        self.inner.open()

    def close(self) -> None:
        """Closes it."""
        self.inner.close()
