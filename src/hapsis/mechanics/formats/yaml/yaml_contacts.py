"""Contacts in Hapsis YAML: their sides and laws.

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

ALL = "all"  # as a shape: all shapes of the body


class Contacts:
    """Reads the fields of contacts."""

    def __init__(self, shapes: Shapes) -> None:
        self.shapes = shapes

    @property
    def readers(self) -> Mapping[Any, Read]:
        """{annotation of a field: its reader}, those of contacts included."""
        return {**READERS, AsSide: self.side, AsNormalLaw: self.law, AsFrictionLaw: self.friction}

    @cached_property
    def laws(self) -> Kinds:
        """The laws of normal forces."""
        return Kinds((cls for cls in types(ContactLaw) if cls.inputs == NORMAL), READERS)

    @cached_property
    def frictions(self) -> Kinds:
        """The laws of friction."""
        return Kinds((cls for cls in types(ContactLaw) if cls.inputs == SLIDING), READERS)

    def side(self, node: Node, what: str) -> End | Surface:
        """An end, which is a point; or an end with a shape: {body: ball, shape: {type: ...}}."""
        if not isinstance(node.value, dict):
            return end(node, what)
        keys = fields(node, what, {**ENDS, "shape": self._shape}, ("body",))
        if "shape" not in keys:
            return end_of(node, what, keys)
        shape = keys.pop("shape")
        return Surface(end_of(node, what, keys), shape)

    def _shape(self, node: Node, what: str) -> Shape | None:
        if isinstance(node.value, str) and node.value == ALL:
            return None
        if not isinstance(node.value, dict):
            expected = f"{{type: sphere, radius: 0.1}}, or {ALL}: those that the body has"
            raise node.wrong(f"{what} must be a shape, not {node.shown}", expected=expected)
        return self.shapes.shape(node, what.removesuffix(": shape"), self.shapes.solids)

    def law(self, node: Node, what: str) -> ContactLaw:
        """{type: hunt_crossley, stiffness: 1e7, ...}."""
        if not isinstance(node.value, dict):
            expected = "{type: linear, ...}; a law of one's own needs Python"
            raise node.wrong(f"{what} must be a map, not {node.shown}", expected=expected)
        return self._law(node, what, self.laws)

    def friction(self, node: Node, what: str) -> ContactLaw:
        """A number or a formula, which is Coulomb's mu; or {type: coulomb, mu: 0.4, ...}."""
        if isinstance(node.value, str):
            return _law_of(Coulomb, {"mu": value(node, what)}, node, what)
        if not isinstance(node.value, dict):
            expected = "a number, or {type: coulomb, mu: 0.4}"
            raise node.wrong(f"{what} is {node.shown}", expected=expected)
        return self._law(node, what, self.frictions)

    def _law(self, node: Node, what: str, kinds: Kinds) -> ContactLaw:
        rest, name = kind(node, what, kinds)
        make, keys, needed = kinds[name]
        what = f"{what}: {name}"
        return _law_of(make, fields(rest, what, keys, needed), node, what)


def _law_of(make: Callable[..., ContactLaw], values: dict[str, Any], node: Node, what: str) -> ContactLaw:
    """The law with these fields; an error in them gets the position of the node."""
    try:
        return make(**values)
    except ModelError as error:  # it begins with the name of the law
        message = error.what.partition(": ")[2]
        raise node.wrong(f"{what}: {message}", **parts(error)) from None
