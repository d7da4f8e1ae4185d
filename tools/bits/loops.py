"""Programs on the loop, unpaced, with simulated devices: what a hand does and what it feels."""

from typing import Any

import numpy as np

import hapsis as hs
from bits import program
from bits.scenes import four_bar, knob

CLOCK = ("late", "compute")  # columns of the telemetry that are times of the machine


def hand_of(**settings: Any) -> Any:
    """A hand that presses and returns."""
    return hs.haptics.SimulatedHand(**{"speed": 0.5, "travel": 0.1, "unit": "rad", **settings})


def rows(loop: Any) -> dict[str, Any]:
    """The telemetry by name, and what the guard counted."""
    report = loop.report()
    outputs = {name: report[name] for name in report.columns if name not in CLOCK}
    counts = {"ticks": report.ticks, "guard": list(report.faults.values()), "state": loop.state}
    return outputs | counts


def run(step: Any, device: Any, rate: float = 4000, seconds: float = 0.3, **settings: Any) -> dict[str, Any]:
    """A loop at its own pace."""
    gains = settings.pop("gains", None)
    with device:
        loop = hs.realtime.Loop(step, rate, paced=False, **settings).connect(device, gains=gains)
        loop.run(seconds=seconds)
        return rows(loop)


def knob_step(rate: float = 4000, **settings: Any) -> Any:
    """The step of a crank on a spring."""
    outputs = settings.pop("outputs", ["knob.force"])
    return hs.stepper(knob(), dt=1 / rate, inputs=["knob.position"], outputs=outputs, **settings)


@program("loops.knob")
def turned():
    """A crank turned by a hand that is prescribed, heavy, recorded, or only pulled."""
    step = knob_step(outputs=["knob.force", "A", "energy"])
    t = np.linspace(0.0, 0.3, 61)
    hands = {
        "prescribed": hand_of(),
        "soft": hand_of(rise=0.02, hold=0.05, times=2),
        "heavy": hand_of(mass=0.4, stiffness=200.0, damping=18.0),
        "recorded": hs.haptics.SimulatedHand(motion=(t, 0.1 * np.sin(20 * t) ** 2), unit="rad"),
        "aim": hs.haptics.SimulatedHand(aim=0.05, mass=0.4, stiffness=60.0, damping=5.0, unit="rad"),
    }
    return {name: run(step, hand) for name, hand in hands.items()}


@program("loops.settings")
def settings():
    """Euler's steps, gains, another rate, settings of the guard."""
    return {
        "euler": run(knob_step(method="euler"), hand_of()),
        "gains": run(knob_step(), hand_of(), gains={"knob.position": 2.0, "knob.force": 0.5}),
        "slow": run(knob_step(500), hand_of(), rate=500),
        "guarded": run(knob_step(), hand_of(max_force=0.05), guard={"reserve": 0.1, "ramp": 0.05}),
        "not passive": run(knob_step(), hand_of(), guard={"passive": False}),
    }


@program("loops.live")
def live():
    """Parameters and held inputs that change between two ticks."""
    step = hs.stepper(
        knob(), dt=1 / 4000, inputs=["knob.position"], outputs=["knob.force", "energy", "energy.before"]
    )
    outputs: dict[str, Any] = {}
    for names in (["return.stiffness"], "all"):
        with hand_of() as hand:
            loop = hs.realtime.Loop(step, 4000, live=names, paced=False).connect(hand)
            loop.run(seconds=0.1)
            loop.set("return.stiffness", 1.6, over=0.05)
            loop.run(seconds=0.1)
            outputs[str(names)] = rows(loop) | {"work": loop.report().work_of_parameters}
    return outputs


@program("loops.closed")
def closed():
    """A four-bar in the loop, with a held effort on the rocker, and one with friction."""
    outputs = {}
    for name, facts in {"plain": [], "sticking": [hs.Friction("f", "D", coulomb=0.02)]}.items():
        model = four_bar(hs.Drive("hand", "A", position="input", tracking=300.0), *facts)
        step = hs.stepper(
            model, 1e-3, inputs=["hand.position", "D"], outputs=["hand.force", "D"], start={"A": 0.3}
        )
        with hand_of(start=0.3, speed=1.0, travel=0.5) as hand:
            loop = hs.realtime.Loop(step, 1000, paced=False, guard={"reserve": 5.0}).connect(hand)
            loop.run(seconds=0.2)
            loop.set("D", 0.1)
            loop.run(seconds=0.3)
            outputs[name] = rows(loop)
    return outputs


