"""One tick of a mechanism that hands hold, each by a spring and a damper: forward dynamics, integrated.

    hand        the coordinates of the device move evenly from those of the last tick to the new ones
    motion      M a + c = τ + Jᵀ w + Cᵀ λ, integrated over the tick by the method of the step, loops closed
    w           what spring and damper do to the mechanism at the end of the tick
    efforts     -J_armᵀ w and what holds the weight of the arm

So coordinates that the hand does not prescribe move by themselves, and stops, contacts and dry friction
that sticks are those of the model.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import abs, maximum, where
from hapsis.compiler.ir.graph.expr import Expr, symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.graph.ops import ZERO
from hapsis.errors import SolveError, check_known
from hapsis.mechanics.formalisms.constraints.constraint_rows import constraints
from hapsis.mechanics.formalisms.dynamics.extras import extras
from hapsis.mechanics.formalisms.tree.kinematics import pose
from hapsis.mechanics.model.names import acceleration_name
from hapsis.motion.simulate.stepper import stepper
from hapsis.touch.haptics.virtual_mechanisms.coupled_model import CoupledHand, CoupledModel
from hapsis.touch.haptics.virtual_mechanisms.finite_state import finite_state
from hapsis.touch.haptics.virtual_mechanisms.grasp_tick import ERROR, WRENCH, frame_error
from hapsis.touch.haptics.virtual_mechanisms.grip_memory import GripMemory
from hapsis.touch.haptics.virtual_mechanisms.gripper import Gripper
from hapsis.touch.haptics.virtual_mechanisms.output_names import joined

ENERGY, SUBSTEPS = "energy", "substeps"
MEASURED = ("position", "velocity")


class CoupledTick:
    """Writes the tick of a mechanism that is coupled to a hand.

    measured   "position", or "velocity": what is given of the hand; velocities are else differences
    """

    def __init__(
        self, coupled: CoupledModel, measured: str, dt: float, gripper: Gripper | None = None
    ) -> None:
        check_known(
            measured, MEASURED, "with a spring a hand does not give {}", expected=" or ".join(MEASURED)
        )
        self.coupled, self.measured, self.dt, self.model = coupled, measured, dt, coupled.mechanism
        self.fingers: tuple[str, ...] = () if gripper is None else tuple(gripper.fingers)
        first = coupled.hands[0]
        self.grip = None if gripper is None else GripMemory(gripper, first.held, first.arm, coupled.grip, dt)
        self.axes = (*coupled.names, *self.fingers)

    def step(self, cuts: Sequence[str]) -> Function:
        """The step of mechanism, hand and spring, with all that the tick needs among its outputs."""
        model, mechanism = self.coupled.model, self.model
        names = [*mechanism.coordinates, *mechanism.speeds, *map(acceleration_name, mechanism.speeds)]
        springs = [hand.spring for hand in self.coupled.hands]
        names += [f"{spring}.{signal}" for spring in springs for signal in ("force", "moment", "share")]
        names += [ENERGY, *(f"{name}.reaction" for name in cuts)]
        method = "split" if extras(model).states else "rk4"
        ports = {"inputs": self.coupled.inputs, "outputs": names, "start": self.coupled.start}
        try:
            return stepper(model, self.dt, **ports, method=method, substeps="auto")
        except SolveError as error:
            remedy = (
                "take a shorter dt, or less stiffness and damping" if SUBSTEPS in error.what else error.remedy
            )
            raise SolveError(error.what, expected=error.expected, remedy=remedy) from None

    def function(self, cuts: Sequence[str]) -> Function:
        """The tick, with the start as defaults."""
        step = self.step(cuts)
        if self.grip is not None:
            step = self.grip.open_to(step)
        ports, graph = {port.name: port for port in step.inputs}, Graph()
        own = [0.0] * (len(self.axes) + 1) if self.measured == "position" else []
        more = [*own, *(self.grip.memory if self.grip is not None else ())]
        sizes = {name: len(ports[name].refs) if name in ports else 0 for name in ("q", "v", "z")}
        states: dict[str, Any] = {
            name: symbols(name, size + len(more) * (name == "z"), kind="coordinate", graph=graph)
            for name, size in sizes.items()
        }
        states["t"] = symbol("t", graph=graph)
        levels = MEASURED[: 1 + MEASURED.index(self.measured)]
        given = {level: [symbol(f"{n}.{level}", graph=graph) for n in self.axes] for level in levels}
        memory = list(states["z"])[sizes["z"] :]
        u, kept = self._speeds(given, memory[: len(own)])
        known = {name: states[name][: sizes[name]] for name in sizes if sizes[name]} | {"t": states["t"]}
        n, x = len(self.coupled.names), given["position"]
        for name, place, speed in zip(self.coupled.drives.values(), x, u, strict=False):
            known |= {f"{name}.position": place, f"{name}.velocity": speed}
        held: dict[str, Any] = {}
        efforts: list[Any] = []
        if self.grip is not None:
            q = list(states["q"])[: len(self.model.coordinates)]
            hand = self.coupled.hands[0].arm.pose(x[:n])
            grip = self.grip.after(memory[len(own) :], q, hand, x[n:], u[n:])
            known["theta"], held, efforts = grip.theta, {"held": grip.held}, grip.efforts
            kept = [*kept, *grip.memory]
        results = step.outputs_by_name(step(**{name: known[name] for name in ports}))
        outputs = self.told(results, x[:n], efforts, Expr(graph, ZERO), cuts)
        new = {"q": results["q"], "v": results["v"], "z": [*results["z"], *kept], "t": results["t"]}
        inputs = {**states} | {
            f"{name}.{level}": value
            for level, values in given.items()
            for name, value in zip(self.axes, values, strict=True)
        }
        defaults = {name: ports[name].stand_in for name in ("q", "v", "t")}
        defaults["z"] = np.array([*ports["z"].stand_in, *more])
        new = finite_state(new, states, defaults)
        return Function("grasp", inputs, joined(new, outputs, held), defaults=defaults | self._rest())

    def _rest(self) -> dict[str, float]:
        """The hand at the start, the fingers open."""
        rest = {f"{name}.position": self.coupled.start[name] for name in self.coupled.names}
        if self.grip is not None:
            rest |= {f"{name}.position": self.grip.gripper.open for name in self.fingers}
        return rest | {f"{name}.velocity": 0.0 for name in self.axes if self.measured == "velocity"}

    def _speeds(self, given: Any, memory: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        """The speeds of the hand, and what is kept: whether it has begun, and the last positions."""
        if self.measured == "velocity":
            return given["velocity"], []
        x, (begun, *last) = given["position"], memory
        u = [where(begun > 0.5, (a - b) / self.dt, 0.0 * a) for a, b in zip(x, last, strict=True)]
        return u, [0.0 * x[0] + 1.0, *x]

    def told(
        self, results: Any, x: Sequence[Any], more: Sequence[Any], zero: Any, cuts: Sequence[str]
    ) -> dict[str, Any]:
        """All that is given out of a tick, by name: efforts of the device first, with those of fingers."""
        model = self.model
        q, v = list(results["q"])[: len(model.coordinates)], list(results["v"])[: len(model.speeds)]
        efforts, felt, first = [], {}, 0
        for hand in self.coupled.hands:
            own = x[first : first + len(hand.arm.names)]
            first += len(own)
            torques, outputs = self._felt(hand, own, q, results, zero)
            efforts += torques
            felt |= {f"{hand.prefix}{name}": value for name, value in outputs.items()}
        outputs = dict(zip((f"{name}.effort" for name in self.axes), [*efforts, *more], strict=True)) | felt
        accelerations = {name: results[name] for name in map(acceleration_name, model.speeds)}
        motion = [(model.coordinates, q), (model.speeds, v)]
        outputs = joined(outputs, *(dict(zip(*part, strict=True)) for part in motion), accelerations)
        for name in cuts:
            six = results[f"{name}.reaction"]
            outputs |= {f"{name}.reaction.{axis}": value for axis, value in zip(WRENCH, six, strict=True)}
        gap = zero
        if self.coupled.hands[0].held.row_names:
            for row in constraints(model)(q=q, v=[zero] * len(v))[0]:
                gap = maximum(gap, abs(row))
        return joined(outputs, {"gap": gap, ENERGY: results[ENERGY]})

    def _felt(
        self, hand: CoupledHand, x: Sequence[Any], q: Any, results: Any, zero: Any
    ) -> tuple[list[Any], dict[str, Any]]:
        """The efforts of the motors of a hand; its wrench, how far it is from the frame, and its share."""
        held, spring = hand.held, hand.spring
        wrench = [*results[f"{spring}.moment"], *results[f"{spring}.force"]]
        p, R = hand.arm.pose(x)
        place, axes = pose(held.model, held.frame)(q=q)
        error = frame_error(p, R, place, axes)
        if held.kind == "point":
            error = [zero] * 3 + error[3:]
        lever = [a - b for a, b in zip(place, p, strict=True)]
        at_hand = wrench if held.kind == "point" else moved_to(wrench, lever)
        outputs = {f"wrench.{axis}": value for axis, value in zip(WRENCH, wrench, strict=True)}
        outputs |= {f"violation.{axis}": value for axis, value in zip(ERROR, error, strict=True)}
        return hand.arm.efforts(x, at_hand), outputs | {"share": results[f"{spring}.share"]}


def moved_to(wrench: Sequence[Any], arm: Sequence[Any]) -> list[Any]:
    """A wrench about another point, from which its own is away by the arm."""
    m, f = wrench[:3], wrench[3:]
    x, y, z = arm
    more = (y * f[2] - z * f[1], z * f[0] - x * f[2], x * f[1] - y * f[0])
    return [*(a + b for a, b in zip(m, more, strict=True)), *f]
