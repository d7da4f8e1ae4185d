"""Manipulators with joints switched off, whose tool is drawn to a goal [Joukhadar, section 5.1].

A passive joint has no stiffness and much damping: the arm follows its tool by its own mechanics, and the
values of its joints at each step are what a real one would be sent.
"""

import dataclasses
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.mechanics.algebra.rotations import of_rpy
from hapsis.mechanics.formalisms.tree.kinematics import pose
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.forces.force import Force
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.numbers import real
from hapsis.mechanics.model.values.values import numbers_of
from hapsis.motion.particles.objects.connectors import LinearSpring
from hapsis.motion.particles.objects.particle_object import ParticleObject
from hapsis.motion.particles.scenes.anchor import Anchor
from hapsis.motion.simulate.equations.inputs import Inputs
from hapsis.motion.simulate.initial_value_problem import initial_value_problem

LIGHT = 1e-6  # kg of each particle on the tool
CORNERS = np.array([(1, 1, 1), (1, -1, -1), (-1, 1, -1), (-1, -1, 1)]) / np.sqrt(3.0)


@verb
def passive_arm(model: Model, damping: float) -> Model:
    """The model with all joints switched off: no gravity, forces, drives and dry friction, but this damping.

    damping    μ of each joint, N m s/rad, and N s/m of those that slide
    """
    value = real(damping, "damping")
    if not value > 0.0:
        raise ModelError(f"damping is {value:g}", expected="a positive number: joints resist their speed")
    facts: list[Any] = []
    for fact in model.facts:
        if isinstance(fact, Force | Drive):
            continue
        if isinstance(fact, Joint) and fact.coordinates:
            fact = dataclasses.replace(fact, damping=value, friction=0.0)
        facts.append(fact)
    return Model(*facts, gravity=(0, 0, 0), parameters=model.parameters, poses=model.poses)


@verb
def tool_attractor(
    model: Model,
    frame: str,
    at: Any,
    rpy: Any = (0.0, 0.0, 0.0),
    *,
    stiffness: float,
    damping: float = 0.0,
    size: float = 0.1,
    start: Any = None,
) -> list[Any]:
    """The facts that draw a frame of a model to a place: four points around it, those at the goal, springs.

        arm = hs.particles.passive_arm(panda, damping=5.0)
        pull = hs.particles.tool_attractor(arm, "hand", (0.4, 0.2, 0.5), stiffness=100)
        scene = hs.particles.Scene(arm, pull)

    frame      of a body, "body" or "body.frame"
    at, rpy    where it shall be in the world
    size       m from the frame to the points: more turns the tool more strongly
    start      the pose at which the scene will start, as for `simulate`
    """
    body, _ = model.frame(frame)
    problem = initial_value_problem(model, Inputs(model, None), start)
    q, *_ = problem.system.layout.split(problem.y)
    p, R = compile(pose(model, frame))(np.ascontiguousarray(q))
    reach = real(size, "size")
    if not reach > 0.0:
        raise ModelError(f"size is {reach:g}", expected="a positive length, m")
    tool = reach * CORNERS @ np.reshape(R, (3, 3)).T + np.ravel(p)
    turn = np.array(of_rpy(*numbers_of(rpy, "rpy")), dtype=float)
    goal = reach * CORNERS @ turn.T + np.array(numbers_of(at, "at"))
    masses = np.full(4, LIGHT)
    name = frame.replace(".", " ")
    facts: list[Any] = [
        ParticleObject(f"{name} tool", tool, masses),
        ParticleObject(f"{name} goal", goal, masses, held=(0, 1, 2, 3)),
        Anchor(f"{name} tool", range(4), to=body),
    ]
    for k in range(4):
        a, b = f"{name} tool.{k}", f"{name} goal.{k}"
        facts.append(LinearSpring(f"{name} spring {k}", stiffness, damping, 0.0, first=a, second=b))
    return facts
