"""Fields of MJCF elements: numbers, words, frames, and the settings of <compiler>."""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from hapsis.errors import ModelError, near
from hapsis.mechanics.algebra.rotations import of_quaternion, product, transposed
from hapsis.mechanics.formats.mjcf.mjcf_defaults import TURNS
from hapsis.mechanics.formats.xml_fields import parsed
from hapsis.mechanics.formats.xml_tree import Element
from hapsis.mechanics.model.frames import ORIGIN, Frame, angles

SHORTEST = 1e-12  # of a vector or a quaternion that has a direction
LONG = ("capsule", "cylinder", "ellipsoid", "box")  # shapes that fromto may place
Vector = tuple[float, float, float]


def numbers(element: Element, name: str, what: str, count: int, default: Any = None, least: int = 0) -> Any:
    """The numbers of an attribute, as a tuple; `default` where it is left out.

    There must be exactly `count` of them, or `least` to `count` where `least` is given.
    """
    text = element.attributes.get(name)
    if text is None:
        if default is not None:
            return default
        raise element.wrong(f'{what}: <{element.tag}> needs "{name}"')
    what, parts = _label(element, name, what), text.split()
    if not (least or count) <= len(parts) <= count:
        span = f"{least} to {count}" if least else f"{count}"
        expected = "a number" if count == 1 else f"{span} numbers"
        raise element.wrong(f'{what} is "{text[:60]}"', expected=expected)
    return parsed(element, parts, what)


def one(element: Element, name: str, what: str, default: float) -> float:
    """A single number of an attribute."""
    return numbers(element, name, what, 1, (default,))[0]


def word(element: Element, name: str, what: str, allowed: Sequence[str], default: str) -> str:
    """An attribute that must be one of the allowed words."""
    text = element.attributes.get(name, default)
    if text not in allowed:
        raise element.wrong(
            f'{_label(element, name, what)} is "{text[:60]}"{near(text, allowed)}',
            expected=", ".join(allowed),
        )
    return text


def _label(element: Element, name: str, what: str) -> str:
    attribute = f"{element.tag} {name}"
    return attribute if what == element.tag else f"{what}: {attribute}"


@contextmanager
def placing_errors(element: Element, what: str) -> Iterator[None]:
    """A context in which errors without a position, such as overflow, get that of the element."""
    try:
        yield
    except ModelError as error:
        if error.where:
            raise
        raise element.wrong(f"{what}: {error.what}") from None


