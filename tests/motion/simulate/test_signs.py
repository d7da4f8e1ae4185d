"""Every line of the table of signs (docs/signs.md), on a model whose sign is known by hand."""

import re
from pathlib import Path

import numpy as np
import pytest

import hapsis as hs

PAGE = Path(__file__).parents[3] / "docs" / "signs.md"
G, MASS, LENGTH = 9.81, 2.0, 0.6


def block(*facts, joint=None, gravity=(0, 0, 0)):
    """A block on a slider along the world's x."""
    body = hs.Body("block", mass=MASS, inertia=(0.1, 0.1, 0.1))
    return hs.Model(body, joint or hs.Prismatic("x", hs.WORLD, "block", axis="x"), *facts, gravity=gravity)


def start_of(model, **options):
    """The first row of a short run."""
    result = hs.simulate(model, until=1e-3, **options)
    return {name: result[name][0] for name in result.names}


def held_arm(base=hs.WORLD, gravity=(0, 0, -G), backwards=False):
    """A rod along x of its base, held at zero."""
    ends = ("arm", base) if backwards else (base, "arm")
    return hs.Model(
        hs.Rod("arm", length=LENGTH, mass=MASS),
        hs.Revolute("hinge", *ends, axis="y"),
        hs.Drive("motor", "hinge", position=0.0),
        gravity=gravity,
    )


def joint_effort():
    # 3 N along x move 2 kg with 1.5 m/s² along x
    assert np.isclose(start_of(block(), inputs={"x.effort": 3.0})["x.a"], 1.5)
    # written backwards the block is the first end: a larger x is a block further back
    turned = block(joint=hs.Prismatic("x", "block", hs.WORLD, axis="x"))
    assert np.isclose(start_of(turned, inputs={"x.effort": 3.0})["x.a"], 1.5)
    assert np.allclose(hs.compile(hs.pose(turned, "block"))([0.1]).p, [-0.1, 0, 0])


def drive_effort():
    # gravity turns a rod along +x towards +y, so the motor holds with a negative torque
    at = start_of(held_arm())
    assert np.isclose(at["motor.effort"], -MASS * G * LENGTH / 2)


def led_arm():
    return held_arm().replace("motor", position="input", tracking=100.0)


def drive_force():
    # a hand that leads the rod holds it up: it feels the weight, towards larger angles
    step = hs.stepper(led_arm(), dt=1e-3, inputs=["motor.position"], outputs=["motor.force", "motor.effort"])
    values = hs.compile(step)(*[np.zeros(port.shape) for port in step.inputs])
    named = dict(zip((port.name for port in step.outputs), values, strict=True))
    assert np.isclose(named["motor.force"], MASS * G * LENGTH / 2)
    assert np.isclose(named["motor.effort"], -named["motor.force"])


def point_drive():
    # the tip of a rod along +x is held up against gravity: a force along +z, half the weight
    point = hs.Drive("hand", point="arm.end", along="z", position="input", velocity="input")
    model = held_arm().without("motor") + point
    step = hs.stepper(model, 1e-3, inputs=point.inputs, outputs=["hand.effort", "hand.force"])
    effort, force = hs.compile(step)()[-2:]
    assert np.isclose(effort, MASS * G / 2) and force == -effort
    down = model.replace("hand", along="-z")
    assert np.isclose(start_of(down, inputs={"hand.position": 0.0})["hand.effort"], -MASS * G / 2)


def joint_force_laws():
    at = start_of(block(hs.JointSpring("s", "x", stiffness=200.0)), start={"x": 0.4})
    assert np.isclose(at["s.effort"], -80.0) and np.isclose(at["x.a"], -80.0 / MASS)
    at = start_of(block(hs.JointForce("f", "x", law=lambda q, v: 3.0 + 0.0 * q)))
    assert np.isclose(at["f.effort"], 3.0) and np.isclose(at["x.a"], 1.5)
    at = start_of(block(hs.Stop("s", "x", stiffness=1e3, low=-0.1, high=0.1)), start={"x": 0.2})
    assert np.isclose(at["s.effort"], -100.0) and np.isclose(at["x.a"], -100.0 / MASS)
    result = hs.simulate(block(hs.Friction("f", "x", coulomb=2.0)), until=0.1, start={"x.v": 1.0})
    assert -2.1 < result["f.effort"][-1] < -1.9 and result["x.a"][-1] < 0


def tension():
    # the block is at +0.5, the other end at 0: pulled together it goes to -x
    for fact in (
        hs.Spring("s", hs.WORLD, "block", stiffness=200.0, length=0.3),
        hs.Spring("s", "block", hs.WORLD, stiffness=200.0, length=0.3),
        hs.Link("s", hs.WORLD, "block", law=lambda length, rate: 200.0 * (length - 0.3)),
    ):
        at = start_of(block(fact), start={"x": 0.5})
        assert np.isclose(at["s.force"], 40.0) and np.isclose(at["x.a"], -20.0)


def tendon():
    at = start_of(block(hs.Tendon("t", {"x": 0.5}, stiffness=100.0)), start={"x": 0.2})
    assert np.isclose(at["t.force"], 10.0) and np.isclose(at["x.a"], -0.5 * 10.0 / MASS)


