"""A biped of seven bodies and 17 coordinates, free, in single and in double stance.

x is forward, y to the left, z up. Leg 1 is the supporting one, on the right (y < 0). The origin of a foot is
the centre of its toe. Every joint goes up, from foot to leg to thigh to trunk, in both legs, so that the
left is the mirror image of the right, and exchanging 1 and 2 exchanges the legs.

    foot1    Tx Ty Tz Rx Ry    the toe of the supporting foot in the world; it does not turn about z
    ankle    Rx Ry Rz          of leg 1 and of leg 2
    knee     about y
    hip      Ry Rx

Masses, lengths and radii of gyration are fractions of the mass and the height of the body, by Winter's table,
quoted from memory. The place of the ankle over the foot, and the moments of inertia about the long axes, are
chosen here.
Reference: [Menga] for the model and its rows, [Winter] for the segments.
"""

import hapsis as hs
from hapsis.compiler.ir.functions.verbs import verb
from hapsis.errors import ModelError, check_known
from hapsis.mechanics.model.values.numbers import real

# fractions of the height: the ankle over the ground, leg, thigh, foot, distance of the hips
LENGTHS = {"ankle": 0.039, "leg": 0.246, "thigh": 0.245, "foot": 0.152, "hips": 0.191}
MASSES = {"foot": 0.0145, "leg": 0.0465, "thigh": 0.100, "hat": 0.678}  # of the mass of the body
GYRATION = {"foot": 0.475, "leg": 0.302, "thigh": 0.323, "hat": 0.496}  # of the length of the segment
FROM_TOP = {"leg": 0.433, "thigh": 0.433, "hat": 0.626}  # the centre of mass, of the length of the segment
HAT = 1.0 - LENGTHS["ankle"] - LENGTHS["leg"] - LENGTHS["thigh"]  # head, arms and trunk
BEHIND = 0.75  # the ankle, of the length of the foot behind the toe: chosen
AXIAL = 0.2  # of the moment of inertia across: chosen

PHASES = ("free", "single", "double")
# the speeds that lead in single stance, as in the source
INDEPENDENT = (
    *("foot_1.Ry", "ankle_1.Ry", "knee_1", "hip_1.Ry", "hip_2.Ry", "knee_2", "ankle_2.Ry"),
    *("ankle_1.Rx", "hip_1.Rx", "hip_2.Rx"),
)
# the rows of the phases and what holds them: forces of the ground, and torques of joints
ROWS = {
    "toe_1.x": "FxFoot1",
    "toe_1.y": "FyFoot1",
    "toe_1.z": "FzFoot1",
    "foot_1 roll.spin": "TxFoot1",
    "trunk yaw.spin": "TzAnkle1",
    "foot_2 roll.spin": "TxAnkle2",
    "foot_2 yaw.spin": "TzAnkle2",
    "heel_2.x": "FxFoot2",
    "heel_2.y": "FyFoot2",
    "heel_2.z": "FzFoot2",
}
ACROSS = (("ankle", "Rx"), ("ankle", "Rz"), ("hip", "Rx"))  # angles that are zero upright
BENT = 0.2  # rad, half of the bend of the knees in the pose `start`


@verb
def biped(phase: str = "single", mass: float = 70.0, height: float = 1.75, mode: int = 1) -> hs.Model:
    """A biped of seven bodies and 17 coordinates in one of its phases, standing with bent knees.

    phase    "single": toe 1 is pinned, foot 1 does not roll, the trunk does not turn about z, foot 2 neither
             rolls nor turns about z: 7 rows of speeds, 10 degrees of freedom. "double": heel 2 is pinned
             too, 7 degrees of freedom. "free": no rows
    mass     of the whole body, kg
    height   of the whole body, m
    mode     1: leg 1, which supports, is the right one; -1: it is the left one

    mass and height are parameters of the model. Segments by Winter's table, quoted from memory.
    """
    check_known(phase, PHASES, "a biped has no phase {}", expected=", ".join(PHASES))
    if mode not in (1, -1):
        raise ModelError(f"the mode of a biped is {mode!r:.20}", expected="1 or -1")
    for name, size in (("mass", mass), ("height", height)):
        if not real(size, f"the {name} of a biped") > 0.0:
            raise ModelError(f"the {name} of a biped is {size:g}", expected="more than 0")
    right = f"{-mode * LENGTHS['hips'] / 2} * height"
    lean = {"ankle_1.Ry": BENT, "ankle_2.Ry": BENT, "hip_1.Ry": BENT, "hip_2.Ry": BENT}
    zero = dict.fromkeys(("foot_1.Tx", "foot_1.Tz", "foot_1.Rx", "foot_1.Ry"), 0.0)
    zero |= {f"{joint}_{side}.{axis}": 0.0 for side in "12" for joint, axis in ACROSS}
    return hs.Model(
        *_bodies(mode),
        hs.Chain("foot_1", hs.WORLD, "foot_1", "Tx Ty Tz Rx Ry"),
        hs.Chain("ankle_1", "foot_1.ankle", "leg_1", "Rx Ry Rz"),
        hs.Revolute("knee_1", "leg_1.knee", "thigh_1", axis="y"),
        hs.Chain("hip_1", "thigh_1.hip", "hat.hip_1", "Ry Rx"),
        hs.Chain("hip_2", "thigh_2.hip", "hat.hip_2", "Ry Rx"),
        hs.Revolute("knee_2", "leg_2.knee", "thigh_2", axis="y"),
        hs.Chain("ankle_2", "foot_2.ankle", "leg_2", "Rx Ry Rz"),
        *_rows(phase),
        parameters={"mass": mass, "height": height},
        poses={"start": zero | {"foot_1.Ty": right, "knee_1": -2 * BENT, "knee_2": -2 * BENT, **lean}},
        independent=INDEPENDENT if phase == "single" else (),
    )


