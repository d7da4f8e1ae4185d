"""Contacts in our YAML: sides that touch, and the laws by which they do.

floor:
  first: {body: ball, shape: {type: sphere, radius: 0.1}}
  second: {body: world, shape: {type: plane, normal: z}}
  law: {type: hunt_crossley, stiffness: 1e7, restitution: 0.5}
  friction: 0.4
"""

import dataclasses
from typing import Any

from hapsis.errors import ModelError
from hapsis.mechanics.formats.yaml.yaml_fields import ENDS, end, end_of, fields, kind, parts, value
from hapsis.mechanics.formats.yaml.yaml_shapes import shape
from hapsis.mechanics.formats.yaml.yaml_tree import Node
from hapsis.mechanics.model.contact_laws.contact_law import ContactLaw
from hapsis.mechanics.model.contact_laws.coulomb import Coulomb
from hapsis.mechanics.model.contact_laws.felt import Felt
from hapsis.mechanics.model.contact_laws.hunt_crossley import HuntCrossley
from hapsis.mechanics.model.contact_laws.linear import Linear
from hapsis.mechanics.model.frames import End
from hapsis.mechanics.model.shapes.shapes import Shape
from hapsis.mechanics.model.shapes.surfaces import Surface

# {type: class}; the keys of a law are the names of its fields
LAWS: dict[str, type[ContactLaw]] = {"linear": Linear, "hunt_crossley": HuntCrossley, "felt": Felt}
FRICTIONS: dict[str, type[ContactLaw]] = {"coulomb": Coulomb}
ALL = "all"  # in the place of a shape: all those that the body has


def side(node: Node, what: str) -> End | Surface:
    """An end, which is a point; or an end with a shape: {body: ball, shape: {type: ...}}."""
    if not isinstance(node.value, dict):
        return end(node, what)
    found = fields(node, what, {**ENDS, "shape": _shape}, ("body",))
    if "shape" not in found:
        return end_of(node, what, found)
    shape = found.pop("shape")
    return Surface(end_of(node, what, found), shape)


def _shape(node: Node, what: str) -> Shape | None:
    if isinstance(node.value, str) and node.value == ALL:
        return None
    if not isinstance(node.value, dict):
        wanted = f"{{type: sphere, radius: 0.1}}, or {ALL}: those that the body has"
        raise node.wrong(f"{what} must be a shape, not {node.shown}", expected=wanted)
    return shape(node, what.removesuffix(": shape"))


def law(node: Node, what: str) -> ContactLaw:
    """{type: hunt_crossley, stiffness: 1e7, ...}."""
    return _law(node, what, LAWS)


def friction(node: Node, what: str) -> ContactLaw:
    """A number or a formula, which is Coulomb's mu; or {type: coulomb, mu: 0.4, ...}."""
    if isinstance(node.value, str):
        return _made(Coulomb, {"mu": value(node, what)}, node, what)
    if not isinstance(node.value, dict):
        wanted = "a number, or {type: coulomb, mu: 0.4}"
        raise node.wrong(f"{what} is {node.shown}", expected=wanted)
    return _law(node, what, FRICTIONS)


def _law(node: Node, what: str, kinds: dict[str, type[ContactLaw]]) -> ContactLaw:
    if not isinstance(node.value, dict):
        wanted = f"{{type: {next(iter(kinds))}, ...}}; a law of one's own needs Python"
        raise node.wrong(f"{what} must be a map, not {node.shown}", expected=wanted)
    rest, name = kind(node, what, kinds)
    known = dataclasses.fields(kinds[name])
    needed = tuple(field.name for field in known if field.default is dataclasses.MISSING)
    found = fields(rest, f"{what}: {name}", {field.name: value for field in known}, needed)
    return _made(kinds[name], found, node, f"{what}: {name}")


def _made(cls: type[ContactLaw], found: dict[str, Any], node: Node, what: str) -> ContactLaw:
    try:
        return cls(**found)
    except ModelError as error:  # it begins with the name of the law
        told = error.what.partition(": ")[2]
        raise node.wrong(f"{what}: {told}", **parts(error)) from None
