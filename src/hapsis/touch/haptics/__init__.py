"""Devices, sensors, conditioning and actuators of the haptic loop."""

from typing import Any

from hapsis.touch.haptics import midi, passivity
from hapsis.touch.haptics.actuator_identification import identify_actuator, identify_response
from hapsis.touch.haptics.actuators import Actuator
from hapsis.touch.haptics.conditioning.adaptive_window import AdaptiveWindow
from hapsis.touch.haptics.conditioning.filters import Filters
from hapsis.touch.haptics.conditioning.inclination import Inclination
from hapsis.touch.haptics.conditioning.kalman import Kalman
from hapsis.touch.haptics.conditioning.low_pass import Lead, LowPass
from hapsis.touch.haptics.conditioning.motion_filters import inertial_filter, lean_filter, motion_filter
from hapsis.touch.haptics.conditioning.windows import FiniteDifference, SavitzkyGolay, Window
from hapsis.touch.haptics.devices.actuated import Actuated
from hapsis.touch.haptics.devices.conditioned import Conditioned
from hapsis.touch.haptics.devices.device_pair import DevicePair
from hapsis.touch.haptics.devices.force_dimension import ForceDimension
from hapsis.touch.haptics.devices.mapped import Mapped
from hapsis.touch.haptics.devices.open_haptics import OpenHaptics
from hapsis.touch.haptics.devices.relay import Relay
from hapsis.touch.haptics.devices.sdl_wheel import SdlWheel
from hapsis.touch.haptics.devices.serial_device import SerialDevice
from hapsis.touch.haptics.devices.simulated_hand import SimulatedHand
from hapsis.touch.haptics.devices.target import Target
from hapsis.touch.haptics.devices.udp_device import UdpDevice
from hapsis.touch.haptics.devices.wheel import Wheel
from hapsis.touch.haptics.handle import Handle, compensated
from hapsis.touch.haptics.linear_actuator import LinearActuator
from hapsis.touch.haptics.sensors.hall_pair import HallPair
from hapsis.touch.haptics.sensors.linear_sensors import Coil, Encoder, Imu, LoadCell
from hapsis.touch.haptics.sensors.strain_bridge import StrainBridge
from hapsis.touch.haptics.sensors.vibrometer import Vibrometer
from hapsis.touch.haptics.surfaces.carried_surface_step import CarriedSurfaceStep
from hapsis.touch.haptics.surfaces.load_surfaces import load_surfaces
from hapsis.touch.haptics.surfaces.nurbs_body import NurbsBody
from hapsis.touch.haptics.surfaces.nurbs_surface import NurbsSurface
from hapsis.touch.haptics.surfaces.surface_step import SurfaceStep
from hapsis.touch.haptics.virtual_mechanisms.device_damping import device_damping
from hapsis.touch.haptics.virtual_mechanisms.grasp import grasp
from hapsis.touch.haptics.virtual_mechanisms.gripper import Gripper
from hapsis.touch.haptics.virtual_mechanisms.held_mechanism import grasp_report
from hapsis.touch.haptics.voice_coil import VoiceCoil

__all__ = [
    "Actuated",
    "Actuator",
    "AdaptiveWindow",
    "CarriedSurfaceStep",
    "Coil",
    "Conditioned",
    "DevicePair",
    "Encoder",
    "Filters",
    "FiniteDifference",
    "ForceDimension",
    "Gripper",
    "HallPair",
    "Handle",
    "Imu",
    "Inclination",
    "Kalman",
    "Lead",
    "LinearActuator",
    "LoadCell",
    "LowPass",
    "Mapped",
    "NurbsBody",
    "NurbsSurface",
    "OpenHaptics",
    "Relay",
    "SavitzkyGolay",
    "SdlWheel",
    "SerialDevice",
    "SimulatedHand",
    "StrainBridge",
    "SurfaceStep",
    "Target",
    "UdpDevice",
    "Vibrometer",
    "VoiceCoil",
    "Wheel",
    "Window",
    "compensated",
    "device_damping",
    "grasp",
    "grasp_report",
    "identify_actuator",
    "identify_response",
    "inertial_filter",
    "lean_filter",
    "load_surfaces",
    "midi",
    "motion_filter",
    "passivity",
]

_RENAMED = {"Chain": "Filters"}  # old names, kept for one version


def __getattr__(name: str) -> Any:
    if name in _RENAMED:
        from hapsis.errors import notice

        notice(
            f"hs.haptics.{name} is now hs.haptics.{_RENAMED[name]}; the old name goes with the next version"
        )
        return globals()[_RENAMED[name]]
    from hapsis.errors import near

    raise AttributeError(f"module 'hapsis.touch.haptics' has no attribute {name!r}{near(name, __all__)}")


def __dir__() -> list[str]:
    return __all__
