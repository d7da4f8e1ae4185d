"""Reader of Hapsis YAML: the same facts as in Python, one key per fact, names as keys.

    hapsis: 1
    parameters: {L: 0.4, rho: 1.2}
    bodies:
      upper: {mass: rho * L, com: [L / 2, 0, 0], inertia: [0, 0.01, 0.01], frames: {end: [L, 0, 0]}}
      fore: {rod: {length: 0.3, mass: 0.4}}
    joints:
      shoulder: {type: revolute, first: world, second: upper, axis: y, limits: [-2, 2]}
      elbow: {type: revolute, first: upper.end, second: fore, axis: y}
    poses: {start: {elbow: 0.5}}

The keys of a fact are the names of its fields. `anchors` and `shapes` are the world's own frames
and shapes.
"""

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from hapsis.errors import ModelError
from hapsis.mechanics.formats.all_problems import Unreadable, all_of, problems_of
from hapsis.mechanics.formats.file_text import checked_name
from hapsis.mechanics.formats.yaml import yaml_fields as read
from hapsis.mechanics.formats.yaml.yaml_contacts import Contacts
from hapsis.mechanics.formats.yaml.yaml_fields import FILE, Read, fields, value, word
from hapsis.mechanics.formats.yaml.yaml_kinds import SECTIONS, Kind, Kinds, types
from hapsis.mechanics.formats.yaml.yaml_page import page
from hapsis.mechanics.formats.yaml.yaml_phases import (
    PHASES,
    HybridSections,
    hybrid_sections,
    phase_constraints,
)
from hapsis.mechanics.formats.yaml.yaml_remainder import (
    MOST,
    entry_count,
    independent_problems,
    readable_part,
)
from hapsis.mechanics.formats.yaml.yaml_shapes import Shapes
from hapsis.mechanics.formats.yaml.yaml_tree import Node, yaml_tree
from hapsis.mechanics.model.bodies import Body, Rod
from hapsis.mechanics.model.checks.validation import MOST_BODIES
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.sensors import ON_ENDS, ON_JOINTS, Sensor


def yaml_model(
    text: str,
    file: str,
    folder: Path,
    physical: bool = True,
    hybrids: Callable[[], HybridSections] | None = None,
) -> Any:
    """The model of a YAML text; its warnings list what was ignored. Meshes are in the folder.

    hybrids   gives what reads a file with phases, where a hybrid may come back
    """
    tree = yaml_tree(text, file)
    tree.entries(FILE)
    _check_version(tree)
    more = hybrid_sections(tree, hybrids)
    reader = _Reader(folder, more)
    try:
        sections = fields(tree, FILE, reader.sections)
    except ModelError as error:
        others = _other_problems(tree, folder, physical, more)
        raise (Unreadable([error], others) if others else error) from None
    return _model(tree, reader, sections, physical)


def _other_problems(tree: Node, folder: Path, physical: bool, hybrids: HybridSections | None) -> list[str]:
    """The problems of the model that the readable entries of a file make."""
    if entry_count(tree) > MOST:
        return []
    part, names = readable_part(tree, _Reader(folder, hybrids).sections)
    reader = _Reader(folder, hybrids)
    try:
        _model(part, reader, fields(part, FILE, reader.sections), physical)
    except ModelError as error:
        return independent_problems(problems_of(error), names)
    return []


def _model(tree: Node, reader: "_Reader", sections: Mapping[str, Any], physical: bool) -> Any:
    """The model, or the hybrid, of sections that were read."""
    facts: list[Any] = [sections.get(name, []) for name in ("bodies", *SECTIONS)]
    if "anchors" in sections or "shapes" in sections:
        world = {"frames": sections.get("anchors", {}), "shapes": sections.get("shapes", ())}
        facts.insert(0, Body("world", **world, where=tree.where))
    settings = {k: v for k, v in sections.items() if k in _SETTINGS}
    try:
        model = Model(*facts, **settings, physical=physical, notes=reader.shapes.notes)
        if reader.hybrids is None or PHASES not in sections:
            return model
        phases = {
            name: Model(model, *own, physical=physical, notes=model.notes)
            for name, own in sections[PHASES].items()
        }
        return reader.hybrids.make(phases, sections)
    except ModelError as error:
        raise _placed(error, tree) from None


_SETTINGS = ("gravity", "parameters", "poses", "independent", "page")
_WORDS = {"pose": "poses", "parameter": "parameters", "contact": "contacts"}
_WORDS |= {"event": "events", "phases": PHASES, "watch:": "watch", "start:": "start"}
_WORDS |= {k: k for k in _SETTINGS}


def _placed(error: ModelError, tree: Node) -> ModelError:
    """The error of a Model; what it says of whole sections with their positions in the file."""
    placed: Any = error if error.where else _key(error.what, tree).wrong(error.what, **read.parts(error))
    start = f"{tree.file}:"
    if problems := getattr(error, "problems", None):
        lines = (x if x.startswith(start) else f"{_key(x, tree).where}: {x}" for x in problems)
        placed.problems = tuple(lines)
    return placed


