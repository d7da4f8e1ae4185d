"""Fields of facts in Hapsis YAML: numbers, frames, ends and axes, each from its node.

A number may be a formula of the model's parameters. Every error has the position of the node.
"""

import re
from collections.abc import Callable, Collection, Mapping
from functools import partial
from typing import Any

from hapsis.errors import ModelError, near
from hapsis.mechanics.formats.all_problems import all_of
from hapsis.mechanics.formats.file_text import checked_name
from hapsis.mechanics.formats.yaml.yaml_tree import Node
from hapsis.mechanics.model.frames import AsEnd, End, Frame
from hapsis.mechanics.model.generalized_speed import Combination
from hapsis.mechanics.model.joints.joint import AsLimits
from hapsis.mechanics.model.shapes.heightfield import AsHeight, AsTwo
from hapsis.mechanics.model.shapes.outline import AsPoints
from hapsis.mechanics.model.shapes.shapes import AsColor, AsMaterial
from hapsis.mechanics.model.shapes.triangle_mesh import AsTriangles, AsVertices
from hapsis.mechanics.model.values.axes import LETTERS, Axes, Axis, AxisOrNone
from hapsis.mechanics.model.values.numbers import number
from hapsis.mechanics.model.values.values import (
    AsSix,
    AsValue,
    AsVector,
    AsVectorOrNone,
    FunctionOrNone,
    Value,
    ValueInTime,
    Vector,
    VectorInTime,
    value_of,
)

FILE = "the file"
_NO_NUMBERS = {s + w for s in ("", "+", "-") for w in ("nan", ".nan", "inf", ".inf", "infinity")}
_NO_NUMBERS |= {"null", "~", "true", "false"}
_UNIT = re.compile(r"[-+]?[\d.]+ *(?:k?g|[kcmd]?m|in|lb|deg|°|rad|rpm|Nm?|m?s)$")
_ALMOST = re.compile(rf"[-+]?\.?\d[\w.,:]*$|{_UNIT.pattern}")

Read = Callable[[Node, str], Any]  # from a node and the name of the field in errors


def value(node: Node, what: str) -> Value:
    """A number, or a formula of parameters."""
    text = node.text(what, "a number or a formula").strip()
    if text.lower() in _NO_NUMBERS:
        raise node.wrong(f'{what}: "{text}" is not a number', expected="a number or a formula")
    try:
        return value_of(text, what)
    except ModelError as error:
        if _ALMOST.match(text):
            plain_number(node, what)  # its error is more specific
        raise node.wrong(error.what, **parts(error)) from None


def parts(error: ModelError) -> dict[str, str]:
    """The further arguments of an error: `expected` and `remedy`, where it has them."""
    return {n: v for n in ("expected", "remedy") if (v := getattr(error, n))}


def plain_number(node: Node, what: str) -> float:
    """A number, not a formula."""
    text = node.text(what, "a number").strip()
    try:
        return number(text)
    except ModelError as error:
        expected = error.expected or "a finite number"
        if _UNIT.match(text):
            expected = "a number in SI units, without the unit"
        raise node.wrong(f"{what}: {error.what}", expected=expected) from None


def values(node: Node, what: str, *counts: int, read: Read = value) -> tuple[Any, ...]:
    """A list of values, whose length must be one of `counts`."""
    nodes = node.value
    if not isinstance(nodes, list) or len(nodes) not in counts:
        lengths = " or ".join(map(str, counts))
        raise node.wrong(f"{what} must be {lengths} numbers, not {node.shown}")
    return tuple(read(item, what) for item in nodes)


def vector(node: Node, what: str) -> Vector:
    """Three values."""
    x, y, z = values(node, what, 3)
    return x, y, z


def six(node: Node, what: str) -> tuple[Value, ...]:
    """Six values."""
    return values(node, what, 6)


def inertia(node: Node, what: str) -> tuple[Any, ...]:
    """Three or six values, or three rows of three."""
    rows = node.value
    if isinstance(rows, list) and len(rows) == 3 and all(isinstance(row.value, list) for row in rows):
        return tuple(vector(row, f"{what}: a row") for row in rows)
    return values(node, what, 3, 6)


def limits(node: Node, what: str) -> Any:
    """[low, high], where null means no limit; or {coordinate: [low, high]}."""
    if isinstance(node.value, dict):
        return {k.value: _pair(v, f"{what} of {k.value[:60]}") for k, v in node.entries(what)}
    return _pair(node, what)


def _pair(node: Node, what: str) -> tuple[Any, ...]:
    return values(node, what, 2, read=lambda n, w: None if n.value in ("null", "~") else value(n, w))


def grid(node: Node, what: str) -> tuple[tuple[float, ...], ...]:
    """Rows of numbers of equal length."""
    rows = [row.items(f"{what}: a row") for row in node.items(what)]
    for row, items in zip(node.value, rows, strict=True):
        if len(items) != len(rows[0]):
            raise row.wrong(f"{what}: a row has {len(items)} numbers, the first {len(rows[0])}")
    return tuple(tuple(plain_number(x, what) for x in items) for items in rows)


def corners(node: Node, what: str) -> tuple[tuple[float, ...], ...]:
    """Rows of two or three numbers."""
    return tuple(values(row, f"{what}: a row", 2, 3, read=plain_number) for row in node.items(what))


def two(node: Node, what: str) -> tuple[float, ...]:
    """Two numbers."""
    return values(node, what, 2, read=plain_number)


def color(node: Node, what: str) -> tuple[float, ...]:
    """Red, green and blue."""
    return values(node, what, 3, read=plain_number)


