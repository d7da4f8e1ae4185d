"""A model as our YAML: one line per fact, numbers so that they read back bit for bit.

What is as a fact has it by itself is left out. Facts stand in the order of the model, section
by section.
"""

import dataclasses
import re
from collections.abc import Iterable, Mapping
from typing import Any

from hapsis.errors import ModelError
from hapsis.mechanics.formats.text import checked_name
from hapsis.mechanics.formats.yaml_reader import KINDS
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.formula import Formula
from hapsis.mechanics.model.frames import ORIGIN, End, Frame
from hapsis.mechanics.model.model import GRAVITY, Model
from hapsis.mechanics.model.sensors import Sensor
from hapsis.mechanics.model.shapes import Shape

_PLAIN = re.compile(r"-?[A-Za-z0-9_.(][A-Za-z0-9_.()+*/^ -]*(?<! )", re.ASCII)
_SPECIAL = re.compile(  # names that other readers of YAML would take for no text
    r"[-+.]*\d[\w.+-]*|y|n|yes|no|on|off|true|false|null|\.inf|\.nan", re.I | re.ASCII
)


def yaml_text(model: Model) -> str:
    """The file of a model."""
    lines = ["hapsis: 1"]
    if model.gravity != GRAVITY:
        lines.append(f"gravity: {_shown(model.gravity)}")
    lines += _section("parameters", {n: _shown(v) for n, v in model.parameters.items()})
    lines += _section("anchors", {n: _frame(f) for n, f in model.world.frames.items()})
    if model.world.shapes:
        lines += ["shapes:", *(f"  - {_shape(shape)}" for shape in model.world.shapes)]
    lines += _section("bodies", {n: _body(body) for n, body in model.bodies.items()})
    for name in KINDS:
        facts: Mapping[str, Fact] = getattr(model, name)
        lines += _section(name, {n: _fact(name, fact) for n, fact in facts.items()})
    poses = {
        name: _map({_key(n, name): _shown(v) for n, v in pose.items()})
        for name, pose in model.poses.items()
    }
    lines += _section("poses", poses)
    if model.independent:
        lines.append(f"independent: {_list(map(_text, model.independent))}")
    return "\n".join(lines) + "\n"


def _section(name: str, entries: Mapping[str, str]) -> list[str]:
    if not entries:
        return []
    return [f"{name}:", *(f"  {_key(key, name)}: {text}" for key, text in entries.items())]


def _key(name: str, section: str) -> str:
    return _text(checked_name(name, "fact", section), key=True)


def _body(body: Body) -> str:
    found: dict[str, str] = {}
    if body.mass != 0.0:
        found["mass"] = _shown(body.mass)
    if body.com != ORIGIN:
        found["com"] = _shown(body.com)
    if any(x != 0.0 for x in body.inertia):
        off = any(x != 0.0 for x in body.inertia[3:])
        found["inertia"] = _shown(body.inertia if off else body.inertia[:3])
    if body.frames:
        found["frames"] = _map({_key(n, body.name): _frame(f) for n, f in body.frames.items()})
    if body.shapes:
        found["shapes"] = _list(map(_shape, body.shapes))
    return _map(found)


def _fact(section: str, fact: Fact) -> str:
    """The map of a fact: its type, then the fields that are not as they are by themselves."""
    kinds = {name: cls for name, (cls, _, _) in KINDS[section].items() if type(fact) is cls}
    if not kinds:
        raise fact.wrong(f"a file cannot hold a {type(fact).__name__}: it is Python code")
    name = fact.kind if isinstance(fact, Sensor) else next(iter(kinds))
    _, keys, needed = KINDS[section][name]
    found = {"type": name} if name else {}
    defaults = {field.name: field.default for field in dataclasses.fields(fact)}
    for field in defaults:
        if callable(getattr(fact, field)):
            raise fact.wrong(f"{field} is Python code, which a file cannot hold")
    for field in keys:
        value = getattr(fact, field)
        if field in needed or value != defaults[field]:
            found[field] = _shown(value)
    return _map(found)


def _shape(shape: Shape) -> str:
    found = {"type": type(shape).__name__.lower()}
    for field in dataclasses.fields(shape):
        value = getattr(shape, field.name)
        if field.name not in ("at", "where") and value != field.default:
            found[field.name] = _shown(value)
    return _map(found | _place(shape.at))


def _place(frame: Frame) -> dict[str, str]:
    parts = {"at": frame.at, "rpy": frame.rpy}
    return {name: _shown(value) for name, value in parts.items() if value != ORIGIN}


def _frame(frame: Frame) -> str:
    return _shown(frame.at) if frame.rpy == ORIGIN else _map(_place(frame))


def _end(end: End) -> str:
    if end.frame is None:
        return _text(end.body)
    if isinstance(end.frame, str):
        return _map({"body": _text(end.body), "frame": _text(end.frame)})
    place = _place(end.frame) or {"at": _shown(ORIGIN)}
    return _map({"body": _text(end.body), **place})


def _shown(value: Any) -> str:
    """Any value of a field."""
    match value:
        case None:
            return "null"
        case float():
            return repr(value)
        case str():
            return _text(value)
        case Formula():
            return _text(value.text)
        case End():
            return _end(value)
        case tuple():
            return _list(map(_shown, value))
        case Mapping():
            return _map({_key(key, "limits"): _shown(v) for key, v in value.items()})
    raise ModelError(f"a file cannot hold a {type(value).__name__}")


def _list(texts: Iterable[str]) -> str:
    return f"[{', '.join(texts)}]"


def _map(entries: Mapping[str, str]) -> str:
    return "{" + ", ".join(f"{key}: {text}" for key, text in entries.items()) + "}"


def _text(text: str, key: bool = False) -> str:
    """A text, in quotes where it needs them, or as a key where it looks like a number."""
    if _PLAIN.fullmatch(text) and not (key and _SPECIAL.fullmatch(text)):
        return text
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(c: str) -> str:
    if c in '"\\':
        return "\\" + c
    return c if c.isprintable() else f"\\U{ord(c):08x}"
