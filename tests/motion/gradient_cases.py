"""Mechanisms to differentiate the motion of, each with what to differentiate by."""

import numpy as np

import hapsis as hs

CURRENT = hs.LawState(0.1)


@hs.law
def motor(angle, speed, voltage=2.0, resistance=0.8, inductance=0.05, constant=0.4, current=CURRENT):
    """A DC motor: its current is a state."""
    rate = (voltage - resistance * current - constant * speed) / inductance
    return constant * current, {"current": rate}


def pendulum():
    model = hs.Model(
        hs.Body("bob", mass="m", com=("L", 0, 0), inertia=(0, "m * L^2 / 12", "m * L^2 / 12")),
        hs.Revolute("hinge", hs.WORLD, "bob", axis="y", damping=0.15),
        parameters={"m": 1.3, "L": 0.8},
    )
    to = ("m", "L", "hinge.damping", "gravity.z", "hinge", "hinge.v")
    return model, to, {"hinge": 0.4, "hinge.v": -0.7}, 2.0, {}


def double_pendulum():
    model = hs.Model(
        hs.Rod("upper", length=0.7, mass=1.1),
        hs.Rod("lower", length=0.5, mass=0.6),
        hs.Revolute("a", hs.WORLD, "upper", axis="y"),
        hs.Revolute("b", "upper.end", "lower", axis="y", damping=0.02),
    )
    to = ("upper.mass", "lower.mass", "upper.end.x", "lower.com.x", "b.damping", "a", "b.v")
    return model, to, {"a": 0.5, "b": 0.9}, 1.5, {}


def arm():
    """Springs, dry friction that sticks, a motor with a state of its own, and table inputs."""
    model = hs.Model(
        hs.Body(
            "upper", mass=1.5, com=(0.2, 0, 0.02), inertia=(0.01, 0.03, 0.03), frames={"end": (0.4, 0, 0)}
        ),
        hs.Body("lower", mass=0.8, com=(0.15, 0, 0), inertia=(0.004, 0.01, 0.01)),
        hs.Revolute("shoulder", hs.WORLD, "upper", axis="y", damping=0.1),
        hs.Revolute("elbow", "upper.end", "lower", axis="y"),
        hs.JointSpring("spring", "shoulder", stiffness=12.0, damping=0.3, rest=0.2),
        hs.Friction("brake", "elbow", coulomb=0.4, static=0.44, stick=1e-2, stribeck=0.5),
        hs.JointForce("motor", "elbow", law=motor),
    )
    times = np.linspace(0.0, 1.0, 6)
    inputs = {"shoulder": (times, np.cos(3 * times)), "elbow": 0.3}
    to = (
        "upper.mass",
        "spring.stiffness",
        "spring.rest",
        "brake.coulomb",
        "motor.resistance",
        "motor.constant",
        "motor.current",
        "shoulder",
        "elbow.v",
        "shoulder.effort",
        "elbow.effort",
    )
    return model, to, {"shoulder": 0.1, "elbow": -0.4, "elbow.v": 0.5}, 1.2, {"inputs": inputs}


def bouncing_ball():
    """The force of a damped contact jumps on touching; three bounces."""
    model = hs.Model(
        hs.Body("ball", mass=0.9),
        hs.Prismatic("z", hs.WORLD, "ball", axis="z"),
        hs.Contact("tip", "ball", hs.WORLD.plane(normal="z"), law=hs.Linear(stiffness=8e3, damping=12.0)),
    )
    to = ("ball.mass", "tip.stiffness", "tip.damping", "gravity.z", "z", "z.v")
    return model, to, {"z": 0.4, "z.v": 0.3}, 1.5, {}


def stopped_slider():
    """A stop with damping, against which a force with a switch of its own drives."""
    model = hs.Model(
        hs.Body("block", mass=2.0),
        hs.Prismatic("x", hs.WORLD, "block", axis="x", limits=(-0.5, 0.3)),
        hs.Stop("stop", "x", stiffness=3e3, damping=25.0),
        hs.JointForce(
            "push", "x", law=hs.law(lambda x, v, force=6.0, slow=0.4: hs.where(x < 0.1, force, -slow * v))
        ),
    )
    to = ("block.mass", "stop.stiffness", "stop.damping", "push.force", "push.slow", "x", "x.v")
    return model, to, {"x": -0.2, "x.v": 0.4}, 1.3, {}


def tumbling_body():
    model = hs.Model(
        hs.Body("body", mass=1.4, com=(0.05, 0.02, -0.03), inertia=(0.02, 0.03, 0.045)),
        hs.Free("base", hs.WORLD, "body"),
        hs.Spring("rope", hs.WORLD.at(0, 0, 1.0), "body", stiffness=30.0, damping=0.2, length=0.7),
    )
    start = {"base.wx": 1.0, "base.wy": -2.0, "base.wz": 0.5, "base.vx": 0.3}
    to = ("body.mass", "body.com.x", "body.inertia.yy", "rope.stiffness", "base.z", "base.wy", "base.qx")
    return model, to, start, 1.0, {}


CASES = {
    f.__name__: f for f in (pendulum, double_pendulum, arm, bouncing_ball, stopped_slider, tumbling_body)
}


def changed(case, name, by, k=None):
    """Options of `simulate` with one number moved."""
    model, _, start, until, more = case
    start, inputs = dict(start), dict(more.get("inputs", {}))
    parameters = {}
    if name.endswith(".effort"):
        key = name.removesuffix(".effort")
        if isinstance(inputs[key], tuple):
            times, values = inputs[key]
            inputs[key] = (times, values + by * (np.arange(len(times)) == k))
        else:
            inputs[key] += by
    elif name in (*model.coordinates, *model.speeds, "motor.current"):
        base = start.get(name, 0.1 if name == "motor.current" else 0.0)
        start[name] = base + by
    else:
        parameters = {name: value_of(model, name) + by}
    return {"start": start, "inputs": inputs, "parameters": parameters, "until": until}


def value_of(model, name):
    """The value of a parameter."""
    from hapsis.motion.simulate.equations.inputs import Inputs
    from hapsis.motion.simulate.initial_value_problem import initial_value_problem

    return initial_value_problem(model, Inputs(model, None)).system.motion().parameters[name]
