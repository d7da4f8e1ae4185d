"""Our YAML: the same facts as in Python, one key per fact, names as keys.

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

from pathlib import Path
from typing import Any

from hapsis.errors import ModelError
from hapsis.mechanics.formats import yaml_fields as read
from hapsis.mechanics.formats.text import checked_name
from hapsis.mechanics.formats.yaml_fields import FILE, Read, Shapes, end, fields, value, word
from hapsis.mechanics.formats.yaml_tree import Node, yaml_tree
from hapsis.mechanics.model.ball import Ball
from hapsis.mechanics.model.bodies import Body, Rod
from hapsis.mechanics.model.chain import Chain
from hapsis.mechanics.model.constraints import Distance, Gear, Rolling
from hapsis.mechanics.model.contacts import Contact
from hapsis.mechanics.model.cylindrical import Cylindrical
from hapsis.mechanics.model.drives import Drive
from hapsis.mechanics.model.fact import Fact
from hapsis.mechanics.model.forces.spring import Spring
from hapsis.mechanics.model.free import Free
from hapsis.mechanics.model.helical import Helical
from hapsis.mechanics.model.model import Model
from hapsis.mechanics.model.planar import Planar
from hapsis.mechanics.model.prismatic import Prismatic
from hapsis.mechanics.model.revolute import Revolute
from hapsis.mechanics.model.sensors import ON_ENDS, ON_JOINTS, Sensor
from hapsis.mechanics.model.universal import Universal
from hapsis.mechanics.model.validation import MOST_BODIES
from hapsis.mechanics.model.weld import Weld

Keys = dict[str, Read]
_ENDS: Keys = {"first": end, "second": end}
_MOTION: Keys = {
    "limits": read.limits, "armature": value, "damping": value, "friction": value,
    "max_speed": value, "max_effort": value,
}  # fmt: skip

# {section: {type: (class, its keys, those it needs)}}; a section whose facts have one type only
# has it under ""
KINDS: dict[str, dict[str, tuple[type[Fact], Keys, tuple[str, ...]]]] = {
    "joints": {
        name: (cls, _ENDS | own | _MOTION, ("first", "second", *needed))
        for name, cls, own, needed in (
            ("revolute", Revolute, {"axis": read.axis}, ()),
            ("prismatic", Prismatic, {"axis": read.axis}, ()),
            ("helical", Helical, {"axis": read.axis, "pitch": value}, ("pitch",)),
            ("cylindrical", Cylindrical, {"axis": read.axis}, ()),
            ("universal", Universal, {"axes": read.axes}, ()),
            ("planar", Planar, {"normal": word}, ()),
            ("chain", Chain, {"sequence": word}, ("sequence",)),
            ("ball", Ball, {}, ()),
            ("free", Free, {}, ()),
            ("weld", Weld, {}, ()),
        )
    },
    "constraints": {
        "distance": (Distance, {**_ENDS, "length": value}, ("first", "second", "length")),
        "rolling": (Rolling, {**_ENDS, "radius": value}, ("first", "second", "radius")),
        "gear": (
            Gear,
            {"first": word, "second": word, "ratio": value, "offset": value},
            ("first", "second", "ratio"),
        ),
    },
    "forces": {
        "spring": (
            Spring,
            {**_ENDS, "stiffness": value, "damping": value, "length": value},
            ("first", "second", "stiffness"),
        ),
    },
    "contacts": {"": (Contact, _ENDS, ("first", "second"))},
    "drives": {
        "": (
            Drive,
            {"joint": word, "position": value, "velocity": value, "acceleration": value},
            ("joint",),
        ),
    },
    "sensors": {
        **{name: (Sensor, {"on": end}, ("on",)) for name in ON_ENDS},
        **{name: (Sensor, {"on": word}, ("on",)) for name in ON_JOINTS},
    },
}


def yaml_model(text: str, file: str, folder: Path, physical: bool = True) -> Model:
    """The model of a YAML text; what was left out is noted in it. Meshes lie in the folder."""
    tree = yaml_tree(text, file)
    reader = _Reader(folder)
    tree.entries(FILE)
    _check_version(tree)
    found = fields(tree, FILE, reader.sections)
    facts: list[Any] = [found.get(name, []) for name in ("bodies", *KINDS)]
    if "anchors" in found or "shapes" in found:
        world = {"frames": found.get("anchors", {}), "shapes": found.get("shapes", ())}
        facts.insert(0, Body("world", **world, where=tree.where))
    settings = {k: v for k, v in found.items() if k in _SETTINGS}
    try:
        return Model(*facts, **settings, physical=physical, notes=reader.shapes.notes)
    except ModelError as error:
        if error.where is None:
            raise _placed(error, tree) from None
        raise


_SETTINGS = ("gravity", "parameters", "poses", "independent")
_WORDS = {"pose": "poses", "poses": "poses", "parameter": "parameters"} | {k: k for k in _SETTINGS}


def _placed(error: ModelError, tree: Node) -> ModelError:
    """An error about a whole section, with the place of the section."""
    words = (_WORDS.get(word, "") for word in error.what.split())
    section = next((name for name in words if name in tree.value), "hapsis")
    placed = tree.value[section][0].wrong(error.what, **read.parts(error))
    if problems := getattr(error, "problems", None):
        placed.problems = problems
    return placed


def _check_version(tree: Node) -> None:
    if "hapsis" not in tree.value:
        raise tree.wrong('the file needs "hapsis: 1", the version of its format')
    _, version = tree.value["hapsis"]
    if version.value != "1":
        raise version.wrong(f"the file has format {version.shown}", expected="hapsis: 1")


class _Reader:
    """The sections of a file, each with the function that reads it."""

    def __init__(self, folder: Path) -> None:
        self.shapes = Shapes(folder)
        self.body: Keys = {
            "mass": value, "com": read.vector, "inertia": read.inertia, "frames": read.frames,
            "shapes": self.shapes,
        }  # fmt: skip
        self.sections: Keys = {
            "hapsis": lambda node, what: None,
            "gravity": lambda node, what: read.values(node, what, 3, read=read.plain_number),
            "parameters": _parameters,
            "anchors": read.frames,
            "shapes": self.shapes,
            "bodies": self._bodies,
            **{name: _section(name) for name in KINDS},
            "poses": _poses,
            "independent": lambda node, what: [n.text(what) for n in node.items(what)],
            "phases": _phases,
        }

    def _bodies(self, node: Node, what: str) -> list[Body]:
        if len(entries := node.entries(what)) > MOST_BODIES:
            raise node.wrong(f"{len(entries)} bodies", expected=f"at most {MOST_BODIES}")
        return [self._body(key, item) for key, item in entries]

    def _body(self, key: Node, node: Node) -> Body:
        name = checked_name(key.value, "body", key.where)
        if name == "world":
            raise key.wrong('"world" is no body of a file: it has anchors and shapes')
        what = f'body "{name}"'
        if isinstance(node.value, dict) and "rod" in node.value:
            rod: Keys = {"length": value, "mass": value}
            needed = tuple(rod)
            known: Keys = {
                "rod": lambda n, w: fields(n, w, rod, needed),
                "frames": read.frames,
                "shapes": self.shapes,
            }
            found = fields(node, what, known)
            return Rod(name, **found.pop("rod"), **found, where=key.where)
        found = fields(node, what, {**self.body, "rod": word})
        return Body(name, **found, where=key.where)


def _section(section: str) -> Read:
    """The function that reads the facts of a section."""
    kinds, one = KINDS[section], section.removesuffix("s")

    return lambda node, what: [_fact(key, item, one, kinds) for key, item in node.entries(what)]


def _fact(key: Node, node: Node, one: str, kinds: dict[str, Any]) -> Fact:
    name = checked_name(key.value, one, key.where)
    what = f'{one} "{name}"'
    said = ""
    if "" not in kinds:
        node, said = read.kind(node, what, kinds)
    cls, known, needed = kinds[said]
    found = fields(node, what, known, needed)
    if cls is Sensor:
        found["kind"] = said
    return cls(name, **found, where=key.where)


def _parameters(node: Node, what: str) -> dict[str, float]:
    """{name: number}."""
    return {
        checked_name(k.value, "parameter", k.where): read.plain_number(v, f'parameter "{k.value}"')
        for k, v in node.entries(what)
    }


def _poses(node: Node, what: str) -> dict[str, dict[str, Any]]:
    """{name: {coordinate: value}}."""
    made: dict[str, dict[str, Any]] = {}
    for key, pose in node.entries(what):
        what = f'pose "{checked_name(key.value, "pose", key.where)}"'
        made[key.value] = {
            checked_name(k.value, "coordinate", k.where): value(v, f"{what}: {k.value}")
            for k, v in pose.entries(what)
        }
    return made


def _phases(node: Node, what: str) -> None:
    raise node.wrong("phases are not available yet", remedy="leave the key out")
