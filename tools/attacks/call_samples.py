"""Samples for calls: a small model and what belongs to it, sound values of arguments, and wrong ones."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np

import hapsis as hs

MODEL = hs.Model(
    hs.Body("a", mass=1.0, com=(0, 0, -0.5), inertia=(0.1, 0.1, 0.01), frames={"tip": (0, 0, -1)}),
    hs.Revolute("j", hs.WORLD, "a", axis="y"),
    hs.JointSpring("s", "j", stiffness=20.0, damping=0.3),
    hs.Sensor("imu", "imu", "a.tip"),
    hs.Wrench("w", "a.tip", force=(0, 0, 0)),
)
FUNCTION = hs.Function("f", {"x": hs.symbol("x")}, {"y": hs.symbol("x") * 2.0})
STATE = hs.State(MODEL.coordinates, MODEL.speeds, [0.1])
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    RESULT = hs.simulate(MODEL, until=0.02, every=0.001)

# sound values of arguments by name, and of the arguments of one target by "target.name"
SOUND: dict[str, Any] = {
    "model": MODEL,
    "until": 0.01,
    "function": FUNCTION,
    "f": FUNCTION,
    "state": STATE,
    "result": RESULT,
    "name": "n",
    "to": ["a.mass"],
    "loss": lambda s: s["j"] ** 2,
    "frame": "a.tip",
    "complementarity.feet": ["a.tip"],
    "constraint_reactions.names": ["j"],
    "body": "a",
    "motion": {"j": lambda t: 0.1 * hs.sin(t)},
    "pose": (0.0, 0.0, -1.0),
    "dt": 1e-3,
    "mass": 1.0,
    "first": "world",
    "second": "a",
    "joint": "j",
    "on": "a.tip",
    "law": lambda x, v: -x,
    "x": 0.5,
    "y": 0.2,
    "stiffness": 10.0,
    "length": 1.0,
    "radius": 0.1,
    "size": (0.1, 0.1, 0.1),
    "ratio": 2.0,
    "pitch": 0.1,
    "sequence": "Tx Rz",
    "kind": "imu",
    "value": 1.0,
    "values": [1.0, 2.0, 3.0, 4.0],
    "start": 0.0,
    "step": 0.5,
    "condition": 1.0,
    "a": 1.0,
    "b": 2.0,
    "low": -1.0,
    "high": 1.0,
    "exponent": 2.0,
    "text": "2 * k",
    "what": "w",
    "inputs": {"x": hs.symbol("x")},
    "outputs": {"y": hs.symbol("x")},
    "coordinates": ("j",),
    "speeds": ("j.v",),
    "q": [0.1],
    "t": [0.0, 0.1],
    "columns": {},
    "at": (0.0, 0.0, 0.0),
    "times": 3,
    "when": lambda s: s["j"],
    "step_": None,
    "rate": 1000,
    "expr": hs.symbol("x"),
    "graph": None,
    "ref": 2,
    "simulate.start": None,
    "equilibrium.start": None,
    "stepper.start": None,
    "follow.start": None,
    "sensitivities.start": None,
    "gradient.start": None,
    "assemble.start": None,
    "reach.start": None,
    "Sensor.on": "a.tip",
    "Contact.first": "a.tip",
    "Contact.second": ("world", hs.Plane()),
    "path": "x.yaml",
    "Contact.law": None,
    "Controller.law": lambda s: {"j": -s["j"]},
    "OnSurface.first": "a.tip",
    "OnSurface.second": "world",
    "OnSurface.surface": lambda x, y, z: z,
    "OnCurve.second": "world",
    "OnCurve.first": "a.tip",
    "OnCurve.curve": lambda x, y, z: (y, z),
    "Gear.first": "j",
    "Gear.second": "k",
    "Heightfield.height": lambda x, y: 0.0 * x,
    "Heightfield.start": None,
    "Heightfield.step": None,
    "Tendon.arms": {"j": 0.1},
    "table.values": [1.0, 2.0],
    "symbols.shape": 2,
    "same.x": hs.symbol("x"),
    "same.y": hs.symbol("x"),
    "Drive.position": 0.1,
    "identify.parameters": ["s.stiffness"],
    "identify.data": RESULT,
    "law.function": lambda x, v: -x,
    "repeat.state": hs.symbol("x"),
}


class Mine(Exception):
    """The error of a function that a user wrote."""


def failing(*arguments: Any) -> Any:
    """A function of a user that fails."""
    raise Mine("my own")


def bad_values() -> list[Any]:
    """The pool of wrong values."""
    return [
        *(None, True, False, -1, 0, 1, 3, 0.5, -2.5, 1e300, -1e300, 1e-300, 10**400, 10**12),
        *(float("nan"), float("inf"), -float("inf"), 1j, np.float64("nan"), np.int64(-7)),
        *("", "text", "1", "nonsense", "a\x00b", "é" * 300, "j", "a", b"bytes", Path("/nonexistent/a.yaml")),
        *([], {}, (), (1, 2), [1.0, float("nan"), 2.0], ["x"], [None], {"x": None}, {"j": "x"}, {None: 1}),
        *({"j": float("nan")}, {"a.mass": -1.0}, [[1, 2], [3]], np.zeros((2, 3)), np.array("x"), np.zeros(0)),
        *(np.full(3, np.nan), range(3), object(), int, Ellipsis, slice(1), lambda: None, lambda *a: None),
        *(lambda x: x, lambda *a: "text", hs.symbol("x"), MODEL, FUNCTION, print, iter([1]), {1, 2}),
        *(hs.Body("z", mass=1.0), hs.Revolute("y", "world", "a"), hs.Formula("2*k"), STATE, RESULT, failing),
    ]


def nested(bad: Any, name: str) -> list[Any]:
    """A wrong value inside what may hold one: {name: bad}, a list, a function that returns it."""
    return [{name: bad}, [bad], (bad, bad), lambda *arguments: bad]
