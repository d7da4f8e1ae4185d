"""The force at the tip of a linear actuator from its current: how a finger of steel feels a key.

    force = constant current - mass a - friction tanh(v / creep) - viscosity v - weight

The actuator moves on a known path, and what its current does not need for itself reaches the tip.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.model.values.numbers import real
from hapsis.touch.haptics.conditioning.stage import Array, array, positive, whole
from hapsis.touch.haptics.sensors.calibration import Calibration, calibration, line, record

UNEVEN = 1e-3  # of a period: times further off are not at equal distances
NAMES = ("mass", "friction", "viscosity")


@verb
@dataclass(frozen=True)
class LinearActuator:
    """An actuator whose current tells the force at its tip.

    constant    N/A
    mass        kg that moves
    friction    N, dry, smooth below the speed `creep` (m/s)
    viscosity   N s/m
    weight      N of the moving mass against a positive force: of one that presses down it is negative

    force(t, current, position)      N at the tip, over a record
    current_of(force, v, a)          A for a force at the tip
    calibrate(t, current, position)  all but the constant, from a record of free motion
    """

    constant: Any
    mass: Any = 0.0
    friction: Any = 0.0
    viscosity: Any = 0.0
    weight: Any = 0.0
    creep: Any = 1e-3

    def __post_init__(self) -> None:
        constant = real(self.constant, "LinearActuator: constant")
        if constant == 0.0:
            raise ModelError("LinearActuator: constant is zero")
        object.__setattr__(self, "constant", constant)
        for name in NAMES:
            value = positive(getattr(self, name), f"LinearActuator: {name}", zero=True)
            object.__setattr__(self, name, value)
        object.__setattr__(self, "weight", real(self.weight, "LinearActuator: weight"))
        object.__setattr__(self, "creep", positive(self.creep, "LinearActuator: creep"))

    def own_force(self, velocity: Any, acceleration: Any) -> Array:
        """N that the actuator needs for its own motion."""
        v, a = array(velocity, "the velocity"), array(acceleration, "the acceleration")
        dry = self.friction * np.tanh(v / self.creep)
        return self.mass * a + dry + self.viscosity * v + self.weight

    def current_of(self, force: Any, velocity: Any = 0.0, acceleration: Any = 0.0) -> Array:
        """A for a force at the tip during a motion."""
        return (array(force, "the force") + self.own_force(velocity, acceleration)) / self.constant

    def force(self, t: Any, current: Any, position: Any, window: int = 15) -> Array:
        """N at the tip at each time of a record; velocity and acceleration are those of a cubic
        through `window` samples around each."""
        i, v, a = _motion(t, current, position, window)
        return self.constant * i - self.own_force(v, a)

    def calibrate(self, t: Any, current: Any, position: Any, window: int = 15) -> Calibration:
        """Mass, friction, viscosity and weight from a record of motion with nothing at the tip.

        Motions of several speeds both ways tell them apart; the constant is that of the data sheet.
        """
        i, v, a = _motion(t, current, position, window)
        effort, motion = record(
            self.constant * i,
            np.stack([a, np.tanh(v / self.creep), v], axis=1),
            ("effort",),
            ("acceleration", "direction", "velocity"),
        )
        fit = line(motion, effort[:, 0])
        values = dict(zip((*NAMES, "weight"), map(float, fit.coefficients), strict=True))
        model = None
        if not fit.blind.any() and min(values[name] for name in NAMES) >= 0.0:
            model = replace(self, **values)
        return calibration(tuple(values), fit, {"effort": fit.noise}, ("the motion",), model)


def _motion(t: Any, current: Any, position: Any, window: int) -> tuple[Array, Array, Array]:
    """Current, velocity and acceleration at the times of a record."""
    from scipy.signal import savgol_filter

    t, i, x = (
        array(y, what) for y, what in ((t, "the times"), (current, "the current"), (position, "the position"))
    )
    window = whole(window, "the window", 5)
    if window % 2 == 0:
        raise ModelError(f"the window has {window} samples", expected="an odd number, for the middle one")
    if t.ndim != 1 or not t.shape == i.shape == x.shape or len(t) < window:
        raise ModelError(
            f"times {t.shape}, currents {i.shape}, positions {x.shape}",
            expected=f"vectors of one length, {window} or more",
        )
    if not all(np.isfinite(y).all() for y in (t, i, x)):
        raise ModelError("a number of the record is not finite")
    period = float(t[-1] - t[0]) / (len(t) - 1)
    if not period > 0.0 or np.abs(t - t[0] - period * np.arange(len(t))).max() > UNEVEN * period:
        raise ModelError("the times are not at equal distances", remedy="interpolate the record")
    v, a = (savgol_filter(x, window, 3, deriv=k, delta=period) for k in (1, 2))
    return i, np.asarray(v), np.asarray(a)