def bushing():
    # the first end is turned by 90° about z: its y is the world's -x
    base = hs.WORLD.at(0, 0, 0, rpy=(0, 0, np.pi / 2))
    fact = hs.Bushing("b", base, "block", stiffness=(1, 1, 1, 50, 50, 50), damping=(0,) * 6)
    model = hs.Model(hs.Body("block", mass=MASS, inertia=(0.1,) * 3), hs.Free("f", hs.WORLD, "block"), fact)
    half = np.sqrt(0.5)
    aligned = {"f.qw": half, "f.qz": half}
    at = start_of(model, start={"f.x": 0.2, **aligned})
    # pulled back along the world's -x, which is +y of the first end
    assert np.allclose(at["b.force"], [0, 10.0, 0], atol=1e-9)
    # turned a little further about z, it is turned back
    angle = np.pi / 4 + 0.05
    at = start_of(model, start={"f.qw": np.cos(angle), "f.qz": np.sin(angle)})
    assert np.allclose(at["b.moment"], [0, 0, -0.1], atol=1e-9)


def wrench():
    # in the world's axes, however the place is turned, and at the place: 0.1 above the centre
    place = hs.Frame(at=(0, 0, 0.1), rpy=(0, 0, np.pi / 2))
    body = hs.Body("block", mass=MASS, inertia=(0.1, 0.1, 0.1), frames={"top": place})
    fact = hs.Wrench("w", "block.top", force=(4.0, 0, 0), axes="frame")
    model = hs.Model(body, hs.Free("f", hs.WORLD, "block"), fact, gravity=(0, 0, 0))
    at = start_of(model)
    assert np.allclose(at["w.force"], [0, 4.0, 0])
    rates = hs.compile(hs.forward_dynamics(model))([0, 0, 0, 1, 0, 0, 0], np.zeros(6), np.zeros(6))
    # r x F = (0, 0, 0.1) x (0, 4, 0) = (-0.4, 0, 0)
    assert np.allclose(rates, [-4.0, 0, 0, 0, 2.0, 0])


def pressed(swapped=False):
    sides = ("ball", hs.Sphere(0.05)), hs.WORLD.plane("z")
    contact = hs.Contact("floor", *(sides[::-1] if swapped else sides))
    body = hs.Body("ball", mass=0.2, inertia=(2e-4,) * 3)
    model = hs.Model(body, hs.Prismatic("z", hs.WORLD, "ball", axis="z"), contact)
    return start_of(model, start={"z": 0.049})


def contact_force():
    at = pressed()
    assert at["floor.force"] > 0 and at["z.a"] > -G


def contact_push():
    at, swapped = pressed(), pressed(swapped=True)
    assert np.isclose(at["floor.push"][2], at["floor.force"])
    assert np.isclose(swapped["floor.push"][2], -swapped["floor.force"])


def joint_reaction():
    weight, moment = MASS * G, MASS * G * LENGTH / 2
    # the world carries the arm; about the hinge the weight has the moment +y
    base = hs.WORLD.at(0.5, 0.2, 0.1)
    assert np.allclose(start_of(held_arm(base))["hinge.reaction"], [0, -moment, 0, 0, 0, weight])
    # in the axes of the first end: its x is the world's y, its y the world's -x, gravity along -x
    turned = held_arm(hs.WORLD.at(0, 0, 0, rpy=(0, 0, np.pi / 2)), gravity=(-G, 0, 0))
    assert np.allclose(start_of(turned)["hinge.reaction"], [0, 0, -moment, 0, -weight, 0])
    # written backwards the arm is the first end: it presses the world down
    backwards = start_of(held_arm(backwards=True))["hinge.reaction"]
    assert np.allclose(backwards, [0, moment, 0, 0, 0, -weight])


def device_command():
    # a soft hand holds the rod: the weight takes it to larger angles, as far as its spring lets it
    step = hs.stepper(led_arm(), dt=1e-3, inputs=["motor.position"], outputs=["motor.force"])
    with hs.haptics.SimulatedHand(aim=0.0, mass=0.5, damping=20.0, stiffness=100.0, unit="rad") as hand:
        loop = hs.realtime.Loop(step, rate=1000, paced=False, guard={"reserve": 50.0}).connect(hand)
        loop.run(seconds=2.0)
    report = loop.report()
    command, position = report["hand.x.command"], report["motor.position"]
    assert command.min() >= 0.0 and command.max() > 3.0
    assert position[-1] > 0.001 and np.all(position >= 0.0)


CHECKS = {
    "JOINT.effort": joint_effort,
    "DRIVE.effort": drive_effort,
    "DRIVE.force": drive_force,
    "POINTDRIVE.effort": point_drive,
    "JOINTSPRING.effort": joint_force_laws,
    "SPRING.force": tension,
    "TENDON.force": tendon,
    "BUSHING.force": bushing,
    "WRENCH.force": wrench,
    "CONTACT.force": contact_force,
    "CONTACT.push": contact_push,
    "JOINT.reaction": joint_reaction,
    "DEVICE.AXIS.command": device_command,
}


def lines_of_the_table():
    return re.findall(r"^\| `([A-Za-z.]+)`", PAGE.read_text(encoding="utf-8"), re.M)


def test_every_line_has_a_check():
    assert lines_of_the_table() == list(CHECKS)


@pytest.mark.parametrize("line", CHECKS)
def test_the_sign_is_as_the_table_says(line):
    CHECKS[line]()
