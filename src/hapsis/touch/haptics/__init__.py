"""Devices, sensors, conditioning and actuators of the haptic loop."""

from hapsis.touch.haptics.actuator_identification import identify_actuator, identify_response
from hapsis.touch.haptics.actuators import Actuator
from hapsis.touch.haptics.conditioning.chain import Chain
from hapsis.touch.haptics.conditioning.kalman import Kalman
from hapsis.touch.haptics.conditioning.low_pass import Lead, LowPass
from hapsis.touch.haptics.conditioning.motion_filters import (
    Inclination,
    inertial_filter,
    lean_filter,
    motion_filter,
)
from hapsis.touch.haptics.conditioning.windows import (
    AdaptiveWindow,
    FiniteDifference,
    SavitzkyGolay,
    Window,
)
from hapsis.touch.haptics.sensors.hall_pair import HallPair
from hapsis.touch.haptics.sensors.linear_sensors import Coil, Encoder, Imu, LoadCell

__all__ = [
    "Actuator",
    "AdaptiveWindow",
    "Chain",
    "Coil",
    "Encoder",
    "FiniteDifference",
    "HallPair",
    "Imu",
    "Inclination",
    "Kalman",
    "Lead",
    "LoadCell",
    "LowPass",
    "SavitzkyGolay",
    "Window",
    "identify_actuator",
    "identify_response",
    "inertial_filter",
    "lean_filter",
    "motion_filter",
]
