"""Writer of Hapsis YAML: one line per fact, with numbers that read back exactly.

Fields that have their default value are left out. Facts are in the order of the model, section by
section.
"""

import dataclasses
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from hapsis.errors import ModelError
from hapsis.mechanics.formats.file_text import checked_name
from hapsis.mechanics.formats.yaml.yaml_contacts import ALL, Contacts
from hapsis.mechanics.formats.yaml.yaml_kinds import SECTIONS, Kinds, typed
from hapsis.mechanics.formats.yaml.yaml_reader import section_kinds
from hapsis.mechanics.formats.yaml.yaml_shapes import Shapes
from hapsis.mechanics.model.bodies import Body
from hapsis.mechanics.model.contact_laws.contact_law import ContactLaw
from hapsis.mechanics.model.contact_laws.coulomb import Coulomb
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.frames import ORIGIN, End, Frame
from hapsis.mechanics.model.model import GRAVITY, Model
from hapsis.mechanics.model.page.press import Press
from hapsis.mechanics.model.page.sound import Sound
from hapsis.mechanics.model.sensors import Sensor
from hapsis.mechanics.model.shapes.shapes import Shape
from hapsis.mechanics.model.shapes.surfaces import Surface
from hapsis.mechanics.model.values.formula import Formula

_PLAIN = re.compile(r"-?[A-Za-z0-9_.(][A-Za-z0-9_.()+*/^ -]*(?<! )", re.ASCII)
_SPECIAL = re.compile(  # names that other readers of YAML would not read as text
    r"[-+.]*\d[\w.+-]*|y|n|yes|no|on|off|true|false|null|\.inf|\.nan", re.I | re.ASCII
)


def yaml_text(model: Model) -> str:
    """A model as the text of a YAML file."""
    lines = ["hapsis: 1"]
    if model.gravity != GRAVITY:
        lines.append(f"gravity: {_shown(model.gravity)}")
    lines += _section("parameters", {n: _shown(v) for n, v in model.parameters.items()})
    lines += _section("anchors", {n: _frame(f) for n, f in model.world.frames.items()})
    if model.world.shapes:
        lines += ["shapes:", *(f"  - {_shape(shape)}" for shape in model.world.shapes)]
    lines += _section("bodies", {n: _body(body) for n, body in model.bodies.items()})
    readers = Contacts(Shapes(Path())).readers
    for name in SECTIONS:
        facts: Mapping[str, Fact] = getattr(model, name)
        kinds = section_kinds(name, readers)
        lines += _section(name, {n: _fact(fact, kinds) for n, fact in facts.items()})
    poses = {
        name: _map({_key(n, name): _shown(v) for n, v in pose.items()}) for name, pose in model.poses.items()
    }
    lines += _section("poses", poses)
    if model.independent:
        lines.append(f"independent: {_list(map(_text, model.independent))}")
    if model.page is not None:
        lines += _section("page", _changed(model.page)) or ["page: {}"]
    return "\n".join(lines) + "\n"


def _section(name: str, entries: Mapping[str, str]) -> list[str]:
    if not entries:
        return []
    return [f"{name}:", *(f"  {_key(key, name)}: {text}" for key, text in entries.items())]


def _key(name: str, section: str) -> str:
    return _text(checked_name(name, "fact", section), key=True)


def _body(body: Body) -> str:
    written: dict[str, str] = {}
    if body.mass != 0.0:
        written["mass"] = _shown(body.mass)
    if body.com != ORIGIN:
        written["com"] = _shown(body.com)
    if any(x != 0.0 for x in body.inertia):
        off = any(x != 0.0 for x in body.inertia[3:])
        written["inertia"] = _shown(body.inertia if off else body.inertia[:3])
    if body.frames:
        written["frames"] = _map({_key(n, body.name): _frame(f) for n, f in body.frames.items()})
    if body.shapes:
        written["shapes"] = _list(map(_shape, body.shapes))
    return _map(written)


def _fact(fact: Fact, kinds: Kinds) -> str:
    """A fact as a map: its type, then the fields that are needed or differ from their default."""
    name = fact.kind if isinstance(fact, Sensor) else getattr(fact, "type_name", "?")
    kind = kinds.get(name)
    if kind is None or not (kind.make is type(fact) or isinstance(fact, Sensor)):
        raise fact.wrong(f"a file cannot hold a {type(fact).__name__}: it is Python code")
    written = {"type": name} if name else {}
    for field in dataclasses.fields(fact):
        value = getattr(fact, field.name)
        if callable(value) and not (isinstance(value, ContactLaw) and typed(type(value))):
            raise fact.wrong(f"{field.name} is Python code, which a file cannot hold")
    defaults = {field.name: field.default for field in dataclasses.fields(fact)}
    for field in kind.keys:
        value = getattr(fact, field)
        if field in kind.needed or value != defaults[field]:
            written[field] = _shown(value)
    return _map(written)


def _law(law: ContactLaw) -> str:
    """A contact's law as a map; Coulomb friction with defaults is written as the number mu."""
    if isinstance(law, Coulomb) and law == Coulomb(law.mu):
        return _shown(law.mu)
    return _map({"type": law.type_name, **_changed(law)})


def _changed(x: Any) -> dict[str, str]:
    """The fields that differ from their default."""
    values = {field: getattr(x, field.name) for field in dataclasses.fields(x)}
    return {
        f.name: _shown(value)
        for f, value in values.items()
        if (f.name not in ("at", "where") or isinstance(x, Press)) and value != f.default
    }


def _shape(shape: Shape) -> str:
    if callable(getattr(shape, "height", None)):
        wrong = f"the height of a {shape.type_name} is Python code, which a file cannot hold"
        raise ModelError(wrong, where=shape.where)
    return _map({"type": shape.type_name, **_changed(shape), **_place(shape.at)})


def _place(frame: Frame) -> dict[str, str]:
    parts = {"at": frame.at, "rpy": frame.rpy}
    return {name: _shown(value) for name, value in parts.items() if value != ORIGIN}


def _frame(frame: Frame) -> str:
    return _shown(frame.at) if frame.rpy == ORIGIN else _map(_place(frame))


def _end(end: End) -> str:
    return _text(end.body) if end.frame is None else _map(_end_keys(end))


def _end_keys(end: End) -> dict[str, str]:
    body = {"body": _text(end.body)}
    if end.frame is None:
        return body
    if isinstance(end.frame, str):
        return {**body, "frame": _text(end.frame)}
    return body | (_place(end.frame) or {"at": _shown(ORIGIN)})


def _surface(side: Surface) -> str:
    return _map({**_end_keys(side.on), "shape": _shape(side.shape) if side.shape else ALL})


def _shown(value: Any) -> str:
    """The value of a field as text."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case float() | int():
            return repr(value)
        case str():
            return _text(value)
        case Formula():
            return _text(value.text)
        case End():
            return _end(value)
        case Surface():
            return _surface(value)
        case ContactLaw():
            return _law(value)
        case Press() | Sound():
            return _map(_changed(value))
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
    """A text, in quotes where YAML needs them or, as a key, where it could be read as no text."""
    if _PLAIN.fullmatch(text) and not (key and _SPECIAL.fullmatch(text)):
        return text
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(c: str) -> str:
    if c in '"\\':
        return "\\" + c
    return c if c.isprintable() else f"\\U{ord(c):08x}"
