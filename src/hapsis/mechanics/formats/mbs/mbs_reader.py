"""Reader of Robotran's .mbs: a tree of bodies attached to points by joints of one degree each.

Each joint of the file becomes one joint of the model with the same name, so that q has the file's order.
Between the joints of a body with several of them are massless bodies `BODY/JOINT`. Cuts come after all
joints, so that they close the loops. Laws and motions that Robotran takes from user code are not in the
file; the model's warnings list them.
"""

from typing import Any, NamedTuple

from hapsis.errors import near, one_line
from hapsis.mechanics.formats.mbs.mbs_fields import (
    coordinates,
    ignored,
    inertial,
    name_of,
    needed,
    number_of,
    points,
    text_of,
)
from hapsis.mechanics.formats.mbs.mbs_places import StartPoses, Step
from hapsis.mechanics.formats.xml_tree import Element, xml_tree
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.checks.validation import MOST_BODIES
from hapsis.mechanics.model.constraints.constraints import Distance
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.frames import ORIGIN, End, Frame
from hapsis.mechanics.model.joints.ball import Ball
from hapsis.mechanics.model.joints.prismatic import Prismatic
from hapsis.mechanics.model.joints.revolute import Revolute
from hapsis.mechanics.model.joints.weld import Weld
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.names import speed_name

ROOT = "mbsDescR7"
TYPES = ("T1", "T2", "T3", "R1", "R2", "R3")
NATURES = ("independent", "dependent", "driven")
BASE, START = "base", "start"
MOST_NAMED = 10  # links in one warning


def mbs_model(text: str, file: str, physical: bool = True) -> Model:
    """The model of a Robotran file; its warnings list what was ignored or assumed."""
    root = xml_tree(text, file, texts=True)
    if root.tag != ROOT:
        raise root.wrong(f"the file is a <{root.tag[:60]}>", expected=f"<{ROOT}>")
    reader = _Reader(root)
    facts = reader.facts()
    return Model(
        *facts,
        gravity=reader.gravity,
        poses={START: reader.start} if reader.start else {},
        independent=reader.independent,
        physical=physical,
        notes=[*reader.notes, *ignored(root)],
    )


class _Body(NamedTuple):
    """A body of the file: its element, the end it is attached to, and the points on it."""

    element: Element
    parent: End
    points: dict[str, Frame]


