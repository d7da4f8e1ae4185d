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

_PLAIN = re.compile(r"-?[A-Za-z0-9_.(][A-Za-z0-9_.()+*/^<>= -]*(?<! )", re.ASCII)
_SPECIAL = re.compile(  # names that other readers of YAML would not read as text
    r"[-+.]*\d[\w.+-]*|y|n|yes|no|on|off|true|false|null|\.inf|\.nan", re.I | re.ASCII
)


def yaml_text(model: Model) -> str:
    """A model as the text of a YAML file."""
    return "\n".join(yaml_lines(model)) + "\n"


def yaml_lines(model: Model, without: tuple[str, ...] = ()) -> list[str]:
    """The lines of a model in a YAML file.

    without   families of facts that are left out
    """
    lines = ["hapsis: 1"]
    if model.gravity != GRAVITY:
        lines.append(f"gravity: {_shown(model.gravity)}")
    lines += section("parameters", {n: _shown(v) for n, v in model.parameters.items()})
    lines += section("anchors", {n: frame_text(f) for n, f in model.world.frames.items()})
    if model.world.shapes:
        lines += ["shapes:", *(f"  - {_shape(shape)}" for shape in model.world.shapes)]
    lines += section("bodies", {n: _body(body) for n, body in model.bodies.items()})
    for name in SECTIONS:
        if name not in without:
            lines += section(name, fact_texts(name, getattr(model, name)))
    poses = {
        name: map_text({key_text(n, name): _shown(v) for n, v in pose.items()})
        for name, pose in model.poses.items()
    }
    lines += section("poses", poses)
    if model.independent:
        lines.append(f"independent: {list_text(map(plain_text, model.independent))}")
    if model.page is not None:
        lines += section("page", _changed(model.page)) or ["page: {}"]
    return lines


def fact_texts(family: str, facts: Mapping[str, Fact]) -> dict[str, str]:
    """{name: text} of facts of one family."""
    kinds = section_kinds(family, Contacts(Shapes(Path())).readers)
    return {name: _fact(fact, kinds) for name, fact in facts.items()}


def section(name: str, entries: Mapping[str, str]) -> list[str]:
    """The lines of a section; none without entries."""
    if not entries:
        return []
    return [f"{name}:", *(f"  {key_text(key, name)}: {text}" for key, text in entries.items())]


def key_text(name: str, section: str) -> str:
    """A name as a key of a section."""
    return plain_text(checked_name(name, "fact", section), key=True)


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
        written["frames"] = map_text({key_text(n, body.name): frame_text(f) for n, f in body.frames.items()})
    if body.shapes:
        written["shapes"] = list_text(map(_shape, body.shapes))
    return map_text(written)


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
    return map_text(written)


def _law(law: ContactLaw) -> str:
    """A contact's law as a map; Coulomb friction with defaults is written as the number mu."""
    if isinstance(law, Coulomb) and law == Coulomb(law.mu):
        return _shown(law.mu)
    return map_text({"type": law.type_name, **_changed(law)})


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
    return map_text({"type": shape.type_name, **_changed(shape), **_place(shape.at)})


def _place(frame: Frame) -> dict[str, str]:
    parts = {"at": frame.at, "rpy": frame.rpy}
    return {name: _shown(value) for name, value in parts.items() if value != ORIGIN}


def frame_text(frame: Frame) -> str:
    """A frame: its origin, or a map of origin and angles."""
    return _shown(frame.at) if frame.rpy == ORIGIN else map_text(_place(frame))


def _end(end: End) -> str:
    return plain_text(end.body) if end.frame is None else map_text(_end_keys(end))


def _end_keys(end: End) -> dict[str, str]:
    body = {"body": plain_text(end.body)}
    if end.frame is None:
        return body
    if isinstance(end.frame, str):
        return {**body, "frame": plain_text(end.frame)}
    return body | (_place(end.frame) or {"at": _shown(ORIGIN)})


def _surface(side: Surface) -> str:
    return map_text({**_end_keys(side.on), "shape": _shape(side.shape) if side.shape else ALL})


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
            return plain_text(value)
        case Formula():
            return plain_text(value.text)
        case End():
            return _end(value)
        case Surface():
            return _surface(value)
        case ContactLaw():
            return _law(value)
        case Press() | Sound():
            return map_text(_changed(value))
        case tuple():
            return list_text(map(_shown, value))
        case Mapping():
            return map_text({key_text(key, "limits"): _shown(v) for key, v in value.items()})
    raise ModelError(f"a file cannot hold a {type(value).__name__}")


def list_text(texts: Iterable[str]) -> str:
    """A list of texts."""
    return f"[{', '.join(texts)}]"


def map_text(entries: Mapping[str, str]) -> str:
    """A map of texts."""
    return "{" + ", ".join(f"{key}: {text}" for key, text in entries.items()) + "}"


def plain_text(text: str, key: bool = False) -> str:
    """A text, in quotes where YAML needs them or, as a key, where it could be read as no text."""
    if _PLAIN.fullmatch(text) and not (key and _SPECIAL.fullmatch(text)):
        return text
    return '"' + "".join(map(_escaped, text)) + '"'


def _escaped(c: str) -> str:
    if c in '"\\':
        return "\\" + c
    return c if c.isprintable() else f"\\U{ord(c):08x}"
