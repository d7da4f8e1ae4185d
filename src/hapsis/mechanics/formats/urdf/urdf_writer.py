"""Writer of URDF: a tree of revolute, prismatic, planar and free joints and welds.

The frame of a URDF link is that of its parent joint, so the mass, the shapes and the child joints of a
body are transformed to the frame of its joint's end. Formulas become numbers. What affects the motion
and URDF cannot represent is an error; what does not affect the motion is left out, with a notice.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any
from xml.sax.saxutils import quoteattr

from hapsis.errors import notice
from hapsis.mechanics.formats.file_text import checked_name
from hapsis.mechanics.formats.urdf.urdf_fields import CHILDREN, OPEN
from hapsis.mechanics.formats.urdf.urdf_reader import base_name
from hapsis.mechanics.formats.xml_fields import back_rotation, inverse, rotated
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.constraints.constraints import Gear
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.frames import IDENTITY, ORIGIN, Frame, composed
from hapsis.mechanics.model.joints.free import Free
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.joints.planar import Planar
from hapsis.mechanics.model.joints.prismatic import Prismatic
from hapsis.mechanics.model.joints.revolute import Revolute
from hapsis.mechanics.model.joints.weld import Weld
from hapsis.mechanics.model.model import GRAVITY, Model
from hapsis.mechanics.model.shapes.shapes import Box, Mesh, Shape, Sphere
from hapsis.mechanics.model.structure.topology import TreeJoint
from hapsis.mechanics.model.values.axes import LETTERS
from hapsis.mechanics.model.values.formula import TIME, Formula

_TYPES = {Revolute: "revolute", Prismatic: "prismatic", Planar: "planar", Free: "floating", Weld: "fixed"}
_SHAPES = CHILDREN["geometry"]  # the kinds that URDF has; others are left out
_HOLDS = "a tree of Revolute, Prismatic, Planar, Free and Weld"


def urdf_text(model: Model, name: str = "robot") -> str:
    """A model as the text of a URDF file; `name` is the robot's."""
    _check(model)
    writer = _Writer(model)
    lines = ['<?xml version="1.0" encoding="utf-8"?>', f"<robot{_attributes(name=name)}>"]
    explicit = not _plain_base(model)
    if explicit:
        lines += writer.link(model.world)
    for body in model.bodies.values():
        lines += writer.link(body)
    of = {tree.joint.name: tree for tree in model.tree}
    for joint in model.joints:  # in the order of the coordinates
        if explicit or of[joint].parent != "world":
            lines += writer.joint(of[joint])
    _tell_left_out(model)
    return "\n".join([*lines, "</robot>", ""])


def _check(model: Model) -> None:
    """Raises an error for anything that affects the motion and that URDF cannot represent."""
    for joint in model.joints.values():
        if type(joint) not in _TYPES:
            raise joint.wrong(f"URDF cannot hold a {type(joint).__name__}", expected=_HOLDS)
        if model.value(joint.armature) != 0.0:
            raise joint.wrong("URDF cannot hold its armature", remedy="set it to 0")
    for cut in model.cuts:
        raise cut.wrong("it closes a loop, which URDF cannot hold", expected=_HOLDS)
    others = {n: c for n, c in model.constraints.items() if not _is_mimic(model, c)}
    for family in (others, model.forces, model.contacts, model.drives):
        for fact in family.values():
            raise fact.wrong(f"URDF cannot hold a {type(fact).__name__}", expected=_HOLDS)
    for tree in model.tree:
        if tree.reversed and isinstance(tree.joint, Free | Planar):
            raise tree.joint.wrong("its first end hangs from its second; swap them for URDF")


def _is_mimic(model: Model, fact: Fact) -> bool:
    """Whether a constraint can be a <mimic>: a Gear of two joints, the only one that moves its second."""
    if (
        not isinstance(fact, Gear)
        or callable(fact.offset)
        or not {fact.first, fact.second} <= {*model.joints}
    ):
        return False
    if isinstance(fact.offset, Formula) and TIME in fact.offset.names:
        return False
    return [g.second for g in model.constraints.values() if isinstance(g, Gear)].count(fact.second) == 1


