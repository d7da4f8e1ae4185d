"""A preview: the nominal motion of a biped during one step, as functions of time.

Single stance: the hips move like an inverted pendulum on the middle of foot 1, x = A sinh ω(t - T/2) along
and y = B cosh ω(t - T/2) across, at constant height; foot 2 goes from one step behind to one step ahead,
leaves with its toe and lands on its heel. Double stance: foot 1 rises about its toe, foot 2 comes down about
its heel, and the hips go on evenly but for what balances the legs, which turn with the feet: so the centre
of pressure passes from toe 1 to heel 2. Trunk upright; the joints follow in closed form.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError
from hapsis.library.gait.biped import BEHIND, LENGTHS

GIVE = (
    -0.0376
)  # of the length of a foot and of the angle by which both turn: then no moment about a toe is left

Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True)
class Gait:
    """The numbers of a step: lengths in m, times in s, pitch of the feet in rad."""

    step: float
    single: float
    double: float
    hips: float  # their height over the ground
    clearance: float  # of the toe of foot 2
    rise: float  # pitch of the foot behind when it leaves
    strike: float  # pitch of the foot ahead when it lands, heel first
    give: float  # how far the hips go along with the turning feet in double stance
    height: float  # of the body
    gravity: float

    @property
    def omega(self) -> float:
        """Of the inverted pendulum; the centre of mass is a little above the hips."""
        return math.sqrt(self.gravity / (1.03 * self.hips))

    def length(self, name: str) -> float:
        """A length of the body."""
        return LENGTHS[name] * self.height


class Preview:
    """The nominal motion in both phases: `q`, `v`, `a` of all coordinates at a time of the phase."""

    def __init__(self, gait: Gait, coordinates: tuple[str, ...]) -> None:
        self.gait, self.coordinates = gait, coordinates
        self._functions: dict[str, Any] = {}
        self._motions = {phase: self._compiled(phase) for phase in ("single", "double")}

    def __call__(self, phase: str, t: float) -> tuple[Array, Array, Array]:
        """q, v and a at the time t since the begin of a phase."""
        at = self._motions[phase](t)
        return tuple(np.asarray(x) for x in at)  # pyright: ignore[reportReturnType]

    def at(self, phase: str, t: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """Coordinates and their rates by name at a time t that is an expression."""
        place, rate = self._functions[phase]
        return tuple(dict(zip(self.coordinates, _flat(f(t)), strict=True)) for f in (place, rate))  # pyright: ignore

    def duration(self, phase: str) -> float:
        """Of a phase, s."""
        return self.gait.single if phase == "single" else self.gait.double

    def _compiled(self, phase: str) -> Any:
        t = hs.symbol("t")
        values = (self._single if phase == "single" else self._double)(t)
        f = hs.Function("place", {"t": t}, {"q": [values[n] for n in self.coordinates]})
        t = hs.symbol("t")
        v = f.jacobian("q", "t")
        a = v.jacobian(v.outputs[0].name, "t")
        self._functions[phase] = f, v
        outputs = {"q": list(f(t)), "v": _flat(v(t)), "a": _flat(a(t))}
        return hs.compile(hs.Function("preview", {"t": t}, outputs))

    def _single(self, t: Any) -> dict[str, Any]:
        g = self.gait
        part, s = t / g.single, g.omega * (t - g.single / 2)
        A, B, middle = self._sway()
        x, y = (
            middle + A * (hs.exp(s) - hs.exp(-s)) / 2,
            -g.length("hips") / 2 + B * (hs.exp(s) + hs.exp(-s)) / 2,
        )
        smooth = part**3 * (10.0 - 15.0 * part + 6.0 * part**2)
        pitch = g.rise + (g.strike - g.rise) * smooth
        land = g.length("foot") * math.sin(-g.strike)  # the toe is so high when the heel lands
        up = 6.75 * g.clearance * part**2 * (1.0 - part) + land * smooth
        toe2 = (-g.step + 2 * g.step * smooth + self._forward(g.strike) * smooth, g.length("hips") / 2, up)
        return self._joints((0.0, -g.length("hips") / 2, 0.0), 0.0, toe2, pitch, (x, y, g.hips))

    def _double(self, t: Any) -> dict[str, Any]:
        g = self.gait
        part, k = t / g.double, g.omega * g.single / 2
        A, B, middle = self._sway()
        x0, vx = middle + A * math.sinh(k), A * g.omega * math.cosh(k)
        y0, vy = -g.length("hips") / 2 + B * math.cosh(k), B * g.omega * math.sinh(k)
        smooth = part**3 * (10.0 - 15.0 * part + 6.0 * part**2)
        pitch1, pitch2 = g.rise * smooth, g.strike * (1.0 - smooth)
        L = g.length("foot")
        heel2 = g.step - L + 0.0  # where the heel has landed
        toe2 = (heel2 + L * hs.cos(pitch2), g.length("hips") / 2, -L * hs.sin(pitch2))
        return self._joints(
            (0.0, -g.length("hips") / 2, 0.0),
            pitch1,
            toe2,
            pitch2,
            (x0 + vx * t + g.give * smooth, y0 + vy * t, g.hips),
        )

    def _forward(self, pitch: float) -> float:
        """How much less far the toe is when the foot is pitched about its heel."""
        return self.gait.length("foot") * (math.cos(pitch) - 1.0)

    def _sway(self) -> tuple[float, float, float]:
        """A, B and the middle of foot 1: with these one phase continues the other."""
        g = self.gait
        k, pause = g.omega * g.single / 2, g.omega * g.double / 2
        A = (g.step - g.give) / 2 / (math.sinh(k) + pause * math.cosh(k))
        B = g.length("hips") / 2 / (math.cosh(k) + pause * math.sinh(k))
        return A, B, -g.length("foot") / 2

    def _joints(self, toe1: Any, pitch1: Any, toe2: Any, pitch2: Any, hips: Any) -> dict[str, Any]:
        """All coordinates from the feet and the middle of the hips; the trunk is upright."""
        half = self.gait.length("hips") / 2
        values = dict(zip(("foot_1.Tx", "foot_1.Ty", "foot_1.Tz"), toe1, strict=True))
        values |= {"foot_1.Rx": 0.0, "foot_1.Ry": pitch1}
        for side, toe, pitch, across in (("1", toe1, pitch1, -half), ("2", toe2, pitch2, half)):
            hip = (hips[0], hips[1] + across, hips[2])
            values |= self._leg(side, toe, pitch, hip)
        zero = hips[0] * 0.0
        return {name: x + zero for name, x in values.items()}

    def _leg(self, side: str, toe: Any, pitch: Any, hip: Any) -> dict[str, Any]:
        """Ankle, knee and hip of one leg; the knee bends forward."""
        back, up = BEHIND * self.gait.length("foot"), self.gait.length("ankle")
        c, s = hs.cos(pitch + hip[0] * 0.0), hs.sin(pitch + hip[0] * 0.0)
        dx = hip[0] - (toe[0] - back * c + up * s)
        dy, dz = hip[1] - toe[1], hip[2] - (toe[2] + back * s + up * c)
        roll, high = hs.atan2(-dy, dz), hs.hypot(dy, dz)
        shank, thigh = self.gait.length("leg"), self.gait.length("thigh")
        square = dx * dx + high * high
        far = hs.sqrt(square)
        lean = hs.atan2(dx, high)
        at_ankle = hs.acos((shank**2 + square - thigh**2) / (2 * shank * far))
        at_hip = hs.acos((thigh**2 + square - shank**2) / (2 * thigh * far))
        a, b = lean + at_ankle, lean - at_hip  # pitch of shank and thigh
        ca, sa, cr, sr = hs.cos(a), hs.sin(a), hs.cos(roll), hs.sin(roll)
        # R = Ry(-pitch) Rx(roll) Ry(a) = Rx Ry Rz of the ankle
        R00, R01, R02 = c * ca + s * cr * sa, -s * sr, c * sa - s * cr * ca
        R12, R22 = -sr * ca, s * sa + c * cr * ca
        return {
            f"ankle_{side}.Rx": hs.atan2(-R12, R22),
            f"ankle_{side}.Ry": hs.asin(R02),
            f"ankle_{side}.Rz": hs.atan2(-R01, R00),
            f"knee_{side}": b - a,
            f"hip_{side}.Ry": -b,
            f"hip_{side}.Rx": -roll,
        }


def _flat(values: Any) -> list[Any]:
    """The numbers of a column."""
    return [x for row in values for x in (row if hasattr(row, "__len__") else [row])]


@verb
def preview(
    model: hs.Model,
    step: float = 0.35,
    single: float = 0.6,
    double: float = 0.15,
    hips: float = 0.5,
    clearance: float = 0.03,
    rise: float = 0.3,
    strike: float = -0.15,
    give: float | None = None,
) -> Preview:
    """The nominal motion of a biped during one step.

    step           from foot to foot, m
    single, double how long both phases last, s
    hips           their height, of the height of the body
    clearance      of foot 2 over the ground, m
    rise, strike   pitch of the foot behind when it leaves, and of that ahead when it lands, rad
    give           how far the hips go along with the turning feet in double stance, m; by default so far that
                   the weight is carried between toe 1 and heel 2
    """
    height = model.value(model.parameters["height"])
    gravity = -model.value(model.gravity[2])
    if give is None:
        give = GIVE * LENGTHS["foot"] * height * (rise - strike)
    gait = Gait(step, single, double, hips * height, clearance, rise, strike, give, height, gravity)
    if not (min(step, single, double, clearance) > 0.0 and -0.6 < strike < 0.0 <= rise < 0.8):
        raise ModelError("no step has these numbers", expected="lengths and times above 0, strike below 0")
    plan = Preview(gait, model.coordinates)
    for phase in ("single", "double"):
        for part in np.linspace(0.0, 1.0, 21):
            if not np.isfinite(plan(phase, part * plan.duration(phase))[0]).all():
                raise ModelError(
                    "the legs are too short for this step", remedy="take a shorter one, or lower hips"
                )
    return plan