def axis(node: Node, what: str) -> Any:
    """x, y, z, -x, -y, -z or a vector of numbers."""
    if isinstance(node.value, list):
        return values(node, what, 3, read=plain_number)
    if not isinstance(node.value, str) or node.value not in LETTERS:
        raise node.wrong(f"{what} is {node.shown}", expected="x, y, z, -x, -y, -z or a vector")
    return node.value


def axis_or_none(node: Node, what: str) -> Any:
    """An axis, or null for none."""
    return None if node.value in ("null", "~") else axis(node, what)


def vector_or_none(node: Node, what: str) -> Any:
    """Three values, or null for none."""
    return None if node.value in ("null", "~") else vector(node, what)


def no_function(node: Node, what: str) -> None:
    """null: a function needs Python."""
    if node.value not in ("null", "~"):
        raise node.wrong(f"{what} is a function, which needs Python", expected="null")


def axes(node: Node, what: str) -> Any:
    """Two axes."""
    if len(node.items(what)) != 2:
        raise node.wrong(f"{what} must be two axes, not {node.shown}")
    return tuple(axis(item, what) for item in node.value)


def truth(node: Node, what: str) -> bool:
    """true or false."""
    if not isinstance(node.value, str) or node.value not in ("true", "false"):
        raise node.wrong(f"{what} is {node.shown}", expected="true or false")
    return node.value == "true"


def table(node: Node, what: str) -> dict[str, Value]:
    """{name of a coordinate: value}."""
    return {
        checked_name(k.value, "coordinate", k.where): value(v, f"{what}: {k.value[:60]}")
        for k, v in node.entries(what)
    }


def word(node: Node, what: str) -> str:
    """A text: the name of a joint, a sequence of steps."""
    return node.text(what)


def frame(node: Node, what: str) -> Frame:
    """[x, y, z], or {at: [x, y, z], rpy: [roll, pitch, yaw]}."""
    if isinstance(node.value, dict):
        return Frame(**fields(node, what, {"at": vector, "rpy": vector}))
    return Frame(vector(node, what))


def frames(node: Node, what: str) -> dict[str, Frame]:
    """{name: frame}."""
    named: dict[str, Frame] = {}
    for key, item in node.entries(what):
        name = checked_name(key.value, "frame", key.where)
        named[name] = frame(item, f'{what}: "{name}"')
    return named


def end(node: Node, what: str) -> End:
    """`body`, `body.frame`, `world`, `world.anchor`, or {body: name, at: ..., rpy: ...}."""
    if isinstance(node.value, str):
        return End(node.text(what))
    if not isinstance(node.value, dict):
        raise node.wrong(f"{what} must be a place, not {node.shown}", expected="body or body.frame")
    return end_of(node, what, fields(node, what, ENDS, ("body",)))


def end_of(node: Node, what: str, keys: dict[str, Any]) -> End:
    """The End with these fields of a node."""
    place = dict(keys)
    body, named = place.pop("body"), place.pop("frame", None)
    if named is not None and place:
        raise node.wrong(f"{what} has a frame by name and by numbers", expected="one of them")
    return End(body, named or (Frame(**place) if place else None))


def fields(node: Node, what: str, known: Mapping[str, Read], needed: tuple[str, ...] = ()) -> dict[str, Any]:
    """{key: value} of a map; an error if a key is not known or a needed one is missing."""
    about = f"{what}: " if what != FILE else ""
    entries = node.entries(what)

    def one(key: Node, item: Node) -> tuple[str, Any]:
        read = known.get(key.value)
        if read is None:
            hint = near(key.value, known)
            raise key.wrong(f"{about}unknown key {key.shown}{hint}", expected=", ".join(known))
        return key.value, read(item, about + key.value)

    values = dict(all_of(partial(one, key, item) for key, item in entries))
    for name in needed:
        if name not in values:
            raise node.wrong(f'{what} needs "{name}"', expected=", ".join(needed))
    return values


def made(node: Node, make: Callable[..., Any], *values: Any, **named: Any) -> Any:
    """What `make` makes of these values; its errors get the position of the node."""
    try:
        return make(*values, **named)
    except ModelError as error:
        raise node.wrong(error.what, **parts(error)) from None


def kind(node: Node, what: str, kinds: Mapping[str, Any], python: Collection[str] = ()) -> tuple[Node, str]:
    """The node without its key `type`, and the type; `python` are types that files cannot represent."""
    node.entries(what)
    entries = dict(node.value)
    if "type" not in entries:
        raise node.wrong(f'{what} needs "type"', expected=", ".join(kinds))
    _, type_node = entries.pop("type")
    name = type_node.text(f"{what}: type")
    if name not in kinds:
        if name in python:
            wrong = f"{what}: a {name} needs Python: its law is code"
            raise type_node.wrong(wrong, expected=", ".join(kinds))
        hint = near(name, kinds)
        raise type_node.wrong(f"{what}: no type {type_node.shown}{hint}", expected=", ".join(kinds))
    return Node(entries, node.file, node.line, node.column), name


ENDS: Mapping[str, Read] = {"body": word, "frame": word, "at": vector, "rpy": vector}

# {annotation of a field: its reader}
READERS: Mapping[Any, Read] = {
    AsValue: value,
    ValueInTime: value,
    AsVector: vector,
    AsVectorOrNone: vector_or_none,
    FunctionOrNone: no_function,
    VectorInTime: vector,
    AsSix: six,
    AsTwo: two,
    AsColor: color,
    AsMaterial: word,
    AsHeight: grid,
    AsPoints: corners,
    AsVertices: grid,
    AsTriangles: grid,
    AsLimits: limits,
    AsEnd: end,
    Axis: axis,
    AxisOrNone: axis_or_none,
    Axes: axes,
    Mapping[str, AsValue]: table,
    Combination: table,
    float: plain_number,
    bool: truth,
    bool | None: truth,
    str: word,
    str | None: word,
}
