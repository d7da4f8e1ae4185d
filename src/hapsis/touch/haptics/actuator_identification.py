"""Gain, lag and delay of an actuator from a record, with their errors.

Gain and offset are linear and follow at once for any lag and delay; so the search has two unknowns
only, and starts from the best of a grid.
"""

from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.touch.haptics.actuator_stage import weights
from hapsis.touch.haptics.actuators import Actuator
from hapsis.touch.haptics.conditioning.stage import Array, array
from hapsis.touch.haptics.sensors.calibration import Calibration, Fit, calibration

GRID = 24  # places for each of the two
UNEVEN = 1e-3  # of a period: times further off are not at equal distances
STEP = 1e-4  # of a period or of the lag, for derivatives
NULL = 1e-8
NAMES = ("gain", "time", "delay", "offset")


@verb
def identify_actuator(t: Any, command: Any, force: Any, longest: Any = None) -> Calibration:
    """Gain, time, delay and offset of an actuator.

    t          times, s
    command    what it was told at these times
    force      what was measured at these times

    A command acts from its tick on and is held to the next one; before the record the first one
    held. `longest` is the longest delay to look for, a quarter of the record where left out. Steps
    or noise in the command give the best results.
    """
    from scipy.optimize import least_squares

    t, u, y = (
        array(x, what) for x, what in ((t, "the times"), (command, "the command"), (force, "the force"))
    )
    period = _period(t, u, y)
    span = period * len(t)
    longest = span / 4.0 if longest is None else float(longest)
    if np.ptp(u) <= 1e-12 * max(np.abs(u).max(), 1e-300):
        return _silent(y)

    def unit(time: float, delay: float) -> Array:
        return _unit(u, period, time, delay)

    start = _start(unit, y, period, span, longest)
    optimum = least_squares(
        lambda x: _left(unit(np.exp(x[0]), x[1]), y)[0],
        start,
        bounds=([np.log(1e-3 * period), 0.0], [np.log(10.0 * span), longest]),
        x_scale=[1.0, period],
        xtol=1e-14,
        ftol=1e-14,
        gtol=1e-14,
    )
    time, delay = float(np.exp(optimum.x[0])), float(optimum.x[1])
    residual, gain, offset = _left(unit(time, delay), y)
    h = STEP * period
    by_delay = (unit(time, delay + h) - unit(time, max(delay - h, 0.0))) / (h + min(h, delay))
    by_time = unit(time * (1.0 + STEP), delay) - unit(time * (1.0 - STEP), delay)
    by_time /= 2.0 * STEP * time
    J = np.column_stack([unit(time, delay), gain * by_time, gain * by_delay, np.ones(len(y))])
    return _calibration(J, residual, (gain, time, delay, offset), "command")


@verb
def identify_response(frequency: Any, response: Any) -> Calibration:
    """Gain, time and delay from a measured frequency response, complex force over command at
    frequencies in Hz; errors take its noise as equal at all frequencies."""
    from scipy.optimize import least_squares

    try:
        f, H = array(frequency, "the frequencies"), np.array(response, complex)
    except (TypeError, ValueError, OverflowError):
        raise ModelError("the response must be complex numbers") from None
    if f.ndim != 1 or f.shape != H.shape or len(f) < 4:
        raise ModelError(f"{f.shape} frequencies and {H.shape} responses", expected="four or more of both")
    if not (np.isfinite(f).all() and np.isfinite(H).all() and (f > 0.0).all()):
        raise ModelError("frequencies must be positive and finite, responses finite")
    w = 2.0 * np.pi * f
    y = np.concatenate([np.real(H), np.imag(H)])

    def parts(x: Any) -> Array:
        H = np.exp(-1j * w * x[1]) / (1.0 + 1j * w * np.exp(x[0]))
        return np.concatenate([H.real, H.imag])

    def left(x: Any) -> tuple[Array, float]:
        unit = parts(x)
        gain = float(unit @ y / (unit @ unit))
        return y - gain * unit, gain

    times = np.log(np.geomspace(0.01 / w.max(), 10.0 / w.min(), GRID))
    delays = np.linspace(0.0, np.pi / w.min(), 4 * GRID)
    best = min(((a, b) for a in times for b in delays), key=lambda x: float(np.sum(left(x)[0] ** 2)))
    optimum = least_squares(
        lambda x: left(x)[0],
        best,
        x_scale=[1.0, 1.0 / w.max()],
        bounds=([-np.inf, 0.0], np.inf),
        xtol=1e-14,
        ftol=1e-14,
    )
    residual, gain = left(optimum.x)
    time, delay, unit = float(np.exp(optimum.x[0])), float(optimum.x[1]), parts(optimum.x)
    model = unit[: len(w)] + 1j * unit[len(w) :]
    slopes = -1j * w / (1.0 + 1j * w * time) * model, -1j * w * model
    columns = [np.concatenate([s.real, s.imag]) * gain for s in slopes]
    return _calibration(np.column_stack([unit, *columns]), residual, (gain, time, delay), "response")


