"""Reader of URDF: links become bodies, joints become joints, in the order of the file.

The frame of a link is the frame of its body. The root link is welded to the world or free, or it is the
world itself if its name is "world". What a Model cannot represent is counted and listed in its warnings.
"""

import math
from pathlib import Path
from typing import Any, Literal

from hapsis.errors import near, near_or_all
from hapsis.mechanics.formats.file_text import checked_name
from hapsis.mechanics.formats.urdf.urdf_fields import (
    OPEN,
    Shapes,
    attribute,
    ignored,
    inertial,
    numbers,
    origin,
)
from hapsis.mechanics.formats.xml_tree import Element, xml_tree
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.checks.validation import MOST_BODIES
from hapsis.mechanics.model.constraints.constraints import Gear
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.frames import ORIGIN, End, Frame, composed, end_at
from hapsis.mechanics.model.joints.free import Free
from hapsis.mechanics.model.joints.joint import Joint
from hapsis.mechanics.model.joints.planar import Planar
from hapsis.mechanics.model.joints.prismatic import Prismatic
from hapsis.mechanics.model.joints.revolute import Revolute
from hapsis.mechanics.model.joints.weld import Weld
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.values.axes import LETTERS, SHORTEST_AXIS

Base = Literal["fixed", "free"]
TYPES = ("revolute", "continuous", "prismatic", "fixed", "floating", "planar")
ONE_DEGREE = ("revolute", "continuous", "prismatic")
BASES = ("base", "base_joint", "root")  # names for the joint of the root link; the first unused one
_NAMES = {vector: letter for letter, vector in LETTERS.items()}


def urdf_model(text: str, file: str, folder: Path, base: Base = "fixed", physical: bool = True) -> Model:
    """The model of a URDF text; its warnings list what was ignored. Meshes are in the folder."""
    root = xml_tree(text, file)
    if root.tag != "robot":
        raise root.wrong(f"the file is a <{root.tag[:60]}>", expected="<robot>, which URDF begins")
    _refuse_xacro(root)
    reader = _Reader(root, folder)
    facts = reader.facts(base)
    return Model(*facts, physical=physical, notes=ignored(root) + reader.notes + reader.shapes.notes)


def _refuse_xacro(root: Element) -> None:
    for child in root.children:
        if child.tag.startswith("xacro:"):
            raise child.wrong(f"<{child.tag[:60]}> is xacro, not URDF", remedy="expand it first")


class _Reader:
    """The links and joints of a robot by name, and how they are connected."""

    def __init__(self, root: Element, folder: Path) -> None:
        self.root, self.shapes = root, Shapes(root, folder)
        self.notes: list[str] = []  # on joints
        self.links = _named(root, "link")
        self.joints = _named(root, "joint")
        self.above: dict[str, str] = {}  # {link: its parent joint}
        self.parents = {name: self._link(name, "parent") for name in self.joints}
        for name, element in self.joints.items():
            child = self._link(name, "child")
            if child in self.above:
                other = self.above[child]
                raise element.wrong(
                    f'link "{child}" hangs from joint "{other}" and from joint "{name}"',
                    expected="one joint above each link",
                )
            self.above[child] = name
        self.top = self._top()

    def _link(self, joint: str, tag: str) -> str:
        what = f'joint "{joint}"'
        element = self.joints[joint].one(tag, what)
        if element is None:
            raise self.joints[joint].wrong(f"{what} needs <{tag}>")
        name = attribute(element, "link", what)
        if name not in self.links:
            hint = near(name, self.links)
            raise element.wrong(f'{what}: {tag} link "{name[:60]}" does not exist{hint}')
        return name

    def _top(self) -> str:
        """The root link; an error unless all others are connected to it."""
        tops = [name for name in self.links if name not in self.above]
        if len(tops) > 1:
            raise self.links[tops[1]].wrong(
                f'the robot has {len(tops)} root links, "{tops[0]}" and "{tops[1]}"',
                expected="one link that hangs from no joint",
            )
        below: dict[str, list[str]] = {}
        for child, joint in self.above.items():
            below.setdefault(self.parents[joint], []).append(child)
        reached, left = set(tops), list(tops)
        while left:
            more = below.get(left.pop(), ())
            reached.update(more)
            left.extend(more)
        for name, element in self.links.items():
            if name not in reached:
                raise element.wrong(f'link "{name}" hangs from itself in a cycle of joints')
        if "world" in self.above:
            raise self.links["world"].wrong('a link below another is called "world"; rename it')
        return tops[0]

    def facts(self, base: Base) -> list[Fact]:
        """The bodies, the joint of the root link, then the joints."""
        facts: list[Fact] = []
        for name, element in self.links.items():
            what = f'link "{name}"'
            shapes = self.shapes.of(element, what)
            about = inertial(element, what)
            if name != "world":
                facts.append(Body(name, **about, shapes=shapes, where=element.where))
            elif shapes:
                facts.append(Body("world", shapes=shapes, where=element.where))
        if self.top != "world":
            kind = Free if base == "free" else Weld
            name = base_name(self.joints)
            facts.append(kind(name, End("world"), End(self.top), where=self.root.where))
        elif base == "free":
            raise self.links["world"].wrong(
                'the root link is the world, so it cannot be free; load with base="fixed"'
            )
        facts += [self._joint(name, element) for name, element in self.joints.items()]
        return [*facts, *self._mimics()]

    def _mimics(self) -> list[Fact]:
        """What each <mimic> says: this joint = multiplier * the other + offset."""
        facts: list[Fact] = []
        for name, element in self.joints.items():
            mimic = element.one("mimic", f'joint "{name}"')
            if mimic is None:
                continue
            if element.attributes["type"] == "fixed":
                self.notes.append(f'{mimic.where}: joint "{name}" is fixed, so its <mimic> does nothing')
            else:
                facts.append(self._mimic(name, mimic))
        return facts

    def _mimic(self, name: str, mimic: Element) -> Fact:
        """A Gear; a Drive that holds the joint at the offset where the other joint is fixed."""
        what = f'joint "{name}"'
        other = attribute(mimic, "joint", what)
        if other not in self.joints:
            hint = near_or_all(other, self.joints, "joints")
            raise mimic.wrong(f'{what} mimics joint "{other[:60]}", which does not exist{hint}')
        if other == name:
            raise mimic.wrong(f"{what} mimics itself")
        kinds = {each: self.joints[each].attributes["type"] for each in (name, other)}
        for each, kind in kinds.items():
            if kind not in ONE_DEGREE and (each == name or kind != "fixed"):
                raise mimic.wrong(f'{what} mimics "{other}": "{each}" has not one coordinate')
        ratio, offset = (numbers(mimic, n, what, 1, x) for n, x in (("multiplier", 1.0), ("offset", 0.0)))
        gear = mimic_name(name, self.joints)
        if kinds[other] == "fixed":
            return Drive(gear, name, offset, where=mimic.where)
        return Gear(gear, other, name, ratio, offset, where=mimic.where)

    def _joint(self, name: str, element: Element) -> Joint:
        what = f'joint "{name}"'
        kind = attribute(element, "type", what)
        if kind not in TYPES:
            hint = near(kind, TYPES)
            raise element.wrong(f'{what}: no type "{kind[:60]}"{hint}', expected=", ".join(TYPES))
        place = origin(element, what)
        child = End(_text(element, "child"))
        more: Any = {"where": element.where, **_dynamics(element, what)}
        first = end_at(_text(element, "parent"), place)
        if kind in ("fixed", "floating"):
            return (Weld if kind == "fixed" else Free)(name, first, child, **more)
        axis = _axis(element, what)
        if kind == "planar":
            return _planar(name, element, place, axis, more)
        more |= _limits(element, what, bounded=kind != "continuous")
        return (Prismatic if kind == "prismatic" else Revolute)(name, first, child, axis=axis, **more)


