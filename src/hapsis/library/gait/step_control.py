"""A biped that walks along a preview: position control of its joints, in single and in double stance.

Every controlled joint gets the torque that the preview takes (from inverse dynamics, a table over time) and a
spring and a damper towards the preview. In double stance the weight goes over to foot 2 such that foot 1
needs no moment of the ground about its toe, as far as both feet carry some of it. At heel strike heel 2 is
caught (an impact, single to double, the mode is kept); when foot 2 is flat, left and right change places: the
state is mirrored across y, and what was foot 2 is foot 1 (the mode is switched).
"""

from typing import Any

import numpy as np

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.library.gait.biped import biped
from hapsis.library.gait.ground_forces import INPUTS, JOINTS, GroundForces
from hapsis.library.gait.preview import Preview, preview

NODES = 61  # of the tables of torques
STIFFNESS, DAMPING = 3000.0, 100.0  # of the position control, N m/rad and N m s/rad
# parts of both: of the light foot that swings, of the leg that swings, of all while both feet stand
SOFT = {"ankle_2": 0.03, "knee_2": 0.4, "hip_2": 0.4}
STANDING = 0.1
LEAST = 0.1  # share of the weight of each foot while both stand
CONTROLLED = (*INPUTS.values(), *JOINTS.values())
MIRRORED = ("ankle.Rx", "ankle.Rz", "hip.Rx")  # angles that change their sign in a mirror across y


@verb
def step_controller(model: hs.Model, plan: Preview, phase: str) -> hs.Controller:
    """The position control of a biped in one phase along a preview, as a traced law.

    model   the biped in that phase
    plan    the preview
    phase   "single" or "double"

    Its state `clock` is the time since the phase began.
    """
    step = plan.duration(phase) / (NODES - 1)
    torques = _torques(GroundForces(model), plan, phase)
    parts = {name: SOFT.get(name.partition(".")[0], 1.0) for name in torques}
    if phase == "double":
        parts = {name: STANDING * min(1.0, 10.0 * part) for name, part in parts.items()}
    tables = {name: hs.interpolated(values, 0.0, step, "cubic") for name, values in torques.items()}

    def law(
        s: Any, stiffness: float = STIFFNESS, damping: float = DAMPING, clock: Any = hs.LawState(0.0)
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        q, v = plan.at(phase, clock)
        efforts: dict[str, Any] = {}
        for name, table in tables.items():
            pull = stiffness * (q[name] - s[name]) + damping * (v[name] - s[f"{name}.v"])
            efforts[name] = table(clock) + parts[name] * pull
        return efforts, {"clock": 1.0}

    return hs.Controller("servo", law)


def _torques(feet: GroundForces, plan: Preview, phase: str) -> dict[str, list[float]]:
    """{coordinate: torques over time} that the preview takes."""
    rows = []
    for t in np.linspace(0.0, plan.duration(phase), NODES):
        q, v, a = plan(phase, float(t))
        if phase == "single":
            loads = feet.needed(q, v, a)
        else:
            loads = _shared(feet, q, v, a)
        rows.append(loads.efforts)
    table = np.array(rows)
    slots = {name.removesuffix(".v"): k for k, name in enumerate(feet.model.speeds)}
    return {name: table[:, slots[name]].tolist() for name in CONTROLLED}


def _shared(feet: GroundForces, q: Any, v: Any, a: Any) -> Any:
    """The loads in double stance with the share of foot 2 that leaves foot 1 without a moment about y."""
    alone = feet.needed(q, v, a)
    whole = np.array([alone.reactions[f"F{axis}Foot1"] for axis in "xyz"])
    other = feet.needed(q, v, a, foot2=whole)
    before, after = alone.inputs["TyFoot1"], other.inputs["TyFoot1"]
    share = before / (before - after) if before != after else 0.5
    return feet.needed(q, v, a, foot2=min(max(share, LEAST), 1.0 - LEAST) * whole)


def _mirrored() -> Any:
    """The action that mirrors the state across y and exchanges the legs: foot 2 becomes foot 1."""
    values: dict[str, Any] = {
        "servo.clock": 0.0,
        "foot_1.Tx": lambda s: s["foot_2.x"],
        "foot_1.Ty": lambda s: -s["foot_2.y"],
        "foot_1.Tz": lambda s: s["foot_2.z"],
        "foot_1.Rx": 0.0,
        "foot_1.Ry": lambda s: hs.asin((s["foot_2.heel.z"] - s["foot_2.z"]) / _far(s)),
        "foot_1.Tx.v": lambda s: s["foot_2.vx"],
        "foot_1.Ty.v": lambda s: -s["foot_2.vy"],
        "foot_1.Tz.v": lambda s: s["foot_2.vz"],
        "foot_1.Rx.v": 0.0,
        "foot_1.Ry.v": lambda s: s["foot_2.wy"],
    }
    for joint, angles in (("ankle", ("Rx", "Ry", "Rz")), ("hip", ("Ry", "Rx")), ("knee", ("",))):
        for angle in angles:
            sign = -1.0 if f"{joint}.{angle}" in MIRRORED else 1.0
            for side, other in (("1", "2"), ("2", "1")):
                end = f".{angle}" if angle else ""
                for level in ("", ".v"):
                    source = f"{joint}_{other}{end}{level}"
                    values[f"{joint}_{side}{end}{level}"] = lambda s, n=source, k=sign: k * s[n]
    return hs.reset(values)


def _far(s: Any) -> Any:
    """The length of foot 2."""
    x, y, z = (s[f"foot_2.heel.{axis}"] - s[f"foot_2.{axis}"] for axis in "xyz")
    return hs.sqrt(x * x + y * y + z * z)


@verb
def walking_biped(
    mass: float = 70.0, height: float = 1.75, friction: float = 0.8, **numbers: float
) -> hs.Hybrid:
    """A biped that walks along a preview: single stance, heel strike, double stance, exchange of the legs.

    mass, height   of the body, kg and m
    friction       of the ground, for the margins that the result has: `foot_1.push`, `foot_1.grip`, ...
    numbers        of the step, as `preview` takes them

    Each phase has the pose `start` at the begin of the single stance of a steady walk.
    """
    plan = preview(biped("single", mass, height), **numbers)
    q, v, _ = plan("single", 0.0)
    phases = {}
    for phase in ("single", "double"):
        model = biped(phase, mass, height)
        start = dict(zip((*model.coordinates, *model.speeds), [*q.tolist(), *v.tolist()], strict=True))
        model = model + step_controller(model, plan, phase)
        phases[phase] = model.replace(poses={"start": start})
    return hs.Hybrid(
        phases,
        events=[
            hs.Event(
                "heel strike",
                when=hs.height("foot_2.heel"),
                falling=True,
                only=lambda s: s["servo.clock"] > 0.5 * plan.duration("single"),
                during="single",
                to="double",
                then=[hs.impact("foot_2.heel"), hs.reset({"servo.clock": 0.0})],
            ),
            hs.Event(
                "toe off",
                when=lambda s: s["servo.clock"] - plan.duration("double"),
                rising=True,
                during="double",
                to="single",
                then=[_mirrored(), hs.impact()],
            ),
        ],
        watch=[hs.foot(frame, friction) for frame in ("foot_1", "foot_2.heel")],
    )
