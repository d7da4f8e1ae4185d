"""The joints of an MJCF body: each keeps its name; between two of them is a massless body.

A joint moves its body about or along an axis of the body. At the coordinate `ref` the body has the pose
of the file, so the frame of the joint's second end is rotated or translated by `ref`.
"""

from dataclasses import dataclass
from typing import Any

from hapsis.mechanics.formats.mjcf.mjcf_fields import Settings, about, framed, numbers, one, unit, word
from hapsis.mechanics.formats.mjcf.mjcf_ignored import LeftOut
from hapsis.mechanics.formats.xml_tree import Element
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.forces.joint_spring import JointSpring
from hapsis.mechanics.model.frames import IDENTITY, ORIGIN, End, Frame, composed, end_at, rotation
from hapsis.mechanics.model.joints.ball import Ball
from hapsis.mechanics.model.joints.free import Free
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.joints.prismatic import Prismatic
from hapsis.mechanics.model.joints.revolute import Revolute
from hapsis.mechanics.model.values.axes import LETTERS

TYPES = ("hinge", "slide", "ball", "free")
_NAMES = {vector: letter for letter, vector in LETTERS.items()}


@dataclass
class Read:
    """A joint that was read: its facts, and what keyframes and equalities need to know of it."""

    name: str
    kind: str
    facts: list[Fact]
    start: tuple[float, ...]  # its coordinates in the pose of the file


class Joints:
    """Reads joints, and records in `left_out` what cannot be read."""

    def __init__(self, settings: Settings, left_out: LeftOut) -> None:
        self.settings, self.left_out = settings, left_out

    def read(self, element: Element, around: Frame, name: str, first: End, body: str) -> Read:
        """A joint of a body; `first` is the end where the body would be without the joint.

        `around` is the frame on the body that encloses the element.
        """
        what = f'joint "{name}"'
        free = element.tag == "freejoint"
        kind = "free" if free else word(element, "type", what, TYPES, "hinge")
        more: Any = {"where": element.where, **({} if free else self._passive(element, kind, what))}
        if kind == "free":
            facts: list[Fact] = [Free(name, End("world"), End(body), **more)]
            return Read(name, kind, facts, ())
        at = composed(around, Frame(numbers(element, "pos", what, 3, ORIGIN))).at
        if kind == "ball":
            ends = _end(first, Frame(at)), _end(End(body), Frame(at))
            self._no_limits(element, what)
            return Read(name, kind, [Ball(name, *ends, **more)], (1.0, 0.0, 0.0, 0.0))
        return self._one_degree(element, kind, name, (around, at, first, body), more)

    def _one_degree(self, element: Element, kind: str, name: str, lies: Any, more: Any) -> Read:
        """A hinge or a slide, with its spring."""
        around, at, first, body = lies
        what = f'joint "{name}"'
        axis = unit(numbers(element, "axis", what, 3, (0.0, 0.0, 1.0)))
        if axis is None:
            raise element.wrong(f"{what}: its axis has no direction", expected="no zero vector")
        R = rotation(around.rpy)
        axis = tuple(sum(R[i][k] * axis[k] for k in range(3)) for i in range(3))
        scale = self.settings.unit if kind == "hinge" else 1.0
        ref = scale * one(element, "ref", what, 0.0)
        if kind == "hinge":
            start, place = Frame(at), framed(at, about(axis, ref)) if ref else Frame(at)
            family: type[Joint] = Revolute
        else:
            start, place = IDENTITY, Frame([ref * a for a in axis])
            family = Prismatic
        more |= self._limits(element, scale, what)
        named: Any = {"axis": _NAMES.get(axis, axis)}
        joint = family(name, _end(first, start), _end(End(body), place), **named, **more)
        return Read(name, kind, [joint, *self._spring(element, name, scale, what)], (ref,))

    def _passive(self, element: Element, kind: str, what: str) -> dict[str, float]:
        damping = self._first(element, "damping", what)
        passive = {
            "damping": damping,
            "friction": one(element, "frictionloss", what, 0.0),
            "armature": one(element, "armature", what, 0.0),
        }
        if kind in ("ball", "free"):
            if self._first(element, "stiffness", what):
                self.left_out.add(f"stiffness of a {kind} joint", what)
        if kind == "free":  # MuJoCo's are along the axes of the world, ours along those of the body
            for name in ("friction", "armature"):
                if passive.pop(name):
                    self.left_out.add(f"{name} of a free joint", what)
        return {name: x for name, x in passive.items() if x}

    def _first(self, element: Element, name: str, what: str) -> float:
        """The linear coefficient of an attribute that MuJoCo reads as a polynomial."""
        first, *higher = numbers(element, name, what, 3, (0.0,), least=1)
        if any(higher):
            self.left_out.add(f"higher terms of {name}", what)
        return first

    def _limits(self, element: Element, scale: float, what: str) -> dict[str, Any]:
        limited = word(element, "limited", what, ("auto", "true", "false"), "auto")
        if "range" not in element.attributes:
            if limited == "true":
                raise element.wrong(f"{what} is limited and has no range")
            return {}
        low, high = numbers(element, "range", what, 2)
        if limited == "auto":
            if not self.settings.autolimits:
                raise element.wrong(
                    f"{what} has a range",
                    expected='limited="true" or "false" with it, for <compiler autolimits="false">',
                )
            limited = "false" if low == high == 0.0 else "true"
        return {"limits": (scale * low, scale * high)} if limited == "true" else {}

    def _no_limits(self, element: Element, what: str) -> None:
        if self._limits(element, self.settings.unit, what):
            self.left_out.add("range of a ball joint", what)

    def _spring(self, element: Element, name: str, scale: float, what: str) -> list[Fact]:
        stiffness = self._first(element, "stiffness", what)
        if not stiffness:
            return []
        rest = scale * one(element, "springref", what, 0.0)
        return [JointSpring(f"{name}.spring", name, stiffness, rest=rest, where=element.where)]


def _end(end: End, inner: Frame) -> End:
    """The end at a frame relative to another end, whose own frame is a Frame or None."""
    frame = composed(end.frame, inner) if isinstance(end.frame, Frame) else inner
    return end_at(end.body, frame)