def _period(t: Array, u: Array, y: Array) -> float:
    if t.ndim != 1 or not t.shape == u.shape == y.shape or len(t) < 10:
        raise ModelError(
            f"times {t.shape}, commands {u.shape}, forces {y.shape}",
            expected="vectors of one length, ten or more",
        )
    if not all(np.isfinite(x).all() for x in (t, u, y)):
        raise ModelError("a number of the record is not finite")
    period = float(t[-1] - t[0]) / (len(t) - 1)
    if not period > 0.0 or np.abs(t - t[0] - period * np.arange(len(t))).max() > UNEVEN * period:
        raise ModelError("the times are not at equal distances", remedy="interpolate the record")
    return period


def _unit(u: Array, period: float, time: float, delay: float) -> Array:
    """The force of a gain of one, at the ticks."""
    from scipy.signal import lfilter

    whole, decay, older, newer = weights(period, time, delay)
    past = np.concatenate([np.full(whole + 2, u[0]), u])
    now = past[1 : 1 + len(u)]  # the command of whole + 1 ticks ago
    before = past[: len(u)]
    force, _ = lfilter([1.0], [1.0, -decay], older * before + newer * now, zi=[decay * u[0]])
    return force


def _left(unit: Array, y: Array) -> tuple[Array, float, float]:
    """The residual of the force after the best gain and offset, and these two."""
    X = np.column_stack([unit, np.ones(len(y))])
    gain, offset = np.linalg.lstsq(X, y, rcond=None)[0]
    return y - X @ np.array([gain, offset]), float(gain), float(offset)


def _start(unit: Any, y: Array, period: float, span: float, longest: float) -> Any:
    best, start = np.inf, (np.log(period), 0.0)
    for time in np.geomspace(0.1 * period, span / 4.0, GRID):
        for delay in np.linspace(0.0, longest, 2 * GRID):
            cost = float(np.sum(_left(unit(time, delay), y)[0] ** 2))
            if cost < best:
                best, start = cost, (np.log(time), delay)
    return start


def _calibration(J: Array, residual: Array, values: Any, source: str) -> Calibration:
    scale = np.linalg.norm(J, axis=0)
    scale = np.where(scale > 0.0, scale, 1.0)
    _, s, Vt = np.linalg.svd(J / scale, full_matrices=False)
    seen = s > NULL * s[0]
    free = len(residual) - len(values)
    noise = float(np.sqrt(residual @ residual / free))
    inverse = np.where(seen, 1.0 / np.where(seen, s, 1.0), 0.0)
    covariance = noise**2 * ((Vt.T * inverse**2) @ Vt) / np.outer(scale, scale)
    blind = np.abs(Vt[~seen]).max(0, initial=0.0) > 1e-3
    actuator = None
    if not blind.any() and values[0] != 0.0:
        actuator = Actuator(gain=values[0], time=values[1], delay=values[2])
    fit = Fit(np.array(values), covariance, noise, residual, blind)
    return calibration(NAMES[: len(values)], fit, {"force": noise}, (source,), actuator)


def _silent(y: Array) -> Calibration:
    """The calibration from a command that never changes: only the offset is known."""
    covariance = np.zeros((4, 4))
    covariance[3, 3] = y.var(ddof=1) / len(y)
    noise, values = float(y.std(ddof=1)), np.array([0.0, 0.0, 0.0, y.mean()])
    fit = Fit(values, covariance, noise, y - y.mean(), np.ones(4, bool))
    return calibration(NAMES, fit, {"force": noise}, ("command",), None)
