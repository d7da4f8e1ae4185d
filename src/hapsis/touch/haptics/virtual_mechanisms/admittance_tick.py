"""One tick of a mechanism that a hand moves by the force that its device measures: the compliance model.

    force       of the hand on the device, as it is measured along its slides and about its gimbals
    motion      M a + c = τ + Jᵀ w + Cᵀ λ with w that force, integrated over the tick, loops closed
    position    the set-point of the device: where the grasped frame is then

Between hand and mechanism there is no spring: the device holds the frame, as stiff as its controller is.
Gimbals go on from where they were, see `FollowingGimbals`.
"""

from collections.abc import Sequence
from typing import Any

from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import abs, maximum
from hapsis.compiler.ir.graph.expr import Expr, symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.graph.ops import ZERO
from hapsis.mechanics.formalisms.constraints.constraint_rows import constraints
from hapsis.mechanics.formalisms.dynamics.extras import extras
from hapsis.mechanics.formalisms.tree.kinematics import pose
from hapsis.mechanics.model.names import acceleration_name
from hapsis.mechanics.model.structure.limit_stops import unstopped
from hapsis.motion.simulate.stepper import stepper
from hapsis.touch.haptics.virtual_mechanisms.finite_state import finite_state
from hapsis.touch.haptics.virtual_mechanisms.following_gimbals import FollowingGimbals
from hapsis.touch.haptics.virtual_mechanisms.grasp_tick import WRENCH
from hapsis.touch.haptics.virtual_mechanisms.hand_arm import HandArm
from hapsis.touch.haptics.virtual_mechanisms.hand_pull import open_to_pull, pulled, theta_of
from hapsis.touch.haptics.virtual_mechanisms.held_mechanism import HeldMechanism
from hapsis.touch.haptics.virtual_mechanisms.output_names import joined

ENERGY = "energy"


class AdmittanceTick:
    """Writes the tick; the device is three slides, and for a full grasp three gimbals."""

    def __init__(self, held: HeldMechanism, hand: HandArm, most: float, dt: float) -> None:
        model = held.model.with_stops() if unstopped(held.model) else held.model
        self.held, self.hand, self.most, self.dt = held, hand, most, dt
        self.model = pulled(model, held.frame)
        self.gimbals = FollowingGimbals(hand.turn, dt) if held.kind == "full" else None

    def function(self, cuts: Sequence[str]) -> Function:
        """The tick, with the start as defaults."""
        held, mechanism = self.held, self.held.model
        names = [*mechanism.coordinates, *mechanism.speeds, *map(acceleration_name, mechanism.speeds)]
        step = stepper(
            self.model,
            self.dt,
            outputs=[*names, ENERGY, *(f"{name}.reaction" for name in cuts)],
            start=dict(zip(mechanism.coordinates, map(float, held.q), strict=True)),
            method="split" if extras(self.model).states else "rk4",
            substeps="auto",
        )
        step, used = open_to_pull(step)
        ports, graph = {port.name: port for port in step.inputs}, Graph()
        zero = Expr(graph, ZERO)
        states: dict[str, Any] = {
            name: symbols(name, len(ports[name].refs), kind="coordinate", graph=graph)
            for name in ("q", "v", "z")
            if name in ports
        }
        states["t"] = symbol("t", graph=graph)
        given = {f"{name}.force": symbol(f"{name}.force", graph=graph) for name in self.hand.names}
        before: list[Any] = []  # the angles of the gimbals, kept in z behind the states of laws
        if self.gimbals:
            laws = list(states.get("z", ()))
            z = symbols("z", len(laws) + 3, kind="coordinate", graph=graph)
            states["z"], before = z[: len(laws)], list(z[len(laws) :])
        wrench, share = self._wrench(list(given.values()), before, zero)
        known = {**states, **theta_of(used, wrench)}
        results = step.outputs_by_name(step(**{name: known[name] for name in ports}))
        q, v = list(results["q"]), list(results["v"])
        place, axes = pose(mechanism, held.frame)(q=q)
        angles, lag = list(before), zero
        if self.gimbals:
            _, old = pose(mechanism, held.frame)(q=states["q"])
            angles, lag = self.gimbals.following(before, old, axes)
        places = [*place, *angles]
        outputs = {f"{n}.position": x for n, x in zip(self.hand.names, places, strict=False)}
        outputs |= {f"wrench.{axis}": x for axis, x in zip(WRENCH, wrench, strict=True)}
        outputs = joined(outputs, {name: results[name] for name in names})
        for name in cuts:
            six = results[f"{name}.reaction"]
            outputs |= {f"{name}.reaction.{axis}": x for axis, x in zip(WRENCH, six, strict=True)}
        gap = zero
        if held.row_names:
            for row in constraints(mechanism)(q=q, v=[zero] * len(v))[0]:
                gap = maximum(gap, abs(row))
        outputs = joined(outputs, {"gap": gap, "share": share, ENERGY: results[ENERGY]})
        rest: dict[str, Any] = {name: ports[name].stand_in for name in states if name in ports}
        rest |= dict.fromkeys(given, 0.0)
        new = {name: results[name] for name in states if name in results}
        if self.gimbals:
            outputs = joined(outputs, {"lag": lag})
            states["z"] = [*states["z"], *before]
            new["z"] = [*new.get("z", ()), *angles]
            rest["z"] = [*rest.get("z", ()), 0.0, 0.0, 0.0]
        kept = rest | ({"z": [*rest["z"][:-3], *before]} if self.gimbals else {})
        new = finite_state(new, states, kept)
        return Function("grasp", {**states, **given}, joined(new, outputs), defaults=rest)

    def _wrench(self, measured: Sequence[Any], angles: Sequence[Any], zero: Any) -> tuple[list[Any], Any]:
        """Moment and force in the axes of the world, no longer than the largest; and their share."""
        force, moment = list(measured[:3]), [zero] * 3
        if self.gimbals:
            moment = self.gimbals.moment(angles, measured[3:])
        unit = 1.0 / self.held.length
        square = sum((x * x for x in force), zero) + sum((x * unit * x * unit for x in moment), zero)
        share = self.most / maximum(square**0.5, self.most)
        return [share * x for x in (*moment, *force)], share
