"""Programs on sensors and actuators: what they show, how they are read, calibrated, identified."""

from typing import Any

import numpy as np

import hapsis as hs
from bits import Filters, program


def calibration(constants: Any) -> dict[str, Any]:
    """The numbers of a calibration."""
    names = list(constants.errors)
    return {"values": {name: constants[name] for name in names}, "errors": dict(constants.errors)}


def motion() -> tuple[Any, Any, Any]:
    """Times, a position and its rate."""
    t = np.arange(2000) / 4000
    return t, 5e-3 + 4.5e-3 * np.sin(18 * t), 81e-3 * np.cos(18 * t)


@program("sensing.sensors")
def sensors():
    """Hall pair, coil, encoder, load cell, inertial unit, with all their flaws."""
    _, x, v = motion()
    draw = np.random.default_rng(2)
    M = np.eye(3) + 0.05 * draw.normal(size=(3, 3))
    six, loads = draw.normal(size=(500, 6)), draw.normal(size=(500, 3))
    h = hs.haptics
    cases = {
        "hall": (h.HallPair(k=1.1e-3, offset=5e-3, noise=2e-3, dropout=0.01), x),
        "coil": (h.Coil(14.0, offset=0.02, noise=0.05, bias=0.01, resolution=1e-3), v),
        "encoder": (h.Encoder(2e-5, offset=1e-3, noise=0.2), x),
        "cell": (h.LoadCell(M, offset=(0.1, 0.2, 0.3), noise=1e-3), loads),
        "imu": (h.Imu(np.eye(6) + 0.01 * draw.normal(size=(6, 6)), noise=1e-3), six),
    }
    outputs = {}
    for name, (sensor, truth) in cases.items():
        shown = sensor.sense(truth, seed=1)
        chain = sensor.simulated(1 / 4000, seed=3)
        outputs[name] = {
            "shown": shown,
            "read": sensor.read(shown),
            "calibrated": calibration(sensor.calibrate(shown, truth)),
            "live": chain.apply(np.arange(len(truth)) / 4000, truth),
        }
    return outputs


@program("sensing.chain")
def chain():
    """From volts to a velocity."""
    t, x, v = motion()
    hall = hs.haptics.HallPair(k=1.1e-3, offset=5e-3, noise=2e-3, dropout=0.01)
    coil = hs.haptics.Coil(14.0, offset=0.02, noise=0.05)
    volts = hall.sense(x, seed=1)
    stages = Filters(hall, hs.haptics.LowPass(1 / 4000, 200), hs.haptics.FiniteDifference(1 / 4000, span=8))
    fused = hs.haptics.motion_filter(1 / 4000, position=1e-5, velocity=4e-3, jerk=50.0)
    samples = np.column_stack([hall.read(volts), coil.read(coil.sense(v, seed=2))])
    return {
        "speed": stages.apply(t, volts),
        "delay": stages.delay,
        "noise gain": np.array(stages.noise_gain),
        "fused": fused.apply(t, samples),
    }


@program("sensing.actuators")
def actuators():
    """Stages of actuators, compensation, identification from records and responses."""
    t = np.arange(600) * 1e-3
    command = np.repeat(np.random.default_rng(0).normal(size=12), 50)
    noise = 0.02 * np.random.default_rng(1).normal(size=600)
    outputs: dict[str, Any] = {}
    for name, values in {
        "late": {"gain": 0.9, "time": 4e-3, "delay": 2.3e-3, "limit": 20.0},
        "lag": {"time": 4e-3},
        "delay": {"delay": 2.5e-3},
        "limit": {"gain": 2.0, "limit": 1.0},
    }.items():
        stage = hs.haptics.Actuator(**values).stage(1e-3)
        outputs[name] = {"force": stage.apply(t, command), "delay": stage.delay}
    force = outputs["late"]["force"] + noise
    known = hs.haptics.identify_actuator(t[50:], command[50:], force[50:], longest=0.02)
    better = Filters(known.sensor.compensation(1e-3, within=1e-3), hs.haptics.LowPass(1e-3, 100.0))
    w = 2 * np.pi * np.linspace(1, 100, 40)
    response = 0.9 * np.exp(-2e-3j * w) / (1 + 4e-3j * w)
    return outputs | {
        "known": calibration(known),
        "better": better.apply(t, command),
        "response": calibration(hs.haptics.identify_response(w / (2 * np.pi), response)),
    }
