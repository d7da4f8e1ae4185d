"""Devices at the other end of a wire: what a serial line and a network have in common."""

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.errors import DeviceError
from hapsis.touch.haptics.devices.device_base import DeviceBase, each, names, number
from hapsis.touch.haptics.devices.link_state import CLOSED_FILE, new_link
from hapsis.touch.realtime.device import Capabilities

# metres, radians or newtons per step of the whole numbers in a frame
POSITION_SCALE = 1e-7
SCALE = 1e-6
SCALES = ("position_scale", "velocity_scale", "force_scale", "command_scale")


class LinkDevice(DeviceBase):
    """A device that speaks the frames of `wire`; `link` is the state of this end.

    scales   in the order of a frame, as `SCALES` names them; each one number, or one per axis
    """

    def __init__(
        self,
        name: str,
        axes: Sequence[str] | str,
        capabilities: Mapping[str, Any],
        scales: Sequence[Any],
        timeout: float,
        max_age: float = 0.0,
    ) -> None:
        self.name, self.axes = name, names(axes)
        n, facts = len(self.axes), dict(capabilities)
        limits, unit = each(facts.pop("max_force"), n, "max_force"), facts.pop("unit")
        facts["measures"] = tuple(facts["measures"])
        self.capabilities = Capabilities(max_force=limits, units=(unit,) * n, **facts)
        rows = [each(value, n, what) for what, value in zip(SCALES, scales, strict=True)]
        if any(x == 0.0 for row in rows for x in row):
            raise DeviceError("a scale of 0 has no inverse")
        # where positions are commanded, the greatest force says nothing about them
        limit = limits if facts["causality"] == "impedance" else (np.inf,) * n
        timeout = number(timeout, "timeout", above=0.0)
        self.link = new_link(timeout, rows[:3], rows[3:], limit, max_age)

    def wait_for_frame(self, seconds: float) -> bool:
        """Whether a good frame comes in that time."""
        end = time.monotonic() + seconds
        while self.link.good == 0:
            self.sample()
            if time.monotonic() > end or self.link.gone or self.link.closed:
                return False
            time.sleep(0.001)
        return True

    def let_go(self) -> None:
        """No force, and nothing is read or sent from now on."""
        if self.capabilities.causality == "impedance":
            self.command(0.0)
        self.link.file = CLOSED_FILE

    @property
    def counts(self) -> dict[str, int]:
        """Frames and errors so far, by name."""
        return self.link.counts()

    @property
    def round_trip(self) -> float:
        """Seconds from a command to the newest sample that answers it."""
        return int(self.link.round_trip) * 1e-6
