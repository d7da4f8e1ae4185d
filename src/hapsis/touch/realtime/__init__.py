"""A fixed-rate loop in native code, and what keeps it safe."""

from hapsis.touch.realtime.device import Capabilities, Device
from hapsis.touch.realtime.guard import Guard
from hapsis.touch.realtime.loop import Loop
from hapsis.touch.realtime.report import Report
from hapsis.touch.realtime.supervisor import Supervisor

__all__ = ["Capabilities", "Device", "Guard", "Loop", "Report", "Supervisor"]


def __dir__() -> list[str]:
    return __all__
