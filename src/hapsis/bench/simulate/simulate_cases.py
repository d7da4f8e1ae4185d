"""What `hapsis bench simulate` lets move: chains and an arm, one URDF file each for all contenders.

    chain n     n equal rods, together 1 m and 1 kg, hinged about y, released horizontal (+x)
    panda       the arm of example-robot-data, fingers locked, falling from a bent pose
    panda held  the same under joint control, tau = feedforward - stiffness (q - hold) - damping v

Feedforward is constant: the efforts that carry the arm at the pose it shall hold. No joint has
limits, friction or damping of its own. Chains are chaotic, the long ones sooner: 1 s, not 2.
"""

import math
import xml.etree.ElementTree as Xml
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from hapsis.bench import robots
from hapsis.bench.dynamics.dynamics_ours import model_of, order
from hapsis.compiler.backends.compile import compile
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import inverse_dynamics

CHAINS = {"chain 1": (1, 2.0), "chain 7": (7, 1.0), "chain 30": (30, 1.0)}  # links, seconds
ARMS = {"panda": 1.0, "panda held": 1.0}
NAMES = (*CHAINS, *ARMS)
RADIUS = 0.01  # of the rods: the moment about their own axis, which takes no part
BENT = (0.0, -math.pi / 4, 0.0, -3 * math.pi / 4, 0.0, math.pi / 2, math.pi / 4)
AWAY = (0.3, -0.2, 0.3, 0.2, -0.3, 0.2, 0.3)  # from the pose to hold, at the start
STIFFNESS = (600.0, 600.0, 600.0, 600.0, 250.0, 150.0, 50.0)
DAMPING = (5.0, 5.0, 5.0, 5.0, 1.0, 1.0, 0.3)  # little: the arm still swings at the end


@dataclass(frozen=True)
class Control:
    """tau = feedforward - stiffness (q - hold) - damping v, joint by joint."""

    hold: Any
    stiffness: Any
    damping: Any
    feedforward: Any


@dataclass(frozen=True)
class Case:
    """A robot that starts at rest at q; joints in the robot's order."""

    name: str
    robot: robots.Robot
    until: float
    q: Any
    control: Control | None = None


def case(name: str, folder: Path) -> Case | None:
    """Writes the robot's file into the folder; None where example-robot-data is missing."""
    if name in CHAINS:
        links, until = CHAINS[name]
        robot = unlimited(name, rods(links), folder)
        return Case(name, robot, until, np.zeros(links))
    panda = robots.robot("panda", folder)
    if panda is None:
        return None
    robot = unlimited(name, Xml.parse(panda.path).getroot(), folder)
    hold = np.array(BENT)
    if name == "panda":
        return Case(name, robot, ARMS[name], hold)
    control = Control(hold, np.array(STIFFNESS), np.array(DAMPING), carrying(robot, hold))
    return Case(name, robot, ARMS[name], hold + np.array(AWAY), control)


def unlimited(name: str, root: Xml.Element, folder: Path) -> robots.Robot:
    """The robot of a description, its hinges without limits."""
    joints = []
    for joint in root.iter("joint"):
        if joint.get("type") in ("revolute", "continuous"):
            joint.set("type", "continuous")
            joints.append(joint.get("name", ""))
            for limit in joint.findall("limit"):
                joint.remove(limit)
    path = folder / f"{name.replace(' ', '_')}_unlimited.urdf"
    Xml.ElementTree(root).write(path, encoding="utf-8", xml_declaration=True)
    return robots.Robot(name, path, False, tuple(joints))


def rods(count: int) -> Xml.Element:
    """A chain of equal rods along +x, hinged about y."""
    length = mass = 1.0 / count
    across = mass * (3 * RADIUS**2 + length**2) / 12
    inertia = np.diag([mass * RADIUS**2 / 2, across, across])
    root = Xml.Element("robot", name="rods")
    Xml.SubElement(root, "link", name="base")
    for k in range(count):
        at = f"{length if k else 0.0!r} 0 0"
        _, link = robots.hinged(root, k, "continuous", at, "0 0 0", "0 1 0")
        robots.inertial(link, mass, (length / 2, 0.0, 0.0), inertia)
    return root


def carrying(robot: robots.Robot, q: Any) -> Any:
    """The efforts at rest at q."""
    model = model_of(robot)
    place, speeds = order(robot, model)
    values, zero = np.zeros(robot.size), np.zeros(robot.size)
    values[place] = q
    tau: Any = compile(inverse_dynamics(model))
    return tau(values, zero, zero)[speeds]