def _plain_base(model: Model) -> bool:
    """Whether the joint of the root link is the one that the reader adds by default."""
    roots = [tree for tree in model.tree if tree.parent == "world"]
    if len(roots) != 1 or model.world.shapes:
        return False
    root = roots[0]
    others = [name for name in model.joints if name != root.joint.name]
    return (
        root.joint == Weld(base_name(others), root.joint.first, root.joint.second)
        and not root.reversed
        and root.parent_frame == root.child_frame == IDENTITY
        and next(iter(model.joints)) == root.joint.name
    )


def _tell_left_out(model: Model) -> None:
    limits = sum(j.limits is not None and len(j.suffixes) > 1 for j in model.joints.values())
    bodies = (*model.bodies.values(), model.world)
    shapes = Counter(s.type_name for body in bodies for s in body.shapes if s.type_name not in _SHAPES)
    frames = sum(len(body.frames) for body in bodies)
    counts = {
        "sensors": len(model.sensors),
        "generalized speeds": len(model.generalized_speeds),
        "poses": len(model.poses),
        "named frames": frames,
        "parameters": len(model.parameters),
        "independent coordinates": len(model.independent),
        "page": model.page is not None,
        "limits of a joint with several coordinates": limits,
        "gravity of its own": model.gravity != GRAVITY,
        **{f"{kind}s": count for kind, count in shapes.items()},
    }
    if any(counts.values()):
        listed = ", ".join(f"{int(count)} {what}" for what, count in counts.items() if count)
        notice(f"URDF cannot hold everything; left out: {listed}")