@program("loops.faults")
def faults():
    """A hand that is unplugged, stale, jumps, or gives no number, in the middle of a run."""
    outputs = {}
    for kind in ("unplugged", "stale", "nan", "jump"):
        with hand_of() as hand:
            loop = hs.realtime.Loop(knob_step(), 4000, paced=False).connect(hand)
            loop.run(seconds=0.05)
            hand.fault(kind)
            loop.run(seconds=0.05)
            hand.fault()
            loop.guard.rearm()
            loop.run(seconds=0.05)
            outputs[kind] = rows(loop) | {"cause": loop.guard.fault}
    return outputs


@program("loops.admittance")
def admittance():
    """A device that tells its force and goes where it is told."""
    model = hs.Model(
        hs.Body("block", mass=1.0, inertia=(1, 1, 1)),
        hs.Prismatic("x", hs.WORLD, "block", axis="x", damping=2.0),
        hs.JointSpring("s", "x", stiffness=50.0),
        gravity=(0, 0, 0),
    )
    step = hs.stepper(model, 1e-3, inputs=["x"], outputs=["x"])
    device = hs.haptics.SimulatedHand(
        speed=0.05, travel=0.02, stiffness=300.0, damping=5.0, causality="admittance"
    )
    return run(step, device, 1000, 0.8)


@program("loops.devices")
def devices():
    """Targets, mapped kinematics and conditioned samples in the loop; two axes."""
    stylus = hs.Model(
        hs.Rod("upper", length=0.2, mass=0.12),
        hs.Rod("fore", length=0.18, mass=0.10),
        hs.Revolute("shoulder", hs.WORLD, "upper", axis="y"),
        hs.Revolute("elbow", "upper.end", "fore", axis="y"),
    )
    joints = {"axes": ("shoulder", "elbow"), "unit": "rad", "max_force": 2.0}
    t = np.linspace(0.0, 0.3, 31)
    bent = np.stack([0.3 + 0.2 * t, 0.8 - 0.5 * t**2], axis=1)
    motors = hs.haptics.SimulatedHand(motion=(t, bent), **joints)
    mapped = hs.haptics.Mapped(motors, stylus, "fore.end", axes=("x", "z"), max_force=5.0)
    tool = hs.Model(
        hs.Body("frame"),
        hs.Body("tool", mass=0.1, inertia=(1e-4,) * 3),
        hs.Prismatic("x", hs.WORLD, "frame", axis="x"),
        hs.Prismatic("z", "frame", "tool", axis="z"),
        hs.Spring("s", hs.WORLD, "tool", stiffness=40.0, length=0.1),
        hs.Drive("dx", "x", position="input", tracking=300.0),
        hs.Drive("dz", "z", position="input", tracking=300.0),
        gravity=(0, 0, 0),
        poses={"start": {"x": 0.27, "z": -0.2}},
    )
    step = hs.stepper(tool, 1e-3, inputs=["dx.position", "dz.position"], outputs=["dx.force", "dz.force"])
    pointer = hs.haptics.Target(0.0, unit="rad")
    pointer.set(0.02)
    filtered = hs.haptics.Conditioned(hand_of(), hs.haptics.SavitzkyGolay(1 / 4000, window=25))
    return {
        "mapped": run(step, mapped, 1000, guard={"reserve": 1.0}),
        "pointer": run(knob_step(), pointer),
        "filtered": run(knob_step(), filtered),
    }


@program("loops.by_hand")
def by_hand():
    """Devices looked at from Python, without a loop."""
    outputs: dict[str, Any] = {}
    soft = hs.haptics.SimulatedHand(aim=0.0, mass=0.4, stiffness=200.0, damping=18.0)
    pointer = hs.haptics.Target(0.0, interval=1 / 60)
    pointer.sample(0.0)
    pointer.set(0.02)
    for name, device in (("soft", soft), ("pointer", pointer)):
        samples = []
        for k in range(200):
            seen = device.sample(k * 1e-3)
            device.command(2.0 - 300 * seen["position"][0], k * 1e-3)
            samples.append([*seen["position"], *seen["velocity"], seen["status"], seen["counter"]])
        outputs[name] = np.array(samples)
    return outputs
