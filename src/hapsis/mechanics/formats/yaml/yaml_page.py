"""The section `page` of Hapsis YAML: what a shared page of the model offers.

page:
  title: Grand piano action
  rate: 5000
  parameters: {button_height: [0.0705, 0.0717, m, let-off button], hammer.mass: []}
  press: {at: key.finger, along: -y, depth: 0.0099, instead_of: key}
  sounds: {string: {note: A4, damped_by: damper_string}}
"""

from typing import Any

from hapsis.mechanics.formats.yaml import yaml_fields as read
from hapsis.mechanics.formats.yaml.yaml_fields import Read, fields, made
from hapsis.mechanics.formats.yaml.yaml_tree import Node
from hapsis.mechanics.model.page.page import Page
from hapsis.mechanics.model.page.press import Press
from hapsis.mechanics.model.page.sound import Sound


def page(node: Node, what: str) -> Page:
    """The page of a model."""
    return made(node, Page, **fields(node, what, _PAGE))


def _press(node: Node, what: str) -> Press:
    return made(node, Press, **fields(node, what, _PRESS, ("at",)))


def _sounds(node: Node, what: str) -> dict[str, Sound]:
    """{contact: a note, or {note: ..., damped_by: ...}}."""
    return {key.value: _sound(item, f"{what}: {key.value[:60]}") for key, item in node.entries(what)}


def _sound(node: Node, what: str) -> Sound:
    if isinstance(node.value, dict):
        return made(node, Sound, **fields(node, what, _SOUND))
    return made(node, Sound, note=_note(node, what))


def _note(node: Node, what: str) -> str | float:
    """A note such as A4, or a frequency."""
    text = node.text(what, "a note or a frequency").strip()
    return read.plain_number(node, what) if text[:1].isdigit() else text


def _ranges(node: Node, what: str) -> Any:
    """Names; or {name: [low, high]}, where a unit and words may follow, or null or []."""
    if isinstance(node.value, list):
        return _names(node, what)
    return {key.value: _range(item, f"{what}: {key.value[:60]}") for key, item in node.entries(what)}


def _range(node: Node, what: str) -> tuple[Any, ...]:
    if node.value in ("null", "~", []):
        return ()
    items = node.value
    if not isinstance(items, list) or not 2 <= len(items) <= 4:
        raise node.wrong(f"{what} is {node.shown}", expected="[low, high], perhaps with a unit and words")
    numbers = (read.plain_number(item, what) for item in items[:2])
    return (*numbers, *(item.text(what) for item in items[2:]))


def _names(node: Node, what: str) -> list[str]:
    return [item.text(what) for item in node.items(what)]


def _count(node: Node, what: str) -> int:
    value = read.plain_number(node, what)
    if value != int(value):
        raise node.wrong(f"{what} is {node.shown}", expected="a whole number")
    return int(value)


_SOUND: dict[str, Read] = {"note": _note, "damped_by": read.word}
_PRESS: dict[str, Read] = {
    "at": read.end,
    "along": read.axis,
    **dict.fromkeys(("force", "depth", "speed", "most"), read.plain_number),
    "instead_of": read.word,
}
_PAGE: dict[str, Read] = {
    "title": read.word,
    "rate": read.plain_number,
    "method": read.word,
    "substeps": _count,
    "parameters": _ranges,
    "inputs": _ranges,
    "outputs": _names,
    "press": _press,
    "sounds": _sounds,
    "follow": read.truth,
}