class _Writer:
    """Writes bodies and joints relative to the frames of the links, those of their parent joints."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.held = {tree.child: self._numbers(tree.child_frame) for tree in model.tree}
        self.held["world"] = IDENTITY

    def _numbers(self, frame: Frame) -> Frame:
        value = self.model.value
        if not frame.formula:
            return frame
        return Frame(tuple(map(value, frame.at)), tuple(map(value, frame.rpy)))  # pyright: ignore

    def _placed(self, body: str, frame: Frame) -> Frame:
        """A frame of a body, relative to the frame of its link."""
        held, frame = self.held[body], self._numbers(frame)
        return frame if held == IDENTITY else composed(inverse(held), frame)

    def link(self, body: Body) -> list[str]:
        """The lines of a <link>."""
        name = checked_name(body.name, "body", body.name[:60])
        inner = [*self._inertial(body)]
        for shape in body.shapes:
            if shape.type_name not in _SHAPES:
                continue
            for tag in ("visual", "collision"):
                color = _material(shape) if tag == "visual" else []
                inner += [f"    <{tag}>", *self._shape(body.name, shape), *color, f"    </{tag}>"]
        if not inner:
            return [f"  <link{_attributes(name=name)}/>"]
        return [f"  <link{_attributes(name=name)}>", *inner, "  </link>"]

    def _inertial(self, body: Body) -> list[str]:
        value = self.model.value
        mass, inertia = value(body.mass), tuple(map(value, body.inertia))
        com = self._placed(body.name, Frame(body.com)).at
        held = self.held[body.name]
        if mass == 0.0 and not any(inertia):
            return []
        if held.rpy != ORIGIN:
            inertia = rotated(inertia, back_rotation(held))
        keys = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
        return [
            "    <inertial>",
            f"      <origin{_attributes(xyz=com)}/>",
            f"      <mass{_attributes(value=mass)}/>",
            f"      <inertia{_attributes(**dict(zip(keys, inertia, strict=True)))}/>",
            "    </inertial>",
        ]

    def _shape(self, body: str, shape: Shape) -> list[str]:
        value = self.model.value
        sizes: dict[str, Any] = {}
        match shape:
            case Box():
                sizes["size"] = tuple(map(value, shape.size))
            case Mesh():
                sizes |= {"filename": shape.path, "scale": tuple(map(value, shape.scale))}
            case Sphere():
                sizes["radius"] = value(shape.radius)
            case _:  # a cylinder or a capsule
                sizes = {n: value(getattr(shape, n)) for n in ("radius", "length")}
        tag = shape.type_name
        return [
            *_origin(self._placed(body, shape.at), "      "),
            f"      <geometry><{tag}{_attributes(**sizes)}/></geometry>",
        ]

    def joint(self, tree: TreeJoint) -> list[str]:
        """The lines of a <joint>."""
        joint = tree.joint
        kind = _TYPES[type(joint)]
        if kind == "revolute" and joint.limits is None:
            kind = "continuous"
        name = checked_name(joint.name, "joint", joint.name[:60])
        return [
            f"  <joint{_attributes(name=name, type=kind)}>",
            *_origin(self._placed(tree.parent, tree.parent_frame), "    "),
            f"    <parent{_attributes(link=tree.parent)}/>",
            f"    <child{_attributes(link=tree.child)}/>",
            *_axis(tree),
            *self._limit(joint, kind),
            *self._dynamics(joint),
            *self._mimic(joint),
            "  </joint>",
        ]

    def _limit(self, joint: Joint, kind: str) -> list[str]:
        value = self.model.value
        if kind not in ("revolute", "prismatic", "continuous"):
            return []
        if kind == "continuous" and joint.max_effort is None and joint.max_speed is None:
            return []
        limit: dict[str, float] = {}
        if kind != "continuous":
            low, high = joint.limits or (None, None)
            limit["lower"] = -OPEN if low is None else value(low)
            limit["upper"] = OPEN if high is None else value(high)
        for name, most in (("effort", joint.max_effort), ("velocity", joint.max_speed)):
            limit[name] = OPEN if most is None else value(most)
        return [f"    <limit{_attributes(**limit)}/>"]

    def _mimic(self, joint: Joint) -> list[str]:
        gears = [g for g in self.model.constraints.values() if isinstance(g, Gear) and g.second == joint.name]
        values = [
            {"multiplier": self.model.value(g.ratio), "offset": self.model.value(g.offset)} for g in gears
        ]
        return [
            f"    <mimic{_attributes(joint=gear.first, **value)}/>"
            for gear, value in zip(gears, values, strict=True)
        ]

    def _dynamics(self, joint: Joint) -> list[str]:
        losses = {n: self.model.value(getattr(joint, n)) for n in ("damping", "friction")}
        return [f"    <dynamics{_attributes(**losses)}/>"] if any(losses.values()) else []


def _material(shape: Shape) -> list[str]:
    """The line of the colour of a shape, if it has one."""
    if shape.color is None:
        return []
    return [f'      <material name=""><color{_attributes(rgba=(*shape.color, 1.0))}/></material>']


def _axis(tree: TreeJoint) -> list[str]:
    """The line of the axis in the joint's frame; reversed for a joint that the tree reverses."""
    joint = tree.joint
    axis = joint.normal if isinstance(joint, Planar) else getattr(joint, "axis", None)
    if axis is None:
        return []
    vector = LETTERS[axis] if isinstance(axis, str) else axis
    if tree.reversed:
        vector = tuple(-x if x else x for x in vector)
    return [f"    <axis{_attributes(xyz=vector)}/>"]


def _origin(frame: Frame, indent: str) -> list[str]:
    if frame == IDENTITY:
        return []
    turn = {} if frame.rpy == ORIGIN else {"rpy": frame.rpy}
    return [f"{indent}<origin{_attributes(xyz=frame.at, **turn)}/>"]


def _attributes(**attributes: Any) -> str:
    """Attributes in XML syntax, with a blank before each."""
    return "".join(f" {name}={quoteattr(_shown(value))}" for name, value in attributes.items())


def _shown(value: Any) -> str:
    if isinstance(value, str):
        return value
    return " ".join(map(_shown, value)) if isinstance(value, Iterable) else repr(float(value))