class Settings:
    """The settings of all <compiler> elements; later ones override earlier ones."""

    def __init__(self, root: Element) -> None:
        joined: dict[str, str] = {}
        last = root
        for element in root.all("compiler"):
            joined |= element.attributes
            last = element
        whole = Element("compiler", joined, last.file, last.line, last.column)
        what = "compiler"
        if word(whole, "coordinate", what, ("local", "global"), "local") == "global":
            raise whole.wrong(
                "global coordinates are not read; MuJoCo itself dropped them in 2.3.3",
                remedy="save the model with an older MuJoCo, which makes them local",
            )
        degrees = word(whole, "angle", what, ("degree", "radian"), "degree") == "degree"
        self.unit = math.pi / 180.0 if degrees else 1.0
        self.autolimits = word(whole, "autolimits", what, ("true", "false"), "true") == "true"
        self.from_geoms = word(whole, "inertiafromgeom", what, ("true", "false", "auto"), "auto")
        self.groups = numbers(whole, "inertiagrouprange", what, 2, (0.0, 5.0))
        self.total_mass = one(whole, "settotalmass", what, -1.0)
        self.sequence = joined.get("eulerseq", "xyz")
        if len(self.sequence) != 3 or set(self.sequence.lower()) - set("xyz"):
            raise whole.wrong(f'compiler: eulerseq is "{self.sequence[:60]}"', expected="3 letters of xyzXYZ")

    def place(self, element: Element, what: str) -> Frame:
        """The frame given by pos and an orientation in any of its forms."""
        at = numbers(element, "pos", what, 3, ORIGIN)
        return framed(at, self.turn(element, what))

    def placed(self, element: Element, kind: str, what: str) -> tuple[Frame, float | None]:
        """The frame of a geom or a site, and half the distance of the two points of fromto, if given."""
        if "fromto" not in element.attributes:
            return self.place(element, what), None
        if kind not in LONG:
            raise element.wrong(f"{what}: fromto of a {kind}", expected=", ".join(LONG))
        if numbers(element, "pos", what, 3, ORIGIN) != ORIGIN:  # fromto overrides an orientation
            raise element.wrong(f"{what} has fromto and pos", expected="one of them")
        ends = numbers(element, "fromto", what, 6)
        back = [a - b for a, b in zip(ends[:3], ends[3:], strict=True)]
        R = onto(back)
        if R is None:
            raise element.wrong(f"{what}: the two points of fromto are one")
        middle = tuple((a + b) / 2 for a, b in zip(ends[:3], ends[3:], strict=True))
        return framed(middle, R), math.hypot(*back) / 2

    def turn(self, element: Element, what: str) -> Any:
        """The rotation of an element; None where it has no orientation."""
        given = [name for name in TURNS if name in element.attributes]
        if not given:
            return None
        if len(given) > 1:
            raise element.wrong(f"{what} has two orientations, {given[0]} and {given[1]}", expected="one")
        name = given[0]
        count = {"quat": 4, "axisangle": 4, "xyaxes": 6}.get(name, 3)
        x = numbers(element, name, what, count)
        R = _TURNS[name](x) if name in _TURNS else self._turned(name, x)
        if R is None:
            expected = "vectors neither zero nor parallel" if name == "xyaxes" else "no zeros only"
            raise element.wrong(f"{what}: {name} {x} has no direction", expected=expected)
        return R

    def _turned(self, name: str, x: Any) -> Any:
        if name == "axisangle":
            return about(x[:3], x[3] * self.unit)
        whole: Any = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
        for letter, angle in zip(self.sequence, x, strict=True):
            axis = tuple(1.0 if a == letter.lower() else 0.0 for a in "xyz")
            R = about(axis, angle * self.unit)
            whole = product(whole, R) if letter.islower() else product(R, whole)
        return whole


def unit(v: Sequence[float]) -> Any:
    """The unit vector along v; None where v is zero or infinite."""
    length = math.hypot(*v)
    if not SHORTEST < length < math.inf:
        return None
    return tuple(x / length for x in v)


def cross(a: Sequence[float], b: Sequence[float]) -> Vector:
    """a × b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def about(axis: Sequence[float], angle: float) -> Any:
    """The rotation about an axis of any length; None where it is zero."""
    u = unit(axis)
    if u is None:
        return None
    s = math.sin(angle / 2)
    return of_quaternion(math.cos(angle / 2), *(s * x for x in u))


def onto(axis: Sequence[float]) -> Any:
    """The smallest rotation that takes z onto a direction; a half turn is about x."""
    u = unit(axis)
    if u is None:
        return None
    across = cross((0.0, 0.0, 1.0), u)
    s = math.hypot(*across)
    return about([x / s for x in across] if s > 0.0 else (1.0, 0.0, 0.0), math.atan2(s, u[2]))


def _of_axes(x: Sequence[float]) -> Any:
    """The rotation with the columns x, y made orthogonal to x, and x × y."""
    first = unit(x[:3])
    if first is None:
        return None
    along = sum(a * b for a, b in zip(first, x[3:], strict=True))
    second = unit([b - along * a for a, b in zip(first, x[3:], strict=True)])
    return None if second is None else transposed([first, second, cross(first, second)])


def _of_quat(x: Sequence[float]) -> Any:
    u = unit(x)
    return None if u is None else of_quaternion(*u)


_TURNS: dict[str, Any] = {"quat": _of_quat, "zaxis": onto, "xyaxes": _of_axes}


def quaternion_frame(at: Any, q: Sequence[float]) -> Frame | None:
    """The frame at a point, rotated by a quaternion; None where that is zero."""
    R = _of_quat(q)
    return None if R is None else framed(at, R)


def framed(at: Any, R: Any) -> Frame:
    """The frame at a point with a rotation; None is no rotation."""
    return Frame(at, ORIGIN if R is None else angles([list(row) for row in R]))
