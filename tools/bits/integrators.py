"""Programs on every integrator: trees, quaternions, loops, laws with states, events, tables."""

from typing import Any

import numpy as np

import hapsis as hs
from bits import program
from bits.scenes import cart, double_pendulum, four_bar, many_joints, state_of

ADAPTIVE: dict[str, dict[str, Any]] = {"order8": {}, "order5": {}, "stiff": {}, "auto": {}}
FIXED: dict[str, dict[str, Any]] = {name: {"step": 1e-3} for name in ("rk4", "euler", "symplectic")}
METHODS = ADAPTIVE | FIXED


def tree(method: str, settings: dict[str, Any]) -> Any:
    """A double pendulum."""
    start = {"shoulder": 0.3, "elbow.v": 1.0}
    return hs.simulate(double_pendulum(), until=2.0, start=start, every=0.02, method=method, **settings)


def free(method: str, settings: dict[str, Any]) -> Any:
    """A body that turns freely, with a leg."""
    model = hs.Model(
        hs.Body("hull", mass=4.0, inertia=(0.1, 0.2, 0.3)),
        hs.Rod("leg", length=0.4, mass=0.5),
        hs.Free("hull", hs.WORLD, "hull"),
        hs.Revolute("hip", ("hull", (0.2, 0, 0)), "leg", axis="y"),
    )
    start = {"hull.wx": 3.0, "hull.wz": 1.0, "hip": 0.5, "hull.vx": 1.0}
    return hs.simulate(model, until=0.5, start=start, every=0.01, method=method, **settings)


def loop(method: str, settings: dict[str, Any]) -> Any:
    """A four-bar that swings past a place where another coordinate must lead."""
    return hs.simulate(four_bar(), until=1.5, start={"A": 0.3}, every=0.02, method=method, **settings)


def law(method: str, settings: dict[str, Any]) -> Any:
    """A motor with a current, friction that sticks, a table of efforts and events."""

    def motor(position, speed, U=12.0, R=2.0, L=2e-2, k=0.5, i=hs.LawState(0.0)):
        return k * i, {"i": (U - R * i - k * speed) / L}

    model = cart(hs.JointForce("motor", "x", law=motor), hs.Friction("f", "x", coulomb=0.5, static=0.6))
    events = [
        hs.Event("far", lambda s: s["x"] - 0.05, rising=True),
        hs.Event("fast", lambda s: s["x.v"] - 0.5),
    ]
    table = ([0.0, 0.1, 0.2], [0.0, 0.3, 0.0])
    more = {"method": method, "every": 0.01, **settings}
    return hs.simulate(model, until=0.5, inputs={"x": table}, events=events, **more)


def listed(name: str, method: str, run: Any) -> None:
    """Puts one on the list."""
    program(f"integrators.{method}.{name}")(lambda: {"result": run(method, METHODS[method])})


for _method in METHODS:
    listed("tree", _method, tree)
    if _method != "symplectic":
        listed("free", _method, free)
        listed("loop", _method, loop)
        listed("law", _method, law)


@program("integrators.stiff_by_itself")
def stiff_by_itself():
    """A run that goes on with the implicit method."""
    model = double_pendulum(hs.JointSpring("gear", "elbow", stiffness=1e5, damping=300.0))
    return {"result": hs.simulate(model, until=1.0, start={"shoulder": 0.3}, every=0.02)}


@program("integrators.every_joint")
def every_joint():
    """A tree with a joint of every kind."""
    model = many_joints()
    q, v, _ = state_of(model, 9)
    start = hs.State(model.coordinates, model.speeds, q, v)
    return {
        "order8": hs.simulate(model, until=0.1, start=start, every=0.01),
        "stiff": hs.simulate(model, until=0.02, start=start, every=0.01, method="stiff", tolerance=1e-6),
    }


@program("integrators.going_on")
def going_on():
    """A run that is gone on with, parameters of the moment, inputs that are functions, a stop."""
    model = double_pendulum()
    first = hs.simulate(model, until=1.0, start={"shoulder": 0.3}, every=0.05)

    def pulse(t):
        return hs.where(t < 0.5, 0.2, 0.0)

    through = hs.Event("through", lambda s: s["shoulder"] - np.pi / 2, rising=True, stop=True)
    heavy = {"upper.mass": 0.7, "gravity.z": -5.0}
    return {
        "first": first,
        "second": hs.simulate(model, until=2.0, start=first, every=0.05),
        "heavy": hs.simulate(model, until=1.0, parameters=heavy, every=0.05),
        "pushed": hs.simulate(model, until=1.0, inputs={"elbow": pulse, "shoulder": 0.1}, every=0.05),
        "stopped": hs.simulate(model, until=5.0, events=[through], every=0.05),
        "short": hs.simulate(model, until=5.0, most_steps=40, every=0.05),
    }