class _Reader:
    """The bodies and joints of a file by name, and the pose, notes and lists collected with the facts."""

    def __init__(self, root: Element) -> None:
        self.root, self.notes = root, list[str]()
        self.base = needed(root, "base", "the file")
        self.start: dict[str, float] = {}  # the pose
        self.independent: list[str] = []
        self.joints: dict[str, Element] = {}
        self.steps: dict[str, list[Step]] = {}  # {body: its joints}
        self.places: dict[str, dict[str, Frame]] = {BASE: points(self.base, "base", dots=True)}
        self.elements = self._elements()
        self.bodies = {n: self._body(n, element) for n, element in self.elements.items()}
        self._refuse_cycles()
        self.poses = StartPoses(self.bodies, self.steps, self.places)

    @property
    def gravity(self) -> Any:
        """The gravity of the file, as an acceleration; zero if it has none."""
        child = self.base.one("gravity", "base")
        return ORIGIN if child is None else coordinates(child, "gravity")

    def note(self, what: str) -> None:
        """Adds a warning about this file."""
        self.notes.append(one_line(f"{self.root.file}: {what}"))

    def _elements(self) -> dict[str, Element]:
        """{name: element} of the bodies; their points are stored in `places`."""
        bodies: dict[str, Element] = {}
        tree = needed(self.root, "bodytree", "the file")
        count = sum(max(1, sum(1 for _ in body.all("joint"))) for body in tree.all("body"))
        if count > MOST_BODIES:
            raise tree.wrong(f"{count} joints and bodies", expected=f"at most {MOST_BODIES}")
        for element in tree.all("body"):
            name = name_of(element, "bodyname", "body")
            if name in (BASE, "world"):
                raise element.wrong(f'a body is called "{name}", which is the base; rename it')
            if name in bodies:
                first = bodies[name].where
                raise element.wrong(f'a second body "{name[:60]}"; the first is at {first}')
            bodies[name] = element
            self.places[name] = points(element, f'body "{name[:60]}"')
        if not bodies:
            raise tree.wrong("the file has no body")
        return bodies

    def _body(self, name: str, element: Element) -> _Body:
        what = f'body "{name[:60]}"'
        parent = self.end(needed(element, "parent", what), what)
        return _Body(element, parent, self.places[name])

    def end(self, element: Element, what: str) -> End:
        """The end that <bodyname> and <pointname> name, on a body or on the base."""
        body = name_of(element, "bodyname", f"{what}: <{element.tag}>")
        point = name_of(element, "pointname", f"{what}: <{element.tag}>")
        if body not in self.places:
            hint = near(body, self.places)
            raise element.wrong(f'{what}: there is no body "{body[:60]}"{hint}')
        if point != "origin" and point not in self.places[body]:
            hint = near(point, ["origin", *self.places[body]])
            raise element.wrong(f'{what}: body "{body[:60]}" has no point "{point[:60]}"{hint}')
        named = None if point == "origin" else point
        return End("world" if body == BASE else body, named)

    def _refuse_cycles(self) -> None:
        held = {"world"}
        for name in self.bodies:
            path: dict[str, None] = {}
            while name not in held:
                if name in path:
                    raise self.elements[name].wrong(f'body "{name[:60]}" hangs from itself')
                path[name] = None
                name = self.bodies[name].parent.body
            held.update(path)

    def facts(self) -> list[Fact]:
        """The bodies, their joints and drives, then the cuts."""
        facts: list[Fact] = []
        if anchors := self.places[BASE]:
            facts.append(Body("world", frames=anchors, where=self.base.where))
        for name, body in self.bodies.items():
            facts += self._held(name, body)
        if self.base.one("gravity", "base") is None:
            self.note("base has no <gravity>: there is none")
        if driven := sum(isinstance(fact, Drive) for fact in facts):
            self.note(f"the motion of {driven} driven joints is not in the file: they are held at q")
        cuts = self.root.one("cuts", "the file")
        for element in cuts.children if cuts else ():
            if element.tag in ("ball", "rod", "solid"):
                facts.append(self._cut(element))
        self._links()
        return facts

    def _held(self, name: str, body: _Body) -> list[Fact]:
        """A body, and the chain of joints and massless bodies from its parent to it."""
        what, where = f'body "{name[:60]}"', body.element.where
        joints = list(body.element.all("joint"))
        if not joints:
            raise body.element.wrong(f"{what} needs <joint>")
        facts: list[Fact] = [Body(name, **inertial(body.element, what), frames=body.points, where=where)]
        first, self.steps[name] = body.parent, []
        for k, element in enumerate(joints, 1):
            own = name_of(element, "jointname", "joint")
            below = name if k == len(joints) else f"{name}/{own}"
            if below != name:
                facts.append(Body(below, where=element.where))
            facts += self._joint(element, first, End(below), self.steps[name])
            first = End(below)
        return facts

    def _joint(self, element: Element, first: End, second: End, steps: list[Step]) -> list[Fact]:
        """A joint, and its drive if it is driven."""
        name = name_of(element, "jointname", "joint")
        if name in self.joints:
            other = self.joints[name].where
            raise element.wrong(f'a second joint "{name[:60]}"; the first is at {other}')
        self.joints[name] = element
        what = f'joint "{name[:60]}"'
        kind = _one_of(TYPES, element, "type", what)
        nature = _one_of(NATURES, element, "nature", what)
        value = self._initial(name, element, what, nature == "driven")
        letter = "xyz"[int(kind[1]) - 1]
        steps.append(Step(kind[0], letter, value))
        family = Prismatic if kind[0] == "T" else Revolute
        facts: list[Fact] = [family(name, first, second, axis=letter, where=element.where)]
        if nature == "independent":
            self.independent.append(name)
        if nature == "driven":
            facts.append(Drive(f"{name}.drive", name, position=value, where=element.where))
        return facts

    def _initial(self, name: str, element: Element, what: str, driven: bool) -> float:
        """The initial coordinate; also stores it and the speed in the start pose."""
        child = element.one("initialvalue", what)
        q, qd = (child and number_of(child, tag, what) for tag in ("q", "qd"))
        if q is not None:
            self.start[name] = q
        if qd is not None and not driven:  # a driven joint is held at q
            self.start[speed_name(name)] = qd
        return q or 0.0

    def _cut(self, element: Element) -> Fact:
        """The joint that closes a loop, or the rod between two points."""
        name, first, second = self._ends(element)
        if element.tag == "ball":
            return Ball(name, first, second, where=element.where)
        if element.tag == "solid":
            return Weld(name, first, second, where=element.where)
        length = number_of(element, "length", f'rod "{name[:60]}"')
        if length is None:
            length = self.poses.distance(first, second)
            self.note(f'rod "{name[:60]}" has no <length>: it has that of the start, {length:.6g} m')
        return Distance(name, first, second, length, where=element.where)

    def _ends(self, element: Element) -> tuple[str, End, End]:
        name = name_of(element, "name", element.tag)
        what = f'{element.tag} "{name[:60]}"'
        ends = [self.end(needed(element, f"endpoint{k}", what), what) for k in (1, 2)]
        return name, *ends  # pyright: ignore[reportReturnType]

    def _links(self) -> None:
        """Checks the links and adds a warning that they have no effect."""
        section = self.root.one("links", "the file")
        links = [e for e in section.children if e.tag in ("link", "link3D")] if section else []
        names = [f'"{self._ends(element)[0][:60]}"' for element in links]
        if names:
            more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
            listed = ", ".join(names[:MOST_NAMED]) + more
            self.note(
                f"the law of links is not in the file, so there is no force of {listed}; "
                "add hs.Link or hs.Spring"
            )


def _one_of(known: tuple[str, ...], element: Element, tag: str, what: str) -> str:
    """The word in the child of that tag, which must be one of those known."""
    child = needed(element, tag, what)
    word = text_of(child, what)
    if word not in known:
        hint = near(word, known)
        raise child.wrong(f'{what}: no {tag} "{word[:60]}"{hint}', expected=", ".join(known))
    return word
