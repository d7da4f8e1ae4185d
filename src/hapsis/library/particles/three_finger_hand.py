"""A hand of three fingers and nine links with a skin of particles around a ball: a power grasp."""

from typing import Any

import numpy as np

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.mechanics.model.values.numbers import real

LINK, WIDTH = 0.036, 0.016  # m: from joint to joint, across
ROWS, ACROSS = 6, 3  # particles of the skin of a link along and across
LIGHT, MASS = 5e-4, 0.03  # kg of a particle, of a link
ROOT = 0.042  # m from the middle of the palm to the first joints
BALL = 0.035  # m
OPEN = (-0.35, 0.45, 0.45)  # rad inwards at the start
CURL = (1.2, 1.4, 1.4)  # rad: where joints would close to without a ball


@verb
def three_finger_hand(
    *, upright: bool = True, mass: float = 0.1, friction: float = 0.7, torque: float = 0.1
) -> "hs.particles.Scene":
    """A hand that closes around a ball on its palm: nine links with 162 particles that feel the ball.

    upright     whether the palm is below the ball; else gravity pulls the ball out of the hand
    mass        of the ball, kg
    friction    between the skin and the ball
    torque      of each joint by its angle from where it would close to, N m/rad

    Joints are `finger1.1` ... `finger3.3` from the palm outwards; the ball is the body `ball` on the joint
    `free`. Springs of the joints draw the links together, and contacts of the skin with the ball stop them.
    """
    if not isinstance(upright, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise hs.ModelError(f"upright is {upright!r:.60}", expected="True or False")
    if not real(mass, "mass of the ball") > 0.0:
        raise hs.ModelError(f"mass of the ball is {mass:g}", expected="a positive number")
    torque = real(torque, "torque")
    facts: list[Any] = [
        hs.Body("palm", shapes=(hs.Cylinder(ROOT, 0.01, at=(0, 0, -0.005)),), mass=0.2),
        hs.Weld("wrist", "world", "palm"),
        hs.Body.sphere("ball", BALL, mass=mass),
        hs.Free("free", "world", "ball"),
    ]
    skins: list[Any] = []
    pose = {"free.z": BALL}
    for k in range(3):
        finger, skin, start = _finger(f"finger{k + 1}", 2.0 * np.pi * k / 3.0, torque)
        facts += finger
        skins += skin
        pose |= start
    g = -9.81 if upright else 9.81
    model = hs.Model(facts, gravity=(0.0, 0.0, g), poses={"start": pose})
    heel = hs.particles.ParticleObject("heel", _cup(), np.full(8, LIGHT), held=tuple(range(8)))
    touch = hs.particles.BodyContact(400.0, 0.1, friction=friction, bodies="ball")
    return hs.particles.Scene(model, skins, heel, touch, step=hs.particles.EnergyStep(relative=1e-5))


def _finger(name: str, angle: float, torque: float) -> tuple[list[Any], list[Any], dict[str, float]]:
    """The facts of a finger, its skin with anchors, and its pose at the start."""
    facts: list[Any] = []
    skins: list[Any] = []
    pose: dict[str, float] = {}
    c, s = np.cos(angle), np.sin(angle)
    place, turn = np.array([ROOT, 0.0]), 0.0
    parent: Any = hs.End("palm", hs.Frame((ROOT * c, ROOT * s, 0.0), (0.0, 0.0, angle)))
    for k in range(3):
        link, joint = f"{name} link{k + 1}", f"{name}.{k + 1}"
        size = (0.6 * WIDTH, WIDTH, LINK)
        facts.append(hs.Body.box(link, size, mass=MASS, at=(0, 0, 0.5 * LINK), frames={"tip": (0, 0, LINK)}))
        facts.append(hs.Revolute(joint, parent, link, "-y", damping=1e-3))
        facts.append(hs.JointSpring(f"{joint} spring", joint, torque, rest=CURL[k]))
        pose[joint] = OPEN[k]
        turn += OPEN[k]
        along = np.array([-np.sin(turn), np.cos(turn)])
        inwards = np.array([-along[1], along[0]])
        points = [
            (*(place + t * LINK * along + 0.3 * WIDTH * inwards), y * WIDTH)
            for t in (np.arange(ROWS) + 0.5) / ROWS
            for y in np.linspace(-0.5, 0.5, ACROSS)
        ]
        skin = f"{name} skin{k + 1}"
        world = np.array([(r * c - y * s, r * s + y * c, z) for r, z, y in points])
        skins.append(hs.particles.ParticleObject(skin, world, np.full(len(world), LIGHT)))
        skins.append(hs.particles.Anchor(skin, range(len(world)), to=link))
        place = place + LINK * along
        parent = f"{link}.tip"
    return facts, skins, pose


def _cup() -> Any:
    """Eight points of the palm, a circle on which the ball rests."""
    angles = np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False)
    r = 0.5 * BALL
    height = BALL - np.sqrt(BALL**2 - r**2)
    return np.stack([r * np.cos(angles), r * np.sin(angles), np.full(8, height)], axis=1)
