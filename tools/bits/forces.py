"""Programs on forces: every kind, controllers traced and sampled, laws with states."""

from typing import Any

import numpy as np

import hapsis as hs
from bits import program
from bits.scenes import cart, double_pendulum, four_bar, pendulum


def run(model: hs.Model, until: float = 0.5, **more: Any) -> hs.Result:
    """A short motion."""
    return hs.simulate(model, until=until, **{"every": until / 25, **more})


@program("forces.springs")
def springs():
    """Spring, Link, JointSpring, Stop, Tendon, Wrench."""

    def band(length, rate, stiffness=200.0, slack=0.3):
        return stiffness * hs.maximum(length - slack, 0.0)

    far = {"x": 0.5}
    finger = double_pendulum(
        hs.Tendon("flexor", {"shoulder": 0.01, "elbow": 0.006}, stiffness=5e3, damping=5, length=0.002)
    )
    push = {
        "traced": lambda t: (5 * hs.sin(6 * t), 0, 0),
        "formula": ("5 * sin(6 * t)", 0, 0),
        "held": (2, 0, 0),
    }
    return {
        "spring": run(cart(hs.Spring("s", hs.WORLD, "block", 200, 2, 0.3)), start=far),
        "link": run(cart(hs.Link("s", hs.WORLD, "block", law=band)), start=far),
        "joint": run(cart(hs.JointSpring("s", "x", stiffness=200, damping=2, rest=0.1)), start=far),
        "stop": run(cart(hs.Stop("s", "x", stiffness=1e4, damping=20, high=0.1)), start={"x.v": 1.0}),
        "tendon": run(finger, until=0.2),
    } | {name: run(cart(hs.Wrench("w", "block", force=f))) for name, f in push.items()}


@program("forces.bushing")
def bushing():
    """Six springs and dampers on a body that turns freely."""
    stiffness = (10, 20, 30, 1e4, 1e4, 1e4)
    model = hs.Model(
        hs.Body("block", mass=1.0, inertia=(0.01, 0.02, 0.03)),
        hs.Free("block", hs.WORLD, "block"),
        hs.Bushing("b", hs.WORLD, "block", stiffness=stiffness, damping=(1,) * 6),
        hs.Wrench("w", "block", moment=(0.1, 0, 0.2), axes="frame"),
    )
    return {"result": run(model, start={"block.wx": 10.0, "block.wz": 4.0})}


@program("forces.friction")
def friction():
    """Friction that sticks and slips, of a fact and of a joint."""
    fact = hs.Friction("f", "x", coulomb=2.0, static=3.0, viscous=0.1, stribeck=0.01, stick=1e-4)
    joint = hs.Model(
        hs.Rod("arm", length=0.5, mass=1.0), hs.Revolute("h", hs.WORLD, "arm", axis="y", friction=0.7)
    )
    return {
        str(pull): run(cart(fact, hs.Wrench("p", "block", force=(pull, 0, 0))), until=0.5)
        for pull in (1.5, 3.5)
    } | {"joint": run(joint, until=1.0)}


@program("forces.controllers")
def controllers():
    """Traced, sampled at two rates, with a state; on a tree and on a loop."""

    def upright(s, kp=40.0, kd=8.0):
        return {"hinge": kp * (np.pi - s["hinge"]) - kd * s["hinge.v"]}

    def integral(s, ki=30.0, sum=hs.LawState(0.0)):
        return {"hinge": ki * sum - 4.0 * s["hinge.v"]}, {"sum": 0.5 - s["hinge"]}

    def hold(s):
        return {"D": -3.0 * (s["D"] - 1.8) - 0.3 * s["D.v"]}

    outputs = {
        "traced": run(pendulum(hs.Controller("m", upright)), until=1.0),
        "integral": run(pendulum(hs.Controller("m", integral)), until=1.0),
        "loop": run(four_bar(hs.Controller("c", hold)), start={"A": 0.3}),
    }
    for rate in (1000, 15):
        outputs[f"at {rate}"] = run(
            pendulum(hs.Controller("m", upright, rate=rate, efforts="hinge")), until=1.0
        )
    sampled = four_bar(hs.Controller("c", hold, rate=500, efforts=("D",)))
    return outputs | {"loop sampled": run(sampled, until=0.3, start={"A": 0.3})}


@program("forces.hysteresis")
def hysteresis():
    """A wire rope, a slow effort, a tyre: states of laws."""

    def wire(position, speed, k=400.0, limit=2e-3, z=hs.LawState(0.0)):
        return -k * z, {"z": speed - hs.abs(speed) * z / limit}

    def slow(position, speed, time=0.05, y=hs.LawState(0.0)):
        return y, {"y": (hs.where(position > 0.1, 1.0, 0.0) - y) / time}

    def tyre(s, stiffness=5e4, relaxation=0.3, slip=hs.LawState(0.0)):
        u, v = s["along.v"], s["across.v"]
        return {"across": -stiffness * slip}, {"slip": (v - hs.abs(u) * slip) / relaxation}

    car = hs.Model(
        hs.Body("frame"),
        hs.Body("car", mass=1000.0, inertia=(1, 1, 1)),
        hs.Prismatic("along", hs.WORLD, "frame", axis="x"),
        hs.Prismatic("across", "frame", "car", axis="y"),
        hs.Controller("tyre", tyre),
    )
    rope = cart(hs.JointForce("w", "x", law=wire), hs.JointSpring("s", "x", stiffness=100))
    return {
        "wire": run(rope, until=1.0, start={"x": 0.05}),
        "slow": run(cart(hs.JointForce("s", "x", law=slow)), start={"x.v": 1.0}),
        "tyre": run(car, until=1.0, start={"along.v": 10.0, "across.v": 0.5}),
    }


@program("forces.actuator")
def actuator():
    """A law with lag, delay, limit, friction and cogging."""
    motor = hs.haptics.Actuator(
        gain=0.9, time=4e-3, delay=2.3e-3, limit=20.0, friction=0.1, cogging=0.05, pitch=0.02
    )
    law = motor.law(lambda position, speed, t: 3.0 * hs.sin(20 * t) - 2.0 * position)
    return {"result": run(cart(hs.JointForce("m", "x", law=law)))}


@program("forces.gate")
def gate():
    """A lift gate: gas spring, stop, friction and a motor with inductance together."""

    def motor(position, speed, voltage=24.0, R=1.0, L=5e-3, k=0.8, current=hs.LawState(0.0)):
        return 20 * k * current, {"current": (voltage - R * current - 20 * k * speed) / L}

    model = hs.Model(
        hs.Rod("gate", length=2.0, mass=12.0),
        hs.Revolute("hinge", hs.WORLD.at(0, 0, 1.0), "gate", axis="-y", limits=(0.0, 1.4)),
        hs.Spring("gas", hs.WORLD.at(0.3, 0, 0.4), ("gate", (0.5, 0, 0)), stiffness=300, length=1.2),
        hs.Stop("bumper", "hinge", stiffness=4000, damping=300),
        hs.Friction("bearing", "hinge", coulomb=4.0, static=6.0),
        hs.JointForce("motor", "hinge", law=motor),
    )
    return {"24 V": run(model, until=1.0), "12 V": run(model, until=1.0, parameters={"motor.voltage": 12.0})}