def _key(text: str, tree: Node) -> Node:
    """The key of the section, or of the fact, that a text is about."""
    words = (_WORDS.get(word, "") for word in text.split())
    key, node = tree.value[next((name for name in words if name in tree.value), "hapsis")]
    named = re.match(r'\w+ "(.+?)"(?:: | names )', text)
    if named and isinstance(node.value, dict) and named[1] in node.value:
        key, _ = node.value[named[1]]
    return key


def _check_version(tree: Node) -> None:
    if "hapsis" not in tree.value:
        raise tree.wrong('the file needs "hapsis: 1", the version of its format')
    _, version = tree.value["hapsis"]
    if version.value != "1":
        raise version.wrong(f"the file has format {version.shown}", expected="hapsis: 1")


class _Reader:
    """{section: the function that reads it}, and the readers of bodies, shapes, contacts and hybrids."""

    def __init__(self, folder: Path, hybrids: HybridSections | None) -> None:
        self.hybrids = hybrids
        self.shapes = Shapes(folder)
        self.contacts = Contacts(self.shapes)
        self.body: dict[str, Read] = {
            "mass": value,
            "com": read.vector,
            "inertia": read.inertia,
            "frames": read.frames,
            "shapes": self.shapes,
        }
        self.sections: dict[str, Read] = {
            "hapsis": lambda node, what: None,
            "gravity": lambda node, what: read.values(node, what, 3),
            "parameters": _parameters,
            "anchors": read.frames,
            "shapes": self.shapes,
            "bodies": self._bodies,
            **{name: self._section(name) for name in SECTIONS},
            "poses": _poses,
            "independent": lambda node, what: [n.text(what) for n in node.items(what)],
            "page": page,
            PHASES: partial(phase_constraints, self._section("constraints")),
            **(hybrids.sections if hybrids is not None else {}),
        }

    def _bodies(self, node: Node, what: str) -> list[Body]:
        if len(entries := node.entries(what)) > MOST_BODIES:
            raise node.wrong(f"{len(entries)} bodies", expected=f"at most {MOST_BODIES}")
        return all_of(partial(self._body, key, item) for key, item in entries)

    def _body(self, key: Node, node: Node) -> Body:
        name = checked_name(key.value, "body", key.where)
        if name == "world":
            raise key.wrong('"world" is no body of a file: it has anchors and shapes')
        what = f'body "{name}"'
        if isinstance(node.value, dict) and "rod" in node.value:
            rod: dict[str, Read] = {"length": value, "mass": value}
            needed = tuple(rod)
            known: dict[str, Read] = {
                "rod": lambda n, w: fields(n, w, rod, needed),
                "frames": read.frames,
                "shapes": self.shapes,
            }
            values = fields(node, what, known)
            return Rod(name, **values.pop("rod"), **values, where=key.where)
        values = fields(node, what, {**self.body, "rod": word})
        return Body(name, **values, where=key.where)

    def _section(self, section: str) -> Read:
        """The function that reads the facts of a section."""

        def facts(node: Node, what: str) -> list[Fact]:
            kinds = section_kinds(section, self.contacts.readers)
            return all_of(partial(_fact, key, item, section, kinds) for key, item in node.entries(what))

        return facts


def section_kinds(section: str, readers: Mapping[Any, Read]) -> Kinds:
    """The kinds of facts in a section; a section with a single type has it under the key ""."""
    kinds = Kinds((cls for cls in types(Fact) if cls.family == section), readers)
    if section == Sensor.family:
        for name in (*ON_ENDS, *ON_JOINTS):
            on: dict[str, Read] = {"on": read.end if name in ON_ENDS else word}
            kinds[name] = Kind(partial(Sensor, kind=name), on, ("on",))
    return kinds


def _fact(key: Node, node: Node, section: str, kinds: Kinds) -> Fact:
    noun = section.removesuffix("s")
    name = checked_name(key.value, noun, key.where)
    what, kind = f'{noun} "{name}"', ""
    if "" not in kinds:
        node, kind = read.kind(node, what, kinds, kinds.python)
    make, keys, needed = kinds[kind]
    return make(name, **fields(node, what, keys, needed), where=key.where)


def _parameters(node: Node, what: str) -> dict[str, float]:
    """{name: number}."""

    def one(key: Node, item: Node) -> tuple[str, float]:
        name = checked_name(key.value, "parameter", key.where)
        return name, read.plain_number(item, f'parameter "{name}"')

    return dict(all_of(partial(one, key, item) for key, item in node.entries(what)))


def _poses(node: Node, what: str) -> dict[str, dict[str, Any]]:
    """{name: {coordinate: value}}."""

    def one(key: Node, pose: Node) -> tuple[str, dict[str, Any]]:
        name = checked_name(key.value, "pose", key.where)
        return name, read.table(pose, f'pose "{name}"')

    return dict(all_of(partial(one, key, item) for key, item in node.entries(what)))
