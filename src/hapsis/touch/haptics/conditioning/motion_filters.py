"""Kalman filters of one motion: position, velocity, acceleration, lean.

The unknown part of a motion is white noise in its acceleration or in its jerk; its density says how
lively the motion is, and with it how much of a measurement is believed. Units below are of a
length; an angle has rad in place of m.
"""

from math import factorial
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.touch.haptics.conditioning.filters import Filters
from hapsis.touch.haptics.conditioning.inclination import Inclination
from hapsis.touch.haptics.conditioning.kalman import Kalman
from hapsis.touch.haptics.conditioning.stage import Array, positive

NAMES = ("position", "velocity", "acceleration")
ORDERS = {"position": 0, "velocity": 1, "acceleration": 2}
VAGUE = 1e6  # times its noise: how little is known of a position before it is measured


def integrators(n: int, period: float, density: float) -> tuple[Array, Array]:
    """A and Q of n integrations of white noise of that density, exact for any period."""
    A = np.array([[_power(period, j - i) for j in range(n)] for i in range(n)])
    Q = np.zeros((n, n))
    for i in range(n):
        for j in range(n):
            a, b = n - 1 - i, n - 1 - j
            Q[i, j] = period ** (a + b + 1) / ((a + b + 1) * factorial(a) * factorial(b))
    return A, Q * density**2


def _power(period: float, k: int) -> float:
    return period**k / factorial(k) if k >= 0 else 0.0


@verb
def motion_filter(
    period: Any,
    *,
    position: Any,
    velocity: Any = None,
    acceleration: Any = None,
    jerk: Any = None,
    steady: bool = False,
) -> Kalman:
    """Position and velocity from a measured position, and a measured velocity if there is one.

    period               s between samples
    steady               as of `Kalman`: always the gain of the steady state
    position, velocity   standard deviations of the measurements (m, m/s)
    acceleration         density of the unknown acceleration (m/s²/√Hz), or
    jerk                 density of the unknown jerk (m/s³/√Hz): acceleration is a state then, and
                         slow motion comes without delay
    """
    period, sigma = positive(period, "the period"), positive(position, "the noise of position")
    if (acceleration is None) == (jerk is None):
        raise ModelError("give either acceleration or jerk", expected="acceleration=... or jerk=...")
    n = 2 if jerk is None else 3
    density = positive(acceleration if jerk is None else jerk, "the density")
    A, Q = integrators(n, period, density)
    H: dict[str, Any] = {"position": ({"position": 1.0}, sigma)}
    if velocity is not None:
        H["velocity"] = ({"velocity": 1.0}, positive(velocity, "the noise of velocity"))
    spread = {name: VAGUE * sigma / period**k for k, name in enumerate(NAMES[:n])}
    return Kalman(period, NAMES[:n], A, Q, H, spread=spread, orders=ORDERS, steady=steady)


@verb
def inertial_filter(
    period: Any,
    *,
    position: Any,
    acceleration: Any,
    velocity: Any = None,
    drift: Any = 0.0,
    bias: Any = None,
    steady: bool = False,
) -> Kalman:
    """Position and velocity from a measured position and the acceleration an IMU shows.

    period         s between samples
    steady         as of `Kalman`: always the gain of the steady state
    acceleration   density of its noise (m/s²/√Hz)
    bias, drift    of the accelerometer: its spread at the start (m/s²), and the density of its
                   walk (m/s³/√Hz); the bias is a state then
    """
    period, sigma = positive(period, "the period"), positive(position, "the noise of position")
    A, Q = integrators(2, period, positive(acceleration, "the noise of acceleration"))
    states, B = ["position", "velocity"], {"position": period**2 / 2.0, "velocity": period}
    H: dict[str, Any] = {"position": ({"position": 1.0}, sigma)}
    if velocity is not None:
        H["velocity"] = ({"velocity": 1.0}, positive(velocity, "the noise of velocity"))
    spread = {"position": VAGUE * sigma, "velocity": VAGUE * sigma / period}
    if bias is not None:
        states.append("bias")
        spread["bias"] = positive(bias, "the spread of the bias")
        A, Q = _with_bias(A, Q, [-(period**2) / 2.0, -period], period, drift)
    return Kalman(period, states, A, Q, H, B={"acceleration": B}, spread=spread, orders=ORDERS, steady=steady)


def _with_bias(A: Array, Q: Array, pull: Any, period: float, drift: Any) -> tuple[Array, Array]:
    """The same states and a bias that is taken from the input and walks."""
    n, drift = len(A), positive(drift, "the drift of the bias")
    wide, more = np.eye(n + 1), np.zeros((n + 1, n + 1))
    wide[:n, :n], wide[:n, n], more[:n, :n] = A, pull, Q
    more[n, n] = drift**2 * period
    return wide, more


@verb
def lean_filter(
    period: Any,
    *,
    accelerometer: Any,
    gyro: Any,
    drift: Any,
    bias: Any = 0.1,
    potentiometer: Any = None,
    gravity: Any = 9.81,
    trust: Any = 0.1,
    steady: bool = False,
) -> Filters:
    """The lean of a vehicle from an IMU, and from a potentiometer if there is one.

    The gyroscope carries the angle from tick to tick; the accelerometer's gravity, where it is
    gravity, and the potentiometer keep it from drifting and show the gyroscope's bias.

    period          s between samples
    steady          as of `Kalman`: always the gain of the steady state
    gravity, trust  as of `Inclination`
    accelerometer   standard deviation of its accelerations (m/s²)
    gyro            density of the gyroscope's noise (rad/s/√Hz)
    drift, bias     density of the walk of its bias (rad/s²/√Hz), and spread at the start (rad/s)
    potentiometer   standard deviation (rad)

    Samples: across, up, (potentiometer,) rate. Results: lean, rate, bias.
    """
    period, gravity = positive(period, "the period"), positive(gravity, "gravity")
    tilt = positive(accelerometer, "the noise of the accelerometer") / gravity
    noise = positive(gyro, "the noise of the gyroscope")
    A, Q = np.eye(1), np.array([[noise**2 * period]])
    A, Q = _with_bias(A, Q, [-period], period, drift)
    H: dict[str, Any] = {"tilt": ({"lean": 1.0}, tilt)}
    if potentiometer is not None:
        H["potentiometer"] = ({"lean": 1.0}, positive(potentiometer, "its noise"))
    outputs = {"lean": {"lean": 1.0}, "rate": {"rate": 1.0, "bias": -1.0}, "bias": {"bias": 1.0}}
    estimator = Kalman(
        period,
        ("lean", "bias"),
        A,
        Q,
        H,
        B={"rate": {"lean": period}},
        outputs=outputs,
        spread={"lean": VAGUE * tilt, "bias": positive(bias, "the spread of the bias")},
        orders={"tilt": 0, "potentiometer": 0, "rate": 1, "lean": 0},
        steady=steady,
    )
    return Filters(Inclination(*estimator.inputs[1:], gravity=gravity, trust=trust), estimator)
