"""Fields of a Robotran file: names, numbers, coordinates and inertias, each from its element.

Everything is written as the text of an element: <mass>1.5</mass>. Zeros may be left out.
"""

from collections import Counter
from typing import Any

from hapsis.errors import near
from hapsis.mechanics.formats.file_text import checked_name
from hapsis.mechanics.formats.xml_fields import notes, parsed
from hapsis.mechanics.formats.xml_tree import LONGEST_TEXT, Element
from hapsis.mechanics.model.frames import ORIGIN, Frame

AXES = ("x", "y", "z")
MOMENTS = ("Ixx", "Iyy", "Izz", "Ixy", "Ixz", "Iyz")
_BLANKS = " \t\n\r"
_ENDPOINTS = ("name", "endpoint1", "endpoint2")
_PLACE = ("bodyname", "pointname")

# the children that are read; all others are counted and listed
CHILDREN: dict[str, tuple[str, ...]] = {
    "mbsDescR7": ("mbsname", "mbsyspad_version", "base", "bodytree", "cuts", "links"),
    "base": ("baseBodyName", "gravity", "point"),
    "gravity": ("coordinates",),
    "com": ("coordinates",),
    "coordinates": AXES,
    "bodytree": ("body",),
    "body": ("bodyname", "parent", "joint", "mass", "com", "inertia", "point"),
    "parent": _PLACE,
    "endpoint1": _PLACE,
    "endpoint2": _PLACE,
    "joint": ("jointname", "type", "nature", "initialvalue"),
    "initialvalue": ("q", "qd"),
    "inertia": MOMENTS,
    "point": ("pointname", "coordinates"),
    "cuts": ("ball", "rod", "solid"),
    "links": ("link", "link3D"),
    "ball": _ENDPOINTS,
    "rod": (*_ENDPOINTS, "length"),
    "solid": _ENDPOINTS,
    "link": _ENDPOINTS,
    "link3D": _ENDPOINTS,
}
# names that Robotran uses and we ignore; any other name may be a typing error
OTHERS = ("graphics", "x3D", "user_models", "user_IOs", "sensor", "extforce", "actuated", "qdd", "ignore")


def ignored(root: Element) -> list[str]:
    """One line for each kind of element, attribute or text that is not read, with how many."""
    counts: Counter[tuple[str, str, str]] = Counter()
    left = [root]
    while left:
        element = left.pop()
        tag, known = element.tag, CHILDREN.get(element.tag, ())
        for child in element.children:
            if child.tag in known:
                left.append(child)
            else:
                counts[tag, "element", child.tag] += 1
        for name in element.attributes:
            counts[tag, "attribute", name] += 1
        if known and element.text:
            counts[tag, "text", ""] += 1
    return notes(root, [f"{count} x {_unread(*kind)}" for kind, count in sorted(counts.items())])


def _unread(tag: str, kind: str, name: str) -> str:
    if kind == "text":
        return f"text in <{tag}>"
    if kind == "attribute":
        return f'attribute "{name[:60]}" of <{tag}>'
    hint = "" if name in OTHERS else near(name, CHILDREN.get(tag, ()))
    return f"<{name[:60]}> of <{tag}>{hint}"


def needed(element: Element, tag: str, what: str) -> Element:
    """The child of that tag; an error unless there is exactly one."""
    child = element.one(tag, what)
    if child is None:
        raise element.wrong(f"{what} needs <{tag}>")
    return child


def text_of(element: Element, what: str) -> str:
    """The text of an element, which may have no children."""
    if element.children:
        inside = element.children[0].tag[:60]
        raise element.wrong(f"{what}: <{element.tag}> has <{inside}> in it", expected="a text")
    if len(element.text) > LONGEST_TEXT:
        allowed = f"at most {LONGEST_TEXT} characters"
        raise element.wrong(f"{what}: the text of <{element.tag}> is too long", expected=allowed)
    return element.text.rstrip(_BLANKS)


def name_of(element: Element, tag: str, noun: str) -> str:
    """The name in the child of that tag."""
    child = needed(element, tag, noun)
    return checked_name(text_of(child, noun), noun, child.where)


def number_of(element: Element, tag: str, what: str) -> float | None:
    """The number in the child of that tag, or None if there is no such child."""
    child = element.one(tag, what)
    return None if child is None else parsed(child, [text_of(child, what)], f"{what}: {tag}")[0]


def coordinates(element: Element, what: str) -> Any:
    """(x, y, z) of <coordinates>; zero where one is left out."""
    inner = needed(element, "coordinates", what)
    return tuple(number_of(inner, axis, what) or 0.0 for axis in AXES)


def inertial(body: Element, what: str) -> dict[str, Any]:
    """The mass, com and inertia of a body; the inertia is about the centre of mass."""
    com, tensor = body.one("com", what), body.one("inertia", what)
    return {
        "mass": number_of(body, "mass", what) or 0.0,
        "com": ORIGIN if com is None else coordinates(com, f"{what}: com"),
        "inertia": tuple((tensor and number_of(tensor, name, what)) or 0.0 for name in MOMENTS),
    }


def points(body: Element, what: str, dots: bool = False) -> dict[str, Frame]:
    """{name: Frame} of the points of a body. `origin` exists without being written."""
    frames: dict[str, Frame] = {}
    for element in body.all("point"):
        name = name_of(element, "pointname", f"point of {what}")
        label = f'{what}: point "{name[:60]}"'
        if name in frames:
            raise element.wrong(f"{label} stands here a second time; rename one")
        if "." in name and not dots:
            raise element.wrong(f"{label} has a dot in its name; rename it")
        frames[name] = Frame(coordinates(element, label))
        if name == "origin" and frames[name].at != ORIGIN:
            raise element.wrong(f"{label} is not where the body's own origin is; rename it")
    return frames
