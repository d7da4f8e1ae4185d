"""One tick of a held mechanism as a Function: closest pose, rates, wrenches, efforts of the device.

    pose        q with the smallest e₁ᵀ W e₁, closed loops and inside the limits of joints: Newton's steps
                from the pose of the last tick
    e₁          what is left: the hand's position and axes less those of the grasped frame
    v, a        the speeds and accelerations nearest to those of the hand, loops closed
    w_d, λ      the smallest wrench of the hand and the multipliers of the loops with Jᵀ w_d + Cᵀ λ = M a + c
    w_c         W (k e₁ + b (V - J v)): a spring and a damper between hand and frame
    bearings    the wrenches of joints, where w_d moves the mechanism and w_c presses on it
    efforts     -J_armᵀ (w_d + w_c) and what holds the weight of the arm

Six numbers have turning first. Wrenches are those of the hand on the mechanism, about the origin of the
grasped frame and in the axes of the world. No power is lost: w_c does no work on motions of the mechanism,
and w_d none on motions of the hand that the mechanism cannot follow.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from hapsis.compiler.ir.functions import blocks
from hapsis.compiler.ir.functions.function import Function
from hapsis.compiler.ir.graph.elementary_functions import abs, maximum
from hapsis.compiler.ir.graph.expr import Expr, symbol, symbols
from hapsis.compiler.ir.graph.graph import Graph
from hapsis.compiler.ir.graph.ops import ZERO
from hapsis.mechanics.formalisms.constraints.constraint_rows import constraints
from hapsis.mechanics.formalisms.dynamics.inverse_dynamics import inverse_dynamics
from hapsis.mechanics.formalisms.dynamics.reactions import reaction
from hapsis.mechanics.formalisms.tree.coordinate_rates import coordinate_rates
from hapsis.mechanics.formalisms.tree.kinematics import acceleration, jacobian, pose
from hapsis.mechanics.model.names import acceleration_name
from hapsis.motion.analysis.start_values import quaternions
from hapsis.touch.haptics.virtual_mechanisms.coordinate_limits import LimitedMotion, limits_of
from hapsis.touch.haptics.virtual_mechanisms.finite_state import finite_state
from hapsis.touch.haptics.virtual_mechanisms.hand_arm import HandArm
from hapsis.touch.haptics.virtual_mechanisms.hand_pull import open_to_pull, pulled, theta_of
from hapsis.touch.haptics.virtual_mechanisms.hand_rates import HandRates
from hapsis.touch.haptics.virtual_mechanisms.held_mechanism import HeldMechanism
from hapsis.touch.haptics.virtual_mechanisms.nearest_motion import NearestMotion
from hapsis.touch.haptics.virtual_mechanisms.output_names import joined

LONGEST = 0.5  # rad, or lengths: the most that a step of Newton's changes a coordinate
PUSH = 1e-12  # of lengths
WRENCH = ("mx", "my", "mz", "fx", "fy", "fz")
ERROR = ("rx", "ry", "rz", "x", "y", "z")


class Coupling(NamedTuple):
    """The spring and damper between hand and mechanism, N/m and N s/m, and the largest force, N."""

    stiffness: float
    damping: float
    most: float


class GraspTick:
    """Writes the tick of a held mechanism."""

    def __init__(
        self,
        held: HeldMechanism,
        arm: HandArm,
        rates: HandRates,
        coupling: Coupling,
        dt: float,
        iterations: int,
    ) -> None:
        self.held, self.arm, self.rates, self.coupling = held, arm, rates, coupling
        self.dt, self.iterations = dt, iterations
        self.model, self.n_v = held.model, len(held.model.speeds)
        self.limits = limits_of(held.model)

    def function(self, cuts: Sequence[str]) -> Function:
        """The tick, with the start as defaults; `cuts` are the joints whose wrenches are given out."""
        graph = Graph()
        zero = Expr(graph, ZERO)
        states = {"q": symbols("q", len(self.held.q), kind="coordinate", graph=graph)}
        states["z"] = symbols("z", 1 + self.rates.memory, kind="coordinate", graph=graph)
        t = symbol("t", graph=graph)
        given = {
            level: [symbol(f"{name}.{level}", graph=graph) for name in self.arm.names]
            for level in self.rates.levels
        }
        x = given["position"]
        v_arm, a_arm, memory = self.rates.of(list(given.values()), list(states["z"][1:]))
        p, R = self.arm.pose(x)
        closest = blocks.repeat(self.newton(), [*states["q"], states["z"][0]], p, R, times=self.iterations)
        q, rest = list(closest[:-1]), closest[-1]
        hand = self.arm.motion(x, v_arm, a_arm)
        outputs = self.felt(q, (p, R), hand, zero, cuts)
        wrench = [outputs[f"wrench.{name}"] for name in WRENCH]
        efforts = dict(zip((f"{n}.effort" for n in self.arm.names), self.arm.efforts(x, wrench), strict=True))
        new = {"q": q, "z": [rest, *memory], "t": t + self.dt}
        inputs = {**states, "t": t} | {
            f"{name}.{level}": value
            for level, values in given.items()
            for name, value in zip(self.arm.names, values, strict=True)
        }
        defaults = self._defaults()
        new = finite_state(new, states | {"t": t}, defaults)
        return Function("grasp", inputs, joined(new, efforts, outputs), defaults=defaults)

    def _defaults(self) -> dict[str, Any]:
        """The start, at rest."""
        places = dict(zip((f"{name}.position" for name in self.arm.names), self.arm.q, strict=True))
        still = {f"{name}.{level}": 0.0 for level in self.rates.levels[1:] for name in self.arm.names}
        return {"q": self.held.q, "z": np.zeros(1 + self.rates.memory), "t": 0.0, **places, **still}

    def newton(self) -> Function:
        """(q and rest, place, axes) -> q and rest: a step of Newton's towards the pose nearest to the hand's.

        The rest is the distance that the previous step has left. A linear step leaves out how the path of
        the frame bends, which matters by the rest over the lever; the step is damped by that much, and so
        stops at dead points instead of jumping about them. A push of `PUSH` lengths breaks the tie there,
        so that the mechanism leaves the dead point when the hand comes back.
        """
        graph, held = Graph(), self.held
        zero = Expr(graph, ZERO)
        state = symbols("state", len(held.q) + 1, kind="coordinate", graph=graph)
        p, R = symbols("place", 3, graph=graph), symbols("axes", 3, 3, graph=graph)
        q, rest = state[:-1], state[-1]
        h, C, _ = self.loops(q, [zero] * self.n_v)
        J, error = self.slopes(q), held.grasped(self.error(q, p, R))
        nearest = NearestMotion(J, C, held.weights, held.scales, zero, rest / held.length)
        limited = LimitedMotion(nearest, self.limits, held.length)
        step = limited.step(q, error, [-x for x in h], PUSH)
        moved = [sum((c * x for c, x in zip(row, step, strict=True)), zero) for row in J]
        left = zip(held.weights, error, moved, strict=True)
        rest = sum((w * (e - m) * (e - m) for w, e, m in left), zero) ** 0.5
        longest = zero
        for x, scale in zip(step, held.scales, strict=True):
            longest = maximum(longest, abs(x) * (scale / held.length))
        shorter = LONGEST / maximum(longest, LONGEST)
        rates = coordinate_rates(self.model)(q=q, v=[shorter * x for x in step])
        new = [x + d for x, d in zip(q, rates, strict=True)]
        for places in quaternions(self.model).values():
            size = sum((new[k] * new[k] for k in places), zero) ** 0.5
            for k in places:
                new[k] = new[k] / size
        return Function("closer", {"state": state, "place": p, "axes": R}, {"state": [*new, rest]})

    def felt(self, q: Sequence[Any], place: Any, hand: Any, zero: Any, cuts: Sequence[str]) -> dict[str, Any]:
        """All that is given out of a tick at the closest pose, by name."""
        held, (k, b, most) = self.held, self.coupling
        V, A = hand
        J = self.slopes(q)
        nearest = NearestMotion(J, self.loops(q, [zero] * self.n_v)[1], held.weights, held.scales, zero)
        limited = LimitedMotion(nearest, self.limits, held.length)
        v, stopped = limited.rates(q, held.grasped(V), [zero] * len(held.row_names))
        h, _, gamma = self.loops(q, v)
        drift = acceleration(self.model, held.frame)(q=q, v=v, a=[zero] * self.n_v)
        wanted = [x - d for x, d in zip(held.grasped(A), held.grasped(drift), strict=True)]
        a = limited.accelerations(wanted, [-x for x in gamma], stopped)
        tau = np.atleast_1d(inverse_dynamics(self.model)(q=q, v=v, a=a))
        w_d, multipliers = nearest.wrenches(list(tau))
        error = held.grasped(self.error(q, *place))
        moved = [sum((c * x for c, x in zip(row, v, strict=True)), zero) for row in J]
        slip = [x - m for x, m in zip(held.grasped(V), moved, strict=True)]
        parts = zip(held.weights, error, slip, strict=True)
        w_c = [w * (k * e + b * s) for w, e, s in parts]
        share = self._share([d + c for d, c in zip(w_d, w_c, strict=True)], most, zero)
        moving = w_d
        w_d, w_c = ([share * x for x in w] for w in (w_d, w_c))
        outputs = _named("wrench", WRENCH, [d + c for d, c in zip(w_d, w_c, strict=True)], zero)
        outputs |= _named("dynamic", WRENCH, w_d, zero) | _named("constraint", WRENCH, w_c, zero)
        outputs |= _named("violation", ERROR, error, zero)
        accelerations = map(acceleration_name, self.model.speeds)
        moved = [(self.model.coordinates, q), (self.model.speeds, v), (accelerations, a)]
        motion = joined(*(dict(zip(names, values, strict=True)) for names, values in moved))
        if cuts:  # what w_c loads: Cᵀ λ = -Jᵀ w_c, as it does no work on motions
            turned = [
                -sum((row[k] * w for row, w in zip(J, w_c, strict=True)), zero) for k in range(self.n_v)
            ]
            more = nearest.wrenches(turned)[1]
            multipliers = [x + y for x, y in zip(multipliers, more, strict=True)]
        lam = [row * x for row, x in zip(held.rows, multipliers, strict=True)]
        led = [*[zero] * (6 - len(moving)), *(d + c for d, c in zip(moving, w_c, strict=True))]
        closed = {"lam": lam} if held.row_names else {}
        for name in cuts:
            bearing, used = open_to_pull(reaction(pulled(self.model, held.frame), name))
            six = bearing(q=q, v=v, a=a, **closed, **theta_of(used, led))
            outputs |= _named(f"{name}.reaction", WRENCH, list(six), zero)
        gap = zero
        for x in h:
            gap = maximum(gap, abs(x))
        more = {"gap": gap, "regularity": nearest.regularity(), "share": share}
        return joined(outputs, motion, more)

    def slopes(self, q: Any) -> list[list[Any]]:
        """The grasped rows of the Jacobian."""
        return self.held.grasped([list(row) for row in jacobian(self.model, self.held.frame)(q=q)])

    def loops(self, q: Any, v: Any) -> tuple[list[Any], list[list[Any]], list[Any]]:
        """h, C and γ of the loops, those of turns in lengths."""
        if not self.held.row_names:
            return [], [], []
        rows = self.held.rows
        h, C, gamma = constraints(self.model)(q=q, v=v)
        scaled = [[s * x for x in row] for s, row in zip(rows, C, strict=True)]
        return (
            [s * x for s, x in zip(rows, h, strict=True)],
            scaled,
            [s * x for s, x in zip(rows, gamma, strict=True)],
        )

    def error(self, q: Any, p: Any, R: Any) -> list[Any]:
        """e₁ of all six directions, turning first: the skew part of R Rᵀ_frame, and p - p_frame."""
        return frame_error(p, R, *pose(self.model, self.held.frame)(q=q))

    def _share(self, wrench: Sequence[Any], most: float, zero: Any) -> Any:
        """1, or less where the wrench would be larger than `most`; moments count by the length."""
        total = zero
        for name, x in zip(self.held.grasped(WRENCH), wrench, strict=True):
            unit = self.held.length if name[0] == "m" else 1.0
            total = total + (x / unit) * (x / unit)
        return most / maximum(total**0.5, most)


def frame_error(p: Any, R: Any, place: Any, axes: Any) -> list[Any]:
    """A hand less a frame, turning first: the skew part of R Rᵀ_frame, and p - p_frame."""
    off = np.array(R, dtype=object) @ np.array(axes, dtype=object).T
    turn = [0.5 * (off[2, 1] - off[1, 2]), 0.5 * (off[0, 2] - off[2, 0]), 0.5 * (off[1, 0] - off[0, 1])]
    return [*turn, *(x - y for x, y in zip(p, place, strict=True))]


def _named(what: str, names: Sequence[str], values: Sequence[Any], zero: Any) -> dict[str, Any]:
    """{what.name: value} of six numbers, those that the grasp does not hold zero."""
    six = [*[zero] * (6 - len(values)), *values]
    return {f"{what}.{name}": x for name, x in zip(names, six, strict=True)}