def mimic_name(joint: str, used: Any) -> str:
    """A name for the gear that moves a joint as its <mimic> says, not among those in use."""
    name = f"{joint} mimic"
    while name in used:
        name += "'"
    return name


def base_name(used: Any) -> str:
    """A name for the joint that holds the root link, not among those in use."""
    names = [*BASES, *(f"base{k}" for k in range(2, len(used) + 3))]
    return next(name for name in names if name not in used)


def _named(root: Element, tag: str) -> dict[str, Element]:
    """{name: element} of the links or of the joints, in the order of the file."""
    named: dict[str, Element] = {}
    elements = list(root.all(tag))
    if len(elements) > MOST_BODIES + 1:  # one may be the world
        raise root.wrong(f"{len(elements)} {tag}s", expected=f"at most {MOST_BODIES}")
    for element in elements:
        name = checked_name(attribute(element, "name", tag), tag, element.where)
        if name in named:
            raise element.wrong(f'a second {tag} "{name}"; the first is at {named[name].where}')
        named[name] = element
    if not named and tag == "link":
        raise root.wrong("the robot has no link")
    return named


def _text(joint: Element, tag: str) -> str:
    return next(joint.all(tag)).attributes["link"]


def _axis(element: Element, what: str) -> Any:
    """The axis as a letter if it is a coordinate axis, else as a vector; x where none is given."""
    axis = element.one("axis", what)
    if axis is None:
        return "x"
    vector = numbers(axis, "xyz", what, 3, (1.0, 0.0, 0.0))
    if not math.hypot(*vector) > SHORTEST_AXIS:
        raise axis.wrong(f"{what}: axis {vector} has no direction", expected="a vector, not zero")
    return _NAMES.get(vector, vector)


def _planar(name: str, element: Element, place: Frame, axis: Any, more: Any) -> Planar:
    """A planar joint with that normal; both ends are rotated where it is no positive coordinate axis."""
    parent, child = _text(element, "parent"), _text(element, "child")
    if axis in ("x", "y", "z"):
        return Planar(name, end_at(parent, place), End(child), normal=axis, **more)
    x, y, z = LETTERS.get(axis, axis)
    turn = Frame(ORIGIN, (0.0, math.atan2(math.hypot(x, y), z), math.atan2(y, x)))
    return Planar(name, End(parent, composed(place, turn)), End(child, turn), **more)


def _dynamics(element: Element, what: str) -> dict[str, float]:
    dynamics = element.one("dynamics", what)
    names = ("damping", "friction")
    return {} if dynamics is None else {n: numbers(dynamics, n, what, 1, 0.0) for n in names}


def _limits(element: Element, what: str, bounded: bool) -> dict[str, Any]:
    """The limits as fields of a Joint, without those that are open."""
    limit = element.one("limit", what)
    if limit is None:
        return {}
    fields: dict[str, Any] = {}
    for name, field in (("effort", "max_effort"), ("velocity", "max_speed")):
        if name in limit.attributes and (most := numbers(limit, name, what, 1)) < OPEN:
            fields[field] = most
    if bounded:
        pair = tuple(numbers(limit, name, what, 1, 0.0) for name in ("lower", "upper"))
        sides = tuple(side if abs(side) < OPEN else None for side in pair)
        if sides != (None, None):
            fields["limits"] = sides
    return fields
