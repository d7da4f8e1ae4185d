"""Contacts in our YAML: sides that touch, and the laws by which they do.

floor:
  first: {body: ball, shape: {type: sphere, radius: 0.1}}
  second: {body: world, shape: {type: plane, normal: z}}
  law: {type: hunt_crossley, stiffness: 1e7, restitution: 0.5}
  friction: 0.4
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from hapsis.errors import ModelError
from hapsis.mechanics.formats.yaml.yaml_fields import (
    ENDS,
    READERS,
    Read,
    end,
    end_of,
    fields,
    kind,
    parts,
    value,
)
from hapsis.mechanics.formats.yaml.yaml_kinds import Kinds, types
from hapsis.mechanics.formats.yaml.yaml_shapes import Shapes
from hapsis.mechanics.formats.yaml.yaml_tree import Node
from hapsis.mechanics.model.contact_laws.contact_law import ContactLaw
from hapsis.mechanics.model.contact_laws.coulomb import Coulomb
from hapsis.mechanics.model.contacts import NORMAL, SLIDING, AsFrictionLaw, AsNormalLaw
from hapsis.mechanics.model.frames import End
from hapsis.mechanics.model.shapes.shapes import Shape
from hapsis.mechanics.model.shapes.surfaces import AsSide, Surface

ALL = "all"  # in the place of a shape: all those that the body has


class Contacts:
    """Reads the fields of contacts."""

    def __init__(self, shapes: Shapes) -> None:
        self.shapes = shapes

    @property
    def readers(self) -> Mapping[Any, Read]:
        """How each annotation of a field is read, those of contacts included."""
        return {**READERS, AsSide: self.side, AsNormalLaw: self.law, AsFrictionLaw: self.friction}

    @cached_property
    def laws(self) -> Kinds:
        """The laws of forces across the surfaces."""
        return Kinds((cls for cls in types(ContactLaw) if cls.inputs == NORMAL), READERS)

    @cached_property
    def frictions(self) -> Kinds:
        """The laws of forces along the surfaces."""
        return Kinds((cls for cls in types(ContactLaw) if cls.inputs == SLIDING), READERS)

    def side(self, node: Node, what: str) -> End | Surface:
        """An end, which is a point; or an end with a shape: {body: ball, shape: {type: ...}}."""
        if not isinstance(node.value, dict):
            return end(node, what)
        given = fields(node, what, {**ENDS, "shape": self._shape}, ("body",))
        if "shape" not in given:
            return end_of(node, what, given)
        shape = given.pop("shape")
        return Surface(end_of(node, what, given), shape)

    def _shape(self, node: Node, what: str) -> Shape | None:
        if isinstance(node.value, str) and node.value == ALL:
            return None
        if not isinstance(node.value, dict):
            wanted = f"{{type: sphere, radius: 0.1}}, or {ALL}: those that the body has"
            raise node.wrong(f"{what} must be a shape, not {node.shown}", expected=wanted)
        return self.shapes.shape(node, what.removesuffix(": shape"), self.shapes.solids)

    def law(self, node: Node, what: str) -> ContactLaw:
        """{type: hunt_crossley, stiffness: 1e7, ...}."""
        if not isinstance(node.value, dict):
            wanted = "{type: linear, ...}; a law of one's own needs Python"
            raise node.wrong(f"{what} must be a map, not {node.shown}", expected=wanted)
        return self._law(node, what, self.laws)

    def friction(self, node: Node, what: str) -> ContactLaw:
        """A number or a formula, which is Coulomb's mu; or {type: coulomb, mu: 0.4, ...}."""
        if isinstance(node.value, str):
            return _law_of(Coulomb, {"mu": value(node, what)}, node, what)
        if not isinstance(node.value, dict):
            wanted = "a number, or {type: coulomb, mu: 0.4}"
            raise node.wrong(f"{what} is {node.shown}", expected=wanted)
        return self._law(node, what, self.frictions)

    def _law(self, node: Node, what: str, kinds: Kinds) -> ContactLaw:
        rest, name = kind(node, what, kinds)
        make, keys, needed = kinds[name]
        what = f"{what}: {name}"
        return _law_of(make, fields(rest, what, keys, needed), node, what)


def _law_of(make: Callable[..., ContactLaw], given: dict[str, Any], node: Node, what: str) -> ContactLaw:
    """The law with these fields; an error in them is one of the node."""
    try:
        return make(**given)
    except ModelError as error:  # it begins with the name of the law
        told = error.what.partition(": ")[2]
        raise node.wrong(f"{what}: {told}", **parts(error)) from None
