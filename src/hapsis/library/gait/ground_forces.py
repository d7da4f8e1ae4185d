"""The forces of the ground on the feet of a biped, brought into evidence, and the centre of pressure.

Of the rows of a phase some are held by the ground (the velocity of toe 1 and of heel 2, the roll of foot 1),
and some by torques of joints: TzAnkle1 keeps the trunk from turning, TxAnkle2 and TzAnkle2 keep foot 2 level
and straight. So the reactions λ act along W, which differs from Jᵀ for the latter:

    M a + c = τ + W λ        J a + γ = 0

τ are the other efforts; that on foot_1.Ry is TyFoot1, the moment of the ground on the sole. Sensitivities
to τ come from the same matrix. With the torques of joints found here as efforts, the multipliers of the
model's rows are those of the ground, and zero for the rest.
Reference: [Menga].
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import hapsis as hs
from hapsis.compiler.ir.functions.float_array import float_array
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, check_known
from hapsis.library.gait.biped import INDEPENDENT, ROWS
from hapsis.mechanics.formalisms.constraints.row_names import constraint_names
from hapsis.mechanics.model.values.numbers import described, real

Array = np.ndarray[Any, np.dtype[np.float64]]
JOINTS = {"TzAnkle1": "ankle_1.Rz", "TxAnkle2": "ankle_2.Rx", "TzAnkle2": "ankle_2.Rz"}
INPUTS = {  # the torques that control the biped, and the coordinates on which they act
    "TyFoot1": "foot_1.Ry",
    "TyAnkle1": "ankle_1.Ry",
    "TKnee1": "knee_1",
    "TyHip1": "hip_1.Ry",
    "TyHip2": "hip_2.Ry",
    "TKnee2": "knee_2",
    "TyAnkle2": "ankle_2.Ry",
    "TxAnkle1": "ankle_1.Rx",
    "TxHip1": "hip_1.Rx",
    "TxHip2": "hip_2.Rx",
}
assert tuple(INPUTS.values()) == INDEPENDENT


@dataclass(frozen=True)
class Loads:
    """A motion and what causes it.

    a           accelerations
    reactions   {name: force or torque}: FxFoot1, ..., TzAnkle2; in double stance FxFoot2, ... too
    cop         the centre of pressure on the ground, (x, y), m
    inputs      {name: torque} of the torques that control the biped
    efforts     of all coordinates: inputs, and the reactions that are torques of joints
    """

    a: Array
    reactions: Mapping[str, float]
    cop: tuple[float, float]
    inputs: Mapping[str, float] = field(default_factory=dict[str, float])
    efforts: Array = field(default_factory=lambda: np.zeros(0))

    def lift(self, foot: int) -> float:
        """Fz of a foot, N: more than 0 while it stands."""
        if foot not in (1, 2):
            raise ModelError(f"there is no foot {foot}", expected="1 or 2")
        return self.reactions.get(f"FzFoot{foot}", 0.0)

    def slip(self, foot: int, friction: float) -> float:
        """μ Fz - max(|Fx|, |Fy|) of a foot, N: more than 0 while it does not slide."""
        if not real(friction, "friction") >= 0.0:
            raise ModelError(f"friction is {friction}", expected="0 or more")
        along = max(abs(self.reactions.get(f"F{axis}Foot{foot}", 0.0)) for axis in "xy")
        return friction * self.lift(foot) - along


@verb
def ground_forces(model: hs.Model) -> "GroundForces":
    """The equations of a biped in single or double stance with its reactions by name, compiled."""
    return GroundForces(model)


class GroundForces:
    """Reactions, centre of pressure and sensitivities of a biped in one phase."""

    def __init__(self, model: hs.Model) -> None:
        self.model, self.rows = model, constraint_names(model)
        if not self.rows or any(row not in ROWS for row in self.rows):
            raise ModelError("the model is no biped in single or double stance", remedy="hs.library.biped()")
        self.names = tuple(ROWS[row] for row in self.rows)
        slots = {name.removesuffix(".v"): k for k, name in enumerate(model.speeds)}
        self.inputs = {name: slots[coordinate] for name, coordinate in INPUTS.items()}
        self.joints = {name: slots[coordinate] for name, coordinate in JOINTS.items()}
        self._M, self._c = hs.compile(hs.mass_matrix(model)), hs.compile(hs.bias(model))
        self._constraints = hs.compile(hs.constraints(model))
        self._foot2 = hs.compile(hs.jacobian(model, "foot_2.heel"))
        self._places = [hs.compile(hs.pose(model, frame)) for frame in ("foot_1", "foot_2.heel")]

    def __call__(self, q: Any, v: Any = None, efforts: Any = None, moment2: float = 0.0) -> Loads:
        """The motion and its reactions, for efforts on the coordinates, or {input: effort} by name.

        moment2    TyFoot2, the moment of the ground on the sole of foot 2 about its heel, N m
        """
        q, v, tau = self._given(q, v, efforts)
        J, gamma, W = self._directions(q, v)
        n, m = len(v), len(self.rows)
        left = np.block([[self._M(q), -W], [J, np.zeros((m, m))]])
        right = np.concatenate([tau + moment2 * self._foot2(q)[1] - self._c(q, v), -gamma])
        solution = np.asarray(np.linalg.solve(left, right), float)
        return self._told(q, solution[:n], dict(zip(self.names, solution[n:], strict=True)), tau, moment2)

    def needed(self, q: Any, v: Any, a: Any, foot2: Any = (0, 0, 0), moment2: float = 0.0) -> Loads:
        """The inputs and reactions of a motion, with a force of the ground on heel 2 and a moment there.

        Torques of joints and forces on foot 1 follow; how the weight is shared in double stance is free.
        """
        q, v, _ = self._given(q, v, None)
        W = self._directions(q, v)[2]
        single = [k for k, name in enumerate(self.names) if not name.endswith("Foot2")]
        B = np.eye(len(v))[:, list(self.inputs.values())]
        foot2, a = _numbers(foot2, "foot2", 3), _numbers(a, "a", len(v))
        wrench = np.concatenate([[0.0, real(moment2, "moment2"), 0.0], foot2])
        right = self._M(q) @ a + self._c(q, v) - self._foot2(q).T @ wrench
        solution = np.linalg.solve(np.hstack([W[:, single], B]), right)
        reactions = dict(zip([self.names[k] for k in single], solution, strict=False))
        if len(single) < len(self.names):
            reactions |= dict(zip(("FxFoot2", "FyFoot2", "FzFoot2"), map(float, foot2), strict=True))
        tau = B @ solution[len(single) :]
        return self._told(q, a, reactions, tau, moment2)

    def sensitivity(self, q: Any, v: Any = None) -> Array:
        """∂ reactions / ∂ inputs: a row for each of `names`, a column for each of `inputs`."""
        q, v, _ = self._given(q, v, None)
        J, _, W = self._directions(q, v)
        n, m = len(v), len(self.rows)
        left = np.block([[self._M(q), -W], [J, np.zeros((m, m))]])
        right = np.zeros((n + m, len(self.inputs)))
        for column, slot in enumerate(self.inputs.values()):
            right[slot, column] = 1.0
        return np.asarray(np.linalg.solve(left, right)[n:], float)

    def _given(self, q: Any, v: Any, efforts: Any) -> tuple[Array, Array, Array]:
        n = len(self.model.speeds)
        q, v = (q.q, q.v if v is None else v) if isinstance(q, hs.State) else (q, v)
        if isinstance(efforts, Mapping):  # by the names of inputs, as `needed` gives them
            for name in efforts:
                check_known(name, self.inputs, "there is no input {}")
            named, efforts = efforts, np.zeros(n)
            for name, x in named.items():
                efforts[self.inputs[name]] = real(x, f'the input "{name}"')
        q, v, efforts = (
            np.zeros(n) if x is None else _numbers(x, name, n)
            for name, x in (("q", q), ("v", v), ("efforts", efforts))
        )
        return q, v, efforts

    def _directions(self, q: Array, v: Array) -> tuple[Array, Array, Array]:
        """J, γ, and W: the columns are generalized forces of the reactions."""
        rows = self._constraints(q, v)
        J, gamma = np.asarray(rows.J), np.asarray(rows.gamma)
        W = J.T.copy()
        for k, name in enumerate(self.names):
            if name in self.joints:
                W[:, k] = 0.0
                W[self.joints[name], k] = 1.0
        return J, gamma, W

    def _told(self, q: Array, a: Array, reactions: dict[str, float], tau: Array, moment2: float) -> Loads:
        reactions = {name: float(x) for name, x in reactions.items()}
        efforts = tau.copy()
        for name, slot in self.joints.items():
            efforts[slot] += reactions[name]
        inputs = {name: float(tau[slot]) for name, slot in self.inputs.items()}
        return Loads(a, reactions, self._cop(q, reactions, inputs["TyFoot1"], moment2), inputs, efforts)

    def _cop(self, q: Array, reactions: Mapping[str, float], Ty1: float, Ty2: float) -> tuple[float, float]:
        """The centre of pressure, from moments and vertical forces at toe 1 and heel 2."""
        (x1, y1, _), (x2, y2, _) = (np.asarray(place(q).p) for place in self._places)
        F1, F2 = reactions["FzFoot1"], reactions.get("FzFoot2", 0.0)
        Tx1 = reactions["TxFoot1"]
        # CoP_x = (-Ty1 - Ty2 + x1 F1 + x2 F2) / (F1 + F2), CoP_y = (Tx1 + Tx2 + y1 F1 + y2 F2) / (F1 + F2)
        x = (-Ty1 - Ty2 + x1 * F1 + x2 * F2) / (F1 + F2)
        return float(x), float((Tx1 + y1 * F1 + y2 * F2) / (F1 + F2))


@verb
def foot_signals(result: hs.Result) -> dict[str, Array]:
    """The forces of the ground on both feet during a walk by name, and the centre of pressure, CoPx, CoPy.

    result    of a biped with the controller `servo`. Forces of a foot that does not stand are 0
    """
    signals: dict[str, Array] = {}
    for foot, pin, frame in (("Foot1", "toe_1", "foot_1"), ("Foot2", "heel_2", "foot_2")):
        force = _on_foot(result, pin, frame, slice(3, 6))
        signals |= {f"F{axis}{foot}": force[:, k] for k, axis in enumerate("xyz")}
    signals["TxFoot1"] = _on_foot(result, "foot_1 roll", "foot_1", slice(0, 3))[:, 0]
    signals["TyFoot1"] = np.nan_to_num(result["servo.foot_1.Ry"])
    F1, F2 = signals["FzFoot1"], signals["FzFoot2"]
    x1, y1, x2, y2 = (result[n] for n in ("foot_1.x", "foot_1.y", "foot_2.heel.x", "foot_2.heel.y"))
    signals["CoPx"] = (-signals["TyFoot1"] + x1 * F1 + x2 * F2) / (F1 + F2)
    signals["CoPy"] = (signals["TxFoot1"] + y1 * F1 + y2 * F2) / (F1 + F2)
    return signals


def _on_foot(result: hs.Result, constraint: str, foot: str, part: slice) -> Array:
    """The force or the moment of a constraint on a foot in world axes; 0 where it does not act."""
    if f"{constraint}.reaction" not in result.names:
        return np.zeros((len(result.t), 3))
    wrench = np.nan_to_num(result[f"{constraint}.reaction"])[:, part]  # of the foot, in its axes
    return -np.einsum("nij,nj->ni", result[f"{foot}.R"], wrench)


def _numbers(x: Any, name: str, count: int) -> Array:
    """So many finite numbers."""
    array = float_array(x)
    if array is None:
        raise ModelError(f"{name} is {described(x)}", expected=f"{count} numbers")
    if array.shape != (count,):
        raise ModelError(f"{name} has the shape {array.shape}", expected=f"{count} numbers")
    if not np.isfinite(array).all():
        raise ModelError(f"{name} is not finite", expected=f"{count} numbers")
    return array
