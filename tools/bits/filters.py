"""Programs on filters: each over a record with gaps, tick by tick, and in the loop."""

from typing import Any

import numpy as np

import hapsis as hs
from bits import Filters, program
from bits.loops import hand_of, knob_step, run

DT = 1e-3


def smoothing(dt: float = DT) -> dict[str, Any]:
    """Filters of a position."""
    h = hs.haptics
    return {
        "first": h.LowPass(dt, 20.0),
        "second": h.LowPass(dt, 30.0, order=2),
        "damped": h.LowPass(dt, 30.0, order=2, damping=1.5),
        "mean": h.SavitzkyGolay(dt, 15, degree=1, derivative=0),
        "window": h.Window(dt, [0.5, 0.3, 0.2]),
        "lead": h.Lead(dt, 0.02, 0.005),
        "two": Filters(h.LowPass(dt, 20.0), h.LowPass(dt, 40.0, order=2)),
    }


def differentiating(dt: float = DT) -> dict[str, Any]:
    """Filters that give a velocity."""
    h = hs.haptics
    return {
        "difference": h.FiniteDifference(dt),
        "span": h.FiniteDifference(dt, 12),
        "line": h.SavitzkyGolay(dt, 21),
        "cubic": h.SavitzkyGolay(dt, 21, degree=3),
        "end": h.SavitzkyGolay(dt, 25, degree=2, ago=0),
        "end fit": h.AdaptiveWindow(dt, 1e-3, 14),
        "best fit": h.AdaptiveWindow(dt, 1e-3, 14, fit="best"),
        "chain": Filters(h.FiniteDifference(dt, 4), h.LowPass(dt, 25.0)),
    }


def kalman(dt: float = DT) -> dict[str, Any]:
    """Filters that estimate a motion."""
    h = hs.haptics
    return {
        "acceleration": h.motion_filter(dt, position=1e-4, acceleration=5.0),
        "jerk": h.motion_filter(dt, position=1e-4, jerk=50.0),
        "steady": h.motion_filter(dt, position=1e-4, jerk=50.0, steady=True),
        "fused": h.motion_filter(dt, position=1e-4, velocity=4e-3, jerk=50.0),
        "inertial": h.inertial_filter(dt, position=1e-4, acceleration=0.1),
        "biased": h.inertial_filter(dt, position=1e-4, acceleration=0.1, bias=0.5, drift=0.01),
        "lean": h.lean_filter(dt, accelerometer=0.3, gyro=0.003, drift=1e-3, potentiometer=0.02),
    }


def record(columns: int, scale: float = 1.0) -> tuple[Any, Any]:
    """Times with periods left out, and noisy columns with samples lost."""
    draw = np.random.default_rng(11)
    k = np.flatnonzero(draw.uniform(size=1200) > 0.05)
    k = k[(k < 500) | (k > 600)]
    t = k * DT
    x = np.stack([np.sin((3 + j) * t) + 0.01 * draw.normal(size=len(t)) for j in range(columns)], axis=1)
    x[draw.uniform(size=len(t)) < 0.03, 0] = np.nan
    return t, scale * (x[:, 0] if columns == 1 else x)


def facts(stage: Any) -> dict[str, Any]:
    """What a filter tells about itself."""
    return {"delay": stage.delay, "noise gain": np.array(stage.noise_gain), "response": stage.response()}


@program("filters.smoothing")
def smoothed():
    """Low passes, windows, leads."""
    return {n: {"y": stage.apply(*record(1)), **facts(stage)} for n, stage in smoothing().items()}


@program("filters.differentiating")
def differentiated():
    """Differences, polynomials, adaptive windows."""
    return {n: {"y": stage.apply(*record(1, 0.1)), **facts(stage)} for n, stage in differentiating().items()}


@program("filters.kalman")
def estimated():
    """Kalman's, with gains that follow and steady ones."""
    outputs = {}
    for name, stage in kalman().items():
        t, x = record(len(stage.inputs))
        if name == "lean":
            x[:, 0], x[:, 1] = 9.81 * np.sin(0.1 * x[:, 0]), 9.81 * np.cos(0.1 * x[:, 0])
        outputs[name] = {"y": stage.apply(t, x), "delays": dict(stage.delays), "response": stage.response()}
        if hasattr(stage, "errors"):
            outputs[name]["errors"] = dict(stage.errors)
    return outputs


@program("filters.own_kalman")
def own_kalman():
    """A filter of one's own states, with an input."""
    A, Q = [[1.0, DT], [0.0, 1.0]], [[1e-8, 0.0], [0.0, 1e-4]]
    stage = hs.haptics.Kalman(
        DT,
        ["x", "v"],
        A,
        Q,
        {"seen": ({"x": 1.0}, 1e-3)},
        B={"push": {"v": DT}},
        spread={"x": 1.0, "v": 1.0},
        outputs={"ahead": {"x": 1.0, "v": 0.01}},
    )
    return {"y": stage.apply(*record(len(stage.inputs))), "errors": dict(stage.errors)}


@program("filters.kernels")
def kernels():
    """The same tick by tick, as the loop calls them."""
    outputs = {}
    for name, stage in (smoothing() | differentiating()).items():
        t, x = record(1, 0.1)
        kernel, y = stage.kernel(), np.zeros(1)
        rows = []
        for time, value in zip(t[:300], x[:300], strict=True):
            kernel(np.array([time]), np.array([value]), y)
            rows.append(y.copy())
        outputs[name] = np.array(rows)
    return outputs


@program("filters.in_the_loop")
def in_the_loop():
    """Every filter as a stage of a conditioned device, in a loop that runs unpaced."""
    outputs = {}
    step = knob_step(1000)
    plain = {n: f for n, f in kalman().items() if n in ("acceleration", "jerk", "steady", "fused")}
    for name, stage in (smoothing() | differentiating() | plain).items():
        if not {"position", "velocity"} & set(stage.outputs):
            continue
        device = hs.haptics.Conditioned(hand_of(), stage)
        outputs[name] = run(step, device, 1000, 0.2)
    return outputs
