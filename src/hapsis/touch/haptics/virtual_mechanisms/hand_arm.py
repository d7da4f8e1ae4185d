"""The arm of a device that a hand holds: where it is, how it moves, and the efforts of its motors.

Without an arm of its own the device is three slides along the axes of the world, and for a full grasp three
gimbals behind them: an arm without masses, whose efforts are the force and the moments about the gimbals.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hapsis.compiler.backends.compile import compile
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.transplant import transplant
from hapsis.errors import ModelError, SolveError
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import bias
from hapsis.mechanics.formalisms.tree.kinematics import acceleration, jacobian, pose
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.frames import WORLD
from hapsis.mechanics.model.joints.chain import Chain
from hapsis.mechanics.model.model import Model
from hapsis.motion.analysis.inverse_kinematics.reach import reach
from hapsis.motion.analysis.start_values import start_of
from hapsis.touch.haptics.virtual_mechanisms.held_mechanism import HeldMechanism

HAND = "hand"
SLIDES, GIMBALS = "Tx Ty Tz", " Rx Ry Rz"
GRAVITY = "gravity."  # begins the names of its parameters
APART = 1e-6  # m, by which arm and mechanism may be apart at the start


class HandArm:
    """The arm of a device whose frame holds a mechanism, turned as both are at the start.

    names   of its coordinates
    q       its coordinates at the start
    """

    def __init__(
        self,
        held: HeldMechanism,
        arm: Model | None,
        frame: str | None,
        start: Mapping[str, float] | None,
        name: str = HAND,
    ) -> None:
        p, R = compile(pose(held.model, held.frame))(held.q)
        own = arm is None
        if arm is None:
            if frame is not None or start is not None:
                raise ModelError("frame and start of an arm are given, and no arm")
            arm, frame, start = (
                _cartesian(held.kind, name),
                name,
                {f"{name}.T{x}": p[k] for k, x in enumerate("xyz")},
            )
        if frame is None:
            raise ModelError("the arm has no frame that the hand holds", remedy="give arm_frame")
        _check(arm, held.model, own)
        self.model, self.frame, self.names = arm, frame, arm.coordinates
        self.gravity = "arm" if name == HAND else f"{name}.arm"
        self.q = _start(arm, frame, start, p)
        place, axes = compile(pose(arm, frame))(self.q)
        if not (far := float(np.linalg.norm(place - p))) <= APART:
            raise ModelError(
                f'"{frame}" of the arm is {far:.3g} m away from "{held.frame}" at the start',
                remedy="leave arm_start out, and it is found",
            )
        self.turn = axes.T @ R  # the mechanism's frame in the hand's axes

    def pose(self, q: Sequence[Any]) -> tuple[list[Any], Any]:
        """Where the hand is, and the axes that the grasped frame would have in it; as expressions."""
        p, R = pose(self.model, self.frame)(q=q)
        return list(p), np.array(R, dtype=object) @ self.turn

    def motion(self, q: Any, v: Any, a: Any) -> tuple[list[Any], list[Any]]:
        """Velocity and acceleration of the hand, turning first."""
        J = np.array(jacobian(self.model, self.frame)(q=q), dtype=object)
        return list(J @ v), list(acceleration(self.model, self.frame)(q=q, v=v, a=a))

    def efforts(self, q: Any, wrench: Sequence[Any]) -> list[Any]:
        """-Jᵀ w, and what holds the arm's own weight and springs."""
        J = np.array(jacobian(self.model, self.frame)(q=q), dtype=object)
        own = _with_own_gravity(bias(self.model), self.gravity)(q=q, v=[0.0] * len(self.names))
        return [c - t for c, t in zip(np.atleast_1d(own), J.T @ np.array(wrench, dtype=object), strict=True)]


def _with_own_gravity(function: Function, owner: str) -> Function:
    """A Function of an arm whose gravity is called OWNER.gravity.z: it is not that of the mechanism."""
    graph = function.graph
    nodes = zip(function.parameters.items(), function.parameter_nodes, strict=True)
    known = {
        index: graph.parameter(f"{owner}.{name}", value)
        for (name, value), index in nodes
        if name.startswith(GRAVITY)
    }
    refs = iter(transplant(graph, function.output_refs, graph, known))
    outputs = [p._replace(refs=tuple(next(refs) for _ in p.refs)) for p in function.outputs]
    return Function.of(function.name, graph, function.inputs, outputs)


def _cartesian(kind: str, name: str) -> Model:
    """Three slides, and three gimbals where axes are held too; without masses."""
    steps = SLIDES + GIMBALS * (kind == "full")
    return Model(Body(name), Chain(name, WORLD, name, steps), gravity=(0.0, 0.0, 0.0))


def _check(arm: Model, mechanism: Model, own: bool) -> None:
    """Refuses arms with loops or quaternions, and names that both have."""
    if arm.cuts or arm.constraints or arm.drives:
        raise ModelError("the arm of a device is a chain of joints, without loops, constraints and drives")
    if len(arm.speeds) != len(arm.coordinates) or not arm.speeds:
        raise ModelError("the arm of a device has joints with one coordinate for each speed only")
    if more := [port.name for port in bias(arm).inputs if port.name not in ("q", "v")]:
        raise ModelError(
            f"forces of the arm need {', '.join(more)}", expected="those of its coordinates only"
        )
    if shared := [name for name in arm.parameters if name in mechanism.parameters]:
        raise ModelError(
            f'mechanism and arm both have the parameter "{shared[0]}"', remedy="rename one of them"
        )
    names = [fact.name for fact in arm.facts if fact.name in {fact.name for fact in mechanism.facts}]
    if names and own:
        raise ModelError(
            f'the mechanism has "{names[0]}", and the hand would be called so',
            remedy="rename it, or call the hand otherwise: {hand: frame}",
        )
    if names:
        raise ModelError(f'mechanism and arm both have "{names[0]}"', remedy="rename one of them")


def _start(arm: Model, frame: str, start: Mapping[str, float] | None, p: Any) -> Any:
    """The coordinates of the arm at the start: those given, or such that the hand is at p."""
    if start is not None:
        return start_of(arm, start)
    try:
        return reach(arm, frame, tuple(map(float, p))).q
    except SolveError as error:
        raise SolveError(f"the arm does not reach the mechanism: {error}") from None
