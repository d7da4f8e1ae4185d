"""Reader of MJCF, the XML of MuJoCo: bodies, joints, shapes and closed loops, in the order of the file.

Frames of bodies and coordinates are those of MuJoCo; the model's pose "start" is the one in which the
file is written. What a Model cannot represent is counted and listed in its warnings.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hapsis.mechanics.formats.mjcf.mjcf_assets import Assets
from hapsis.mechanics.formats.mjcf.mjcf_defaults import Defaults
from hapsis.mechanics.formats.mjcf.mjcf_equalities import Equalities
from hapsis.mechanics.formats.mjcf.mjcf_fields import Settings, numbers, one, placing_errors, word
from hapsis.mechanics.formats.mjcf.mjcf_geoms import Geom, Geoms, Part, looks, together
from hapsis.mechanics.formats.mjcf.mjcf_ignored import LeftOut, ignored
from hapsis.mechanics.formats.mjcf.mjcf_joints import Joints, Read
from hapsis.mechanics.formats.mjcf.mjcf_names import Names
from hapsis.mechanics.formats.mjcf.mjcf_poses import poses
from hapsis.mechanics.formats.mjcf.mjcf_tree import mjcf_tree
from hapsis.mechanics.formats.xml_fields import turned
from hapsis.mechanics.formats.xml_tree import Element
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.checks.validation import MOST_BODIES
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.frames import IDENTITY, End, Frame, composed, end_at
from hapsis.mechanics.model.joints.weld import Weld
from hapsis.mechanics.model.model import GRAVITY, Model

NOTHING = Part(0.0, (0.0, 0.0, 0.0), (0.0,) * 6)


def mjcf_model(text: str, file: str, folder: Path, physical: bool = True) -> Model:
    """The model of an MJCF text; its warnings list what was ignored. Included files are in the folder."""
    root = mjcf_tree(text, file, folder)
    reader = _Reader(root, folder)
    facts = reader.facts()
    joints = [read for owner in reader.owners for read in owner.read]
    named_poses = poses(root, joints, reader.starts, reader.left_out)
    notes = [
        *ignored(root),
        *reader.left_out.notes(file),
        *reader.geoms.notes(file),
        *reader.assets.notes(file),
    ]
    return Model(*facts, gravity=_gravity(root), poses=named_poses, physical=physical, notes=notes)


def _gravity(root: Element) -> Any:
    """The gravity of the last <option> that gives it; zero where a flag disables it."""
    gravity: Any = GRAVITY
    for element in root.all("option"):
        gravity = numbers(element, "gravity", "option", 3, gravity)
    for element in root.all("option"):
        for flag in element.all("flag"):
            if word(flag, "gravity", "option", ("enable", "disable"), "enable") == "disable":
                gravity = (0.0, 0.0, 0.0)
    return gravity


@dataclass
class Owner:
    """A body, or the world, with its joints, shapes, masses and sites."""

    name: str
    element: Element
    parent: str
    place: Frame  # on the parent
    world: Frame  # in the world, in the pose of the file
    weighed: bool = False  # whether its mass is that of its geoms
    joints: list[tuple[Element, Frame]] = field(default_factory=list)
    read: list[Read] = field(default_factory=list)
    geoms: list[Geom] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    frames: dict[str, Frame] = field(default_factory=dict)


class _Reader:
    """Visits the bodies, parents first, and creates their facts."""

    def __init__(self, root: Element, folder: Path) -> None:
        self.root, self.left_out = root, LeftOut()
        self.settings, self.defaults = Settings(root), Defaults(root)
        self.assets = Assets(root, self.defaults, folder, self.left_out)
        self.geoms = Geoms(self.settings, self.assets, self.left_out)
        self.joints = Joints(self.settings, self.left_out)
        self.owners: list[Owner] = []
        self.sites: dict[str, tuple[str, Frame]] = {}
        self.starts: dict[str, Frame] = {}  # {free joint: the frame of its body in the file}
        self.names = Names(root)
        world = Owner("world", root, "", IDENTITY, IDENTITY)
        self.owners.append(world)
        for element in root.all("worldbody"):
            self._walk(element, world, IDENTITY, None)

    def _walk(self, element: Element, owner: Owner, around: Frame, group: str | None) -> None:
        """Reads the children of a body or a frame; `around` is that frame on the body."""
        group = self.defaults.known(element.attributes.get("childclass"), element) or group
        what = f'body "{owner.name}"'
        for child in element.children:
            if child.tag == "body":
                self._body(child, owner, around, group)
            elif child.tag == "frame":
                place = self.settings.place(child, f"{what}: frame")
                with placing_errors(child, what):
                    place = composed(around, place)
                self._walk(child, owner, place, group)
            elif child.tag in ("joint", "freejoint"):
                if owner.name == "world":
                    raise child.wrong("the world has a joint", expected="joints in a <body>")
                whole = child if child.tag == "freejoint" else self.defaults.whole(child, group)
                owner.joints.append((whole, around))
            elif child.tag in ("geom", "site"):
                whole = self.defaults.whole(child, group)
                with placing_errors(child, what):
                    (self._geom if child.tag == "geom" else self._site)(whole, owner, around)

    def _body(self, element: Element, parent: Owner, around: Frame, group: str | None) -> None:
        name = self.names.of(element, "body")
        what = f'body "{name}"'
        place = self.settings.place(element, what)
        with placing_errors(element, what):
            place = composed(around, place)
            world = composed(parent.world, place)
        from_geoms = self.settings.from_geoms
        weighed = from_geoms == "true" or (from_geoms == "auto" and not any(element.all("inertial")))
        owner = Owner(name, element, parent.name, place, world, weighed)
        self.owners.append(owner)
        self._walk(element, owner, IDENTITY, group)

    def _geom(self, element: Element, owner: Owner, around: Frame) -> None:
        geom = self.geoms.read(element, f'body "{owner.name}"', owner.weighed)
        if geom.part:
            at = composed(around, Frame(geom.part.com)).at
            owner.parts.append(Part(geom.part.mass, at, turned(geom.part.inertia, around.rpy)))
        if geom.shape:
            moved = replace(geom.shape, at=composed(around, geom.shape.at))
            owner.geoms.append(geom._replace(shape=moved))

    def _site(self, element: Element, owner: Owner, around: Frame) -> None:
        name = self.names.of(element, "site")
        kind = element.attributes.get("type", "sphere")
        place, _ = self.settings.placed(element, kind, f'site "{name}"')
        frame = composed(around, place)
        self.sites[name] = owner.name, frame
        shown = name if owner.name == "world" else name.replace(".", "_")
        if shown in owner.frames:
            raise element.wrong(f'a second site "{shown}" of body "{owner.name}"')
        if shown != name:
            self.left_out.add("dots in the name of a site", name)
        owner.frames[shown] = frame

    def facts(self) -> list[Fact]:
        """The bodies, their joints and springs, then the equalities."""
        facts: list[Fact] = []
        world, *bodies = self.owners
        count = sum(max(1, len(owner.joints)) for owner in bodies)  # one between two joints
        if count > MOST_BODIES:
            raise self.root.wrong(f"{count} bodies", expected=f"at most {MOST_BODIES}")
        if world.geoms or world.frames:
            facts.append(Body("world", frames=world.frames, shapes=looks(world.geoms)))
        weighed = [self._weighed(owner) for owner in bodies]
        factor = self._factor(weighed)
        for owner, part in zip(bodies, weighed, strict=True):
            with placing_errors(owner.element, f'body "{owner.name}"'):
                about = {
                    "mass": factor * part.mass,
                    "com": part.com,
                    "inertia": tuple(factor * x for x in part.inertia),
                    "frames": owner.frames,
                    "shapes": looks(owner.geoms),
                }
                facts.append(Body(owner.name, **about, where=owner.element.where))
                facts += self._jointed(owner)
        placed = {owner.name: owner.world for owner in self.owners}
        reads = {read.name: read for owner in bodies for read in owner.read}
        equalities = Equalities(self.defaults, self.names, placed, reads, self.sites, self.left_out)
        return [*facts, *equalities.facts(self.root)]

    def _factor(self, weighed: Iterable[Part]) -> float:
        """The factor by which settotalmass multiplies all masses."""
        total = sum(part.mass for part in weighed)
        total_mass = self.settings.total_mass
        return total_mass / total if total_mass > 0.0 and total > 0.0 else 1.0

    def _weighed(self, owner: Owner) -> Part:
        """The mass and inertia of a body: those of <inertial>, else of its geoms."""
        what = f'body "{owner.name}"'
        element = owner.element.one("inertial", what)
        if element is None or self.settings.from_geoms == "true":
            with placing_errors(owner.element, what):
                return together(owner.parts) if owner.parts else NOTHING
        full, diagonal = ("fullinertia" in element.attributes, "diaginertia" in element.attributes)
        if full and diagonal:
            raise element.wrong(f"{what} has diaginertia and fullinertia", expected="one of them")
        at = numbers(element, "pos", what, 3)
        place = self.settings.place(element, what)
        if full:
            if place.rpy != IDENTITY.rpy:
                raise element.wrong(f"{what} has fullinertia and an orientation", expected="one of them")
            inertia = numbers(element, "fullinertia", what, 6)
        else:
            moments = numbers(element, "diaginertia", what, 3, (0.0, 0.0, 0.0))
            inertia = turned((*moments, 0.0, 0.0, 0.0), place.rpy)
        if "mass" not in element.attributes:
            raise element.wrong(f'{what}: <inertial> needs "mass"')
        return Part(one(element, "mass", what, 0.0), at, inertia)

    def _jointed(self, owner: Owner) -> list[Fact]:
        """The joints from the parent to a body, with massless bodies between them."""
        first = end_at(owner.parent, owner.place)
        where = owner.element.where
        if not owner.joints:
            return [Weld(self.names.fresh(owner.name), first, End(owner.name), where=where)]
        facts: list[Fact] = []
        for k, (element, around) in enumerate(owner.joints):
            name = self.names.of(element, "joint")
            last = k == len(owner.joints) - 1
            body = owner.name if last else self.names.fresh(f"{owner.name}/{name}", "body")
            if not last:
                facts.append(Body(body, where=element.where))
            read = self.joints.read(element, around, name, first, body)
            if read.kind == "free":
                if len(owner.joints) > 1 or owner.parent != "world":
                    raise element.wrong(
                        f'joint "{name}" is free', expected="it alone, in a body of the world"
                    )
                self.starts[name] = owner.place
            owner.read.append(read)
            facts += read.facts
            first = End(body)
        return facts