def _rows(phase: str) -> list[hs.Pinned | hs.NoSpin]:
    """The motion constraints of a phase."""
    if phase == "free":
        return []
    rows: list[hs.Pinned | hs.NoSpin] = [
        hs.Pinned("toe_1", "foot_1"),
        hs.NoSpin("foot_1 roll", "foot_1", about="x"),
        hs.NoSpin("trunk yaw", "hat", about="z"),
        hs.NoSpin("foot_2 roll", "foot_2", about="x"),
        hs.NoSpin("foot_2 yaw", "foot_2", about="z"),
    ]
    return [*rows, hs.Pinned("heel_2", "foot_2.heel")] if phase == "double" else rows


def _bodies(mode: int) -> list[hs.Body]:
    bodies = [_hat(mode)]
    for side in "12":
        limbs = [_limb("leg", f"leg_{side}", "knee"), _limb("thigh", f"thigh_{side}", "hip")]
        bodies += [_foot(f"foot_{side}"), *limbs]
    return bodies


def _foot(name: str) -> hs.Body:
    length, high = LENGTHS["foot"], LENGTHS["ankle"]
    places = {
        "heel": (f"-{length} * height", 0, 0),
        "ankle": (f"-{BEHIND * length} * height", 0, f"{high} * height"),
        "middle": (f"-{length / 2} * height", 0, 0),
    }
    box = hs.Box((f"{length} * height", "0.05 * height", f"{high} * height"),
                 at=(f"-{length / 2} * height", 0, f"{high / 2} * height"))  # fmt: skip
    com = (f"-{length / 2} * height", 0, f"{high / 2} * height")
    across = f"{MASSES['foot'] * (GYRATION['foot'] * length) ** 2} * mass * height^2"
    inertia = (f"{AXIAL} * {across}", across, across)
    return hs.Body(name, f"{MASSES['foot']} * mass", com, inertia, places, (box,))


def _limb(kind: str, name: str, top: str) -> hs.Body:
    """A leg or a thigh: the origin is its lower end, and it goes up along z."""
    length = LENGTHS[kind]
    com = (0, 0, f"{(1 - FROM_TOP[kind]) * length} * height")
    across = f"{MASSES[kind] * (GYRATION[kind] * length) ** 2} * mass * height^2"
    bar = hs.Capsule(f"{0.03 if kind == 'leg' else 0.04} * height", f"{0.8 * length} * height",
                     at=(0, 0, f"{length / 2} * height"))  # fmt: skip
    places = {top: (0, 0, f"{length} * height")}
    inertia = (across, across, f"{AXIAL} * {across}")
    return hs.Body(name, f"{MASSES[kind]} * mass", com, inertia, places, (bar,))


def _hat(mode: int) -> hs.Body:
    """Head, arms and trunk: the origin is in the middle between the hips."""
    com = (0, 0, f"{(1 - FROM_TOP['hat']) * HAT} * height")
    across = f"{MASSES['hat'] * (GYRATION['hat'] * HAT) ** 2} * mass * height^2"
    places = {
        "hip_1": (0, f"{-mode * LENGTHS['hips'] / 2} * height", 0),
        "hip_2": (0, f"{mode * LENGTHS['hips'] / 2} * height", 0),
    }
    trunk = hs.Box(("0.1 * height", f"{LENGTHS['hips']} * height", f"{0.65 * HAT} * height"),
                   at=(0, 0, f"{0.35 * HAT} * height"))  # fmt: skip
    head = hs.Sphere("0.055 * height", at=(0, 0, f"{0.79 * HAT} * height"))
    inertia = (across, across, f"{AXIAL} * {across}")
    return hs.Body("hat", f"{MASSES['hat']} * mass", com, inertia, places, (trunk, head))
