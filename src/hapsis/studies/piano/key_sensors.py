"""The sensors of the haptic key of [Docquier], and a motion as they show it to the model."""

import dataclasses

import numpy as np

import hapsis as hs
from hapsis.library.piano import Samples

RATE = 4000.0  # samples per second
EVERY = 4  # of them go to the model
REST = 0.2  # s at rest before, for the filter to settle
HALL = hs.haptics.HallPair(
    k=1.1e-3, offset=5e-3, power=2, lag=5e-3, noise=1e-3, resolution=5 / 4096, range=(0, 5)
)
COIL = hs.haptics.Coil(14.0, noise=0.05, peaks=1e-3, peak=1.0)
CELL = hs.haptics.StrainBridge(0.765e-3, 50.0, excitation=5.0, resolution=0.04 / 2**24)
LASER = hs.haptics.Vibrometer()


def seen_motion(motion: Samples, seed: int | None, coil: bool = True) -> Samples:
    """The motion as Hall pair and coil show it, through a Kalman filter; without a seed they have no noise.

    The Hall pair is calibrated beside the true position of the same motion.
    """
    t = np.arange(int((motion.until + REST) * RATE) + 1) / RATE - REST
    x, v = (np.interp(t, motion.t, column) for column in (motion.x, motion.v))
    pair, magnet = (HALL, COIL) if seed is not None else (_quiet(HALL), _quiet(COIL))
    volts = pair.sense(x, seed=seed or 0, period=1.0 / RATE)
    known = pair.calibrate(volts, x).sensor
    position = np.ravel(known.read(volts))
    velocity = np.ravel(magnet.read(magnet.sense(v, seed=(seed or 0) + 1, period=1.0 / RATE)))
    if coil:
        fused = hs.haptics.motion_filter(1.0 / RATE, position=1e-5, velocity=4e-3, jerk=3.0)
        estimate = fused.apply(t + REST, np.column_stack([position, velocity]))
    else:
        estimate = hs.haptics.motion_filter(1.0 / RATE, position=1e-5, jerk=3.0).apply(t + REST, position)
    rows = np.flatnonzero(t >= -1e-9)[::EVERY]
    return Samples(t[rows] - t[rows][0], estimate[rows, 0], estimate[rows, 1])


def _quiet(sensor: hs.haptics.HallPair | hs.haptics.Coil) -> hs.haptics.HallPair | hs.haptics.Coil:
    return dataclasses.replace(sensor, noise=0.0, peaks=0.0, resolution=0.0)
