"""Joints as they are seen: between rigid groups of bodies, with their axes, without bodies of construction.

Models use massless bodies without shapes to build joints of several degrees, or hold coordinates at a
constant angle of construction. Neither is a part that one could touch: groups of bodies that cannot move
relative to each other are one part, and joints in sequence at one place are one joint.
"""

from dataclasses import dataclass, field

import numpy as np

from hapsis.mechanics.drawing.placement import Array, Pose, frame_pose, motions
from hapsis.mechanics.model.driven_points import driven_coordinate
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.joints.weld import Weld
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.structure.topology import Groups
from hapsis.mechanics.model.values.formula import Formula

Motion = tuple[str, Array]  # R, P, H, ball or free, and the axis in the world


@dataclass
class Mate:
    """A joint between two parts: its place and its motions in the world, at the start."""

    name: str
    first: str
    second: str
    at: Array  # on the second part: where a slider is
    begin: Array  # on the first part: where its way begins
    motions: list[Motion]
    pitch: float = 0.0
    joints: list[Joint] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """What it looks like: pin, slider, screw, sleeve, cross, ball, or "" for nothing."""
        kinds = sorted(kind for kind, _ in self.motions)
        parallel = len(self.motions) == 2 and abs(np.dot(self.motions[0][1], self.motions[1][1])) > 0.999
        if kinds == ["P", "R"] and parallel:
            return "sleeve"
        if kinds == ["R", "R"]:
            return "pin" if parallel else "cross"
        if kinds in (["ball"], ["R"] * 3):
            return "ball"
        return {"R": "pin", "P": "slider", "H": "screw"}.get(kinds[0], "") if len(kinds) == 1 else ""

    def place(self, part: str) -> Array:
        """Where it holds one of its two parts, in the world."""
        return self.begin if part == self.first else self.at

    @property
    def axis(self) -> Array:
        """The direction of its first motion, in the world."""
        return self.motions[0][1]


@dataclass
class Parts:
    """The parts of a model: {body: the body that stands for its part}, and the joints between parts."""

    of: dict[str, str]
    mates: list[Mate]

    def members(self, part: str) -> list[str]:
        """The bodies of a part."""
        return [body for body, own in self.of.items() if own == part]


def parts_of(model: Model, poses: dict[str, Pose], values: dict[str, float], near: float) -> Parts:
    """The parts and the joints between them, at the start; places closer than `near` are one."""
    of = _groups(model)
    mates = [_mate(model, joint, poses, values, of) for joint in model.joints.values()]
    mates = [mate for mate in mates if mate.first != mate.second and mate.motions]
    hollow = {part for part in of.values() if all(_construction(model, b) for b in of if of[b] == part)}
    return Parts(of, _contracted(mates, hollow - {"world"}, near))


def _construction(model: Model, body: str) -> bool:
    if body == "world":
        return False
    own = model.bodies[body]
    return not own.shapes and model.value(own.mass) == 0.0


def _groups(model: Model) -> dict[str, str]:
    """{body: the world if it is fixed there, else the heaviest body that moves with it}."""
    groups = Groups(("world", *model.bodies))
    held = {driven_coordinate(model, d) for d in model.drives.values() if constant(d)}
    for joint in model.joints.values():
        first, second = model.frame(joint.first)[0], model.frame(joint.second)[0]
        built = any(_construction(model, body) for body in (first, second))
        if isinstance(joint, Weld) or (built and {*joint.coordinates} <= held):
            groups.join(first, second)
    members: dict[str, list[str]] = {}
    for body in ("world", *model.bodies):
        members.setdefault(groups.root(body), []).append(body)
    of: dict[str, str] = {}
    for own in members.values():
        chief = "world" if "world" in own else max(own, key=lambda b: _weight(model, b))
        of |= dict.fromkeys(own, chief)
    return of


def _weight(model: Model, body: str) -> tuple[bool, float]:
    return bool(model.bodies[body].shapes), model.value(model.bodies[body].mass)


def constant(drive: Drive) -> bool:
    """Whether a drive holds its coordinate where it is."""
    position = getattr(drive, "position", None)
    if isinstance(position, Formula):
        return "t" not in position.names
    return isinstance(position, int | float)


def _mate(
    model: Model, joint: Joint, poses: dict[str, Pose], values: dict[str, float], of: dict[str, str]
) -> Mate:
    first, frame = model.frame(joint.first)
    second, other = model.frame(joint.second)
    place = poses[first] @ frame_pose(model, frame)
    moved = motions(model, joint, values)
    axes: list[Motion] = []
    for step, before in zip(joint.steps, moved, strict=False):
        axis = np.zeros(3) if step.axis is None else place.R @ before.R @ np.array(step.axis)
        axes.append((step.kind, axis))
    at = (poses[second] @ frame_pose(model, other)).p
    pitch = next((model.value(s.pitch) for s in joint.steps if s.kind == "H"), 0.0)
    return Mate(joint.name, of[first], of[second], at, place.p, axes, pitch, [joint])


def _contracted(mates: list[Mate], hollow: set[str], near: float) -> list[Mate]:
    """Two joints at one place with nothing but a hollow part between them become one."""
    mates = list(mates)
    for part in sorted(hollow):
        own = [mate for mate in mates if part in (mate.first, mate.second)]
        if len(own) != 2:
            continue
        (a, here), (b, there) = ((mate, mate.at if mate.second == part else mate.begin) for mate in own)
        if np.linalg.norm(here - there) > near:
            continue
        first, begin = (a.first, a.begin) if a.second == part else (a.second, a.at)
        second, at = (b.second, b.at) if b.first == part else (b.first, b.begin)
        both, pitch = a.motions + b.motions, a.pitch + b.pitch
        joint = Mate(a.name, first, second, at, begin, both, pitch, a.joints + b.joints)
        mates[mates.index(a)] = joint
        mates.remove(b)
    return [mate for mate in mates if mate.first != mate.second]
