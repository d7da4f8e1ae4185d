"""The equalities of an MJCF file: joints that close loops, and gears and drives between joints."""

from collections.abc import Mapping
from typing import Any

from hapsis.errors import near_or_all
from hapsis.mechanics.formats.mjcf.mjcf_defaults import Defaults
from hapsis.mechanics.formats.mjcf.mjcf_fields import numbers, placing_errors, quaternion_frame, word
from hapsis.mechanics.formats.mjcf.mjcf_ignored import LeftOut
from hapsis.mechanics.formats.mjcf.mjcf_joints import Read
from hapsis.mechanics.formats.mjcf.mjcf_names import Names
from hapsis.mechanics.formats.xml_fields import inverse
from hapsis.mechanics.formats.xml_tree import Element
from hapsis.mechanics.model.constraints.constraints import Gear
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.frames import ORIGIN, End, Frame, composed, end_at
from hapsis.mechanics.model.joints.ball import Ball
from hapsis.mechanics.model.joints.weld import Weld

AS_WRITTEN = (0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0)  # the default relpose: the pose of the file


class Equalities:
    """Reads <connect> and <weld> as joints that close loops, <joint> as gears or drives.

    placed  {body: its frame in the world, in the pose of the file}
    reads   {joint: the joint read}
    sites   {site: (its body, its frame on the body)}
    """

    def __init__(
        self,
        defaults: Defaults,
        names: Names,
        placed: Mapping[str, Frame],
        reads: Mapping[str, Read],
        sites: Mapping[str, tuple[str, Frame]],
        left_out: LeftOut,
    ) -> None:
        self.defaults, self.names, self.placed = defaults, names, placed
        self.reads, self.sites, self.left_out = reads, sites, left_out

    def facts(self, root: Element) -> list[Fact]:
        """The facts of all active equalities, in the order of the file."""
        facts: list[Fact] = []
        makers = {"connect": self._connect, "weld": self._weld, "joint": self._gear}
        for section in root.all("equality"):
            for child in section.children:
                if child.tag not in makers:
                    continue
                element = self.defaults.whole(child, None, "equality")
                name = self._name(element)
                what = f'{element.tag} "{name}"'
                if word(element, "active", what, ("true", "false"), "true") == "false":
                    self.left_out.add("equality that is not active", what)
                    continue
                with placing_errors(element, what):
                    facts += makers[child.tag](element, name, what)
        return facts

    def _name(self, element: Element) -> str:
        """The name of the element, with a number after it where a joint has the same name."""
        if "name" not in element.attributes:
            return self.names.fresh(f"{element.tag}1")
        name = element.attributes["name"]
        return self.names.fresh(name) if name in self.reads else self.names.of(element, "joint")

    def _body(self, element: Element, key: str, what: str) -> str:
        name = element.attributes.get(key)
        if name is None:
            if key == "body2":
                return "world"
            raise element.wrong(f'{what} needs "{key}"')
        return self._known(element, name, self.placed, f"{what}: {key}", "body")

    def _known(self, element: Element, name: str, names: Any, what: str, noun: str) -> str:
        if name not in names:
            hint = near_or_all(name, names, f"{noun}s".replace("bodys", "bodies"))
            raise element.wrong(f'{what} is {noun} "{name[:60]}", which does not exist{hint}')
        return name

    def _at_sites(self, element: Element, what: str) -> tuple[End, End] | None:
        """The ends at site1 and site2; None where no sites are given."""
        if "site1" not in element.attributes and "site2" not in element.attributes:
            return None
        ends: list[End] = []
        for key in ("site1", "site2"):
            name = element.attributes.get(key, "")
            body, frame = self.sites[self._known(element, name, self.sites, f"{what}: {key}", "site")]
            ends.append(end_at(body, frame))
        return ends[0], ends[1]

    def _between(self, first: str, second: str) -> Frame:
        """The frame of the second body in the first, in the pose of the file."""
        return composed(inverse(self.placed[first]), self.placed[second])

    def _connect(self, element: Element, name: str, what: str) -> list[Fact]:
        ends = self._at_sites(element, what)
        if ends is None:
            first, second = (self._body(element, key, what) for key in ("body1", "body2"))
            anchor = Frame(numbers(element, "anchor", what, 3))
            there = composed(self._between(second, first), anchor)
            ends = end_at(first, anchor), end_at(second, Frame(there.at))
        return [Ball(name, *ends, where=element.where)]

    def _weld(self, element: Element, name: str, what: str) -> list[Fact]:
        ends = self._at_sites(element, what)
        if ends is None:
            first, second = (self._body(element, key, what) for key in ("body1", "body2"))
            anchor = Frame(numbers(element, "anchor", what, 3, ORIGIN))
            pose = numbers(element, "relpose", what, 7, AS_WRITTEN)
            place = quaternion_frame(pose[:3], pose[3:])
            if place is None:
                place = composed(self._between(first, second), anchor)
            ends = end_at(first, place), end_at(second, anchor)
        return [Weld(name, *ends, where=element.where)]

    def _gear(self, element: Element, name: str, what: str) -> list[Fact]:
        """A gear joint1 - ref1 = a + b (joint2 - ref2); without joint2 a drive at a constant."""
        a, b, *higher = (*numbers(element, "polycoef", what, 5, (0.0, 1.0), least=1), 0.0)
        if "joint1" not in element.attributes:
            raise element.wrong(f'{what} needs "joint1"')
        follower = self._one_degree(element, "joint1", what)
        if "joint2" not in element.attributes:
            return [Drive(name, follower.name, follower.start[0] + a, where=element.where)]
        leader = self._one_degree(element, "joint2", what)
        if any(higher):
            self.left_out.add("equality of joints that is not linear", what)
            return []
        offset = follower.start[0] + a - b * leader.start[0]
        return [Gear(name, leader.name, follower.name, b, offset, where=element.where)]

    def _one_degree(self, element: Element, key: str, what: str) -> Read:
        name = self._known(element, element.attributes[key], self.reads, f"{what}: {key}", "joint")
        if self.reads[name].kind not in ("hinge", "slide"):
            raise element.wrong(
                f'{what}: joint "{name}" is a {self.reads[name].kind} joint', expected="a hinge or a slide"
            )
        return self.reads[name]
